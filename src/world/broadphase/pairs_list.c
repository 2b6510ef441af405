// Pairs in a sorted list. An update sorts the pairs that the method has found and merges them with those of the last update, which
// takes time for all pairs, however few objects moved.

#include "world/broadphase/pairs.h"

#include "world/broadphase/order.h"

#include <string.h>

enum
{
	mark_changed = 1,
	mark_new = 2,     // the object did not exist at the last update
	mark_dropped = 4, // an object with this number was removed since the last update
};

// Its part of the block.
typedef struct list_head
{
	uint64_t known_at; // bvw_pair[options.pairs]: those reported, sorted
	uint64_t next_at;  // likewise, for the next update; the two are exchanged then
	uint64_t found_at; // bvw_pair[options.pairs]: of the method, in any order, until the end of the update
	uint64_t marks_at; // uint8_t[options.objects]
	uint32_t known_count;
	uint32_t found_count;
	uint32_t found_is_full;   // and sorted: only duplicates are kept
	uint32_t found_is_sorted; // and without duplicates
} list_head;

static list_head* head_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->pairs_at );
}

static uint8_t* marks_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, head_of( world )->marks_at );
}

static const bvw_pair* known_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, head_of( world )->known_at );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return sizeof( list_head ) + 3 * options->pairs * (uint64_t)sizeof( bvw_pair ) +
	       bvwphase_aligned( options->objects );
}

static void begin( bvw_broadphase* world )
{
	list_head* h = head_of( world );
	uint64_t list_bytes = world->options.pairs * (uint64_t)sizeof( bvw_pair );
	h->known_at = world->pairs_at + sizeof( list_head );
	h->next_at = h->known_at + list_bytes;
	h->found_at = h->next_at + list_bytes;
	h->marks_at = h->found_at + list_bytes;
}

static bool is_dropped( const uint8_t* marks, bvw_pair p )
{
	return ( ( marks[p.a] | marks[p.b] ) & mark_dropped ) != 0;
}

static void prepare( bvw_broadphase* world, const bvwphase_method* method )
{
	(void)method;
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	uint8_t* marks = marks_of( world );
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		bool is_new = world->has_new && ( objects[changed[i]].state & bvwphase_is_new ) != 0;
		marks[changed[i]] |= (uint8_t)( mark_changed | ( is_new ? mark_new : 0 ) );
	}
}

static void sort( const bvw_broadphase* world, bvw_pair* pairs, uint32_t count )
{
	bvw_pair* room_to_sort = bvwphase_at( world, world->sorting_at );
	bvwphase_sort_pairs( pairs, count, room_to_sort );
	memset( room_to_sort, 0, count * sizeof *room_to_sort );
}

// Sorts the pairs found and removes duplicates.
static void sort_found( bvw_broadphase* world )
{
	list_head* h = head_of( world );
	bvw_pair* found = bvwphase_at( world, h->found_at );
	sort( world, found, h->found_count );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < h->found_count; ++i )
	{
		if ( count == 0 || found[i].a != found[count - 1].a || found[i].b != found[count - 1].b )
		{
			found[count++] = found[i];
		}
	}
	h->found_count = count;
}

