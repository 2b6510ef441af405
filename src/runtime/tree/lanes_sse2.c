// Four lanes at a time: every x86-64 processor has SSE2. See lanes.h.

#include "runtime/simd/bits.h"
#include "runtime/tree/lanes.h"

#ifdef BVSIMD_LANES_SSE2

#include "runtime/simd/level_sse2.h"

#include "runtime/tree/lanes_kernels.h"

const bvtree_lanes* bvtree_lanes_sse2( void )
{
	return &lanes_table;
}

#else

const bvtree_lanes* bvtree_lanes_sse2( void )
{
	return 0;
}

#endif
