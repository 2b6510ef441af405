// Incremental sweep and prune: the end points of the boxes along each axis are kept in sorted arrays.
//
// Based on: D. Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992; J. Cohen, M. Lin, D. Manocha, M. Ponamgi,
// "I-COLLIDE: an interactive and exact collision detection system for large-scale environments", 1995. Sorting anew: radix sort
// (H. Seward 1954) and one sweep (sweep_once.c).
//
// End points are sorted by value, lower ones before upper ones, so that touching counts, then by number: no two are equal. A
// pair that touches and did not before has, along some axis, a lower end point that now comes before an upper one and did
// not. These two are exchanged when the arrays are sorted, and then the boxes, which have their final places by then, are
// compared. Where the order of two objects is old along all axes, their pair is in the store already.
//
// When exchanges would take more time than sorting anew, that is done, and one sweep compares the boxes that overlap along
// the most selective axis. It is also done after an update that failed: pairs are missing then.

#include "world/broadphase/sweep.h"

#include "world/broadphase/cast.h"
#include "world/broadphase/order.h"
#include "world/broadphase/query.h"
#include "world/order/numbers.h"

#include <math.h>
#include <string.h>

enum
{
	in_arrays = 1, // the object has end points
	is_fresh = 2,  // it must be given some, and its pairs be looked for
	is_gone = 4,   // its end points are those of an object that was removed
};

enum
{
	few = 16,           // objects are moved one by one if less than this part of them changed
	most_fresh = 8,     // sorting anew if more than this part of objects is new
	most_gone = 8,      // end points are taken out if more than this part of them is not in use
	most_swaps = 16,    // exchanges for each end point, before sorting anew
	most_looked_at = 8, // end points looked at for new objects, for each end point, before sweeping
	longest_wait = 15,  // updates
};

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t each = 6 * sizeof( bvwphase_end_point ) + sizeof( bv_aabb ) + sizeof( bvwphase_sweep_entry ) +
	                3 * sizeof( uint32_t ) + 1;
	return bvwphase_aligned( sizeof( bvwphase_sweep_state ) + each * options->objects +
	                         3 * sizeof( uint32_t ) );
}

static void add( bvw_broadphase* world, uint32_t number )
{
	bvwphase_sweep_state* s = bvwphase_sweep_of( world );
	uint8_t* state = bvwphase_sweep_states( world ) + number;
	s->must_take_out |= ( *state & is_gone ) != 0;
	*state |= is_fresh;
	++s->fresh;
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)world;
	(void)number;
	(void)from;
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	bvwphase_sweep_state* s = bvwphase_sweep_of( world );
	uint8_t* state = bvwphase_sweep_states( world ) + number;
	if ( *state & is_fresh )
	{
		*state &= (uint8_t)~is_fresh;
		--s->fresh;
	}
	else
	{
		*state |= is_gone;
		++s->gone;
	}
}

static bool is_changed( const bvw_broadphase* world, uint32_t number )
{
	return ( bvwphase_objects( world )[number].state & bvwphase_is_changed ) != 0;
}

static void note_length( bvwphase_sweep_state* s, const bv_aabb* box )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		double length = bvwphase_upper_of( box, axis ) - bvwphase_lower_of( box, axis );
		if ( length < (double)INFINITY && length > s->longest[axis] )
		{
			s->longest[axis] = length;
		}
	}
}

// Compares objects of which the first one changed. When the store is full, sorting goes on without.
static void meet( bvw_broadphase* world, bvwphase_sweep_state* s, uint32_t a, uint32_t b )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	if ( s->is_full || !bvwphase_has_object( world, b ) )
	{
		return;
	}
	if ( !bvwphase_boxes_touch( &objects[a].box, &objects[b].box ) )
	{
		++world->tests;
	}
	else if ( !bvwphase_report( world, a, b ) )
	{
		s->is_full = true;
	}
}

// Moves an end point down to its place.
// @return the place
static uint32_t sink( bvw_broadphase* world, bvwphase_sweep_state* s, bvwphase_end_point* ends, uint32_t at,
                      bvwphase_end_point e )
{
	uint32_t from = at;
	for ( ; at > 0 && bvwphase_end_is_below( e.value, e.key, ends + at - 1 ); --at )
	{
		if ( !bvwphase_end_is_upper( &e ) && bvwphase_end_is_upper( ends + at - 1 ) )
		{
			meet( world, s, bvwphase_end_number( &e ), bvwphase_end_number( ends + at - 1 ) );
		}
		ends[at] = ends[at - 1];
	}
	ends[at] = e;
	s->swaps += from - at;
	return at;
}

