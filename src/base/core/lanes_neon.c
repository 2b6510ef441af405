// Four lanes at a time: every 64-bit Arm has NEON. See lanes.h.
//
// That of 32 bits divides by approximation and takes denormal numbers for 0: there lanes are scalar.

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
