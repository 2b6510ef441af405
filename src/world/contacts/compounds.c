// Contacts of two bodies of convex leaves, all of whose entries are updated at once. See contacts.h.
//
// Rows of a pair of objects lie next to each other, sorted by leaves, as the contacts come. Nothing changes until all contacts are known and
// it is known that there is room. Then rows without contacts are removed, and those of new pairs are merged from the end.

#include "world/contacts/contacts.h"

#include "runtime/simd/bits.h"

#include <string.h>

// A cache of a pair of leaves that are near: a copy, because nothing of an entry may change if there is an error.
typedef struct update_cache
{
	uint64_t leaves;
	bv_convex_cache cache;
} update_cache;

// An update, in memory of the caller.
typedef struct update
{
	bvw_contacts* contacts;
	const bvw_compounds* pair;
	bv_compound_contacts_options options;
	bv_compound_room room;
	bv_compound_contacts_result found;
	uint32_t first; // row of the pair
	uint32_t end;   // and behind the last
	uint32_t at;    // the row that is looked at
	update_cache* caches;
	uint32_t cache_count;
	uint32_t cache_most;
} update;

static uint64_t leaves_of( const bvw_contact_key* key )
{
	return (uint64_t)key->part[0] << 32 | key->part[1];
}

static uint64_t bytes_of( size_t base, uint64_t pairs, size_t for_each )
{
	return base + pairs * for_each;
}

// The part of the scratch memory that bv_compound_contacts needs for each pair.
static size_t inner_bytes( const bv_compound* a, const bv_compound* b )
{
	return bv_compound_contacts_bytes( a, b, 1 ) - bv_compound_contacts_bytes( a, b, 0 );
}

