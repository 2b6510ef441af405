// Radix sort by bytes, least significant byte first. See sort.h.

#include "offline/base/sort.h"

#include <stdlib.h>
#include <string.h>

enum
{
	digits = 8,
	values = 256,
	few = 24, // below, insertion is faster
};

static void insert_each( bvbase_sort_entry* entries, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvbase_sort_entry e = entries[i];
		uint32_t k = i;
		for ( ; k > 0 && entries[k - 1].key > e.key; --k )
		{
			entries[k] = entries[k - 1];
		}
		entries[k] = e;
	}
}

void bvbase_sort( bvbase_sort_entry* entries, bvbase_sort_entry* other, uint32_t count )
{
	if ( count < few )
	{
		insert_each( entries, count );
		return;
	}

	uint32_t start[digits][values] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int d = 0; d < digits; ++d )
		{
			start[d][entries[i].key >> 8 * d & 0xff] += 1;
		}
	}

	bvbase_sort_entry* from = entries;
	bvbase_sort_entry* to = other;
	for ( int d = 0; d < digits; ++d )
	{
		// A digit that all have in common changes nothing.
		if ( start[d][from[0].key >> 8 * d & 0xff] == count )
		{
			continue;
		}
		uint32_t sum = 0;
		for ( int k = 0; k < values; ++k )
		{
			uint32_t here = start[d][k];
			start[d][k] = sum;
			sum += here;
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			to[start[d][from[i].key >> 8 * d & 0xff]++] = from[i];
		}
		bvbase_sort_entry* swapped = from;
		from = to;
		to = swapped;
	}
	if ( from != entries )
	{
		memcpy( entries, from, count * sizeof *entries );
	}
}

static int compare_numbers( const void* left, const void* right )
{
	uint32_t a = *(const uint32_t*)left;
	uint32_t b = *(const uint32_t*)right;
	return ( a > b ) - ( a < b );
}

static void insert_each_number( uint32_t* numbers, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		uint32_t number = numbers[i];
		uint32_t k = i;
		for ( ; k > 0 && numbers[k - 1] > number; --k )
		{
			numbers[k] = numbers[k - 1];
		}
		numbers[k] = number;
	}
}

uint32_t bvbase_sort_unique( uint32_t* numbers, uint32_t count )
{
	if ( count < few )
	{
		insert_each_number( numbers, count );
	}
	else
	{
		qsort( numbers, count, sizeof *numbers, compare_numbers );
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( i == 0 || numbers[i] != numbers[kept - 1] )
		{
			numbers[kept++] = numbers[i];
		}
	}
	return kept;
}
