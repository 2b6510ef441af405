// What files of searches share. See bv/search.h.

#pragma once

#include "bv/search.h"
#include "runtime/tree/upper.h"

/// What is known of a search of either kind.
typedef struct bvtree_search_state
{
	bool found;           ///< a pair of triangles is known
	uint32_t triangle[2]; ///< these
	bvtree_upper* upper;  ///< improved
	bv_vec3 offset;       ///< from stored coordinates of a to those of the answer
} bvtree_search_state;

/// Improves the upper bound, as an answer does.
bvtree_search_state bvtree_search_state_of( bv_search* search );