size_t bvw_contacts_compounds_bytes( const bv_compound* a, const bv_compound* b, uint32_t pairs )
{
	size_t base = bv_compound_contacts_bytes( a, b, 0 );
	uint64_t bytes =
		base > 0 ? bytes_of( sizeof( update ) + base, pairs, sizeof( update_cache ) + inner_bytes( a, b ) )
				 : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// Pairs come in the order of rows.
static bv_convex_cache* give_cache( void* context, uint32_t leaf_a, uint32_t leaf_b )
{
	update* u = context;
	const bvwcontact_row* rows = bvwcontact_rows( u->contacts );
	uint64_t leaves = (uint64_t)leaf_a << 32 | leaf_b;
	while ( u->at < u->end && leaves_of( &rows[u->at].key ) < leaves )
	{
		++u->at;
	}
	update_cache* out = u->caches + u->cache_count++;
	out->leaves = leaves;
	if ( u->at < u->end && leaves_of( &rows[u->at].key ) == leaves )
	{
		memcpy( &out->cache, &bvwcontact_pairs( u->contacts )[rows[u->at].slot].cache, sizeof out->cache );
	}
	else
	{
		memset( &out->cache, 0, sizeof out->cache );
	}
	return &out->cache;
}

// Goes through the contacts by the sequence of rows.
// @param at  the contact that is looked at
// @return whether the row has contacts
static bool has_contacts( const update* u, const bvwcontact_row* row, uint32_t* at )
{
	const bv_compound_contact* c = u->room.contacts;
	uint64_t leaves = leaves_of( &row->key );
	while ( *at < u->found.count && ( (uint64_t)c[*at].leaf_a << 32 | c[*at].leaf_b ) < leaves )
	{
		++*at;
	}
	return *at < u->found.count && ( (uint64_t)c[*at].leaf_a << 32 | c[*at].leaf_b ) == leaves;
}

// The broad phase has the pair: its entry remains without contacts.
static bool is_kept( const bvwcontact_row* row )
{
	return ( row->state & bvwcontact_is_listed ) && leaves_of( &row->key ) == 0;
}

// @return how many rows there will be of the pair
static uint64_t count_after( const update* u )
{
	const bvwcontact_row* rows = bvwcontact_rows( u->contacts );
	uint64_t count = u->found.count;
	uint32_t at = 0;
	for ( uint32_t i = u->first; i < u->end; ++i )
	{
		count += is_kept( rows + i ) && !has_contacts( u, rows + i, &at );
	}
	return count;
}

// Ends the rows without contacts, and closes the gaps.
// @return how many ended
static uint32_t end_others( update* u )
{
	static const bv_manifold none = { .count = 0 };
	bvw_contacts* contacts = u->contacts;
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	bvw_contact_end* ends = bvwcontact_at( contacts, contacts->ended_at );
	uint32_t ended = 0;
	uint32_t kept = u->first;
	uint32_t at = 0;
	for ( uint32_t i = u->first; i < u->end; ++i )
	{
		bvwcontact_row* row = rows + i;
		if ( has_contacts( u, row, &at ) )
		{
			rows[kept++] = *row;
			continue;
		}
		bvw_contact_pair* pair = bvwcontact_pairs( contacts ) + row->slot;
		if ( row->state & bvwcontact_touches )
		{
			bvwcontact_end_of( pair, ends + ended++ );
		}
		if ( is_kept( row ) )
		{
			bvwcontact_replace( pair, bvwcontact_kept( contacts, row->slot ), &none, &u->pair->b_in_a, 0,
			                    contacts->step );
			row->state &= ~(uint32_t)bvwcontact_touches;
			rows[kept++] = *row;
		}
		else
		{
			bvwcontact_free_slot( contacts, row->slot );
		}
	}
	memmove( rows + kept, rows + u->end, ( contacts->count - u->end ) * sizeof *rows );
	contacts->count -= u->end - kept;
	u->end = kept;
	return ended;
}

static bvw_contact_key key_of( const update* u, const bv_compound_contact* c )
{
	return ( bvw_contact_key ){ u->pair->a, u->pair->b, { c->leaf_a, c->leaf_b } };
}

// Merges from the end, where there is room.
static void add_rows( update* u, uint32_t after )
{
	bvw_contacts* contacts = u->contacts;
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t from = u->end;
	uint32_t to = u->first + after;
	memmove( rows + to, rows + from, ( contacts->count - from ) * sizeof *rows );
	contacts->count += to - from;
	u->end = to;
	for ( uint32_t i = u->found.count; i > 0; --i )
	{
		bvw_contact_key key = key_of( u, u->room.contacts + i - 1 );
		while ( from > u->first && bvwcontact_compare( &rows[from - 1].key, &key ) > 0 )
		{
			rows[--to] = rows[--from];
		}
		if ( from > u->first && bvwcontact_compare( &rows[from - 1].key, &key ) == 0 )
		{
			rows[--to] = rows[--from];
		}
		else
		{
			rows[--to] = ( bvwcontact_row ){ .key = key, .slot = BVWCONTACT_NONE };
		}
	}
}

// Gives all rows with contacts their manifolds and caches.
static void replace_all( update* u, bvw_compounds_report* out )
{
	bvw_contacts* contacts = u->contacts;
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t* touching = bvwcontact_at( contacts, contacts->touching_at );
	uint32_t* begun = bvwcontact_at( contacts, contacts->begun_at );
	uint32_t at = 0;
	uint32_t cache = 0;
	for ( uint32_t i = u->first; i < u->end; ++i )
	{
		bvwcontact_row* row = rows + i;
		if ( !has_contacts( u, row, &at ) )
		{
			continue;
		}
		if ( row->slot == BVWCONTACT_NONE )
		{
			row->slot = bvwcontact_take_slot( contacts, &row->key );
		}
		bvw_contact_pair* pair = bvwcontact_pairs( contacts ) + row->slot;
		bvwcontact_replace( pair, bvwcontact_kept( contacts, row->slot ), &u->room.contacts[at].manifold,
		                    &u->pair->b_in_a, contacts->options.tolerance, contacts->step );
		while ( u->caches[cache].leaves < leaves_of( &row->key ) )
		{
			++cache;
		}
		memcpy( &pair->cache, &u->caches[cache].cache, sizeof pair->cache );
		touching[out->touching_count++] = row->slot;
		if ( !( row->state & bvwcontact_touches ) )
		{
			begun[out->begun_count++] = row->slot;
		}
		row->state |= bvwcontact_touches;
	}
	out->touching = touching;
	out->begun = begun;
	out->ended = bvwcontact_at( contacts, contacts->ended_at );
}

// Not inlined, as what follows: nothing of it is on the stack while contacts are found.
BVSIMD_NOINLINE bv_status begin( bvw_contacts* contacts, const bvw_compounds* pair,
                                 const bv_compound_room* room )
{
	const bv_compound* const* c = pair->compound;
	size_t base = bv_compound_contacts_bytes( c[0], c[1], 0 );
	if ( pair->a >= pair->b || base == 0 || !room->scratch || (uintptr_t)room->scratch % 8 != 0 ||
	     ( pair->options && pair->options->cache ) )
	{
		return bv_error_argument;
	}
	if ( room->scratch_bytes < sizeof( update ) + base )
	{
		return bv_error_memory;
	}
	update* u = room->scratch;
	size_t inner = inner_bytes( c[0], c[1] );
	size_t most = ( room->scratch_bytes - sizeof *u - base ) / ( sizeof( update_cache ) + inner );
	u->contacts = contacts;
	u->pair = pair;
	u->options = pair->options ? *pair->options : bv_compound_contacts_options_default();
	u->options.cache = give_cache;
	u->options.context = u;
	u->caches = (update_cache*)( u + 1 );
	u->cache_count = 0;
	u->cache_most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	u->room = *room;
	u->room.scratch = u->caches + u->cache_most;
	u->room.scratch_bytes = base + u->cache_most * inner;
	bvw_contact_key key = { pair->a, pair->b, { 0, 0 } };
	u->first = u->at = bvwcontact_lower_bound( contacts, &key );
	key.part[0] = key.part[1] = UINT32_MAX;
	u->end = bvwcontact_lower_bound( contacts, &key );
	u->end +=
		u->end < contacts->count && bvwcontact_compare( &bvwcontact_rows( contacts )[u->end].key, &key ) == 0;
	return bv_ok;
}

BVSIMD_NOINLINE bv_status apply( update* u, bvw_compounds_report* report )
{
	bvw_contacts* contacts = u->contacts;
	for ( uint32_t i = 0; i < u->found.count; ++i )
	{
		if ( !bvwcontact_is_valid_manifold( &u->room.contacts[i].manifold ) )
		{
			return bv_error_argument;
		}
	}
	uint64_t after = count_after( u );
	uint64_t others = contacts->count - ( u->end - u->first );
	if ( u->found.dropped > 0 || others + after > contacts->options.pairs )
	{
		return bv_error_memory;
	}
	bvw_compounds_report out = { .found = u->found };
	out.ended_count = end_others( u );
	add_rows( u, (uint32_t)after );
	replace_all( u, &out );
	*report = out;
	return bv_ok;
}

bv_status bvw_contacts_update_compounds( bvw_contacts* contacts, const bvw_compounds* pair,
                                         const bv_compound_room* room, bvw_compounds_report* report )
{
	if ( !contacts || !pair || !room || !report )
	{
		return bv_error_argument;
	}
	bv_status status = begin( contacts, pair, room );
	if ( status != bv_ok )
	{
		return status;
	}
	update* u = room->scratch;
	status = bv_compound_contacts( pair->compound[0], pair->compound[1], &pair->b_in_a, &u->options, &u->room,
	                               &u->found );
	return status == bv_ok ? apply( u, report ) : status;
}
