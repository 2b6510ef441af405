// Selection of the SIMD level. See lanes.h.

#include "world/particles/lanes.h"

#include <stddef.h>

// From narrow to wide.
static const bvwnear_lanes* ( *const levels[] )( void ) = {
	bvwnear_lanes_scalar, bvwnear_lanes_sse2, bvwnear_lanes_neon, bvwnear_lanes_simd128, bvwnear_lanes_avx2,
};

const bvwnear_lanes* bvwnear_lanes_level( uint32_t index )
{
	for ( size_t i = 0; i < sizeof levels / sizeof *levels; ++i )
	{
		const bvwnear_lanes* level = levels[i]();
		if ( level && index-- == 0 )
		{
			return level;
		}
	}
	return NULL;
}

const bvwnear_lanes* bvwnear_lanes_best( void )
{
	const bvwnear_lanes* best = NULL;
	for ( size_t i = sizeof levels / sizeof *levels; !best; --i )
	{
		best = levels[i - 1]();
	}
	return best;
}
