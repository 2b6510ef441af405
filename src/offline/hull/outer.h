// Selects the points that may be corners of a hull or may touch a bounding volume: a few of many. The
// remaining points are inside a polyhedron with corners in the set, and not near its surface.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/hull.h"

/// The points that are left, in their order.
typedef struct bvhull_outer
{
	const bv_vec3* points; ///< the caller's own where all are left
	const uint32_t* index; ///< of each, in the whole set; null where all are left
	uint32_t count;        ///< length of points and index
} bvhull_outer;

/// Leaves out points. The first one stays, so that what takes it for an origin is as it was.
/// @param points  finite, at least one
/// @param team    threads
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvhull_outer_points( const bv_vec3* points, uint32_t count, int team, bvb_arena* arena,
                               bvhull_outer* out );

/// Makes a hull's corners, which are indices of the points that are left, indices in the whole set.
void bvhull_outer_map( const bvhull_outer* outer, bvb_hull* hull );
