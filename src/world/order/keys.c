// Sorting by keys of 32 bits. See numbers.h.
//
// Based on: radix sort from the least digit (H. Seward, "Information Sorting in the Application of Electronic Digital Computers to Business
// Operations", 1954).

#include "world/order/numbers.h"

#include <string.h>

enum
{
	digit_bits = 11,
	digits = 1 << digit_bits,
};

static uint64_t* sort_by_digit( const uint64_t* from, uint64_t* to, uint32_t count, int shift )
{
	uint32_t place[digits];
	memset( place, 0, sizeof place );
	for ( uint32_t i = 0; i < count; ++i )
	{
		place[from[i] >> shift & ( digits - 1 )] += 1;
	}
	uint32_t before = 0;
	for ( uint32_t i = 0; i < digits; ++i )
	{
		uint32_t here = place[i];
		place[i] = before;
		before += here;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[place[from[i] >> shift & ( digits - 1 )]++] = from[i];
	}
	return to;
}

uint64_t* bvworder_sort_keys( uint64_t* numbers, uint64_t* spare, uint32_t count, uint32_t* passes )
{
	uint64_t differing = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		differing |= numbers[i] ^ numbers[0];
	}
	uint64_t* from = numbers;
	*passes = 0;
	for ( int shift = 32; shift < 64; shift += digit_bits )
	{
		if ( differing >> shift & ( digits - 1 ) )
		{
			from = sort_by_digit( from, from == numbers ? spare : numbers, count, shift );
			*passes += 1;
		}
	}
	return from;
}
