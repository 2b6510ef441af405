// The round side of a cylinder, covered by strips along it. See strips.h.

#include "offline/hausdorff/strips.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_waiting = 48,
	most_looks = 1000,
	few_looks = 64,
};

// Of the radius. Where less is tolerated arcs are many, and triangles say more as they do for regions.
static const double least_wanted = 0.125;

// A direction or a point across the axis.
typedef struct across
{
	double x;
	double y;
} across;

// What is left of a ring: from one direction counterclockwise to another, all round where they are the same.
typedef struct strips_ring
{
	double low;
	double high;
	across from;
	bool is_whole;         // it goes back to where it began
	bvhaus_index_ref hint; // a triangle that may cover some of it
} strips_ring;

typedef struct strips
{
	bvhaus_search* search;
	const bvhaus_shape* side;
	const bv_vec3* axis;
	double margin;
	strips_ring waiting[most_waiting];
	int waiting_count;
} strips;

static const across first = { 1, 0 };

// What is worth another look at the same triangle.
static const double least_turn = 0.05;

static double dot( across a, across b )
{
	return a.x * b.x + a.y * b.y;
}

// Grows with the angle from one direction counterclockwise to another, from 0 to 4: exact near 0.
static double turn( across from, across to )
{
	double c = dot( from, to );
	double s = from.x * to.y - from.y * to.x;
	if ( s >= 0 )
	{
		return c >= 0 ? s / ( s + c ) : 1 - c / ( s - c );
	}
	return c < 0 ? 2 + s / ( s + c ) : 3 + c / ( c - s );
}

static bv_vec3 point_at( const strips* s, double along, across u )
{
	double r = s->side->radius;
	bv_vec3 out = bv_add( bv_scale( r * u.x, s->axis[1] ), bv_scale( r * u.y, s->axis[2] ) );
	return bv_add( s->side->center, bv_add( bv_scale( along, s->axis[0] ), out ) );
}

// Where a triangle's reach ends counterclockwise.
typedef struct strips_arc
{
	across end;
	double way; // there; 4 when it is all round
} strips_arc;

// At one end of a ring, from a direction on. Returns false when the triangle does not reach there at all.
static bool reach( const strips* s, const bvhaus_framed_triangle* t, double along, across u, double wanted,
                   strips_arc* out )
{
	double r = s->side->radius;
	bv_vec3 q = bv_sub( bvhaus_nearest_on_triangle( t, point_at( s, along, u ) ), s->side->center );
	double off = along - bv_dot( q, s->axis[0] );
	across w = { bv_dot( q, s->axis[1] ), bv_dot( q, s->axis[2] ) };
	double square = dot( w, w );
	double far = sqrt( square );
	double least =
		( off * off + square + ( r - wanted ) * ( r + wanted ) ) / ( 2 * r ) + s->margin * ( 1 + far / r );
	if ( least <= -far )
	{
		*out = ( strips_arc ){ u, 4 };
		return true;
	}
	if ( !( dot( u, w ) >= least + s->margin ) )
	{
		return false;
	}
	double c = least / far;
	double d = sqrt( bvmath_max( 1 - c * c, 0 ) );
	out->end = ( across ){ ( w.x * c - w.y * d ) / far, ( w.y * c + w.x * d ) / far };
	out->way = turn( u, out->end );
	return true;
}

typedef enum strips_outcome
{
	outcome_done,
	outcome_farther,
	outcome_stuck, // hardly farther
	outcome_short, // no triangle reaches both ends
} strips_outcome;

// Goes on round the ring as far as a triangle covers both of its ends.
static strips_outcome advance( const strips* s, const bvhaus_framed_triangle* t, strips_ring* g )
{
	double wanted = bvhaus_search_enough( s->search );
	strips_arc low;
	strips_arc high;
	if ( !reach( s, t, g->low, g->from, wanted, &low ) || !reach( s, t, g->high, g->from, wanted, &high ) )
	{
		return outcome_short;
	}
	const strips_arc* nearer = low.way <= high.way ? &low : &high;
	double left = g->is_whole ? 4 : turn( g->from, first );
	if ( nearer->way >= left - 0x1p-50 )
	{
		return outcome_done;
	}
	g->from = nearer->end;
	g->is_whole = false;
	return nearer->way > least_turn ? outcome_farther : outcome_stuck;
}

// The triangle that went last first, and then the nearest one.
static strips_outcome cover( const strips* s, strips_ring* g )
{
	strips_outcome o = g->hint == BVHAUS_NO_REF ? outcome_short : outcome_farther;
	while ( o == outcome_farther )
	{
		o = advance( s, bvhaus_search_triangle( s->search, g->hint ), g );
	}
	if ( o == outcome_done )
	{
		return o;
	}
	bv_vec3 middle = point_at( s, 0.5 * ( g->low + g->high ), g->from );
	bvhaus_nearest near = { INFINITY, 0 };
	if ( g->hint != BVHAUS_NO_REF )
	{
		near = ( bvhaus_nearest ){
			bvhaus_triangle_distance( bvhaus_search_triangle( s->search, g->hint ), middle ), g->hint
		};
	}
	g->hint = bvhaus_search_try_point( s->search, middle, near, true ).ref;
	return advance( s, bvhaus_search_triangle( s->search, g->hint ), g );
}

static bool is_worth_it( const strips* s, int looks )
{
	bool little = bvhaus_search_enough( s->search ) < least_wanted * s->side->radius;
	return looks < ( little ? few_looks : most_looks ) && s->waiting_count + 2 <= most_waiting &&
	       !bvhaus_search_is_spent( s->search ) && !bvhaus_search_skips_inside( s->search );
}

static void add_regions( const strips* s, double low, double high )
{
	double r = s->side->radius;
	double half = 0.5 * ( high - low );
	bv_vec3 middle = bv_add( s->side->center, bv_scale( low + half, s->axis[0] ) );
	bvhaus_cell_make_box( middle, s->axis, ( double[3] ){ half, r, r }, bvhaus_search_new_cell( s->search ) );
	bvhaus_search_add( s->search, s->side, INFINITY );
}

void bvhaus_search_add_side( bvhaus_search* search, const bvhaus_shape* side, const bv_vec3 axis[3],
                             double length )
{
	strips s = { .search = search, .side = side, .axis = axis, .margin = 2 * bvhaus_search_slack( search ) };
	s.waiting[s.waiting_count++] = ( strips_ring ){ 0, length, first, true, BVHAUS_NO_REF };
	for ( int looks = 0; s.waiting_count > 0; ++looks )
	{
		strips_ring g = s.waiting[--s.waiting_count];
		strips_outcome o = is_worth_it( &s, looks ) ? cover( &s, &g ) : outcome_short;
		if ( o == outcome_done )
		{
			bvhaus_search_settle( search, bvhaus_search_enough( search ) );
		}
		else if ( o != outcome_short )
		{
			s.waiting[s.waiting_count++] = g;
		}
		else if ( is_worth_it( &s, looks ) && g.high - g.low > 0x1p-30 * length )
		{
			double middle = 0.5 * ( g.low + g.high );
			s.waiting[s.waiting_count++] = ( strips_ring ){ middle, g.high, g.from, g.is_whole, g.hint };
			s.waiting[s.waiting_count++] = ( strips_ring ){ g.low, middle, g.from, g.is_whole, g.hint };
		}
		else
		{
			// What waits goes on from here to the end.
			add_regions( &s, g.low, length );
			return;
		}
	}
}
