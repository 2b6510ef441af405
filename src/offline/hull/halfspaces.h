// Polyhedra as intersections of half-spaces.

#pragma once

#include "bvbuild/hull.h"

/// The points x with dot( normal, x ) <= offset.
typedef struct bvhull_half_space
{
	bv_vec3 normal; ///< unit
	double offset;  ///< coordinates of about 1
	uint32_t name;  ///< different for different half-spaces
} bvhull_half_space;

/// Coordinates in which a body is about as long as it is wide and high, with an inner point in the origin.
typedef struct bvhull_round_frame
{
	bv_vec3 center;  ///< inside of all half-spaces
	bv_vec3 axis[3]; ///< orthonormal
	double scale[3]; ///< half the body's extents along them, above 0
} bvhull_round_frame;

/// Where three planes meet at a corner of the intersection.
typedef struct bvhull_plane_corner
{
	uint32_t name[3]; ///< of the half-spaces, ascending
	bv_vec3 at;       ///< to rounding
} bvhull_plane_corner;

/// Intersects half-spaces.
/// @param arena    the result lives here, and the work
/// @param corners  receives the corners, ordered by names; several may be in one place
/// @param count    receives how many there are, at most 2 * space_count - 4; 0 when the intersection has no
///                 end, or nearly so, or the center is not inside
/// @return bv_ok; bv_error_memory
bv_status bvhull_intersect_half_spaces( const bvhull_half_space* spaces, uint32_t space_count,
                                        const bvhull_round_frame* frame, bvb_arena* arena,
                                        bvhull_plane_corner** corners, uint32_t* count );

/// @return a point in the frame's coordinates
bv_vec3 bvhull_into_frame( const bvhull_round_frame* frame, bv_vec3 point );

/// @return a point that is given in them
bv_vec3 bvhull_out_of_frame( const bvhull_round_frame* frame, bv_vec3 point );
