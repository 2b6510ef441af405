// Directed rounding to binary32, for stored volumes that must not shrink.

#pragma once

#include "runtime/simd/outward.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// @param x  a number, not the greatest
/// @return the next binary32 number above; of neither zero the least positive one. As nextafterf, without a
///         call
static inline float bvmath_float_next( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	bits = x > 0 ? bits + 1 : x < 0 ? bits - 1 : 1;
	memcpy( &x, &bits, sizeof bits );
	return x;
}

/// @return x, or its neighbor farther from zero or nearer to it
static inline float bvmath_float_beside( float x, bool is_farther, bool is_nearer )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	bits = bits + is_farther - is_nearer;
	memcpy( &x, &bits, sizeof bits );
	return x;
}

// No branches in these two: whether a number was rounded up or down is hard to predict. What was rounded past x is not zero, unless
// x is beyond it.

/// @return the least binary32 number that is not below x; x must be within binary32's range
static inline float bvmath_float_up( double x )
{
	float nearest = (float)x;
	bool is_below = (double)nearest < x;
	bool is_negative = x < 0;
	return bvmath_float_beside( nearest, is_below & !is_negative, is_below & is_negative );
}

/// @return the greatest binary32 number that is not above x; x must be within binary32's range
static inline float bvmath_float_down( double x )
{
	float nearest = (float)x;
	bool is_above = (double)nearest > x;
	bool is_negative = x < 0;
	return bvmath_float_beside( nearest, is_above & is_negative, is_above & !is_negative );
}

/// Rounds the bounds of a box outward.
/// @param from  three lower bounds, then three upper ones, within binary32's range
/// @return whether all are binary32 numbers
static inline bool bvmath_round_outward( const double from[6], float to[6] )
{
#if defined( BVSIMD_SSE2 )
	return bvsimd_round_outward( from, to );
#else
	bool is_exact = true;
	for ( int k = 0; k < 3; ++k )
	{
		to[k] = bvmath_float_down( from[k] );
		to[3 + k] = bvmath_float_up( from[3 + k] );
		is_exact = is_exact & ( (double)to[k] == from[k] ) & ( (double)to[3 + k] == from[3 + k] );
	}
	return is_exact;
#endif
}
