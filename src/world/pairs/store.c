// A hash table of pairs. See store.h.

#include "world/pairs/store.h"

#include "runtime/simd/bits.h"

// Prefixes of objects' lists, heads of buckets, entries.
static uint32_t* firsts( const bvwpairs_store* s )
{
	return (uint32_t*)( s + 1 );
}

static uint32_t* buckets_of( const bvwpairs_store* s )
{
	return firsts( s ) + s->objects;
}

static bvwpairs_entry* entries( const bvwpairs_store* s )
{
	return (bvwpairs_entry*)( buckets_of( s ) + s->buckets );
}

static uint32_t buckets_for( uint32_t most )
{
	uint32_t buckets = 16;
	while ( buckets < most )
	{
		buckets *= 2;
	}
	return buckets;
}

uint64_t bvwpairs_bytes( uint32_t objects, uint32_t most )
{
	uint64_t bytes = sizeof( bvwpairs_store ) + 4 * ( (uint64_t)objects + buckets_for( most ) ) +
	                 sizeof( bvwpairs_entry ) * (uint64_t)most;
	return ( bytes + 7 ) & ~(uint64_t)7;
}

void bvwpairs_begin( bvwpairs_store* store, uint32_t objects, uint32_t most )
{
	*store = ( bvwpairs_store ){
		.objects = objects, .most = most, .free = BVWPAIRS_NONE, .buckets = buckets_for( most )
	};
	for ( uint32_t i = 0; i < objects; ++i )
	{
		firsts( store )[i] = BVWPAIRS_NONE;
	}
	for ( uint32_t i = 0; i < store->buckets; ++i )
	{
		buckets_of( store )[i] = BVWPAIRS_NONE;
	}
}

bvwpairs_entry* bvwpairs_at( const bvwpairs_store* store, uint32_t index )
{
	return entries( store ) + index;
}

uint32_t bvwpairs_first( const bvwpairs_store* store, uint32_t object )
{
	return firsts( store )[object];
}

void bvwpairs_prefetch( const bvwpairs_store* store, uint32_t object )
{
	bvsimd_prefetch( firsts( store ) + object );
}

// Of two numbers, by a multiplication whose upper bits depend on all of them (D. Knuth, "The Art of Computer Programming",
// volume 3, 6.4).
static uint32_t bucket_of( const bvwpairs_store* store, uint32_t a, uint32_t b )
{
	uint64_t key = ( (uint64_t)a << 32 | b ) * UINT64_C( 0x9E3779B97F4A7C15 );
	return (uint32_t)( ( key ^ key >> 29 ) >> 32 ) & ( store->buckets - 1 );
}

static uint32_t find_in( const bvwpairs_store* store, uint32_t bucket, uint32_t a, uint32_t b )
{
	const bvwpairs_entry* all = entries( store );
	uint32_t i = buckets_of( store )[bucket];
	while ( i != BVWPAIRS_NONE && !( all[i].object[0] == a && all[i].object[1] == b ) )
	{
		i = all[i].chain;
	}
	return i;
}

uint32_t bvwpairs_find( const bvwpairs_store* store, uint32_t a, uint32_t b )
{
	uint32_t low = a < b ? a : b;
	uint32_t high = a < b ? b : a;
	return find_in( store, bucket_of( store, low, high ), low, high );
}

static void link_side( bvwpairs_store* store, uint32_t index, int side )
{
	bvwpairs_entry* all = entries( store );
	bvwpairs_entry* e = all + index;
	uint32_t* first = firsts( store ) + e->object[side];
	e->next[side] = *first;
	e->previous[side] = BVWPAIRS_NONE;
	if ( *first != BVWPAIRS_NONE )
	{
		bvwpairs_entry* next = all + *first;
		next->previous[next->object[0] == e->object[side] ? 0 : 1] = index;
	}
	*first = index;
}

static void unlink_side( bvwpairs_store* store, const bvwpairs_entry* e, int side )
{
	bvwpairs_entry* all = entries( store );
	uint32_t object = e->object[side];
	if ( e->previous[side] == BVWPAIRS_NONE )
	{
		firsts( store )[object] = e->next[side];
	}
	else
	{
		bvwpairs_entry* previous = all + e->previous[side];
		previous->next[previous->object[0] == object ? 0 : 1] = e->next[side];
	}
	if ( e->next[side] != BVWPAIRS_NONE )
	{
		bvwpairs_entry* next = all + e->next[side];
		next->previous[next->object[0] == object ? 0 : 1] = e->previous[side];
	}
}

uint32_t bvwpairs_add( bvwpairs_store* store, uint32_t a, uint32_t b )
{
	uint32_t low = a < b ? a : b;
	uint32_t high = a < b ? b : a;
	uint32_t bucket = bucket_of( store, low, high );
	uint32_t index = find_in( store, bucket, low, high );
	if ( index != BVWPAIRS_NONE )
	{
		return index;
	}
	bvwpairs_entry* all = entries( store );
	if ( store->free != BVWPAIRS_NONE )
	{
		index = store->free;
		store->free = all[index].chain;
	}
	else if ( store->used < store->most )
	{
		index = store->used++;
	}
	else
	{
		return BVWPAIRS_NONE;
	}
	++store->count;
	bvwpairs_entry* e = all + index;
	e->object[0] = low;
	e->object[1] = high;
	e->state &= bvwpairs_is_listed;
	e->chain = buckets_of( store )[bucket];
	buckets_of( store )[bucket] = index;
	link_side( store, index, 0 );
	link_side( store, index, 1 );
	return index;
}

void bvwpairs_remove( bvwpairs_store* store, uint32_t index )
{
	bvwpairs_entry* all = entries( store );
	bvwpairs_entry* e = all + index;
	uint32_t* link = buckets_of( store ) + bucket_of( store, e->object[0], e->object[1] );
	while ( *link != index )
	{
		link = &all[*link].chain;
	}
	*link = e->chain;
	unlink_side( store, e, 0 );
	unlink_side( store, e, 1 );
	*e = ( bvwpairs_entry ){ .chain = store->free, .state = e->state & bvwpairs_is_listed };
	store->free = index;
	--store->count;
}
