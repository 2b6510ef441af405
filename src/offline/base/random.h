// Random numbers with the same bits on every machine: SplitMix64. G. L. Steele, D. Lea, C. H. Flood, "Fast
// splittable pseudorandom number generators", 2014.

#pragma once

#include <stdint.h>

/// Scatters a number: of two that differ in one bit the results differ in half of theirs or so.
static inline uint64_t bvbase_mix( uint64_t x )
{
	x += UINT64_C( 0x9e3779b97f4a7c15 );
	x = ( x ^ x >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	x = ( x ^ x >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return x ^ x >> 31;
}

/// @param state  any number to begin with; changes with each call
/// @return the next number of the sequence
static inline uint64_t bvbase_random( uint64_t* state )
{
	uint64_t x = bvbase_mix( *state );
	*state += UINT64_C( 0x9e3779b97f4a7c15 );
	return x;
}
