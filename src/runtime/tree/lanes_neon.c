// Four lanes at a time: every 64-bit Arm processor has NEON. See lanes.h.
//
// NEON of 32-bit Arm divides approximately and flushes denormal numbers to zero. There the scalar level is
// used.

#include "runtime/tree/lanes.h"

#if defined( __aarch64__ ) && defined( __ARM_NEON ) && !defined( __AARCH64EB__ )

#include "runtime/simd/level_neon.h"

#include "runtime/tree/lanes_kernels.h"

const bvtree_lanes* bvtree_lanes_neon( void )
{
	return &lanes_table;
}

#else

const bvtree_lanes* bvtree_lanes_neon( void )
{
	return 0;
}

#endif
