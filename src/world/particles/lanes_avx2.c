// Sixteen particles at a time, for x86-64 with AVX2. See lanes.h.
//
// Only the functions of this file are compiled for AVX2. They are called only if the processor has it.

#include "runtime/simd/bits.h"
#include "world/particles/lanes.h"

#ifdef BVSIMD_LANES_AVX2

#include "runtime/simd/level_avx2.h"

#include "world/particles/lanes_kernels.h"

#include "runtime/simd/level_end.h"

const bvwnear_lanes* bvwnear_lanes_avx2( void )
{
	return bvsimd_has_avx2() ? &lanes_table : 0;
}

#else

const bvwnear_lanes* bvwnear_lanes_avx2( void )
{
	return 0;
}

#endif
