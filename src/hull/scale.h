// Points scaled by powers of two, as exact predicates want them.

#pragma once

#include "base/core/vec.h"

#include <math.h>

/// @return the largest absolute value of a coordinate
static inline double bvb_largest_coordinate( bv_vec3 p )
{
	return bv_max( fabs( p.x ), bv_max( fabs( p.y ), fabs( p.z ) ) );
}

/// Scales so that the largest coordinate of a set is near 1, which is exact. Coordinates below 2^-288 of it, out of
/// reach for binary32 numbers, become 0: that keeps every bit of a product of three in binary64's range.
/// @param exponent  minus frexp's of the largest coordinate
/// @return p times 2^exponent
static inline bv_vec3 bvb_scaled_point( bv_vec3 p, int exponent )
{
	double at[3] = { p.x, p.y, p.z };
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = ldexp( at[k], exponent );
		at[k] = fabs( at[k] ) < 0x1p-288 ? 0 : at[k];
	}
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}
