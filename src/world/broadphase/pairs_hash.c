// Pairs in a hash table, in which those of each object are linked. An update goes through the pairs of changed objects only, and
// all others remain. See world/pairs/store.h.
//
// Pairs end at once, also if the update fails later: then all ways to keep pairs list the same ones. The next update can find that
// they touch again. So their user data remain, beside the list of pairs that ended.

#include "world/broadphase/pairs.h"

#include "world/broadphase/order.h"
#include "world/order/numbers.h"
#include "world/pairs/store.h"

#include "runtime/simd/bits.h"

enum
{
	ahead = 8, // objects whose memory is asked for early
};

// Its part of the block: the table, then the indices of pairs that may have begun.
typedef struct hash_head
{
	uint64_t differing_at; // uint32_t[options.pairs]
	uint64_t data_at;      // uint64_t[options.pairs], by index
	uint32_t differing_count;
	uint32_t ended_before; // pairs that had ended when the update began
} hash_head;

static hash_head* head_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->pairs_at );
}

static bvwpairs_store* store_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->pairs_at + sizeof( hash_head ) );
}

static uint64_t* data_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, head_of( world )->data_at );
}

// Of the pairs that ended, in the order of their list, until they are sorted.
static uint64_t* ended_data( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->sorting_at );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return sizeof( hash_head ) + bvwpairs_bytes( options->objects, options->pairs ) +
	       8 * (uint64_t)options->pairs + bvwphase_aligned( 4 * (uint64_t)options->pairs );
}

static void begin( bvw_broadphase* world )
{
	hash_head* h = head_of( world );
	h->data_at = world->pairs_at + sizeof( hash_head ) +
	             bvwpairs_bytes( world->options.objects, world->options.pairs );
	h->differing_at = h->data_at + 8 * (uint64_t)world->options.pairs;
	bvwpairs_begin( store_of( world ), world->options.objects, world->options.pairs );
}

static void set_touching( bvw_broadphase* world, uint32_t index, bool touches )
{
	hash_head* h = head_of( world );
	bvwpairs_entry* e = bvwpairs_at( store_of( world ), index );
	bool is_reported = ( e->state & bvwpairs_is_reported ) != 0;
	e->state = touches ? e->state | bvwpairs_touches : e->state & ~(uint32_t)bvwpairs_touches;
	if ( !touches && is_reported )
	{
		ended_data( world )[world->ended_count] = data_of( world )[index];
		bvwphase_end_pair( world, e->object[0], e->object[1] );
		e->state &= ~(uint32_t)bvwpairs_is_reported;
	}
	if ( touches && !is_reported && !( e->state & bvwpairs_is_listed ) )
	{
		e->state |= bvwpairs_is_listed;
		( (uint32_t*)bvwphase_at( world, h->differing_at ) )[h->differing_count++] = index;
	}
}

static void drop_pair( bvw_broadphase* world, uint32_t index )
{
	set_touching( world, index, false );
	bvwpairs_remove( store_of( world ), index );
}

// Compares the pairs of changed objects again.
static void prepare( bvw_broadphase* world, const bvwphase_method* method )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwpairs_store* store = store_of( world );
	const uint32_t* changed = bvwphase_changed( world );
	head_of( world )->ended_before = world->ended_count;
	for ( uint32_t k = 0; k < world->changed_count; ++k )
	{
		uint32_t soon = changed[k + ahead < world->changed_count ? k + ahead : k];
		bvwpairs_prefetch( store, soon );
		bvsimd_prefetch( &objects[soon].state );
		uint32_t next = BVWPAIRS_NONE;
		for ( uint32_t i = bvwpairs_first( store, changed[k] ); i != BVWPAIRS_NONE; i = next )
		{
			const bvwpairs_entry* e = bvwpairs_at( store, i );
			uint32_t a = e->object[0];
			uint32_t b = e->object[1];
			next = bvwpairs_next( e, changed[k] );
			uint32_t states = objects[a].state | objects[b].state;
			if ( changed[k] == b && ( objects[a].state & bvwphase_is_changed ) )
			{
				continue; // compared, or to be, for the other object
			}
			++world->tests;
			bool touches = bvwphase_boxes_touch( &objects[a].box, &objects[b].box );
			if ( touches || ( method->is_near &&
			                  ( !( states & bvwphase_is_loose ) || method->is_near( world, a, b ) ) ) )
			{
				set_touching( world, i, touches );
			}
			else
			{
				drop_pair( world, i );
			}
		}
	}
}

static bool keep( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches )
{
	uint32_t index = bvwpairs_add( store_of( world ), a, b );
	if ( index != BVWPAIRS_NONE )
	{
		set_touching( world, index, touches );
	}
	return index != BVWPAIRS_NONE;
}

