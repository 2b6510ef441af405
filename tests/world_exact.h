// Which boxes of a model a ray or a moving box meets, and when, in rational arithmetic (GMP). Shares no code with libbvworld.
//
// The times at which two intervals touch, of which one moves, are an interval: the times of all axes and of the query have one in
// common, or the boxes do not meet.

#pragma once

#include "tests/world_model.h"

#include "bvworld/queries.h"

#include <gmp.h>

// A ray, or a box that moves.
typedef struct exact_cast
{
	double low[3];
	double high[3];
	double motion[3];
	double from;
	double to; // may be infinite
} exact_cast;

static inline exact_cast exact_cast_of_ray( const bv_ray* ray )
{
	return ( exact_cast ){ .low = { ray->origin.x, ray->origin.y, ray->origin.z },
		                   .high = { ray->origin.x, ray->origin.y, ray->origin.z },
		                   .motion = { ray->direction.x, ray->direction.y, ray->direction.z },
		                   .from = ray->from,
		                   .to = ray->to == 0 ? (double)INFINITY : ray->to };
}

static inline exact_cast exact_cast_of_box( const bv_aabb* box, bv_vec3 motion )
{
	return ( exact_cast ){ .low = { box->lower.x, box->lower.y, box->lower.z },
		                   .high = { box->upper.x, box->upper.y, box->upper.z },
		                   .motion = { motion.x, motion.y, motion.z },
		                   .to = 1 };
}

// An interval of time. It has an end if `has_last`.
typedef struct exact_range
{
	mpq_t first;
	mpq_t last;
	bool has_last;
} exact_range;

// Takes out the times before, or after, edge + time * motion is at `at`.
static inline void exact_cut( exact_range* r, double edge, double motion, double at, bool keeps_after )
{
	mpq_t time;
	mpq_t part;
	mpq_inits( time, part, NULL );
	mpq_set_d( time, at );
	mpq_set_d( part, edge );
	mpq_sub( time, time, part );
	mpq_set_d( part, motion );
	mpq_div( time, time, part );
	if ( keeps_after && mpq_cmp( time, r->first ) > 0 )
	{
		mpq_set( r->first, time );
	}
	if ( !keeps_after && ( !r->has_last || mpq_cmp( time, r->last ) < 0 ) )
	{
		mpq_set( r->last, time );
		r->has_last = true;
	}
	mpq_clears( time, part, NULL );
}

// @param time  receives when they meet, if so
static inline bool exact_meets( const exact_cast* c, const model_object* o, mpq_t time )
{
	exact_range r = { .has_last = c->to < (double)INFINITY };
	mpq_inits( r.first, r.last, NULL );
	mpq_set_d( r.first, c->from );
	if ( r.has_last )
	{
		mpq_set_d( r.last, c->to );
	}
	bool meets = true;
	for ( int k = 0; k < 3; ++k )
	{
		double d = c->motion[k];
		if ( d == 0 )
		{
			meets = meets && c->low[k] <= o->high[k] && o->low[k] <= c->high[k];
			continue;
		}
		// The upper edge is not below the lower one of the object, and the lower edge is not above the upper one.
		if ( isfinite( c->high[k] ) && isfinite( o->low[k] ) )
		{
			exact_cut( &r, c->high[k], d, o->low[k], d > 0 );
		}
		if ( isfinite( c->low[k] ) && isfinite( o->high[k] ) )
		{
			exact_cut( &r, c->low[k], d, o->high[k], d < 0 );
		}
	}
	meets = meets && ( !r.has_last || mpq_cmp( r.first, r.last ) <= 0 );
	mpq_set( time, r.first );
	mpq_clears( r.first, r.last, NULL );
	return meets;
}

static inline bool exact_wants( const model_object* o, const bvw_filter* filter )
{
	return o->serial && ( !filter || filter->mask == 0 || ( filter->mask & o->category ) ) &&
	       ( !filter || filter->category == 0 || ( filter->category & o->mask ) );
}

// @return whether an interval contains a time and is not wider than promised
static inline bool exact_contains( bv_interval interval, const mpq_t time )
{
	mpq_t bound;
	mpq_init( bound );
	bool contains = isfinite( interval.lower ) && interval.lower >= 0;
	if ( contains )
	{
		mpq_set_d( bound, interval.lower );
		contains = mpq_cmp( bound, time ) <= 0;
	}
	if ( contains && isfinite( interval.upper ) )
	{
		mpq_set_d( bound, interval.upper );
		contains = mpq_cmp( bound, time ) >= 0 &&
		           interval.upper - interval.lower <= interval.upper * 0x1p-48 + 0x1p-1070;
	}
	mpq_clear( bound );
	return contains;
}

// @param hits  of a query of all hits
// @return whether these are the objects that are met, each at its time, and sorted
static inline bool exact_equals( const model* m, const exact_cast* c, const bvw_filter* filter,
                                 const bvw_hit* hits, uint32_t count )
{
	mpq_t time;
	mpq_init( time );
	bool equals = true;
	uint32_t expected = 0;
	for ( uint32_t i = 0; i < m->objects && equals; ++i )
	{
		bool is_met = exact_wants( m->object + i, filter ) && exact_meets( c, m->object + i, time );
		uint32_t at = 0;
		while ( at < count && hits[at].number != i )
		{
			++at;
		}
		equals = is_met == ( at < count ) && ( !is_met || exact_contains( hits[at].time, time ) );
		expected += is_met;
	}
	for ( uint32_t i = 1; i < count; ++i )
	{
		const bvw_hit* h = hits + i;
		bool is_sorted = h[-1].time.lower < h->time.lower ||
		                 ( h[-1].time.lower == h->time.lower && h[-1].number < h->number );
		equals = equals && is_sorted;
	}
	mpq_clear( time );
	return equals && expected == count;
}
