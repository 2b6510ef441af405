// Eight lanes at a time, on x86-64 that has AVX2. See box_lanes.h, and runtime/tree/lanes_avx2.c for what it
// is compiled by.

#include "offline/fit/box_lanes.h"

#if defined( __x86_64__ ) && defined( __GNUC__ ) && ( defined( __clang__ ) || !defined( _WIN32 ) )

#include "runtime/simd/level_avx2.h"

#include "offline/fit/box_lanes_kernels.h"

#include "runtime/simd/level_end.h"

const bvfit_box_level* bvfit_box_level_avx2( void )
{
	return __builtin_cpu_supports( "avx2" ) ? &box_level : 0;
}

#else

const bvfit_box_level* bvfit_box_level_avx2( void )
{
	return 0;
}

#endif
