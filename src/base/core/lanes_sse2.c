// Four lanes at a time: every x86-64 processor has SSE2. See lanes.h.

#include "base/core/lanes.h"

#ifdef __SSE2__

#include "base/core/level_sse2.h"

#include "base/core/lanes_kernels.h"

const bv_lanes* bv_lanes_sse2( void )
{
	return &lanes_table;
}

#else

const bv_lanes* bv_lanes_sse2( void )
{
	return 0;
}

#endif
