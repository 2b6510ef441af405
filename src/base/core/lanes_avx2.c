// Eight lanes at a time, on x86-64 that has AVX2. See lanes.h.
//
// This file's functions alone are compiled for AVX2, whatever the rest is: they are called only where it is
// found. GCC for Windows does not align the stack for 32-byte spills (its bug 54412): there lanes are those
// of SSE2.

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
