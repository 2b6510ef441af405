// Distances of one point or several at once to one triangle or one box: what nearly all time of measuring is
// spent on.
//
// Everything is free of branches, so that compilers make vector instructions of loops over points.

#pragma once

#include "bv/shape.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	bvhaus_row = 32,  ///< most points of a row
	bvhaus_lanes = 4, ///< rows are computed in whole groups of so many
};

/// Points, coordinate by coordinate, in columns. Behind the last one the first is repeated up to a whole
/// group, and so are the values of rows: the largest and the least of whole groups are those of the points.
typedef struct bvhaus_points
{
	double x[bvhaus_row]; ///< mesh units
	double y[bvhaus_row]; ///< mesh units
	double z[bvhaus_row]; ///< mesh units
	int count;            ///< how many there are
} bvhaus_points;

/// @return `count` rounded up to a multiple of bvhaus_lanes
static inline int bvhaus_whole_groups( int count )
{
	return ( count + bvhaus_lanes - 1 ) & -bvhaus_lanes;
}

/// Repeats a point behind the last one of some columns, up to a whole group.
/// @param first  column of the point, the first of whole groups
static inline void bvhaus_pad_points( bvhaus_points* points, int first, int count )
{
	for ( int i = first + count; i % bvhaus_lanes != 0; ++i )
	{
		points->x[i] = points->x[first];
		points->y[i] = points->y[first];
		points->z[i] = points->z[first];
	}
}

/// A triangle in a frame of its own: corners (0, 0), (length, 0) and (apex_u, apex_v) in the plane of u and
/// v. Since the longest side lies on u, its corners are those of the true triangle to a few units in the last
/// place of the coordinates and of the longest side, however thin it is.
typedef struct bvhaus_framed_triangle
{
	bv_vec3 origin;          ///< a corner, mesh units
	bv_vec3 u;               ///< unit vector along the longest side
	bv_vec3 v;               ///< unit vector in the plane, towards the third corner
	bv_vec3 normal;          ///< unit vector at right angles to the plane
	double length;           ///< of the longest side
	double apex_u;           ///< of the third corner
	double apex_v;           ///< of the third corner, not negative
	double inverse_square_a; ///< 1 / squared length of the side from the origin to the third corner
	double inverse_square_b; ///< 1 / squared length of the side from the other end to the third corner
} bvhaus_framed_triangle;

/// @param corner  of a triangle, which may have no area and no length
bvhaus_framed_triangle bvhaus_frame_triangle( const bv_vec3 corner[3] );

/// The distances of points to the triangle. Their error is a few units in the last place of the coordinates
/// and the distance.
/// @param first  column of the first of them, the first of whole groups
/// @param row    only the columns of these points are set
void bvhaus_triangle_row( const bvhaus_framed_triangle* triangle, const bvhaus_points* points, int first,
                          int count, double row[bvhaus_row] );

/// @return the point of the triangle that is nearest to `point`, to rounding
bv_vec3 bvhaus_nearest_on_triangle( const bvhaus_framed_triangle* triangle, bv_vec3 point );

/// A solid box.
typedef struct bvhaus_solid_box
{
	bv_vec3 center;         ///< mesh units
	bv_vec3 axis[3];        ///< orthonormal
	double half_extents[3]; ///< mesh units
} bvhaus_solid_box;

/// The distances of points to the box, 0 inside of it. As bvhaus_triangle_row.
void bvhaus_box_row( const bvhaus_solid_box* box, const bvhaus_points* points, int first, int count,
                     double row[bvhaus_row] );

/// @return the larger one of a number and 0, exactly, where compilers make a branch of the comparison
static inline double bvhaus_positive( double x )
{
	return 0.5 * ( x + fabs( x ) );
}

/// @return the number of 0 .. upper that is nearest to x
static inline double bvhaus_clamp( double x, double upper )
{
	return bvmath_min( bvhaus_positive( x ), upper );
}

/// @param s  along u from the origin
/// @param r  along v
/// @return the squared distance within the plane, 0 for points above or below the triangle
static inline double bvhaus_square_in_plane( const bvhaus_framed_triangle* t, double s, double r )
{
	double on_side = s - bvhaus_clamp( s, t->length );
	double square = on_side * on_side + r * r;

	double along = bvhaus_clamp( ( s * t->apex_u + r * t->apex_v ) * t->inverse_square_a, 1 );
	double du = s - along * t->apex_u;
	double dv = r - along * t->apex_v;
	square = bvmath_min( square, du * du + dv * dv );

	double end_u = t->apex_u - t->length;
	double end_s = s - t->length;
	along = bvhaus_clamp( ( end_s * end_u + r * t->apex_v ) * t->inverse_square_b, 1 );
	du = end_s - along * end_u;
	dv = r - along * t->apex_v;
	square = bvmath_min( square, du * du + dv * dv );

	double inside =
		bvmath_min( bvmath_min( r, s * t->apex_v - r * t->apex_u ), r * end_u - end_s * t->apex_v );
	// Nothing is inside of a triangle without area, although all three are 0 on its line.
	return ( ( inside >= 0 ) & ( t->apex_v > 0 ) ) ? 0 : square;
}

/// @return the squared distance of a point to a triangle
static inline double bvhaus_triangle_square( const bvhaus_framed_triangle* t, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, t->origin );
	double h = bv_dot( d, t->normal );
	return bvhaus_square_in_plane( t, bv_dot( d, t->u ), bv_dot( d, t->v ) ) + h * h;
}

/// @return the distance of a point to a triangle
static inline double bvhaus_triangle_distance( const bvhaus_framed_triangle* t, bv_vec3 point )
{
	return sqrt( bvhaus_triangle_square( t, point ) );
}

/// @return the squared distance of a point to a box
static inline double bvhaus_box_square( const bvhaus_solid_box* box, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, box->center );
	double x = bvhaus_positive( fabs( bv_dot( d, box->axis[0] ) ) - box->half_extents[0] );
	double y = bvhaus_positive( fabs( bv_dot( d, box->axis[1] ) ) - box->half_extents[1] );
	double z = bvhaus_positive( fabs( bv_dot( d, box->axis[2] ) ) - box->half_extents[2] );
	return ( x * x + y * y ) + z * z;
}

/// @return the distance of a point to a box
static inline double bvhaus_box_distance( const bvhaus_solid_box* box, bv_vec3 point )
{
	return sqrt( bvhaus_box_square( box, point ) );
}
