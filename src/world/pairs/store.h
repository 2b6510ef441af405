// A hash table of pairs of objects, in which the pairs of each object are linked.

#pragma once

#include "bvworld/broadphase.h"

#include <stdbool.h>
#include <stdint.h>

/// No entry.
#define BVWPAIRS_NONE UINT32_MAX

enum
{
	bvwpairs_touches = 1,     ///< the boxes do
	bvwpairs_is_reported = 2, ///< they did at the last update
	bvwpairs_is_listed = 4,   ///< the index is in a list of the caller; remains when the pair is removed
};

/// A pair. Side 0 is that of the object with the smaller number.
typedef struct bvwpairs_entry
{
	uint32_t object[2];
	uint32_t next[2];     ///< entry of the same object, for each
	uint32_t previous[2]; ///< likewise
	uint32_t chain;       ///< entry with the same hash, or next free one
	uint32_t state;       ///< bits
} bvwpairs_entry;

/// The head of the table. Its arrays follow.
typedef struct bvwpairs_store
{
	uint32_t objects; ///< length of the array of first entries
	uint32_t most;    ///< most entries
	uint32_t count;   ///< entries in use
	uint32_t used;    ///< entries that were ever in use
	uint32_t free;    ///< first of the free ones below `used`
	uint32_t buckets; ///< a power of two
} bvwpairs_store;

/// @return bytes, a multiple of 8
uint64_t bvwpairs_bytes( uint32_t objects, uint32_t most );

/// @param store  memory of that size, all zero
void bvwpairs_begin( bvwpairs_store* store, uint32_t objects, uint32_t most );

/// @return the entry with an index
bvwpairs_entry* bvwpairs_at( const bvwpairs_store* store, uint32_t index );

/// @return the index of the first entry of an object, or BVWPAIRS_NONE. Following ones are found by bvwpairs_next
uint32_t bvwpairs_first( const bvwpairs_store* store, uint32_t object );

/// Asks for the memory of what bvwpairs_first looks at.
void bvwpairs_prefetch( const bvwpairs_store* store, uint32_t object );

/// @return the index of the next entry of the same object, or BVWPAIRS_NONE
static inline uint32_t bvwpairs_next( const bvwpairs_entry* entry, uint32_t object )
{
	return entry->next[entry->object[0] == object ? 0 : 1];
}

/// @param a, b  different; in any order
/// @return the index of the pair, or BVWPAIRS_NONE
uint32_t bvwpairs_find( const bvwpairs_store* store, uint32_t a, uint32_t b );

/// @return the index of the pair; BVWPAIRS_NONE if it is new and the table is full. A new pair has no bits of `state`, except that
/// bvwpairs_is_listed remains as it was when the index was in use before
uint32_t bvwpairs_add( bvwpairs_store* store, uint32_t a, uint32_t b );

void bvwpairs_remove( bvwpairs_store* store, uint32_t index );