// Moves an end point to its place.
static void shift( bvw_broadphase* world, bvwphase_sweep_state* s, int axis, double from, double to,
                   uint32_t key )
{
	bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
	bvwphase_end_point e = { to, key, 0 };
	uint32_t start = bvwphase_place_of_end( ends, s->count, from, key );
	uint32_t at = sink( world, s, ends, start, e );
	for ( ; at + 1 < s->count && bvwphase_end_is_below( ends[at + 1].value, ends[at + 1].key, &e ); ++at )
	{
		if ( bvwphase_end_is_upper( &e ) && !bvwphase_end_is_upper( ends + at + 1 ) )
		{
			meet( world, s, bvwphase_end_number( &e ), bvwphase_end_number( ends + at + 1 ) );
		}
		ends[at] = ends[at + 1];
		++s->swaps;
	}
	ends[at] = e;
}

// The end point that goes ahead is the first, so that the lower one never passes the upper one.
static void shift_object( bvw_broadphase* world, bvwphase_sweep_state* s, uint32_t number )
{
	const bv_aabb* to = &bvwphase_objects( world )[number].box;
	bv_aabb* from = bvwphase_sweep_sorted( world ) + number;
	for ( int axis = 0; axis < 3; ++axis )
	{
		bool is_up = bvwphase_lower_of( to, axis ) > bvwphase_lower_of( from, axis );
		for ( int k = 0; k < 2; ++k )
		{
			if ( is_up == ( k == 0 ) )
			{
				shift( world, s, axis, bvwphase_upper_of( from, axis ), bvwphase_upper_of( to, axis ),
				       number | BVWPHASE_UPPER );
			}
			else
			{
				shift( world, s, axis, bvwphase_lower_of( from, axis ), bvwphase_lower_of( to, axis ),
				       number );
			}
		}
	}
	*from = *to;
	note_length( s, to );
}

static bool is_to_shift( const bvw_broadphase* world, uint32_t number )
{
	return bvwphase_has_object( world, number ) && ( bvwphase_sweep_states( world )[number] & in_arrays );
}

static uint64_t swaps_allowed( const bvwphase_sweep_state* s )
{
	return (uint64_t)most_swaps * s->count + most_swaps;
}

// @return false if that took too many exchanges
static bool shift_each( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	const uint32_t* changed = bvwphase_changed( world );
	for ( uint32_t i = 0; i < world->changed_count && s->swaps <= swaps_allowed( s ); ++i )
	{
		if ( is_to_shift( world, changed[i] ) )
		{
			shift_object( world, s, changed[i] );
		}
	}
	return s->swaps <= swaps_allowed( s );
}

// Insertion sort.
// @return false if that took too many exchanges
static bool sort_axis( bvw_broadphase* world, bvwphase_sweep_state* s, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
	s->swaps = 0;
	for ( uint32_t i = 0; i < s->count && s->swaps <= swaps_allowed( s ); ++i )
	{
		bvwphase_end_point e = ends[i];
		const bvwphase_object* o = objects + bvwphase_end_number( &e );
		if ( ( o->state & bvwphase_is_live ) && ( o->state & bvwphase_is_changed ) )
		{
			e.value = bvwphase_end_is_upper( &e ) ? bvwphase_upper_of( &o->box, axis )
			                                      : bvwphase_lower_of( &o->box, axis );
		}
		sink( world, s, ends, i, e );
	}
	return s->swaps <= swaps_allowed( s );
}

// @return false if that took too many exchanges
static bool sort_all( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bv_aabb* sorted = bvwphase_sweep_sorted( world );
	if ( !( sort_axis( world, s, 0 ) && sort_axis( world, s, 1 ) && sort_axis( world, s, 2 ) ) )
	{
		return false;
	}
	memset( s->longest, 0, sizeof s->longest );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( is_to_shift( world, i ) )
		{
			sorted[i] = objects[i].box;
			note_length( s, sorted + i );
		}
	}
	return true;
}

