// Directed rounding to binary32, for stored volumes that must not shrink.

#pragma once

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

/// @return the least binary32 number that is not below x; x must be within binary32's range
static inline float bvmath_float_up( double x )
{
	float nearest = (float)x;
	return (double)nearest < x ? bvmath_float_next( nearest ) : nearest;
}

/// @return the greatest binary32 number that is not above x; x must be within binary32's range
static inline float bvmath_float_down( double x )
{
	float nearest = (float)x;
	return (double)nearest > x ? -bvmath_float_next( -nearest ) : nearest;
}
