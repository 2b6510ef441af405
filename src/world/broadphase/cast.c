// Rays and moving boxes: whether and when one meets the box of an object, and the first hits.
//
// Slabs. Along axis k, with the moving box [a, b] and the motion d > 0, the box [l, u] is touched from ( l - b ) / d to
// ( u - a ) / d; of d < 0, likewise from ( a - u ) / -d to ( b - l ) / -d. The boxes meet if no time at which the box begins to be
// touched along an axis, nor the begin of the range, is later than one at which it ends to be touched, or the end of the range.
//
// These times are computed in binary64 with two roundings, so that each is known to 2^-51 of itself and what underflow takes, which
// decides most comparisons; integers decide the others. Each step of a bound never decreases when the bound of a box does not:
// the time of a box is never below that of a box that contains it.

#include "world/broadphase/cast.h"

#include "runtime/math/integer.h"
#include "runtime/math/wide.h"

#include <float.h>
#include <math.h>

static const double slack = 0x1p-50;   // of a time, relative
static const double least = 0x1p-1072; // more than underflow takes

// ( p - q ) / d, where d > 0 and p - q may be infinite.
typedef struct moment
{
	double p;
	double q;
	double d;
} moment;

static bool is_before( bvw_hit a, bvw_hit b )
{
	return a.time.lower < b.time.lower || ( a.time.lower == b.time.lower && a.number < b.number );
}

// Of moments that are not above 0: 0.
static bv_interval bounds_of( const moment* m )
{
	double difference = m->p - m->q;
	if ( !( difference > 0 ) )
	{
		return ( bv_interval ){ 0, 0 };
	}
	double time = difference / m->d;
	double lower = time < DBL_MAX || difference > DBL_MAX ? time : DBL_MAX;
	return ( bv_interval ){ lower * ( 1 - slack ) - least, time * ( 1 + slack ) + least };
}

// p - q, exactly.
static bvmath_integer difference_of( bvmath_pool* pool, double p, double q )
{
	const int lowest_place = -1074;
	return bvmath_integer_subtract( pool, bvmath_integer_of( pool, p, lowest_place ),
	                                bvmath_integer_of( pool, q, lowest_place ) );
}

static bool is_not_later_exactly( const moment* a, const moment* b )
{
	bvmath_pool pool;
	bvmath_pool_begin( &pool );
	const int lowest_place = -1074;
	bvmath_integer left = bvmath_integer_multiply( &pool, difference_of( &pool, a->p, a->q ),
	                                               bvmath_integer_of( &pool, b->d, lowest_place ) );
	bvmath_integer right = bvmath_integer_multiply( &pool, difference_of( &pool, b->p, b->q ),
	                                                bvmath_integer_of( &pool, a->d, lowest_place ) );
	return bvmath_integer_subtract( &pool, left, right ).sign <= 0;
}

// @param b  not before 0
static bool is_not_later( const moment* a, const moment* b )
{
	bv_interval of_a = bounds_of( a );
	bv_interval of_b = bounds_of( b );
	if ( a->p <= a->q || b->p - b->q == (double)INFINITY || of_a.upper <= of_b.lower )
	{
		return true;
	}
	return of_a.lower <= of_b.upper && is_not_later_exactly( a, b );
}

// When a box is touched along the axes.
typedef struct slabs
{
	moment begin[4]; // the last one is that of the range of time
	moment end[4];
	int count;
} slabs;

// @return false if it is not touched at any time after 0 along an axis
static bool find_slabs( const bvwphase_cast* c, const bv_aabb* box, slabs* out )
{
	const double lower[3] = { box->lower.x, box->lower.y, box->lower.z };
	const double upper[3] = { box->upper.x, box->upper.y, box->upper.z };
	out->count = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double d = c->motion[k];
		if ( ( d <= 0 && lower[k] > c->upper[k] ) || ( d >= 0 && upper[k] < c->lower[k] ) )
		{
			return false;
		}
		if ( d != 0 )
		{
			out->begin[out->count] =
				d > 0 ? ( moment ){ lower[k], c->upper[k], d } : ( moment ){ c->lower[k], upper[k], -d };
			out->end[out->count++] =
				d > 0 ? ( moment ){ upper[k], c->lower[k], d } : ( moment ){ c->upper[k], lower[k], -d };
		}
	}
	out->begin[out->count] = ( moment ){ c->from, 0, 1 };
	out->end[out->count++] = ( moment ){ c->to, 0, 1 };
	return true;
}

static bool are_together( const slabs* s )
{
	for ( int i = 0; i < s->count; ++i )
	{
		for ( int k = 0; k < s->count; ++k )
		{
			if ( i != k && !is_not_later( s->begin + i, s->end + k ) )
			{
				return false;
			}
		}
	}
	return true;
}

