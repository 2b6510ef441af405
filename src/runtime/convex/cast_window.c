// Planes and windows of time: what is certain of casts. See cast.h.

#include "runtime/convex/cast.h"

#include "runtime/convex/epa.h"
#include "runtime/convex/exact.h"

#include <math.h>

enum
{
	most_windows = 256, // 20 to 60 where shapes graze each other
};

bvconvex_gjk_vertex bvconvex_cast_first_vertex( const bvconvex_cast_search* s )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bv_vec3 along = bvmath_is_zero( s->normal ) ? bvconvex_pair_middle( s->pair ) : bv_negate( s->normal );
	along = bvmath_is_zero( along ) ? ( bv_vec3 ){ 1, 0, 0 } : along;
	return bvconvex_gjk_support( &s->pair->search, along, none );
}

// GJK ends when the origin is in a simplex to rounding, be it a segment: EPA goes on to a polytope around it.
static bool meet_deeply( const bvconvex_pair* pair, const bvconvex_gjk_simplex* nearest )
{
	bvconvex_depth depth;
	bvconvex_epa_roughly( pair, nearest, 0.5, &depth );
	return depth.lower > 0;
}

// @param nearest  receives the simplex that GJK ends with
BVSIMD_NOINLINE bvconvex_cast_window_state search( const bvconvex_cast_search* s, bv_vec3* along,
                                                   bvconvex_gjk_simplex* nearest )
{
	const bvconvex_pair* pair = s->pair;
	bvconvex_gjk_result found;
	double radius = pair->radius * ( 1 + 0x1p-51 );
	bvconvex_gjk_vertex first = bvconvex_cast_first_vertex( s );
	bvconvex_gjk_distance( &pair->search, &first, radius, 1, &found );
	*along = found.along;
	*nearest = *found.nearest;
	bool near = sqrt( nearest->square ) * ( 1 + 0x1p-50 ) + pair->rounding <= pair->radius * ( 1 - 0x1p-51 );
	return found.lower > radius                                        ? bvconvex_cast_apart
	       : near || bvconvex_gjk_is_inside( pair->rounding, nearest ) ? bvconvex_cast_meet
	                                                                   : bvconvex_cast_doubt;
}

static bvconvex_cast_window_state compare_exactly( const bvconvex_pair* pair,
                                                   const bvconvex_gjk_simplex* nearest, bv_vec3* along )
{
	bvconvex_exact_gap gap;
	bvconvex_exact_distance( pair, nearest, NULL, &gap );
	*along = gap.along;
	return !gap.radius_known ? bvconvex_cast_doubt
	       : gap.meets_round ? bvconvex_cast_meet
	                         : bvconvex_cast_apart;
}

bvconvex_cast_window_state bvconvex_cast_window( bvconvex_cast_search* s, double from, double to,
                                                 bv_vec3* along )
{
	bvconvex_pair* pair = s->pair;
	bvconvex_gjk_simplex nearest;
	bvconvex_pair_move( pair, &s->motion, from, to );
	bvconvex_cast_window_state state = search( s, along, &nearest );
	if ( state == bvconvex_cast_doubt && pair->polytopes )
	{
		return compare_exactly( pair, &nearest, along );
	}
	if ( state == bvconvex_cast_doubt && sqrt( nearest.square ) <= 0x1p4 * pair->rounding )
	{
		return meet_deeply( pair, &nearest ) ? bvconvex_cast_meet : bvconvex_cast_doubt;
	}
	return state;
}

// Up to when the plane separates the shapes, or from when on.
//
// Rounding: the height is off by the pair's rounding; the gap and the speed by a few units in the last place of
// themselves, and the speed by 2^-51 of the motion.
void bvconvex_cast_plane( bvconvex_cast_search* s, bv_vec3 normal, double height )
{
	double doubt = s->pair->still + 0x1p-50 * s->pair->radius;
	double speed = -bv_dot( normal, s->relative );
	double speed_doubt = 0x1p-50 * bvmath_norm1( s->relative ) + 0x1p-1060;
	double gap = -height - s->pair->radius - doubt;
	if ( gap > 0 )
	{
		double until = speed + speed_doubt > 0 ? gap / ( speed + speed_doubt ) * ( 1 - 0x1p-50 ) : INFINITY;
		if ( until > s->lower )
		{
			s->lower = until;
			s->normal = normal;
		}
		s->never = s->never || until > s->end;
	}
	else if ( speed + speed_doubt < 0 )
	{
		double since = ( 2 * doubt - gap ) / -( speed + speed_doubt ) * ( 1 + 0x1p-50 );
		s->never = s->never || since < s->lower;
	}
}

void bvconvex_cast_plane_along( bvconvex_cast_search* s, bv_vec3 normal )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bvconvex_pair_move( s->pair, &s->motion, 0, 0 );
	bvconvex_gjk_vertex far = bvconvex_gjk_support( &s->pair->search, bv_negate( normal ), none );
	bvconvex_cast_plane( s, normal, bv_dot( normal, far.at ) );
}

// The end of a window that begins at `lower`.
static double window_end( const bvconvex_cast_search* s, double width )
{
	if ( s->upper < INFINITY )
	{
		return s->lower + 0.5 * ( s->upper - s->lower );
	}
	// Rounded up, the window would have to be halved although it is as narrow as the interval has to be.
	double to = s->lower + width;
	bool is_rounded_up = width <= s->width && to - s->lower > s->width;
	return bvmath_min( is_rounded_up ? s->lower + ( 1 - 0x1p-6 ) * width : to, s->end );
}

void bvconvex_cast_narrow( bvconvex_cast_search* s, double first )
{
	double width = bvmath_max( first, 0x1p-51 * s->end );
	for ( int window = 0; window < most_windows && !s->never; ++window )
	{
		bv_vec3 along;
		double to = window_end( s, width );
		bool last = s->upper == INFINITY && to == s->end;
		if ( s->upper - s->lower <= s->width || ( !( to > s->lower ) && !last ) )
		{
			return;
		}
		switch ( bvconvex_cast_window( s, s->lower, to, &along ) )
		{
		case bvconvex_cast_meet: s->upper = to; break;
		case bvconvex_cast_apart:
			s->never = last;
			bvconvex_cast_plane_along( s, along );
			s->normal = s->lower < to ? along : s->normal;
			s->lower = bvmath_max( s->lower, to );
			width *= 2;
			break;
		default:
			if ( last || s->upper < INFINITY )
			{
				return;
			}
			width *= 8;
		}
	}
}
