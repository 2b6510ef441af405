// Eight particles at a time, in WebAssembly that is compiled with SIMD128. See lanes.h.

#include "runtime/simd/bits.h"
#include "world/particles/lanes.h"

#ifdef BVSIMD_SIMD128

#include "runtime/simd/level_simd128.h"

#include "world/particles/lanes_kernels.h"

const bvwnear_lanes* bvwnear_lanes_simd128( void )
{
	return &lanes_table;
}

#else

const bvwnear_lanes* bvwnear_lanes_simd128( void )
{
	return 0;
}

#endif
