// Four lanes at a time, on x86-64. See box_lanes.h.

#include "fit/box_lanes.h"

#ifdef __SSE2__

#include "base/core/level_sse2.h"

#include "fit/box_lanes_kernels.h"

const bvb_box_level* bvb_box_level_sse2( void )
{
	return &box_level;
}

#else

const bvb_box_level* bvb_box_level_sse2( void )
{
	return 0;
}

#endif
