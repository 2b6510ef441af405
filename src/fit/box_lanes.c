// Levels of the instruction set. See box_lanes.h.

#include "fit/box_lanes.h"

#include <stddef.h>

// From narrow to wide.
static const bvb_box_level* ( *const levels[] )( void ) = {
	bvb_box_level_scalar,
	bvb_box_level_sse2,
	bvb_box_level_neon,
	bvb_box_level_avx2,
};

enum
{
	level_count = sizeof levels / sizeof *levels,
};

const bvb_box_level* bvb_box_level_at( uint32_t index )
{
	for ( int i = 0; i < level_count; ++i )
	{
		const bvb_box_level* level = levels[i]();
		if ( level && index-- == 0 )
		{
			return level;
		}
	}
	return NULL;
}

const bvb_box_level* bvb_box_level_best( void )
{
	const bvb_box_level* best = NULL;
	for ( int i = 0; i < level_count; ++i )
	{
		const bvb_box_level* level = levels[i]();
		best = level ? level : best;
	}
	return best;
}
