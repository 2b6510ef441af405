// Conservative advancement: Newton's method for the time when the distance, a convex function of it, is 0.
//
// Based on: B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3.

#include "runtime/convex/cast.h"

#include <math.h>

enum
{
	most_advances = 64, // each halves what is left at worst
};

double bvconvex_cast_advancement( bvconvex_cast_search* s )
{
	// The last step leaves a hundredth of what is left.
	static const double relative = 0.01;
	for ( int advance = 0; advance < most_advances && !s->never; ++advance )
	{
		bvconvex_gjk_result found;
		bvconvex_pair_move( s->pair, &s->motion, s->lower, s->lower );
		bvconvex_gjk_vertex first = bvconvex_cast_first_vertex( s );
		bvconvex_gjk_distance( &s->pair->search, &first, s->pair->radius, relative, &found );
		double before = s->lower;
		if ( !( found.lower > s->pair->radius ) )
		{
			break;
		}
		bvconvex_cast_plane_along( s, found.along );
		if ( !( s->lower - before > 0x1p-4 * s->width ) )
		{
			break;
		}
	}
	return s->width;
}
