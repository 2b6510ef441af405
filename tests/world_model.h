// A model of a broad phase, by comparison of every object with every other one: what bvworld/broadphase.h promises. Shares no code
// with libbvworld.
//
// Each object has a serial number, which a new object with the same number has not. A pair at an update is two numbers and
// two serials. The pairs that begin are those of this update that are not among those of the last one; the pairs that end are the
// opposite.

#pragma once

#include "bvworld/broadphase.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct model_object
{
	double low[3];
	double high[3];
	uint64_t category; // not 0
	uint64_t mask;     // not 0
	uint32_t group;
	uint32_t serial; // 0: not in use
} model_object;

typedef struct model_pair
{
	uint32_t number[2];
	uint32_t serial[2];
	bool is_apart; // of those of the last update: an update that failed found that they do not touch
} model_pair;

typedef struct model_pairs
{
	model_pair* at;
	uint32_t count;
	uint32_t room;
} model_pairs;

typedef struct model
{
	model_object* object;
	uint32_t objects;
	uint32_t serials;   // given so far
	uint32_t* live;     // numbers in use, by model_compare
	uint32_t lives;     // how many
	model_pairs last;   // at the last update that succeeded
	model_pairs now;    // by model_compare
	model_pairs begun;  // likewise
	model_pairs ended;  // likewise
	model_pairs listed; // by model_list
} model;

static inline void model_free( model* m )
{
	free( m->object );
	free( m->live );
	free( m->last.at );
	free( m->now.at );
	free( m->begun.at );
	free( m->ended.at );
	free( m->listed.at );
}

static inline model model_of( uint32_t objects )
{
	return ( model ){ .object = calloc( objects, sizeof( model_object ) ),
		              .objects = objects,
		              .live = calloc( objects, sizeof( uint32_t ) ) };
}

static inline void model_set_box( model_object* o, const bv_aabb* box )
{
	const double low[3] = { box->lower.x, box->lower.y, box->lower.z };
	const double high[3] = { box->upper.x, box->upper.y, box->upper.z };
	memcpy( o->low, low, sizeof low );
	memcpy( o->high, high, sizeof high );
}

static inline bool model_box_is_valid( const bv_aabb* box )
{
	model_object o;
	model_set_box( &o, box );
	for ( int i = 0; i < 3; ++i )
	{
		bool low_is_infinite = o.low[i] == -(double)INFINITY;
		bool high_is_infinite = o.high[i] == (double)INFINITY;
		bool low_is_finite = o.low[i] >= -BV_MAX_LENGTH && o.low[i] <= BV_MAX_LENGTH;
		bool high_is_finite = o.high[i] >= -BV_MAX_LENGTH && o.high[i] <= BV_MAX_LENGTH;
		if ( !( low_is_infinite || low_is_finite ) || !( high_is_infinite || high_is_finite ) ||
		     o.low[i] > o.high[i] )
		{
			return false;
		}
	}
	return true;
}

static inline bool model_has( const model* m, uint32_t number )
{
	return number < m->objects && m->object[number].serial != 0;
}

// @return whether it may be added
static inline bool model_add( model* m, uint32_t number, const bvw_object* object )
{
	if ( number >= m->objects || model_has( m, number ) || !model_box_is_valid( &object->box ) )
	{
		return false;
	}
	model_object* o = m->object + number;
	model_set_box( o, &object->box );
	o->category = object->category ? object->category : 1;
	o->mask = object->mask ? object->mask : ~UINT64_C( 0 );
	o->group = object->group;
	o->serial = ++m->serials;
	return true;
}

static inline bool model_move( model* m, uint32_t number, const bv_aabb* box )
{
	bool is_valid = model_has( m, number ) && model_box_is_valid( box );
	if ( is_valid )
	{
		model_set_box( m->object + number, box );
	}
	return is_valid;
}

static inline bool model_remove( model* m, uint32_t number )
{
	bool is_valid = model_has( m, number );
	if ( is_valid )
	{
		m->object[number].serial = 0;
	}
	return is_valid;
}

static inline bool model_boxes_meet( const model_object* a, const model_object* b )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( a->low[i] > b->high[i] || b->low[i] > a->high[i] )
		{
			return false;
		}
	}
	return true;
}

