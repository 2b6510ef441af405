// Sorting. See order.h.
//
// Pairs: radix sort from the least digit (H. Seward 1954), without the digits that are equal in all keys. Short lists: insertion
// sort. Numbers without other memory: heap sort (J. Williams 1964).

#include "world/broadphase/order.h"

#include <stdbool.h>
#include <string.h>

enum
{
	short_list = 32, // below, insertion takes less time
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

static uint32_t digit_of( bvw_pair p, uint32_t shift )
{
	return (uint32_t)( bvwphase_pair_key( p ) >> shift ) & ( bvwphase_digits - 1 );
}

void bvwphase_sort_pairs( bvw_pair* pairs, uint32_t count, bvw_pair* room )
{
	if ( count < short_list )
	{
		insert_pairs( pairs, count );
		return;
	}
	uint64_t all = bvwphase_pair_key( pairs[0] );
	uint64_t any = all;
	for ( uint32_t i = 1; i < count; ++i )
	{
		all &= bvwphase_pair_key( pairs[i] );
		any |= bvwphase_pair_key( pairs[i] );
	}
	bvw_pair* from = pairs;
	bvw_pair* to = room;
	for ( uint32_t shift = 0; shift < 64; shift += bvwphase_digit_bits )
	{
		uint32_t place[bvwphase_digits] = { 0 };
		if ( ( ( all ^ any ) >> shift & ( bvwphase_digits - 1 ) ) == 0 )
		{
			continue;
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			++place[digit_of( from[i], shift )];
		}
		bvwphase_make_places( place );
		for ( uint32_t i = 0; i < count; ++i )
		{
			to[place[digit_of( from[i], shift )]++] = from[i];
		}
		bvw_pair* swap = from;
		from = to;
		to = swap;
	}
	if ( from != pairs )
	{
		memcpy( pairs, from, count * sizeof *pairs );
	}
}

static void sift_pair( bvw_pair* heap, uint32_t at, uint32_t count )
{
	bvw_pair value = heap[at];
	for ( uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && bvwphase_pair_key( heap[child + 1] ) > bvwphase_pair_key( heap[child] );
		if ( bvwphase_pair_key( heap[child] ) <= bvwphase_pair_key( value ) )
		{
			break;
		}
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = value;
}

void bvwphase_sort_few_pairs( bvw_pair* pairs, uint32_t count )
{
	if ( count < short_list )
	{
		insert_pairs( pairs, count );
		return;
	}
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sift_pair( pairs, i - 1, count );
	}
	for ( uint32_t last = count; last > 1; --last )
	{
		bvw_pair greatest = pairs[0];
		pairs[0] = pairs[last - 1];
		pairs[last - 1] = greatest;
		sift_pair( pairs, 0, last - 1 );
	}
}

static void sift( uint32_t* heap, uint32_t at, uint32_t count )
{
	uint32_t value = heap[at];
	for ( uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && heap[child + 1] > heap[child];
		if ( heap[child] <= value )
		{
			break;
		}
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = value;
}

void bvwphase_sort_numbers( uint32_t* numbers, uint32_t count )
{
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sift( numbers, i - 1, count );
	}
	for ( uint32_t last = count; last > 1; --last )
	{
		uint32_t greatest = numbers[0];
		numbers[0] = numbers[last - 1];
		numbers[last - 1] = greatest;
		sift( numbers, 0, last - 1 );
	}
}
