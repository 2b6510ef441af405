// The table of methods.

#include "world/broadphase/phase.h"

// Options are completed by another one.
static const bvwphase_method by_options = {
	.name = "default",
	.help = "rows if at least a quarter of the objects move, else tree",
};

const bvwphase_method* const bvwphase_methods[bvw_methods] = {
	[bvw_method_default] = &by_options,
	[bvw_method_all_pairs] = &bvwphase_all_pairs,
	[bvw_method_sort] = &bvwphase_sort,
	[bvw_method_rows] = &bvwphase_rows,
	[bvw_method_sweep] = &bvwphase_sweep,
	[bvw_method_tree] = &bvwphase_tree,
	[bvw_method_uniform] = &bvwphase_uniform,
	[bvw_method_levels] = &bvwphase_levels,
	[bvw_method_hash_grids] = &bvwphase_hashgrids,
	[bvw_method_spatial_hash] = &bvwphase_spatialhash,
	[bvw_method_linked] = &bvwphase_linked,
	[bvw_method_interval] = &bvwphase_interval,
	[bvw_method_octree] = &bvwphase_octree,
};
