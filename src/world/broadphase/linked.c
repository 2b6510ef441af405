// One-dimensional sweep and prune: the end points of the boxes along each axis are kept in sorted lists, which are doubly linked.
//
// Based on: J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 6.2, after M. Lin,
// "Efficient collision detection for animation and robotics", 1993. Its sibling with arrays is sweep.c.
//
// What differs from Eckstein's figures 6.3 to 6.9:
// - Lower end points come before upper ones of the same value, so that touching counts, whatever has happened before. (In print
//   all comparisons are strict.)
// - There are no sets of objects that overlap along an axis, because they can have O( n^2 ) members: objects are compared where
//   the lower end point of one passes the upper end point of the other.
// - A list is a ring through an end point that belongs to no object. (In print walks run off both ends.)
// - Objects can be added and removed. New objects are sorted and merged into the lists, and one walk finds their pairs.
// - Where exchanges would take longer, lists are built anew, by the walk of figure 6.4.

#include "world/broadphase/ends.h"
#include "world/broadphase/query.h"

#include <string.h>

enum
{
	most_fresh = 8,    // built anew if more than this part of the objects is new
	most_passed = 6,   // end points passed, for each one of all lists, before they are built anew
	longest_wait = 15, // updates
};

// An end point. That of index 2 * number is the lower one of an object, the next one its upper one.
typedef struct linked_end
{
	double value;
	uint32_t previous;
	uint32_t next;
} linked_end;

// The box of an object that is open during a walk.
typedef struct open_box
{
	double lower[2]; // along the other axes
	double upper[2];
	uint32_t number;
	uint32_t unused;
} open_box;

enum
{
	is_linked = 1, // bits of an object: it has end points
	is_sought = 2, // during a walk: its pairs are looked for
};

// The head of the method's part of the block. Arrays follow, which the functions below return.
typedef struct linked_state
{
	uint32_t fresh;     // objects without end points
	uint32_t is_full;   // bvwphase_report returned false
	uint32_t axis;      // the one along which the fewest pairs overlapped when lists were built
	uint32_t wait;      // updates until exchanges are tried again
	uint32_t last_wait; // the number of them the last time
	uint32_t too_many;  // changed objects, then
	uint64_t passed;    // end points, of this update
} linked_state;

static linked_state* state_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

// The index of the end point of no object.
static uint32_t ring_of( const bvw_broadphase* world )
{
	return 2 * world->options.objects;
}

static linked_end* list_of( const bvw_broadphase* world, int axis )
{
	return (linked_end*)( state_of( world ) + 1 ) + (size_t)axis * ( ring_of( world ) + 1 );
}

// Room for sorting: twice the end points of all objects. Boxes that are open have the same place.
static bvwphase_end_point* room_of( const bvw_broadphase* world )
{
	return (bvwphase_end_point*)list_of( world, 3 );
}

// Where each object is among those that are open.
static uint32_t* places_of( const bvw_broadphase* world )
{
	return (uint32_t*)( room_of( world ) + (size_t)2 * ring_of( world ) );
}

static uint8_t* bits_of( const bvw_broadphase* world )
{
	return (uint8_t*)( places_of( world ) + world->options.objects );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t each = 6 * sizeof( linked_end ) + 4 * sizeof( bvwphase_end_point ) + sizeof( uint32_t ) + 1;
	return bvwphase_aligned( sizeof( linked_state ) + 3 * sizeof( linked_end ) + each * options->objects );
}

static void clear_list( linked_end* list, uint32_t ring )
{
	list[ring].previous = list[ring].next = ring;
}

static void begin( bvw_broadphase* world )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		clear_list( list_of( world, axis ), ring_of( world ) );
	}
}

static void take_out( linked_end* list, uint32_t at )
{
	list[list[at].previous].next = list[at].next;
	list[list[at].next].previous = list[at].previous;
}

static void put_behind( linked_end* list, uint32_t before, uint32_t at )
{
	uint32_t next = list[before].next;
	list[at].previous = before;
	list[at].next = next;
	list[before].next = at;
	list[next].previous = at;
}

