// Four lanes at a time: every 64-bit Arm processor has NEON. See lanes.h.

#include "runtime/simd/bits.h"
#include "runtime/tree/lanes.h"

#ifdef BVSIMD_NEON

#include "runtime/simd/level_neon.h"

#include "runtime/tree/lanes_kernels.h"

const bvtree_lanes* bvtree_lanes_neon( void )
{
	return &lanes_table;
}

#else

const bvtree_lanes* bvtree_lanes_neon( void )
{
	return 0;
}

#endif