// A pair of objects that are not new and that an update that failed has ended has not ended if it touches again.
static void give_back_data( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvw_pair* ended = bvwphase_at( world, world->ended_at );
	const uint64_t* kept = ended_data( world );
	for ( uint32_t i = 0; i < head_of( world )->ended_before; ++i )
	{
		bool is_new = ( ( objects[ended[i].a].state | objects[ended[i].b].state ) & bvwphase_is_new ) != 0;
		uint32_t index = kept[i] != 0 && !is_new ? bvwpairs_find( store_of( world ), ended[i].a, ended[i].b )
		                                         : BVWPAIRS_NONE;
		if ( index != BVWPAIRS_NONE )
		{
			data_of( world )[index] = kept[i];
		}
	}
}

static bool finish( bvw_broadphase* world, const bvwphase_method* method, uint32_t* begun_count )
{
	(void)method;
	hash_head* h = head_of( world );
	bvwpairs_store* store = store_of( world );
	const uint32_t* differing = bvwphase_at( world, h->differing_at );
	bvw_pair* begun = bvwphase_begun( world );
	uint32_t count = 0;
	for ( uint32_t k = 0; k < h->differing_count; ++k )
	{
		bvwpairs_entry* e = bvwpairs_at( store, differing[k] );
		e->state &= ~(uint32_t)bvwpairs_is_listed;
		if ( ( e->state & bvwpairs_touches ) && !( e->state & bvwpairs_is_reported ) )
		{
			begun[count++] = ( bvw_pair ){ e->object[0], e->object[1] };
			e->state |= bvwpairs_is_reported;
			data_of( world )[differing[k]] = 0;
		}
	}
	h->differing_count = 0;
	give_back_data( world );
	bvw_pair* room = bvwphase_at( world, world->sorting_at );
	bvwphase_sort_pairs( begun, count, room );
	bvwphase_sort_pairs( bvwphase_at( world, world->ended_at ), world->ended_count, room );
	*begun_count = count;
	return true;
}

static void drop( bvw_broadphase* world, uint32_t number )
{
	bvwpairs_store* store = store_of( world );
	for ( uint32_t i = bvwpairs_first( store, number ); i != BVWPAIRS_NONE;
	      i = bvwpairs_first( store, number ) )
	{
		data_of( world )[i] = 0;
		drop_pair( world, i );
	}
}

static bool has( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const bvwpairs_store* store = store_of( world );
	uint32_t index = bvwpairs_find( store, a, b );
	return index != BVWPAIRS_NONE && ( bvwpairs_at( store, index )->state & bvwpairs_is_reported );
}

// Lists the greater numbers of the reported pairs that an object has the smaller number of.
// @param out  null to count them
static uint32_t list_of( const bvw_broadphase* world, uint32_t number, uint32_t* out )
{
	const bvwpairs_store* store = store_of( world );
	uint32_t count = 0;
	for ( uint32_t i = bvwpairs_first( store, number ); i != BVWPAIRS_NONE;
	      i = bvwpairs_next( bvwpairs_at( store, i ), number ) )
	{
		const bvwpairs_entry* e = bvwpairs_at( store, i );
		if ( e->object[0] == number && ( e->state & bvwpairs_is_reported ) )
		{
			if ( out )
			{
				out[count] = e->object[1];
			}
			++count;
		}
	}
	return count;
}

static uint32_t list( const bvw_broadphase* world, bvw_pair* out )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < world->highest; ++a )
	{
		// The numbers are sorted where the pairs will be, which take twice as much memory.
		uint32_t* numbers = out ? (uint32_t*)( out + count ) : NULL;
		uint32_t of_object = list_of( world, a, numbers );
		if ( out )
		{
			bvworder_sort_numbers( numbers, of_object );
		}
		for ( uint32_t i = of_object; i > 0 && out; --i )
		{
			out[count + i - 1] = ( bvw_pair ){ a, numbers[i - 1] };
		}
		count += of_object;
	}
	return count;
}

static void restore( bvw_broadphase* world, const bvw_pair* pairs, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t index = bvwpairs_add( store_of( world ), pairs[i].a, pairs[i].b );
		bvwpairs_at( store_of( world ), index )->state = bvwpairs_touches | bvwpairs_is_reported;
	}
}

static uint64_t* data( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return data_of( world ) + bvwpairs_find( store_of( world ), a, b );
}

const bvwphase_keeper bvwphase_keeper_hash = {
	.name = "hash",
	.help = "a hash table: updates take time for pairs of changed objects only",
	.bytes = bytes,
	.begin = begin,
	.prepare = prepare,
	.keep = keep,
	.finish = finish,
	.drop = drop,
	.has = has,
	.list = list,
	.restore = restore,
	.data = data,
	.ended_data = ended_data,
};
