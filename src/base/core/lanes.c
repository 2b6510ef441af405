// Selection of the SIMD level. See lanes.h.

#include "base/core/lanes.h"

#include <stddef.h>

// From narrow to wide.
static const bv_lanes* ( *const levels[] )( void ) = {
	bv_lanes_scalar,
	bv_lanes_sse2,
	bv_lanes_neon,
	bv_lanes_avx2,
};

const bv_lanes* bv_lanes_level( uint32_t index )
{
	for ( size_t i = 0; i < sizeof levels / sizeof *levels; ++i )
	{
		const bv_lanes* level = levels[i]();
		if ( level && index-- == 0 )
		{
			return level;
		}
	}
	return NULL;
}

const bv_lanes* bv_lanes_best( void )
{
	const bv_lanes* best = NULL;
	for ( size_t i = sizeof levels / sizeof *levels; !best; --i )
	{
		best = levels[i - 1]();
	}
	return best;
}
