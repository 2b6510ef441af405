// The ranges of the numbers that queries take.

#pragma once

#include "bv/base.h"

#include <math.h>

/// @return whether it is a length that queries take
static inline bool bvmath_is_length( double x )
{
	return x >= 0 && x <= BV_MAX_LENGTH;
}

/// @return whether it is a point, a direction or a motion that queries take
static inline bool bvmath_is_in_range( bv_vec3 v )
{
	return fabs( v.x ) <= BV_MAX_LENGTH && fabs( v.y ) <= BV_MAX_LENGTH && fabs( v.z ) <= BV_MAX_LENGTH;
}

/// @return a limit of the caller: 0 is none
static inline double bvmath_limit_of( double limit )
{
	return limit > 0 ? limit : INFINITY;
}
