// Eight particles at a time, for 64-bit Arm. See lanes.h.

#include "runtime/simd/bits.h"
#include "world/particles/lanes.h"

#ifdef BVSIMD_NEON

#include "runtime/simd/level_neon.h"

#include "world/particles/lanes_kernels.h"

const bvwnear_lanes* bvwnear_lanes_neon( void )
{
	return &lanes_table;
}

#else

const bvwnear_lanes* bvwnear_lanes_neon( void )
{
	return 0;
}

#endif
