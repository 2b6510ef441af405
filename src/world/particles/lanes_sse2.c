// Eight particles at a time, for x86-64. See lanes.h.

#include "runtime/simd/bits.h"
#include "world/particles/lanes.h"

#ifdef BVSIMD_LANES_SSE2

#include "runtime/simd/level_sse2.h"

#include "world/particles/lanes_kernels.h"

const bvwnear_lanes* bvwnear_lanes_sse2( void )
{
	return &lanes_table;
}

#else

const bvwnear_lanes* bvwnear_lanes_sse2( void )
{
	return 0;
}

#endif
