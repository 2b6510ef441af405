// Directed rounding to binary32, for stored volumes that must not shrink.

#pragma once

#include <math.h>

/// @return the least binary32 number that is not below x; x must be within binary32's range
static inline float bv_float_up( double x )
{
	float nearest = (float)x;
	return (double)nearest < x ? nextafterf( nearest, INFINITY ) : nearest;
}

/// @return the greatest binary32 number that is not above x; x must be within binary32's range
static inline float bv_float_down( double x )
{
	float nearest = (float)x;
	return (double)nearest > x ? nextafterf( nearest, -INFINITY ) : nearest;
}
