// When moving features are first no farther apart than a separation.
//
// At a time t, let n be the unit vector between their nearest points. Along n, each point of one feature moves past each
// point of the other one at constant speed, so that it is known until when all are farther apart than the separation. That
// is the next t. Where both are smooth these are Newton's steps on the distance, and none goes beyond the contact. It is
// conservative advancement (Mirtich 1996; Zhang, Lee and Kim 2006) with the true speeds along n in place of a bound.
//
// Where a face or an edge turns, its corners come near along a fixed n soon, and steps are short. Then n turns, too: from n
// at one time to n at another one its coordinates change at constant speed, and it is no longer than 1 between. Its products
// with differences of points are quadratics, whose Bernstein coefficients are compared with the separation.
//
// The steps end where rounding does not allow another one. Then contact is proven by two points at a time not much later.
//
// Errors. u is 2^-53, and M the largest absolute value of a coordinate of a point as seen from point 0, at both ends.
//   - A point at a time is off by less than 5.1 u M in each coordinate, and its product with n by less than 8.1 u M times
//     the sum of the absolute values of n, at most 1.74. A difference of two such products is off by less than 34 u M, and
//     the bound is 2^-46 M = 128 u M.
//   - n is a unit vector to 8 u: the distance is at least (1 - 2^-49) of what it is along n.
//   - Nearest points are averages of the given ones, with weights that need not be the best. Their distance is off by less
//     than 2^-43 M, and by 2^-50 of itself.
// 2^-1000 is added for what underflows.

#include "runtime/motion/features.h"

#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

enum
{
	points = 4,
	most_steps = 256,
	most_straight_steps = 6, // before the direction turns on the way
};

// Points as seen from point 0.
typedef struct relative
{
	bv_vec3 start[points];
	bv_vec3 end[points];
	double size;  // the largest absolute value of a coordinate
	double error; // of a distance along a unit vector
	int own;      // points of the first feature
} relative;

static relative relative_of( const bvmotion_features* features )
{
	relative out = { .own = features->edges ? 2 : 1 };
	for ( int i = 0; i < points; ++i )
	{
		out.start[i] = bv_sub( features->start[i], features->start[0] );
		out.end[i] = bv_sub( features->end[i], features->end[0] );
		out.size = bvmath_max( out.size,
		                       bvmath_max( bvmath_largest( out.start[i] ), bvmath_largest( out.end[i] ) ) );
	}
	out.error = 0x1p-46 * out.size + 0x1p-1000;
	return out;
}

static bv_vec3 position_at( const relative* r, int i, double t )
{
	return bv_add( bv_scale( 1 - t, r->start[i] ), bv_scale( t, r->end[i] ) );
}

// A vector as a unit vector and its length.
typedef struct direction
{
	bv_vec3 unit; // 0 if the length is
	double length;
} direction;

static direction direction_of( bv_vec3 v )
{
	double most = bvmath_largest( v );
	if ( most == 0 )
	{
		return ( direction ){ { 0, 0, 0 }, 0 };
	}
	bv_vec3 scaled = { v.x / most, v.y / most, v.z / most };
	double length = bvmath_length( scaled );
	return ( direction ){ { scaled.x / length, scaled.y / length, scaled.z / length }, most * length };
}

// From a point of the first feature to one of the second, which are the nearest to rounding.
static direction nearest_at( const relative* r, double t )
{
	bv_vec3 p[points];
	for ( int i = 0; i < points; ++i )
	{
		p[i] = position_at( r, i, t );
	}
	bv_vec3 way;
	if ( r->own == 1 )
	{
		bvtri_nearest near;
		bvtri_nearest_on_triangle( p[0], p + 1, &near );
		bv_vec3 foot = { 0, 0, 0 };
		double rest = 1;
		for ( int i = 2; i >= 0; --i )
		{
			double weight = i > 0 ? bvmath_min( bvmath_max( near.weight[i], 0 ), rest ) : rest;
			foot = bv_add( foot, bv_scale( weight, p[1 + i] ) );
			rest -= weight;
		}
		way = bv_sub( foot, p[0] );
	}
	else
	{
		bvtri_nearest_pair near;
		bvtri_nearest_on_segments( p[0], bv_sub( p[1], p[0] ), p[2], bv_sub( p[3], p[2] ), &near );
		double s = bvmath_min( bvmath_max( near.s, 0 ), 1 );
		double u = bvmath_min( bvmath_max( near.t, 0 ), 1 );
		bv_vec3 a = bv_add( bv_scale( 1 - s, p[0] ), bv_scale( s, p[1] ) );
		bv_vec3 b = bv_add( bv_scale( 1 - u, p[2] ), bv_scale( u, p[3] ) );
		way = bv_sub( b, a );
	}
	return direction_of( way );
}

// Whether two points are proven to be no farther apart than the separation.
static bool is_near( const relative* r, direction d, double separation )
{
	return d.length * ( 1 + 0x1p-49 ) + 8 * r->error <= separation;
}

// How far the second feature is beyond the first one along a direction.
static double gap_at( const relative* r, bv_vec3 n, double t )
{
	double first = -INFINITY;
	double second = INFINITY;
	for ( int i = 0; i < points; ++i )
	{
		double x = bv_dot( n, position_at( r, i, t ) );
		first = i < r->own ? bvmath_max( first, x ) : first;
		second = i < r->own ? second : bvmath_min( second, x );
	}
	return second - first;
}