// Exchanges that take too long are not tried again for some updates, longer each time, unless far fewer objects changed.
// @return false if they did
static bool sort_in( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	if ( s->wait > 0 && world->changed_count > s->too_many / 2 )
	{
		--s->wait;
		return false;
	}
	s->swaps = 0;
	if ( (uint64_t)few * world->changed_count < world->live ? shift_each( world, s ) : sort_all( world, s ) )
	{
		s->last_wait = s->wait = 0;
		return true;
	}
	s->last_wait = 2 * s->last_wait + 1 < longest_wait ? 2 * s->last_wait + 1 : longest_wait;
	s->wait = s->last_wait;
	s->too_many = world->changed_count;
	return false;
}

// Takes out the end points of objects that were removed.
static void take_out( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	uint8_t* states = bvwphase_sweep_states( world );
	for ( int axis = 0; axis < 3; ++axis )
	{
		bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
		uint32_t kept = 0;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			if ( !( states[bvwphase_end_number( ends + i )] & is_gone ) )
			{
				ends[kept++] = ends[i];
			}
		}
		memset( ends + kept, 0, ( s->count - kept ) * sizeof *ends );
	}
	for ( uint32_t i = 0; i < world->options.objects; ++i )
	{
		if ( states[i] & is_gone )
		{
			states[i] &= ( uint8_t ) ~( is_gone | in_arrays );
			s->count -= 2;
		}
	}
	s->gone = 0;
	s->must_take_out = false;
}

// Gives all objects their end points.
static void sort_anew( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bv_aabb* sorted = bvwphase_sweep_sorted( world );
	uint8_t* states = bvwphase_sweep_states( world );
	memset( s->longest, 0, sizeof s->longest );
	for ( uint32_t i = 0; i < world->options.objects; ++i )
	{
		states[i] = bvwphase_has_object( world, i ) ? in_arrays : 0;
		if ( states[i] )
		{
			sorted[i] = objects[i].box;
			note_length( s, sorted + i );
		}
	}
	s->count = 2 * world->live;
	s->fresh = 0;
	s->gone = 0;
	s->must_take_out = false;
	for ( int axis = 0; axis < 3; ++axis )
	{
		// In the order of keys.
		bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
		uint32_t k = 0;
		for ( uint32_t i = 0; i < world->highest; ++i )
		{
			if ( states[i] )
			{
				ends[k] = ( bvwphase_end_point ){ bvwphase_lower_of( sorted + i, axis ), i, 0 };
				ends[k + world->live] =
					( bvwphase_end_point ){ bvwphase_upper_of( sorted + i, axis ), i | BVWPHASE_UPPER, 0 };
				++k;
			}
		}
		bvwphase_sort_ends( ends, s->count, (bvwphase_end_point*)bvwphase_sweep_entries( world ) );
	}
}

static void merge_fresh( bvw_broadphase* world, const bvwphase_sweep_state* s, int axis,
                         const uint32_t* numbers, uint32_t count )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_end_point* fresh = (bvwphase_end_point*)bvwphase_sweep_entries( world );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_aabb* box = &objects[numbers[i]].box;
		fresh[i] = ( bvwphase_end_point ){ bvwphase_lower_of( box, axis ), numbers[i], 0 };
		fresh[i + count] =
			( bvwphase_end_point ){ bvwphase_upper_of( box, axis ), numbers[i] | BVWPHASE_UPPER, 0 };
	}
	bvwphase_sort_ends( fresh, 2 * count, fresh + (size_t)2 * count );
	bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
	uint32_t old = s->count;
	for ( uint32_t left = 2 * count; left > 0; )
	{
		const bvwphase_end_point* f = fresh + left - 1;
		if ( old > 0 && bvwphase_end_is_below( f->value, f->key, ends + old - 1 ) )
		{
			ends[old + left - 1] = ends[old - 1];
			--old;
		}
		else
		{
			ends[old + left - 1] = *f;
			--left;
		}
	}
}

// The k-th end point of a window.
// @return its object, once for each object; UINT32_MAX otherwise
static uint32_t object_at( const bvw_broadphase* world, const bvwphase_sweep_window* w, uint64_t k )
{
	uint64_t at = k;
	if ( at >= w->below )
	{
		at = at - w->below + w->from;
		if ( at >= w->to )
		{
			at = at - w->to + w->above;
			const bv_aabb* box = bvwphase_sweep_sorted( world ) + bvwphase_end_number( w->ends + at );
			double lower = bvwphase_lower_of( box, w->axis );
			bool is_other = lower > -(double)INFINITY && lower < w->begin;
			return is_other ? bvwphase_end_number( w->ends + at ) : UINT32_MAX;
		}
	}
	return bvwphase_end_is_upper( w->ends + at ) ? UINT32_MAX : bvwphase_end_number( w->ends + at );
}