static void add( bvw_broadphase* world, uint32_t number )
{
	(void)number;
	++state_of( world )->fresh;
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)world;
	(void)number;
	(void)from;
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	uint8_t* bits = bits_of( world ) + number;
	if ( !( *bits & is_linked ) )
	{
		--state_of( world )->fresh;
		return;
	}
	*bits = 0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		take_out( list_of( world, axis ), 2 * number );
		take_out( list_of( world, axis ), 2 * number + 1 );
	}
}

static double bound_of( const bv_aabb* box, int axis, uint32_t is_upper )
{
	return is_upper ? bvwphase_upper_of( box, axis ) : bvwphase_lower_of( box, axis );
}

// Whether an end point of a value comes before one of the list. Of equal ones, neither does.
static bool is_before( double value, uint32_t is_upper, const linked_end* list, uint32_t other )
{
	return value < list[other].value || ( value == list[other].value && is_upper < ( other & 1 ) );
}

static bool is_behind( double value, uint32_t is_upper, const linked_end* list, uint32_t other )
{
	return value > list[other].value || ( value == list[other].value && is_upper > ( other & 1 ) );
}

// Compares objects of which one changed. When the store is full, sorting goes on without.
static void meet( bvw_broadphase* world, linked_state* s, uint32_t a, uint32_t b )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	if ( s->is_full )
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

// Moves an end point past its neighbors to its place (figures 6.7 and 6.8).
static void shift( bvw_broadphase* world, linked_state* s, linked_end* list, uint32_t at, double value )
{
	uint32_t ring = ring_of( world );
	uint32_t is_upper = at & 1;
	uint32_t before = list[at].previous;
	uint64_t passed = 0;
	for ( ; before != ring && is_before( value, is_upper, list, before ); before = list[before].previous )
	{
		++passed;
		if ( !is_upper && ( before & 1 ) )
		{
			meet( world, s, at / 2, before / 2 );
		}
	}
	if ( passed == 0 )
	{
		for ( uint32_t next = list[at].next; next != ring && is_behind( value, is_upper, list, next );
		      next = list[next].next )
		{
			++passed;
			before = next;
			if ( is_upper && !( next & 1 ) )
			{
				meet( world, s, at / 2, next / 2 );
			}
		}
	}
	list[at].value = value;
	if ( passed > 0 )
	{
		take_out( list, at );
		put_behind( list, before, at );
		s->passed += passed;
	}
}

// The lower end point is the first to move if the upper one would pass it (figure 6.6).
static void shift_object( bvw_broadphase* world, linked_state* s, uint32_t number )
{
	const bv_aabb* box = &bvwphase_objects( world )[number].box;
	for ( int axis = 0; axis < 3; ++axis )
	{
		linked_end* list = list_of( world, axis );
		uint32_t first = bvwphase_upper_of( box, axis ) < list[2 * number].value ? 0 : 1;
		shift( world, s, list, 2 * number + first, bound_of( box, axis, first ) );
		shift( world, s, list, 2 * number + 1 - first, bound_of( box, axis, 1 - first ) );
	}
}

// Exchanges that take too long are not tried again for some updates, longer each time, unless far fewer objects changed.
// @return false if they did
static bool shift_all( bvw_broadphase* world, linked_state* s )
{
	const uint32_t* changed = bvwphase_changed( world );
	uint64_t most = (uint64_t)most_passed * 6 * world->live;
	if ( s->wait > 0 && world->changed_count > s->too_many / 2 )
	{
		--s->wait;
		return false;
	}
	s->passed = 0;
	for ( uint32_t i = 0; i < world->changed_count && s->passed <= most; ++i )
	{
		if ( bits_of( world )[changed[i]] & is_linked )
		{
			shift_object( world, s, changed[i] );
		}
	}
	if ( s->passed <= most )
	{
		s->last_wait = s->wait = 0;
		return true;
	}
	s->last_wait = 2 * s->last_wait + 1 < longest_wait ? 2 * s->last_wait + 1 : longest_wait;
	s->wait = s->last_wait;
	s->too_many = world->changed_count;
	return false;
}

