// Overlap tests at equal steps of time, which miss what happens between them (Huotari 2011, section 6): the baseline of
// the other methods. The lower end of the time is what the planes of the tests prove.

#include "runtime/convex/cast.h"

#include <math.h>

enum
{
	samples = 32,
};

double bvconvex_cast_sampled( bvconvex_cast_search* s )
{
	for ( int i = 1; i <= samples && !s->never; ++i )
	{
		bv_vec3 along;
		double time = s->end * ( (double)i / samples );
		bvconvex_cast_window_state state = bvconvex_cast_window( s, time, time, &along );
		if ( state != bvconvex_cast_apart )
		{
			s->upper = state == bvconvex_cast_meet ? time : INFINITY;
			return -1;
		}
		bvconvex_cast_plane_along( s, along );
	}
	s->unseen = !s->never;
	return -1;
}