static inline bool model_is_pair( const model_object* a, const model_object* b )
{
	bool is_asked = ( a->mask & b->category ) && ( b->mask & a->category );
	bool is_group = a->group == b->group && a->group > 0;
	return is_asked && !is_group && model_boxes_meet( a, b );
}

static inline void model_append( model_pairs* list, model_pair p )
{
	if ( list->count == list->room )
	{
		list->room = 2 * list->room + 64;
		list->at = realloc( list->at, list->room * sizeof *list->at );
	}
	list->at[list->count++] = p;
}

// -1, 0 or 1 by numbers.
static inline int model_order( const model_pair* p, const model_pair* q )
{
	for ( int i = 0; i < 2; ++i )
	{
		if ( p->number[i] != q->number[i] )
		{
			return p->number[i] < q->number[i] ? -1 : 1;
		}
	}
	return 0;
}

static inline bool model_same( const model_pair* p, const model_pair* q )
{
	return model_order( p, q ) == 0 && p->serial[0] == q->serial[0] && p->serial[1] == q->serial[1];
}

// Both are sorted. Lists those of `from` that are not in `others`.
static inline void model_subtract( const model_pairs* from, const model_pairs* others, model_pairs* out )
{
	out->count = 0;
	uint32_t k = 0;
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		while ( k < others->count && model_order( others->at + k, from->at + i ) < 0 )
		{
			++k;
		}
		if ( k == others->count || !model_same( others->at + k, from->at + i ) )
		{
			model_append( out, from->at[i] );
		}
	}
}

// What an update gives now.
static inline void model_compare( model* m )
{
	m->lives = 0;
	for ( uint32_t i = 0; i < m->objects; ++i )
	{
		if ( m->object[i].serial )
		{
			m->live[m->lives++] = i;
		}
	}
	m->now.count = 0;
	for ( uint32_t i = 0; i < m->lives; ++i )
	{
		const model_object* a = m->object + m->live[i];
		for ( uint32_t k = i + 1; k < m->lives; ++k )
		{
			const model_object* b = m->object + m->live[k];
			if ( model_is_pair( a, b ) )
			{
				model_append( &m->now,
				              ( model_pair ){ { m->live[i], m->live[k] }, { a->serial, b->serial }, false } );
			}
		}
	}
	model_subtract( &m->now, &m->last, &m->begun );
	model_subtract( &m->last, &m->now, &m->ended );
}

// The update took place.
static inline void model_commit( model* m )
{
	model_pairs swap = m->last;
	m->last = m->now;
	m->now = swap;
}

// The update failed.
static inline void model_fail( model* m )
{
	for ( uint32_t i = 0; i < m->last.count; ++i )
	{
		model_pair* p = m->last.at + i;
		const model_object* a = m->object + p->number[0];
		const model_object* b = m->object + p->number[1];
		p->is_apart = p->is_apart || !model_boxes_meet( a, b );
	}
}

// What bvw_broadphase_pairs lists.
static inline void model_list( model* m )
{
	m->listed.count = 0;
	for ( uint32_t i = 0; i < m->last.count; ++i )
	{
		const model_pair* p = m->last.at + i;
		bool is_there =
			m->object[p->number[0]].serial == p->serial[0] && m->object[p->number[1]].serial == p->serial[1];
		if ( is_there && !p->is_apart )
		{
			model_append( &m->listed, *p );
		}
	}
}

static inline bool model_equals( const model_pairs* expected, const bvw_pair* got, uint32_t count )
{
	bool is_equal = count == expected->count;
	for ( uint32_t i = 0; i < count && is_equal; ++i )
	{
		is_equal = got[i].a == expected->at[i].number[0] && got[i].b == expected->at[i].number[1];
	}
	return is_equal;
}

// Ascending numbers of the objects that touch a box.
// @return how many there are
static inline uint32_t model_overlap( const model* m, const bv_aabb* box, const bvw_filter* filter,
                                      uint32_t* out )
{
	model_object q = { .category = filter ? filter->category : 0, .mask = filter ? filter->mask : 0 };
	model_set_box( &q, box );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < m->objects; ++i )
	{
		const model_object* o = m->object + i;
		bool is_found = o->serial && ( q.mask == 0 || ( q.mask & o->category ) ) &&
		                ( q.category == 0 || ( q.category & o->mask ) ) && model_boxes_meet( o, &q );
		if ( is_found )
		{
			out[count++] = i;
		}
	}
	return count;
}
