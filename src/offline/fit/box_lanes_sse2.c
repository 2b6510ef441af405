// Four lanes at a time, on x86-64. See box_lanes.h.

#include "offline/fit/box_lanes.h"

#ifdef __SSE2__

#include "runtime/simd/level_sse2.h"

#include "offline/fit/box_lanes_kernels.h"

const bvfit_box_level* bvfit_box_level_sse2( void )
{
	return &box_level;
}

#else

const bvfit_box_level* bvfit_box_level_sse2( void )
{
	return 0;
}

#endif