// Sorted end points along an axis of the objects whose pairs are looked for, or of all.
// @return how many
static uint32_t sort_axis( const bvw_broadphase* world, int axis, uint32_t bits, uint32_t count )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_end_point* ends = room_of( world );
	uint32_t k = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( ( bits_of( world )[i] & bits ) == bits )
		{
			ends[k] = ( bvwphase_end_point ){ bvwphase_lower_of( &objects[i].box, axis ), i, 0 };
			ends[k + count] =
				( bvwphase_end_point ){ bvwphase_upper_of( &objects[i].box, axis ), i | BVWPHASE_UPPER, 0 };
			++k;
		}
	}
	bvwphase_sort_ends( ends, 2 * count, ends + ring_of( world ) );
	return 2 * count;
}

static uint32_t index_of( const bvwphase_end_point* e )
{
	return 2 * bvwphase_end_number( e ) + ( bvwphase_end_is_upper( e ) ? 1 : 0 );
}

// @return the number of pairs that overlap along an axis, of which one is looked for
static uint64_t overlaps_of( const bvw_broadphase* world, const bvwphase_end_point* ends, uint32_t count )
{
	const uint8_t* bits = bits_of( world );
	uint64_t pairs = 0;
	uint32_t open[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t k = bits[bvwphase_end_number( ends + i )] & is_sought ? 1 : 0;
		if ( bvwphase_end_is_upper( ends + i ) )
		{
			--open[k];
			continue;
		}
		pairs += open[1] + ( k == 1 ? open[0] : 0 );
		++open[k];
	}
	return pairs;
}

// Puts sorted end points into a list, from its begin to its end.
static void merge( const bvw_broadphase* world, linked_end* list, uint32_t count )
{
	const bvwphase_end_point* ends = room_of( world );
	uint32_t ring = ring_of( world );
	uint32_t before = ring;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t at = index_of( ends + i );
		uint32_t next = list[before].next;
		while ( next != ring && !is_before( ends[i].value, at & 1, list, next ) )
		{
			before = next;
			next = list[before].next;
		}
		list[at].value = ends[i].value;
		put_behind( list, before, at );
		before = at;
	}
}

// The boxes that are open: those that are sought from the begin of the room, others from its end.
typedef struct open_boxes
{
	open_box* box;
	uint32_t* place; // of each object in it
	uint32_t sought;
	uint32_t others;
	uint32_t room;
	int axis; // of the walk
} open_boxes;

static open_box open_box_of( const bv_aabb* box, uint32_t number, int axis )
{
	int y = ( axis + 1 ) % 3;
	int z = ( axis + 2 ) % 3;
	return ( open_box ){ { bvwphase_lower_of( box, y ), bvwphase_lower_of( box, z ) },
		                 { bvwphase_upper_of( box, y ), bvwphase_upper_of( box, z ) },
		                 number,
		                 0 };
}

// Compares a box with some that are open.
static void compare( bvw_broadphase* world, linked_state* s, const open_box* a, const open_box* with,
                     uint32_t count )
{
	for ( uint32_t i = 0; i < count && !s->is_full; ++i )
	{
		const open_box* b = with + i;
		// All comparisons, because a branch for each takes longer.
		bool touch = ( a->lower[0] <= b->upper[0] ) & ( b->lower[0] <= a->upper[0] ) &
		             ( a->lower[1] <= b->upper[1] ) & ( b->lower[1] <= a->upper[1] );
		if ( !touch )
		{
			++world->tests;
		}
		else if ( !bvwphase_report( world, a->number, b->number ) )
		{
			s->is_full = true;
		}
	}
}

