// Convex shapes for queries: points, boxes, balls, cylinders and others, the hull or a part of a file, or any shape by a support
// function. Each can have rounded edges.
//
//     #include <bv/mesh.h>
//
//     // Returns whether a wheel that stands at p touches the mesh.
//     bool wheel_touches( const bv_file* file, bv_vec3 p )
//     {
//         bv_vec3 end = { p.x, p.y + 0.2, p.z };
//         bv_convex wheel = bv_convex_cylinder( p, end, 0.35 );
//         wheel.radius = 0.02;                            // rounded edges
//         bv_overlap_options options = bv_overlap_options_default();
//         options.first = true;
//         bv_overlap_result result;
//         return bv_mesh_overlap_convex( file, NULL, &wheel, &options, &result ) == bv_ok && result.triangles > 0;
//     }
//
// A bv_convex is a plain struct. It may be copied, and it owns nothing: points, files and contexts that it refers to belong to the
// caller and must remain valid and unchanged while it is in use. Constructors check nothing; queries return bv_error_argument for
// a shape that is invalid.

#pragma once

#include "bv/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a convex shape is made of.
typedef enum bv_convex_kind
{
	bv_convex_of_points = 0, ///< the convex hull of `points`
	bv_convex_of_corners,    ///< the convex hull of the first `count` of `corner`
	bv_convex_of_box,        ///< `box`
	bv_convex_of_cylinder,   ///< between two discs of radius `disc` around corner[0] and corner[1]
	bv_convex_of_cone,       ///< from a disc of radius `disc` around corner[0] to the apex corner[1]
	bv_convex_of_ellipsoid,  ///< with the center and the axes of `box`, whose half extents are its semi-axes
	bv_convex_of_hull,       ///< the convex hull of `file`
	bv_convex_of_part,       ///< the convex part `part` of `file`
	bv_convex_of_support,    ///< what the callback `support` describes
	bv_convex_kinds,         ///< the number of kinds
} bv_convex_kind;

/// Returns the point of a convex shape that is farthest along a direction: no point x of the shape has a dot( x, direction ) that
/// exceeds that of the result, except for rounding errors of 2^-50 of the coordinates. Called many times per query.
/// @param context    that of the shape
/// @param direction  not the zero vector; of any length
typedef bv_vec3 bv_support_callback( const void* context, bv_vec3 direction );

/// A convex shape: all points within `radius` of what its kind says. Only the members of its kind are used.
typedef struct bv_convex
{
	const bv_vec3*
		points; ///< of kind bv_convex_of_points: `count` points; interior points are allowed but cost time
	uint32_t count;      ///< of `points`, at least 1; or of `corner`, 1 to 3
	double radius;       ///< 0 to BV_MAX_LENGTH; of any kind
	bv_convex_kind kind; ///< default bv_convex_of_points
	bv_vec3 corner[3];   ///< corners, ends of a cylinder, or base and apex of a cone; the ends are not equal
	double disc;         ///< radius of the discs of a cylinder or a cone; 0 to BV_MAX_LENGTH
	bv_obb box;          ///< of kinds bv_convex_of_box and bv_convex_of_ellipsoid
	const bv_file* file; ///< of kinds bv_convex_of_hull and bv_convex_of_part
	uint32_t part;       ///< index of a convex part
	bv_support_callback* support; ///< of kind bv_convex_of_support
	const void* context;          ///< passed to the callback
} bv_convex;

/// @param points  kept; `count` points
/// @return the points within `radius` of the convex hull of points
bv_convex bv_convex_points( const bv_vec3* points, uint32_t count, double radius );

/// @return one point
bv_convex bv_convex_point( bv_vec3 point );

/// @return a ball
bv_convex bv_convex_sphere( bv_vec3 center, double radius );

/// @return a segment
bv_convex bv_convex_segment( bv_vec3 from, bv_vec3 to );

/// @return the points within `radius` of a segment
bv_convex bv_convex_capsule( bv_vec3 from, bv_vec3 to, double radius );

/// @return a triangle
bv_convex bv_convex_triangle( bv_vec3 a, bv_vec3 b, bv_vec3 c );

/// @return an axis-aligned box around a center
bv_convex bv_convex_box( bv_vec3 center, bv_vec3 half_extents );

/// @return an oriented box
bv_convex bv_convex_obb( const bv_obb* box );

/// @param from, to  centers of the two discs; not equal
/// @return a cylinder with flat ends
bv_convex bv_convex_cylinder( bv_vec3 from, bv_vec3 to, double radius );

/// @param base  center of the disc
/// @param apex  not equal to `base`
/// @return a cone
bv_convex bv_convex_cone( bv_vec3 base, bv_vec3 apex, double radius );

/// @param box  its half extents are the semi-axes
/// @return an ellipsoid
bv_convex bv_convex_ellipsoid( const bv_obb* box );

/// @param file  kept; must have a hull
/// @return the convex hull of a file, which is read in place
bv_convex bv_convex_hull( const bv_file* file );

/// @param file  kept
/// @param part  less than bv_decomposition_info.parts
/// @return a convex part of a file, which is read in place
bv_convex bv_convex_part( const bv_file* file, uint32_t part );

/// @param file  must have primitives; at least one must be within the tolerance
/// @return the box, sphere, capsule or cylinder that bv_recognized.best names; without one an invalid shape
bv_convex bv_convex_primitive( const bv_file* file );

/// @param context  kept
/// @return the shape that a callback describes
bv_convex bv_convex_support( bv_support_callback* support, const void* context );

#ifdef __cplusplus
}
#endif
