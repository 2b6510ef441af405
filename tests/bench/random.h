// Random numbers of benchmarks, the same ones in each run: Marsaglia's xorshift64. For C and C++.

#pragma once

#include "bv/base.h"

// A benchmark that measures the same twice sets it again.
static uint64_t random_state = 88172645463325252u;

// In [0, 1).
static inline double random_unit( void )
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)( random_state >> 11 ) * 0x1p-53;
}

static inline bv_vec3 random_direction( void )
{
	for ( ;; )
	{
		double x = 2 * random_unit() - 1;
		double y = 2 * random_unit() - 1;
		bv_vec3 d = bv_vec3_make( x, y, 2 * random_unit() - 1 );
		if ( bv_length( d ) <= 1 && bv_length( d ) > 0.1 )
		{
			return bv_normalize( d );
		}
	}
}
