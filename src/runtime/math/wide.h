// Sums and products in about twice the precision of binary64: Knuth 1969, Dekker 1971.

#pragma once

#include "bv/base.h"

#include <math.h>

/// The number high + low, where low is at most a few units in the last place of high.
typedef struct bvmath_wide
{
	double high;
	double low;
} bvmath_wide;

/// @return a + b, exactly
static inline bvmath_wide bvmath_wide_sum( double a, double b )
{
	double sum = a + b;
	double part = sum - a;
	return ( bvmath_wide ){ sum, ( a - ( sum - part ) ) + ( b - part ) };
}

/// Splits a number into two of at most 26 bits each.
static inline bvmath_wide bvmath_wide_split( double a )
{
	double scaled = 134217729.0 * a; // 2^27 + 1
	double high = scaled - ( scaled - a );
	return ( bvmath_wide ){ high, a - high };
}

/// @param a, b  up to 2^400
/// @return a * b, exactly unless the product is below 2^-900
static inline bvmath_wide bvmath_wide_product( double a, double b )
{
	bvmath_wide x = bvmath_wide_split( a );
	bvmath_wide y = bvmath_wide_split( b );
	double product = a * b;
	double low = ( ( x.high * y.high - product ) + x.high * y.low + x.low * y.high ) + x.low * y.low;
	return ( bvmath_wide ){ product, low };
}

/// @return a + b. Of several such sums the result errs by less than 2^-100 of the magnitudes that are added
static inline bvmath_wide bvmath_wide_add( bvmath_wide a, bvmath_wide b )
{
	bvmath_wide sum = bvmath_wide_sum( a.high, b.high );
	return ( bvmath_wide ){ sum.high, sum.low + ( a.low + b.low ) };
}

/// @return a number that is not above a + b: the sum itself if it is exact in binary64, otherwise one or two
///         units in the last place below
static inline double bvmath_sum_down( double a, double b )
{
	bvmath_wide sum = bvmath_wide_sum( a, b );
	return sum.low < 0 ? sum.high - 0x1p-52 * fabs( sum.high ) : sum.high;
}

/// @return the same, not below a + b
static inline double bvmath_sum_up( double a, double b )
{
	return -bvmath_sum_down( -a, -b );
}

/// @param a, b  up to 2^400
/// @return a * b. The result errs by less than 2^-100 of itself, or by 2^-900
static inline bvmath_wide bvmath_wide_multiply( bvmath_wide a, bvmath_wide b )
{
	bvmath_wide p = bvmath_wide_product( a.high, b.high );
	return bvmath_wide_sum( p.high, p.low + ( a.high * b.low + a.low * b.high ) );
}

/// @return -a
static inline bvmath_wide bvmath_wide_negate( bvmath_wide a )
{
	return ( bvmath_wide ){ -a.high, -a.low };
}

/// A vector of such numbers.
typedef struct bvmath_wide3
{
	bvmath_wide x[3];
} bvmath_wide3;

static inline bvmath_wide3 bvmath_wide3_of( bv_vec3 v )
{
	return ( bvmath_wide3 ){ { { v.x, 0 }, { v.y, 0 }, { v.z, 0 } } };
}

/// @return v, each coordinate rounded once
static inline bv_vec3 bvmath_wide3_round( const bvmath_wide3* v )
{
	return ( bv_vec3 ){ v->x[0].high + v->x[0].low, v->x[1].high + v->x[1].low, v->x[2].high + v->x[2].low };
}

/// @return a + s * b
static inline bvmath_wide3 bvmath_wide3_add( const bvmath_wide3* a, double s, const bvmath_wide3* b )
{
	bvmath_wide3 out;
	for ( int k = 0; k < 3; ++k )
	{
		out.x[k] = bvmath_wide_add( a->x[k], bvmath_wide_multiply( ( bvmath_wide ){ s, 0 }, b->x[k] ) );
	}
	return out;
}

/// @return the dot product
static inline bvmath_wide bvmath_wide3_dot( bv_vec3 a, const bvmath_wide3* b )
{
	bvmath_wide x = bvmath_wide_multiply( ( bvmath_wide ){ a.x, 0 }, b->x[0] );
	bvmath_wide y = bvmath_wide_multiply( ( bvmath_wide ){ a.y, 0 }, b->x[1] );
	bvmath_wide z = bvmath_wide_multiply( ( bvmath_wide ){ a.z, 0 }, b->x[2] );
	return bvmath_wide_add( bvmath_wide_add( x, y ), z );
}
