// Eight lanes at a time, for x86-64 with AVX2. See lanes.h.
//
// Only the functions of this file are compiled for AVX2. They are called only if the processor has it. GCC
// for Windows does not align the stack for 32-byte spills (GCC bug 54412). There the level is missing, and
// SSE2 is used.

#include "runtime/tree/lanes.h"

#if defined( __x86_64__ ) && defined( __GNUC__ ) && ( defined( __clang__ ) || !defined( _WIN32 ) )

#include "runtime/simd/level_avx2.h"

#include "runtime/tree/lanes_kernels.h"

#include "runtime/simd/level_end.h"

const bvtree_lanes* bvtree_lanes_avx2( void )
{
	return __builtin_cpu_supports( "avx2" ) ? &lanes_table : 0;
}

#else

const bvtree_lanes* bvtree_lanes_avx2( void )
{
	return 0;
}

#endif
