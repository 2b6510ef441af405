// Numbers that look random and are the same on every platform: the linear congruential generator of Knuth's MMIX ("The Art of
// Computer Programming", volume 2, 3.3.4, table 1).

#pragma once

#include "bv/base.h"

#include <math.h>
#include <stdint.h>

/// @return 31 bits; the lower ones of the state repeat soon
static inline uint32_t next_random( uint64_t* state )
{
	*state = *state * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (uint32_t)( *state >> 33 );
}

/// @return in [-1, 1), a multiple of 2^-30: of too many bits for a binary32
static inline double random_coordinate( uint64_t* state )
{
	return next_random( state ) * 0x1p-30 - 1;
}

/// @return of length one, but for rounding
static inline bv_vec3 random_direction( uint64_t* state )
{
	for ( ;; )
	{
		double x = random_coordinate( state );
		double y = random_coordinate( state );
		double z = random_coordinate( state );
		double square = x * x + y * y + z * z;
		if ( square > 0.01 && square <= 1 )
		{
			double scale = 1 / sqrt( square );
			return ( bv_vec3 ){ scale * x, scale * y, scale * z };
		}
	}
}
