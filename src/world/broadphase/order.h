// Sorting of pairs, and what radix sorts have in common.

#pragma once

#include "bvworld/broadphase.h"

enum
{
	bvwphase_digit_bits = 11, ///< of a pass of a radix sort
	bvwphase_digits = 1 << bvwphase_digit_bits,
};

/// Replaces how often each digit occurs by where the first key with it goes.
static inline void bvwphase_make_places( uint32_t* digits, uint32_t count )
{
	uint32_t before = 0;
	for ( uint32_t d = 0; d < count; ++d )
	{
		uint32_t of_digit = digits[d];
		digits[d] = before;
		before += of_digit;
	}
}

/// @return a number in whose order pairs are sorted
static inline uint64_t bvwphase_pair_key( bvw_pair p )
{
	return (uint64_t)p.a << 32 | p.b;
}

/// Sorts pairs by a, then by b.
/// @param room  as long as the array
void bvwphase_sort_pairs( bvw_pair* pairs, uint32_t count, bvw_pair* room );
