// Sorting of pairs. See order.h.
//
// Based on: radix sort from the least digit (H. Seward 1954). Short lists: insertion sort.

#include "world/broadphase/order.h"

#include <stdbool.h>
#include <string.h>

enum
{
	short_list = 32, // below, insertion takes less time
	pair_bits = 10,  // of a digit of pairs, at most
};

static void insert_pairs( bvw_pair* pairs, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvw_pair p = pairs[i];
		uint32_t k = i;
		for ( ; k > 0 && bvwphase_pair_key( pairs[k - 1] ) > bvwphase_pair_key( p ); --k )
		{
			pairs[k] = pairs[k - 1];
		}
		pairs[k] = p;
	}
}

static uint32_t width_of( uint32_t x )
{
	uint32_t bits = 0;
	for ( ; x != 0; x >>= 1 )
	{
		++bits;
	}
	return bits;
}

// Numbers whose order is that of pairs, without the upper bits of b, which are 0 in all.
typedef struct short_keys
{
	uint32_t bits_of_b;
	uint32_t bits;
} short_keys;

static uint64_t short_key_of( const short_keys* keys, bvw_pair p )
{
	return (uint64_t)p.a << keys->bits_of_b | p.b;
}

static void sort_digit( const bvw_pair* from, bvw_pair* to, uint32_t count, const short_keys* keys,
                        uint32_t shift, uint32_t bits )
{
	uint32_t place[1 << pair_bits] = { 0 };
	uint32_t mask = ( UINT32_C( 1 ) << bits ) - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		++place[(uint32_t)( short_key_of( keys, from[i] ) >> shift ) & mask];
	}
	bvwphase_make_places( place, UINT32_C( 1 ) << bits );
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[place[(uint32_t)( short_key_of( keys, from[i] ) >> shift ) & mask]++] = from[i];
	}
}

void bvwphase_sort_pairs( bvw_pair* pairs, uint32_t count, bvw_pair* room )
{
	if ( count < short_list )
	{
		insert_pairs( pairs, count );
		return;
	}
	bvw_pair any = { 0, 0 };
	bool is_sorted = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		any = ( bvw_pair ){ any.a | pairs[i].a, any.b | pairs[i].b };
		is_sorted =
			is_sorted && ( i == 0 || bvwphase_pair_key( pairs[i - 1] ) <= bvwphase_pair_key( pairs[i] ) );
	}
	short_keys keys = { width_of( any.b ), width_of( any.a ) + width_of( any.b ) };
	uint32_t passes = ( keys.bits + pair_bits - 1 ) / pair_bits;
	uint32_t bits = ( keys.bits + passes - 1 ) / passes;
	bvw_pair* from = pairs;
	bvw_pair* to = room;
	for ( uint32_t pass = 0; pass < passes && !is_sorted; ++pass )
	{
		sort_digit( from, to, count, &keys, pass * bits, bits );
		bvw_pair* swap = from;
		from = to;
		to = swap;
	}
	if ( from != pairs )
	{
		memcpy( pairs, from, count * sizeof *pairs );
	}
}