// The time at which a pair of points is first `least` apart along n, or later than `limit`; not certified.
static double time_of_gap( const relative* r, bv_vec3 n, double t, double least, double limit )
{
	double first = 2 * limit;
	for ( int i = 0; i < r->own; ++i )
	{
		for ( int j = r->own; j < points; ++j )
		{
			double now = bv_dot( n, bv_sub( position_at( r, j, t ), position_at( r, i, t ) ) );
			double then = bv_dot( n, bv_sub( position_at( r, j, limit ), position_at( r, i, limit ) ) );
			if ( then <= least && now > then )
			{
				double at = t + ( limit - t ) * bvmath_max( ( now - least ) / ( now - then ), 0 );
				first = bvmath_min( first, at );
			}
		}
	}
	return first;
}

// A time, and the way between the nearest points then.
typedef struct instant
{
	double time;
	direction nearest;
} instant;

// Whether all points are farther apart than `enough` along a vector that changes from one direction to another one.
static bool is_free( const relative* r, const instant* from, const instant* to, double enough )
{
	bv_vec3 n = from->nearest.unit;
	bv_vec3 m = to->nearest.unit;
	for ( int i = 0; i < r->own; ++i )
	{
		for ( int j = r->own; j < points; ++j )
		{
			bv_vec3 first = bv_sub( position_at( r, j, from->time ), position_at( r, i, from->time ) );
			bv_vec3 last = bv_sub( position_at( r, j, to->time ), position_at( r, i, to->time ) );
			double middle = 0.5 * ( bv_dot( n, last ) + bv_dot( m, first ) );
			if ( !( bv_dot( n, first ) > enough && middle > enough && bv_dot( m, last ) > enough ) )
			{
				return false;
			}
		}
	}
	return true;
}

// Goes on from `io` towards where the line through both distances has the contact, if it can be proven that there is none
// on the way.
static void turn_further( const relative* r, const instant* before, instant* io, double enough, double limit )
{
	const double part = 0.9;
	double gap = io->nearest.length - enough;
	double loss = before->nearest.length - io->nearest.length;
	if ( !( gap > 0 && loss > 0 ) )
	{
		return;
	}
	instant next = { io->time + part * ( io->time - before->time ) * ( gap / loss ), { { 0, 0, 0 }, 0 } };
	next.time = bvmath_min( next.time, limit );
	next.nearest = nearest_at( r, next.time );
	if ( next.time > io->time && is_free( r, io, &next, enough ) )
	{
		*io = next;
	}
}

// Looks for a time after `lower`, but not by more than the tolerance, at which features are near enough. Those that are
// near for a instant only are so right after `lower`.
static void prove_contact( const bvmotion_search* search, const relative* r, bv_feature_time* io )
{
	for ( double width = 0x1p-50; !io->certain && width < 4 * search->tolerance; width *= 4 )
	{
		double end = io->lower + bvmath_min( width, 0.75 * search->tolerance );
		end = bvmath_min( end, search->limit );
		++io->tests;
		if ( is_near( r, nearest_at( r, end ), search->separation ) )
		{
			io->certain = true;
			io->upper = end;
		}
	}
}

// Moves `lower` as far as features are proven to be farther apart than `enough` before it.
// @return whether they are in the whole range
static bool advance( const relative* r, double enough, double limit, bv_feature_time* io )
{
	instant now = { 0, nearest_at( r, 0 ) };
	for ( int step = 0; step < most_steps && gap_at( r, now.nearest.unit, now.time ) > enough; ++step )
	{
		instant before = now;
		bv_vec3 n = now.nearest.unit;
		now.time = time_of_gap( r, n, before.time, enough + r->error, limit );
		if ( now.time >= limit && gap_at( r, n, limit ) > enough )
		{
			return true;
		}
		now.time = bvmath_min( now.time, limit );
		if ( !( now.time > before.time && gap_at( r, n, now.time ) > enough ) )
		{
			return false;
		}
		now.nearest = nearest_at( r, now.time );
		io->tests += 2;
		if ( step > most_straight_steps )
		{
			turn_further( r, &before, &now, enough, limit );
			++io->tests;
		}
		io->lower = now.time;
	}
	return false;
}

void bvmotion_find_near( const bvmotion_search* search, bv_feature_time* out )
{
	relative r = relative_of( &search->features );
	*out = ( bv_feature_time ){ .found = true, .upper = INFINITY, .tests = out->tests + 1 };
	if ( is_near( &r, nearest_at( &r, 0 ), search->separation ) )
	{
		out->certain = true;
		out->upper = 0;
		return;
	}

	// What is farther apart than this along a direction is farther apart than the separation.
	double enough = search->separation * ( 1 + 0x1p-48 ) + r.error;
	if ( advance( &r, enough, search->limit, out ) )
	{
		*out = ( bv_feature_time ){
			.certain = true, .lower = search->limit, .upper = INFINITY, .tests = out->tests
		};
		return;
	}
	prove_contact( search, &r, out );
}
