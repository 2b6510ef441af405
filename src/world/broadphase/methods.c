// The table of methods.

#include "world/broadphase/phase.h"

const bvwphase_method* const bvwphase_methods[bvw_methods] = {
	[bvw_method_default] = &bvwphase_tree,  [bvw_method_all_pairs] = &bvwphase_all_pairs,
	[bvw_method_sort] = &bvwphase_sort,     [bvw_method_sweep] = &bvwphase_sweep,
	[bvw_method_linked] = &bvwphase_linked, [bvw_method_interval] = &bvwphase_interval,
	[bvw_method_octree] = &bvwphase_octree, [bvw_method_grid] = &bvwphase_grid,
	[bvw_method_tree] = &bvwphase_tree,
};
