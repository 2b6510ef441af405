// GJK ray cast: the iteration of GJK towards a point that moves on whenever a plane separates it from the difference.
//
// Based on: G. van den Bergen, "Ray casting against general convex objects with application to continuous collision
// detection", 2004, section 4. The simplex is kept when the point moves. Radii are those of planes: the
// difference is searched without them.

#include "runtime/convex/cast.h"

#include <math.h>

// Places of the vertices relative to the point.
static void follow( bvconvex_gjk_simplex* s, bv_vec3 point )
{
	for ( int i = 0; i < s->count; ++i )
	{
		s->vertex[i].at = bv_sub( s->vertex[i].first, point );
	}
}

double bvconvex_cast_gjk( bvconvex_cast_search* s )
{
	bvconvex_gjk_simplex room[2];
	bvconvex_gjk_simplex* now = room;
	const bvconvex_pair* pair = s->pair;
	bvconvex_pair_move( s->pair, &s->motion, 0, 0 );
	bv_vec3 point = bv_scale( s->lower, s->relative );
	now->count = 1;
	now->vertex[0] = bvconvex_cast_first_vertex( s );
	now->vertex[0].first = now->vertex[0].at;
	follow( now, point );
	pair->search.solve( now );
	for ( int step = 0; step < bvconvex_gjk_steps && !s->never && now->count < 4; ++step )
	{
		double distance = sqrt( now->square );
		if ( !( distance - pair->radius > pair->rounding + 0x1p-50 * distance ) )
		{
			break;
		}
		bv_vec3 along = bvconvex_gjk_direction( pair->rounding, now );
		bv_vec3 normal = bv_scale( -1 / sqrt( bv_dot( along, along ) ), along );
		bvconvex_gjk_vertex next =
			bvconvex_gjk_support( &pair->search, along, now->vertex[now->count - 1].name );
		next.first = next.at;
		double before = s->lower;
		bvconvex_cast_plane( s, normal, bv_dot( normal, next.at ) );
		bool moved = s->lower - before > 0x1p-10 * s->width;
		if ( !moved && bvconvex_gjk_has( now, &next ) )
		{
			break;
		}
		point = bv_scale( s->lower, s->relative );
		bvconvex_gjk_simplex* grown = now == room ? room + 1 : room;
		bvconvex_gjk_grow( now, &next, grown );
		grown->count -= bvconvex_gjk_has( now, &next ) ? 1 : 0;
		follow( grown, point );
		double square = now->square;
		pair->search.solve( grown );
		if ( !moved && !( grown->square < square ) )
		{
			break;
		}
		now = grown;
	}
	return s->width;
}
