// The table of methods.

#include "world/particles/job.h"

const bvwnear_method* const bvwnear_methods[bvw_neighbors_methods] = {
	[bvw_neighbors_default] = &bvwnear_grid,
	[bvw_neighbors_all_pairs] = &bvwnear_all_pairs,
	[bvw_neighbors_sweep] = &bvwnear_sweep,
	[bvw_neighbors_grid] = &bvwnear_grid,
};
