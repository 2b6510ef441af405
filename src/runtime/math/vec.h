// Arithmetic of vectors in binary64, beside that of bv/base.h. The order of operations is fixed: results must
// be the same everywhere.

#pragma once

#include "bv/base.h"

#include <math.h>

// Unlike fmin and fmax these compile to one instruction; neither argument may be a NaN.
static inline double bvmath_min( double a, double b )
{
	return a < b ? a : b;
}

static inline double bvmath_max( double a, double b )
{
	return a > b ? a : b;
}

/// Without a call of libm: adding 2^52 + 2^51 rounds to an integer.
/// @return the greatest integer that is not above x, for |x| < 2^51; for others x up to rounding
static inline double bvmath_floor( double x )
{
	const double shift = 0x1.8p52;
	double nearest = ( x + shift ) - shift;
	return nearest > x ? nearest - 1 : nearest;
}

/// @return the lesser of each coordinate
static inline bv_vec3 bvmath_least( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ bvmath_min( a.x, b.x ), bvmath_min( a.y, b.y ), bvmath_min( a.z, b.z ) };
}

/// @return the greater of each coordinate
static inline bv_vec3 bvmath_greatest( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ bvmath_max( a.x, b.x ), bvmath_max( a.y, b.y ), bvmath_max( a.z, b.z ) };
}

static inline double bvmath_length( bv_vec3 v )
{
	return sqrt( bv_dot( v, v ) );
}

/// @return the sum of the coordinates' absolute values
static inline double bvmath_norm1( bv_vec3 a )
{
	return ( fabs( a.x ) + fabs( a.y ) ) + fabs( a.z );
}

/// Differences of coordinates, squares, two sums and the root err by a factor of less than 1 + 4 * 2^-53, half of what is
/// added. Where squares vanish, the sum of the coordinates takes their place, which is never below the length.
/// @param d  coordinates up to 2^500, each rounded at most once
/// @return a number that is not below the exact length, and above it by a few units in the last place
static inline double bvmath_length_up( bv_vec3 d )
{
	double squared = bv_dot( d, d );
	return ( squared > 0x1p-900 ? sqrt( squared ) : bvmath_norm1( d ) ) * ( 1 + 0x1p-50 );
}

/// @return the largest absolute value of a coordinate
static inline double bvmath_largest( bv_vec3 a )
{
	return bvmath_max( fabs( a.x ), bvmath_max( fabs( a.y ), fabs( a.z ) ) );
}

/// Orders points by their coordinates, x first.
/// @return below 0, 0 or above 0, as qsort wants it
static inline int bvmath_compare( bv_vec3 a, bv_vec3 b )
{
	return a.x != b.x   ? ( a.x < b.x ? -1 : 1 )
	       : a.y != b.y ? ( a.y < b.y ? -1 : 1 )
	       : a.z != b.z ? ( a.z < b.z ? -1 : 1 )
	                    : 0;
}

/// @return whether all coordinates are 0
static inline bool bvmath_is_zero( bv_vec3 a )
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

/// @return p + by; a coordinate that is moved by 0 does not change, even if it is -0
static inline bv_vec3 bvmath_moved( bv_vec3 p, bv_vec3 by )
{
	return ( bv_vec3 ){ by.x != 0 ? p.x + by.x : p.x, by.y != 0 ? p.y + by.y : p.y,
		                by.z != 0 ? p.z + by.z : p.z };
}

/// @return coordinate 0, 1 or 2
static inline double bvmath_component( bv_vec3 a, int index )
{
	return index == 0 ? a.x : index == 1 ? a.y : a.z;
}
