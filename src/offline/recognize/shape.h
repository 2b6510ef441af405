// Primitives as convex sets whose signed distance is known in closed form, for fitting and measuring.
//
// Coordinates are those of bvrecog_place: the mesh is within 1 of the origin. All that is computed of a shape
// errs by no more than bvrecog_shape_grain.

#pragma once

#include "bvbuild/recognize.h"
#include "runtime/math/vec.h"

enum
{
	bvrecog_shape_parameters_most = 9,
};

/// A primitive. A sphere is a capsule whose ends coincide.
typedef struct bvrecog_shape
{
	bv_primitive_kind kind; ///< decides which of the others hold
	bv_vec3 center;         ///< of a box
	bv_vec3 axis[3];        ///< of a box: orthonormal, right-handed
	double half[3];         ///< of a box: along each axis, not negative
	bv_vec3 ends[2];        ///< of all others

	/// of all others: from the first end to the second, with the digits that ends far off have lost
	bv_vec3 along;

	double radius; ///< of all others, not negative
} bvrecog_shape;

/// What is known of a point near a shape's surface.
typedef struct bvrecog_near
{
	double distance; ///< to the surface, negative inside
	bv_vec3 normal;  ///< unit: where the distance grows fastest, or one of these directions
} bvrecog_near;

/// @return a sphere, a capsule or a cylinder
bvrecog_shape bvrecog_shape_rod( bv_primitive_kind kind, bv_vec3 first, bv_vec3 second, double radius );

/// @return how many parameters a shape of this kind has
int bvrecog_shape_parameters( bv_primitive_kind kind );

/// The distance of a point to the surface, negative inside: a convex function that changes by no more than
/// the way one goes.
double bvrecog_shape_distance( const bvrecog_shape* shape, bv_vec3 p );

/// The same with its direction of growth.
bvrecog_near bvrecog_shape_near( const bvrecog_shape* shape, bv_vec3 p );

/// The same with its derivatives.
/// @param row  receives the derivatives of the distance by the parameters that bvrecog_shape_moved takes
/// @return the distance
double bvrecog_shape_derivatives( const bvrecog_shape* shape, bv_vec3 p,
                                  double row[bvrecog_shape_parameters_most] );

/// The largest dot product of a unit vector with a point of the shape: for all points x the distance is at
/// least dot( direction, x ) less that.
double bvrecog_shape_support( const bvrecog_shape* shape, bv_vec3 direction );

/// The same with its derivatives.
/// @param row  receives the derivatives of the support by the parameters that bvrecog_shape_moved takes
/// @return the support
double bvrecog_shape_support_derivatives( const bvrecog_shape* shape, bv_vec3 direction,
                                          double row[bvrecog_shape_parameters_most] );

/// @return how deep inside a point can be
double bvrecog_shape_depth( const bvrecog_shape* shape );

/// @return how far a point of the shape can be from p, or somewhat more
double bvrecog_shape_farthest( const bvrecog_shape* shape, bv_vec3 p );

/// @return by how much results of these functions may be wrong for points within 2 of the origin
double bvrecog_shape_grain( const bvrecog_shape* shape );

/// The shape with changed parameters: of a box a rotation vector, the center and the half extents; of a
/// sphere the center and the radius; of the others both ends and the radius. What must not be negative stays
/// 0 or more.
bvrecog_shape bvrecog_shape_moved( const bvrecog_shape* shape, const double* change );

/// @return the distance of the ends
double bvrecog_shape_length( const bvrecog_shape* shape );

/// The shape with its ends moved along the axis, about their middle.
bvrecog_shape bvrecog_shape_with_length( const bvrecog_shape* shape, double length );

/// The shape with its surface everywhere farther out by `by`, but for the edges of boxes and cylinders, which
/// stay sharp.
bvrecog_shape bvrecog_shape_swollen( const bvrecog_shape* shape, double by );
