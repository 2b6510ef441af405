// Four lanes at a time, in WebAssembly that is compiled with SIMD128. See lanes.h.

#include "runtime/simd/bits.h"
#include "runtime/tree/lanes.h"

#ifdef BVSIMD_SIMD128

#include "runtime/simd/level_simd128.h"

#include "runtime/tree/lanes_kernels.h"

const bvtree_lanes* bvtree_lanes_simd128( void )
{
	return &lanes_table;
}

#else

const bvtree_lanes* bvtree_lanes_simd128( void )
{
	return 0;
}

#endif
