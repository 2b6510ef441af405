// Eight lanes at a time, for x86-64 with AVX2. See lanes.h.
//
// Only the functions of this file are compiled for AVX2. They are called only if the processor has it. GCC
// for Windows does not align the stack for 32-byte spills (GCC bug 54412). There the level is missing, and
// SSE2 is used.

#include "base/core/lanes.h"

#if defined( __x86_64__ ) && defined( __GNUC__ ) && ( defined( __clang__ ) || !defined( _WIN32 ) )

#include "base/core/level_avx2.h"

#include "base/core/lanes_kernels.h"
#include "base/core/level_end.h"

const bv_lanes* bv_lanes_avx2( void )
{
	return __builtin_cpu_supports( "avx2" ) ? &lanes_table : 0;
}

#else

const bv_lanes* bv_lanes_avx2( void )
{
	return 0;
}

#endif
