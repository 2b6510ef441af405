// Which of the sorted end points of incremental sweep and prune are of objects that touch a box. See sweep.c.

#include "world/broadphase/sweep.h"

#include <math.h>

static const double slack = 0x1p-50;

// An interval is at most `longest` long, hence it begins at or after `begin` if it touches. Rounding: `longest` and the
// difference have relative errors of 2^-53, unless the result is so small that it is exact.
static bvwphase_sweep_window window_along( const bvw_broadphase* world, const bv_aabb* box, int axis )
{
	const bvwphase_sweep_state* s = bvwphase_sweep_of( world );
	bvwphase_sweep_window w = { .ends = bvwphase_sweep_ends( world, axis ), .axis = axis, .count = s->count };
	double lower = bvwphase_lower_of( box, axis );
	double longest = s->longest[axis] + s->longest[axis] * slack;
	w.begin = lower - longest;
	if ( isfinite( w.begin ) )
	{
		w.begin -= fabs( w.begin ) * slack;
	}
	w.from = bvwphase_place_of_end( w.ends, w.count, w.begin, 0 );
	w.to = bvwphase_place_of_end( w.ends, w.count, bvwphase_upper_of( box, axis ), BVWPHASE_UPPER );
	if ( w.from > 0 )
	{
		w.below = bvwphase_place_of_end( w.ends, w.count, -INFINITY, BVWPHASE_UPPER );
		w.above = bvwphase_place_of_end( w.ends, w.count, INFINITY, 0 );
	}
	else
	{
		w.above = w.count;
	}
	w.size = (uint64_t)w.below + ( w.to - w.from ) + ( w.count - w.above );
	return w;
}

bvwphase_sweep_window bvwphase_sweep_window_around( const bvw_broadphase* world, const bv_aabb* box )
{
	bvwphase_sweep_window best = window_along( world, box, 0 );
	for ( int axis = 1; axis < 3; ++axis )
	{
		bvwphase_sweep_window w = window_along( world, box, axis );
		best = w.size < best.size ? w : best;
	}
	return best;
}
