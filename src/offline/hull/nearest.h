// Finds the point of a polyhedron that is nearest to a given point.

#pragma once

#include "bvbuild/hull.h"

/// A nearest point, to rounding.
typedef struct bvhull_nearest
{
	bv_vec3 point;   ///< of the polyhedron; `from` when that is inside
	double distance; ///< never below the exact one, above it by rounding
	uint32_t vertex; ///< one of those that span the face, edge or corner where it is
} bvhull_nearest;

/// @param hull   coordinates of about 1
/// @param from   any point, coordinates up to 2^100
/// @param start  a hull vertex near the answer, or BVB_ANY_VERTEX
bvhull_nearest bvhull_find_nearest( const bvb_hull_polygons* hull, bv_vec3 from, uint32_t start );
