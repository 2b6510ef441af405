// The table of ways to keep pairs.

#include "world/broadphase/pairs.h"

const bvwphase_keeper* const bvwphase_keepers[bvw_pair_stores] = {
	[bvw_pair_store_default] = &bvwphase_keeper_hash,
	[bvw_pair_store_hash] = &bvwphase_keeper_hash,
	[bvw_pair_store_list] = &bvwphase_keeper_list,
	[bvw_pair_store_matrix] = &bvwphase_keeper_matrix,
};
