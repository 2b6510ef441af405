// The table of methods.

#include "world/broadphase/phase.h"

const bvwphase_method* const bvwphase_methods[bvw_methods] = {
	[bvw_method_default] = &bvwphase_tree,
	[bvw_method_all_pairs] = &bvwphase_all_pairs,
	[bvw_method_sort] = &bvwphase_sort,
	[bvw_method_sweep] = &bvwphase_sweep,
	[bvw_method_grid] = &bvwphase_grid,
	[bvw_method_tree] = &bvwphase_tree,
	[bvw_method_uniform] = &bvwphase_uniform,
	[bvw_method_levels] = &bvwphase_levels,
	[bvw_method_hash_grids] = &bvwphase_hashgrids,
	[bvw_method_spatial_hash] = &bvwphase_spatialhash,
};