// @return the index of the first of sorted pairs that is not before a pair
static uint32_t place_of( const bvw_pair* pairs, uint32_t count, bvw_pair p )
{
	uint64_t key = bvwphase_pair_key( p );
	uint32_t low = 0;
	uint32_t high = count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( bvwphase_pair_key( pairs[middle] ) < key )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

static bool is_among( const bvw_pair* pairs, uint32_t count, bvw_pair p )
{
	uint32_t place = place_of( pairs, count, p );
	return place < count && bvwphase_pair_key( pairs[place] ) == bvwphase_pair_key( p );
}

static bool keep( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches )
{
	(void)touches;
	list_head* h = head_of( world );
	bvw_pair* found = bvwphase_at( world, h->found_at );
	bvw_pair p = { a < b ? a : b, a < b ? b : a };
	if ( h->found_count == world->options.pairs && !h->found_is_full )
	{
		sort_found( world );
		h->found_is_full = h->found_count == world->options.pairs;
	}
	if ( h->found_is_full )
	{
		return is_among( found, h->found_count, p );
	}
	found[h->found_count++] = p;
	return true;
}

static bvw_pair* room( bvw_broadphase* world )
{
	return bvwphase_at( world, head_of( world )->found_at );
}

static void take( bvw_broadphase* world, uint32_t count )
{
	head_of( world )->found_count = count;
	head_of( world )->found_is_sorted = true;
}

static bool touch( const bvwphase_object* objects, bvw_pair p )
{
	return bvwphase_boxes_touch( &objects[p.a].box, &objects[p.b].box );
}

// What is left of a known pair that the method has not found again.
static bool remains( bvw_broadphase* world, const bvwphase_method* method, const uint8_t* marks, bvw_pair p )
{
	unsigned mark = marks[p.a] | marks[p.b];
	if ( mark & ( mark_dropped | mark_new ) )
	{
		return false;
	}
	if ( !( mark & mark_changed ) )
	{
		return true;
	}
	if ( method->finds_known )
	{
		return false;
	}
	++world->tests;
	return touch( bvwphase_objects( world ), p );
}

// Merges the pairs found with those known.
// @return false if there is no room
static bool merge( bvw_broadphase* world, const bvwphase_method* method, uint32_t* begun_count,
                   uint32_t* next_count )
{
	const list_head* h = head_of( world );
	const uint8_t* marks = marks_of( world );
	const bvw_pair* known = known_of( world );
	const bvw_pair* found = bvwphase_at( world, h->found_at );
	bvw_pair* next = bvwphase_at( world, h->next_at );
	bvw_pair* begun = bvwphase_begun( world );
	uint32_t most = world->options.pairs;
	uint32_t k = 0;
	uint32_t count = 0;
	uint32_t new_count = 0;
	for ( uint32_t f = 0; f <= h->found_count; ++f )
	{
		uint64_t key = f < h->found_count ? bvwphase_pair_key( found[f] ) : UINT64_MAX;
		for ( ; k < h->known_count && bvwphase_pair_key( known[k] ) < key; ++k )
		{
			if ( !remains( world, method, marks, known[k] ) )
			{
				bvwphase_end_pair( world, known[k].a, known[k].b );
			}
			else if ( count < most )
			{
				next[count++] = known[k];
			}
			else
			{
				return false;
			}
		}
		if ( f == h->found_count )
		{
			break;
		}
		bool is_known = k < h->known_count && bvwphase_pair_key( known[k] ) == key;
		k += is_known;
		if ( is_known && ( ( marks[found[f].a] | marks[found[f].b] ) & ( mark_dropped | mark_new ) ) )
		{
			bvwphase_end_pair( world, found[f].a, found[f].b );
			is_known = false;
		}
		if ( count == most )
		{
			return false;
		}
		next[count++] = found[f];
		if ( !is_known )
		{
			begun[new_count++] = found[f];
		}
	}
	*begun_count = new_count;
	*next_count = count;
	return true;
}

// What an update needs. Nothing remains of it, so that bytes do not depend on the order in which pairs were found.
static void clear( bvw_broadphase* world )
{
	list_head* h = head_of( world );
	memset( bvwphase_at( world, h->found_at ), 0, h->found_count * sizeof( bvw_pair ) );
	memset( marks_of( world ), 0, world->options.objects );
	h->found_count = 0;
	h->found_is_full = false;
	h->found_is_sorted = false;
}

static bool finish( bvw_broadphase* world, const bvwphase_method* method, uint32_t* begun_count )
{
	list_head* h = head_of( world );
	uint32_t ended_before = world->ended_count;
	uint32_t next_count = 0;
	if ( !h->found_is_sorted )
	{
		sort_found( world );
	}
	if ( !merge( world, method, begun_count, &next_count ) )
	{
		world->ended_count = ended_before;
		return false;
	}
	if ( ended_before > 0 )
	{
		sort( world, bvwphase_at( world, world->ended_at ), world->ended_count );
	}
	uint64_t swap = h->known_at;
	h->known_at = h->next_at;
	h->next_at = swap;
	h->known_count = next_count;
	clear( world );
	return true;
}

static void fail( bvw_broadphase* world )
{
	list_head* h = head_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint8_t* marks = marks_of( world );
	bvw_pair* known = bvwphase_at( world, h->known_at );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < h->known_count; ++i )
	{
		if ( !is_dropped( marks, known[i] ) && touch( objects, known[i] ) )
		{
			known[kept++] = known[i];
		}
		else
		{
			bvwphase_end_pair( world, known[i].a, known[i].b );
		}
	}
	h->known_count = kept;
	clear( world );
}

static void drop( bvw_broadphase* world, uint32_t number )
{
	marks_of( world )[number] |= mark_dropped;
}

static bool has( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const list_head* h = head_of( world );
	bvw_pair p = { a, b };
	return is_among( known_of( world ), h->known_count, p ) && !is_dropped( marks_of( world ), p );
}

static uint32_t list_marked( const bvw_broadphase* world, bool dropped, bvw_pair* out )
{
	const list_head* h = head_of( world );
	const uint8_t* marks = marks_of( world );
	const bvw_pair* known = known_of( world );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < h->known_count; ++i )
	{
		if ( is_dropped( marks, known[i] ) == dropped )
		{
			if ( out )
			{
				out[count] = known[i];
			}
			++count;
		}
	}
	return count;
}

static uint32_t list( const bvw_broadphase* world, bvw_pair* out )
{
	return list_marked( world, false, out );
}

static uint32_t list_dropped( const bvw_broadphase* world, bvw_pair* out )
{
	return list_marked( world, true, out );
}

static void restore( bvw_broadphase* world, const bvw_pair* pairs, uint32_t count )
{
	list_head* h = head_of( world );
	memcpy( bvwphase_at( world, h->known_at ), pairs, count * sizeof *pairs );
	h->known_count = count;
}

const bvwphase_keeper bvwphase_keeper_list = {
	.name = "list",
	.help = "a sorted list: the least time for each pair where many objects move",
	.bytes = bytes,
	.begin = begin,
	.prepare = prepare,
	.keep = keep,
	.room = room,
	.take = take,
	.finish = finish,
	.fail = fail,
	.drop = drop,
	.has = has,
	.list = list,
	.list_dropped = list_dropped,
	.restore = restore,
};
