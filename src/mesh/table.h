// A hash table of numbers with open addressing, for keys that its user holds.
//
// What is found never depends on where it lies, so the hash may change at any time. It does when a search is
// longer than chance allows: keys that were made to collide under one hash don't under the next, and the
// time stays linear whatever the input.

#pragma once

#include <stdint.h>
#include <string.h>

/// Its load must stay at a half or below.
typedef struct bvb_table
{
	uint32_t* slots;    ///< number + 1; 0 is free
	uint64_t size;      ///< of slots, at most 2^32
	uint64_t factor[3]; ///< of the hash, odd
	uint64_t patience;  ///< a search over more slots asks for another hash
} bvb_table;

/// Empties the table and changes its hash.
static inline void bvb_table_renew( bvb_table* t )
{
	memset( t->slots, 0, t->size * sizeof *t->slots );
	t->patience = t->patience ? 2 * t->patience : 256;
	for ( int i = 0; i < 3; ++i )
	{
		// The generator of Steele, Lea and Flood 2014, "SplitMix".
		uint64_t h = ( t->patience + (uint64_t)i ) * UINT64_C( 0x9e3779b97f4a7c15 );
		h = ( h ^ h >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
		h = ( h ^ h >> 27 ) * UINT64_C( 0x94d049bb133111eb );
		t->factor[i] = ( h ^ h >> 31 ) | 1;
	}
}

/// @return the slot where the search for a key of three numbers begins
static inline uint64_t bvb_table_start( const bvb_table* t, uint64_t a, uint64_t b, uint64_t c )
{
	uint64_t h = ( a * t->factor[0] + b * t->factor[1] ) + c * t->factor[2];
	h = ( h ^ h >> 32 ) * UINT64_C( 0xd6e8feb86659fd93 );
	return ( h >> 32 ) * t->size >> 32;
}
