// Points scaled by powers of two, as needed by exact predicates.

#pragma once

#include "runtime/math/vec.h"

#include <math.h>

/// Scales points so that the largest coordinate of a set is near 1, which is exact. Coordinates below 2^-288
/// of it, out of reach for binary32 numbers, become 0: that keeps every bit of a product of three in
/// binary64's range.
/// @param exponent  frexp's of the largest coordinate
/// @param out       receives the points times 2^-exponent; may be `points`
static inline void bvhull_scale_points( const bv_vec3* points, uint32_t count, int exponent, bv_vec3* out )
{
	// One factor might be out of range. What the first one makes inexact ends below 2^-288.
	double first = ldexp( 1, -exponent / 2 );
	double second = ldexp( 1, -exponent - -exponent / 2 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double at[3] = { points[i].x, points[i].y, points[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = at[k] * first * second;
			at[k] = fabs( at[k] ) < 0x1p-288 ? 0 : at[k];
		}
		out[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
	}
}
