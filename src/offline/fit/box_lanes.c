// Levels of the instruction set. See box_lanes.h.

#include "offline/fit/box_lanes.h"

#include <stddef.h>

// From narrow to wide.
static const bvfit_box_level* ( *const levels[] )( void ) = {
	bvfit_box_level_scalar,  bvfit_box_level_sse2, bvfit_box_level_neon,
	bvfit_box_level_simd128, bvfit_box_level_avx2,
};

enum
{
	level_count = sizeof levels / sizeof *levels,
};

const bvfit_box_level* bvfit_box_level_at( uint32_t index )
{
	for ( int i = 0; i < level_count; ++i )
	{
		const bvfit_box_level* level = levels[i]();
		if ( level && index-- == 0 )
		{
			return level;
		}
	}
	return NULL;
}

const bvfit_box_level* bvfit_box_level_best( void )
{
	const bvfit_box_level* best = NULL;
	for ( int i = 0; i < level_count; ++i )
	{
		const bvfit_box_level* level = levels[i]();
		best = level ? level : best;
	}
	return best;
}
