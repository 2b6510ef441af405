// Random numbers of tests of libbvworld, and how many of them tests take.

#pragma once

#include <stdint.h>
#include <stdlib.h>

// How many times as long tests run. BV_WORLD_ROUNDS=40 is what check-long takes.
static inline uint32_t rounds( uint32_t usual )
{
	const char* text = getenv( "BV_WORLD_ROUNDS" );
	return usual * ( text ? (uint32_t)atoi( text ) : 1 );
}

// S. Vigna's splitmix64.
static inline uint64_t draw( uint64_t* random )
{
	uint64_t z = ( *random += UINT64_C( 0x9e3779b97f4a7c15 ) );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return z ^ z >> 31;
}

static inline uint32_t draw_below( uint64_t* random, uint32_t end )
{
	return (uint32_t)( ( draw( random ) >> 32 ) * end >> 32 );
}

// In [0, 1).
static inline double draw_unit( uint64_t* random )
{
	return (double)( draw( random ) >> 11 ) * 0x1p-53;
}
