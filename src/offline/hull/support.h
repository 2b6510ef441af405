// Support queries with their own memory, for queries that are expected to meet large polygons.

#pragma once

#include "bvbuild/hull.h"

/// A set of vertices: a hash table with linear probing, and the members in order of arrival.
typedef struct bvhull_vertex_set
{
	uint32_t* slot;    ///< member + 1, or 0; all 0 at first
	uint32_t mask;     ///< number of slots - 1, a power of two - 1
	uint32_t* member;  ///< the members
	uint32_t count;    ///< how many there are
	uint32_t capacity; ///< length of member, less than the number of slots
} bvhull_vertex_set;

/// bvb_hull_support with a set of the caller's for the vertices that rounding leaves in doubt.
/// @param set  empty before and after; null: a small one of its own
uint32_t bvhull_support_with( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start,
                              bvhull_vertex_set* set );

/// Fills in the vertices to start from. The rest but polygons is there already.
/// @param arena  they live here
/// @return whether there was memory
bool bvhull_find_starts( bvb_hull_polygons* hull, bvb_arena* arena );