// The last of the times at which boxes begin to be touched.
static bv_interval first_time( const bvwphase_cast* c, const slabs* s )
{
	bv_interval time = { c->from, c->from };
	for ( int i = 0; i + 1 < s->count; ++i )
	{
		bv_interval begin = bounds_of( s->begin + i );
		time.lower = begin.lower > time.lower ? begin.lower : time.lower;
		time.upper = begin.upper > time.upper ? begin.upper : time.upper;
	}
	time.upper = time.upper < c->to ? time.upper : c->to;
	return time;
}

// @return whether a hit would be kept if it were found
static bool is_wanted( const bvwphase_cast* c, bvw_hit hit )
{
	bool is_late = c->most > 0 && c->count == c->most && !is_before( hit, c->hits[0] );
	return hit.time.lower <= c->end && !is_late;
}

static void sift_down( bvw_hit* heap, uint32_t count, bvw_hit hit )
{
	uint32_t at = 0;
	for ( uint32_t child = 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && is_before( heap[child], heap[child + 1] );
		if ( !is_before( hit, heap[child] ) )
		{
			break;
		}
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = hit;
}

static void sift_up( bvw_hit* heap, uint32_t at, bvw_hit hit )
{
	while ( at > 0 && is_before( heap[( at - 1 ) / 2], hit ) )
	{
		heap[at] = heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	heap[at] = hit;
}

static void keep( bvwphase_cast* c, bvw_hit hit )
{
	c->is_done = c->options->any;
	if ( c->most == 0 )
	{
		return;
	}
	if ( c->count < c->most )
	{
		sift_up( c->hits, c->count++, hit );
	}
	else
	{
		sift_down( c->hits, c->count, hit );
	}
	if ( c->count == c->most )
	{
		c->end = c->hits[0].time.lower;
	}
}

// Times are not before that of the box, which walks rely on.
static bool shape_meets( bvwphase_cast* c, const bv_aabb* box, bvw_hit* hit )
{
	double lower = hit->time.lower;
	if ( c->shape && !bvwphase_shape_meets( c->shape, box, &hit->time ) )
	{
		return false;
	}
	lower = hit->time.lower > lower ? hit->time.lower : lower;
	hit->time.lower = lower;
	hit->time.upper = hit->time.upper > lower ? hit->time.upper : lower;
	bvw_hit asked = *hit;
	if ( !c->options->callback || !is_wanted( c, *hit ) )
	{
		return true;
	}
	if ( !c->options->callback( c->options->context, c->end, &asked ) || !( asked.time.lower <= c->to ) )
	{
		return false;
	}
	hit->time.lower = asked.time.lower > lower ? asked.time.lower : lower;
	hit->time.upper = asked.time.upper > hit->time.lower ? asked.time.upper : hit->time.lower;
	return true;
}

void bvwphase_meet( bvwphase_cast* c, uint32_t number )
{
	const bvwphase_object* o = c->objects + number;
	slabs s;
	++c->tests;
	if ( c->is_done || ( o->category & c->mask ) == 0 || ( o->mask & c->category ) == 0 ||
	     !find_slabs( c, &o->box, &s ) )
	{
		return;
	}
	bvw_hit hit = { first_time( c, &s ), number };
	if ( is_wanted( c, hit ) && are_together( &s ) && shape_meets( c, &o->box, &hit ) && is_wanted( c, hit ) )
	{
		keep( c, hit );
	}
}

void bvwphase_meet_all( const bvw_broadphase* world, bvwphase_cast* cast )
{
	for ( uint32_t i = 0; i < world->highest && !cast->is_done; ++i )
	{
		if ( cast->objects[i].state & bvwphase_is_live )
		{
			bvwphase_meet( cast, i );
		}
	}
}

// The lowest place of a lower bound between two times, or a lower one.
static double lowest( double begin, double motion, double from, double to )
{
	if ( motion == 0 )
	{
		return begin;
	}
	double way = motion * ( motion < 0 ? to : from );
	way = way < DBL_MAX ? way : DBL_MAX;
	return bvmath_sum_down( begin, way ) - ( isinf( way ) ? 0 : slack * fabs( way ) + least );
}

bv_aabb bvwphase_cast_reach( const bvwphase_cast* c, double from, double to )
{
	double lower[3];
	double upper[3];
	for ( int k = 0; k < 3; ++k )
	{
		lower[k] = lowest( c->lower[k], c->motion[k], from, to );
		upper[k] = -lowest( -c->upper[k], -c->motion[k], from, to );
	}
	return ( bv_aabb ){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

void bvwphase_cast_sort( bvwphase_cast* c )
{
	for ( uint32_t i = c->count; i > 1; --i )
	{
		bvw_hit last = c->hits[0];
		bvw_hit hit = c->hits[i - 1];
		sift_down( c->hits, i - 1, hit );
		c->hits[i - 1] = last;
	}
}