static void open_object( bvw_broadphase* world, linked_state* s, open_boxes* open, uint32_t number )
{
	open_box a = open_box_of( &bvwphase_objects( world )[number].box, number, open->axis );
	compare( world, s, &a, open->box, open->sought );
	uint32_t place = open->sought;
	if ( bits_of( world )[number] & is_sought )
	{
		compare( world, s, &a, open->box + ( open->room - open->others ), open->others );
		++open->sought;
	}
	else
	{
		place = open->room - ++open->others;
	}
	open->box[place] = a;
	open->place[number] = place;
}

// The last one takes its place.
static void close_object( const bvw_broadphase* world, open_boxes* open, uint32_t number )
{
	bool is_one_sought = ( bits_of( world )[number] & is_sought ) != 0;
	uint32_t last = is_one_sought ? --open->sought : open->room - open->others--;
	uint32_t place = open->place[number];
	open->box[place] = open->box[last];
	open->place[open->box[place].number] = place;
}

// Finds the pairs of which one object is sought (figure 6.4, along one axis, the others being compared).
// @param left  the number of objects that are sought
static void walk( bvw_broadphase* world, linked_state* s, uint32_t left )
{
	const linked_end* list = list_of( world, (int)s->axis );
	uint32_t ring = ring_of( world );
	open_boxes open = { .box = (open_box*)room_of( world ),
		                .place = places_of( world ),
		                .room = world->options.objects,
		                .axis = (int)s->axis };
	for ( uint32_t at = list[ring].next; at != ring && left > 0 && !s->is_full; at = list[at].next )
	{
		if ( at & 1 )
		{
			left -= bits_of( world )[at / 2] & is_sought ? 1 : 0;
			close_object( world, &open, at / 2 );
		}
		else
		{
			open_object( world, s, &open, at / 2 );
		}
	}
}

// Builds the lists of all objects, and finds the pairs of changed ones.
static void build( bvw_broadphase* world, linked_state* s )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint8_t* bits = bits_of( world );
	uint32_t sought = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		bool is_live = ( objects[i].state & bvwphase_is_live ) != 0;
		bool is_changed = is_live && ( objects[i].state & bvwphase_is_changed );
		bits[i] = (uint8_t)( ( is_live ? is_linked : 0 ) | ( is_changed ? is_sought : 0 ) );
		sought += is_changed;
	}
	uint64_t least = UINT64_MAX;
	for ( int axis = 0; axis < 3; ++axis )
	{
		linked_end* list = list_of( world, axis );
		clear_list( list, ring_of( world ) );
		uint32_t count = sort_axis( world, axis, is_linked, world->live );
		uint64_t overlaps = overlaps_of( world, room_of( world ), count );
		s->axis = overlaps < least ? (uint32_t)axis : s->axis;
		least = overlaps < least ? overlaps : least;
		merge( world, list, count );
	}
	s->fresh = 0;
	walk( world, s, sought );
}

// Sorts the new objects into the lists, and finds their pairs.
static void merge_fresh( bvw_broadphase* world, linked_state* s )
{
	const uint32_t* changed = bvwphase_changed( world );
	uint8_t* bits = bits_of( world );
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		bool is_fresh = bvwphase_has_object( world, changed[i] ) && !( bits[changed[i]] & is_linked );
		bits[changed[i]] |= is_fresh ? is_linked | is_sought : 0;
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		merge( world, list_of( world, axis ), sort_axis( world, axis, is_linked | is_sought, s->fresh ) );
	}
	walk( world, s, s->fresh );
	s->fresh = 0;
}

static bool find( bvw_broadphase* world )
{
	linked_state* s = state_of( world );
	const uint32_t* changed = bvwphase_changed( world );
	s->is_full = false;
	if ( world->has_failed || (uint64_t)most_fresh * s->fresh > world->live || !shift_all( world, s ) )
	{
		build( world, s );
	}
	else if ( s->fresh > 0 )
	{
		merge_fresh( world, s );
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		bits_of( world )[changed[i]] &= is_linked;
	}
	return !s->is_full;
}

const bvwphase_method bvwphase_linked = {
	.name = "linked",
	.help = "sorted linked lists of end points along three axes are kept sorted (Lin 1993; Eckstein 1998)",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.overlap = bvwphase_look_at_all,
};
