// Four lanes at a time, on 64-bit Arm. See box_lanes.h.

#include "offline/fit/box_lanes.h"

#if defined( __aarch64__ ) && defined( __ARM_NEON ) && !defined( __AARCH64EB__ )

#include "runtime/simd/level_neon.h"

#include "offline/fit/box_lanes_kernels.h"

const bvfit_box_level* bvfit_box_level_neon( void )
{
	return &box_level;
}

#else

const bvfit_box_level* bvfit_box_level_neon( void )
{
	return 0;
}

#endif
