// Sorting by keys of 32 bits. See numbers.h.
//
// Based on: radix sort from the least digit (H. Seward, "Information Sorting in the Application of Electronic Digital Computers to Business
// Operations", 1954).

#include "world/order/numbers.h"

enum
{
	digit_bits = 8,
	digits = 1 << digit_bits,
};

static void sort_by_digit( const uint64_t* from, uint64_t* to, uint32_t count, int shift )
{
	uint32_t place[digits] = { 0 };
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
}

void bvworder_sort_keys( uint64_t* numbers, uint64_t* spare, uint32_t count )
{
	for ( int shift = 32; shift < 64; shift += 2 * digit_bits )
	{
		sort_by_digit( numbers, spare, count, shift );
		sort_by_digit( spare, numbers, count, shift + digit_bits );
	}
}
