// Four lanes at a time: every 64-bit Arm processor has NEON. See lanes.h.
//
// NEON of 32-bit Arm divides approximately and flushes denormal numbers to zero. There the scalar level is
// used.

#include "base/core/lanes.h"

#if defined( __aarch64__ ) && defined( __ARM_NEON ) && !defined( __AARCH64EB__ )

#include "base/core/level_neon.h"

#include "base/core/lanes_kernels.h"

const bv_lanes* bv_lanes_neon( void )
{
	return &lanes_table;
}

#else

const bv_lanes* bv_lanes_neon( void )
{
	return 0;
}

#endif
