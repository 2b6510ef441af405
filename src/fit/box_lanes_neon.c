// Four lanes at a time, on 64-bit Arm. See box_lanes.h.

#include "fit/box_lanes.h"

#if defined( __aarch64__ ) && defined( __ARM_NEON ) && !defined( __AARCH64EB__ )

#include "base/core/level_neon.h"

#include "fit/box_lanes_kernels.h"

const bvb_box_level* bvb_box_level_neon( void )
{
	return &box_level;
}

#else

const bvb_box_level* bvb_box_level_neon( void )
{
	return 0;
}

#endif
