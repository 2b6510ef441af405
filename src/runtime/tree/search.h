// What files of searches share. See bv/search.h.

#pragma once

#include "bv/search.h"
#include "runtime/tree/upper.h"

/// What is known of a search of either kind.
typedef struct bvtree_search_state
{
	bool done;            ///< nothing is left to compare
	bool found;           ///< a pair of triangles is known
	double distance;      ///< of these; 0 if they meet
	double lower;         ///< of the distance of the meshes; 0 in a search for collisions
	uint32_t triangle[2]; ///< these
	uint64_t volume_tests;
	uint64_t triangle_tests;
	bvtree_upper* upper; ///< improved, unless the search is done
	bv_vec3 offset;      ///< from stored coordinates of a to those of the answer
} bvtree_search_state;

/// Improves the upper bound, and reports what is known.
bvtree_search_state bvtree_search_state_of( bv_search* search );