// Looks for the pairs of a new object.
// @return false if that would take longer than a sweep
static bool look_for_pairs( bvw_broadphase* world, bvwphase_sweep_state* s, uint32_t number,
                            uint64_t* looked_at )
{
	bvwphase_sweep_window w = bvwphase_sweep_window_around( world, &bvwphase_objects( world )[number].box );
	*looked_at += w.size;
	if ( *looked_at > (uint64_t)most_looked_at * s->count )
	{
		return false;
	}
	for ( uint64_t k = 0; k < w.size && !s->is_full; ++k )
	{
		uint32_t other = object_at( world, &w, k );
		if ( other != UINT32_MAX && other != number )
		{
			meet( world, s, number, other );
		}
	}
	return true;
}

// Adds the new objects to the arrays and looks for their pairs.
static void sort_fresh_in( bvw_broadphase* world, bvwphase_sweep_state* s )
{
	uint8_t* states = bvwphase_sweep_states( world );
	const uint32_t* changed = bvwphase_changed( world );
	uint32_t* numbers = bvwphase_sweep_order( world );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		uint32_t number = changed[i];
		if ( states[number] & is_fresh )
		{
			numbers[count++] = number;
			states[number] = in_arrays;
			bvwphase_sweep_sorted( world )[number] = bvwphase_objects( world )[number].box;
			note_length( s, bvwphase_sweep_sorted( world ) + number );
		}
	}
	bvworder_sort_numbers( numbers, count );
	for ( int axis = 0; axis < 3; ++axis )
	{
		merge_fresh( world, s, axis, numbers, count );
	}
	s->count += 2 * count;
	s->fresh = 0;
	uint64_t looked_at = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !look_for_pairs( world, s, numbers[i], &looked_at ) )
		{
			// The sweep takes end points of live objects only.
			if ( s->gone > 0 )
			{
				take_out( world, s );
			}
			s->is_full = !bvwphase_sweep_once( world, s );
			return;
		}
	}
}

static bool find( bvw_broadphase* world )
{
	bvwphase_sweep_state* s = bvwphase_sweep_of( world );
	bool is_anew = world->has_failed || (uint64_t)most_fresh * s->fresh > world->live;
	s->is_full = false;
	if ( !is_anew )
	{
		if ( s->must_take_out || (uint64_t)most_gone * 2 * s->gone > s->count )
		{
			take_out( world, s );
		}
		is_anew = !sort_in( world, s );
	}
	if ( is_anew )
	{
		sort_anew( world, s );
		s->is_full = !bvwphase_sweep_once( world, s );
	}
	else if ( s->fresh > 0 )
	{
		sort_fresh_in( world, s );
	}
	return !s->is_full;
}

static void look( bvwphase_query* query, bvwphase_cast* cast, uint32_t number )
{
	if ( query )
	{
		bvwphase_look_at( query, number );
	}
	else
	{
		bvwphase_meet( cast, number );
	}
}

// Objects that changed since the last update are not where the arrays say.
// @param query, cast  one of both is null
static void look_into( const bvw_broadphase* world, const bv_aabb* box, bvwphase_query* query,
                       bvwphase_cast* cast )
{
	const uint32_t* changed = bvwphase_changed( world );
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		if ( bvwphase_has_object( world, changed[i] ) )
		{
			look( query, cast, changed[i] );
		}
	}
	bvwphase_sweep_window w = bvwphase_sweep_window_around( world, box );
	for ( uint64_t k = 0; k < w.size && !( cast && cast->is_done ); ++k )
	{
		uint32_t number = object_at( world, &w, k );
		if ( number != UINT32_MAX && bvwphase_has_object( world, number ) && !is_changed( world, number ) )
		{
			look( query, cast, number );
		}
	}
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	look_into( world, &query->box, query, NULL );
}

static void cast( const bvw_broadphase* world, bvwphase_cast* c )
{
	bv_aabb reach = bvwphase_cast_reach( c, c->from, c->to );
	look_into( world, &reach, NULL, c );
}

const bvwphase_method bvwphase_sweep = {
	.name = "sweep",
	.help = "sorted end points along three axes are kept sorted (Baraff 1992; I-COLLIDE 1995)",
	.bytes = bytes,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.overlap = overlap,
	.cast = cast,
};
