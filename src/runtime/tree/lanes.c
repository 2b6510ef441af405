// Selection of the SIMD level. See lanes.h.

#include "runtime/tree/lanes.h"

#include <stddef.h>

// From narrow to wide.
static const bvtree_lanes* ( *const levels[] )( void ) = {
	bvtree_lanes_scalar, bvtree_lanes_sse2, bvtree_lanes_neon, bvtree_lanes_simd128, bvtree_lanes_avx2,
};

const bvtree_lanes* bvtree_lanes_level( uint32_t index )
{
	for ( size_t i = 0; i < sizeof levels / sizeof *levels; ++i )
	{
		const bvtree_lanes* level = levels[i]();
		if ( level && index-- == 0 )
		{
			return level;
		}
	}
	return NULL;
}

const bvtree_lanes* bvtree_lanes_best( void )
{
	const bvtree_lanes* best = NULL;
	for ( size_t i = sizeof levels / sizeof *levels; !best; --i )
	{
		best = levels[i - 1]();
	}
	return best;
}
