// A target: an index and a search, for one measurement at a time.

#pragma once

#include "offline/hausdorff/search.h"

struct bvb_hausdorff_target
{
	bvhaus_index* index;
	bvhaus_search* search;
	bvb_arena* arena; ///< where the target lives, and what measurements need
	double reach;     ///< largest coordinate of the triangles
};

/// Checks the options and begins a search.
/// @param options  null for the defaults
/// @param axis     orthonormal; cells are halved along them
/// @param reach    largest coordinate of what is measured
bv_status bvhaus_target_begin( bvb_hausdorff_target* target, const bvb_hausdorff_options* options,
                               const bv_vec3 axis[3], double reach );

/// @return whether the boundary alone is to be measured
static inline bool bvhaus_wants_surface( const bvb_hausdorff_options* options )
{
	return options && options->measure == bvb_hausdorff_surface;
}
