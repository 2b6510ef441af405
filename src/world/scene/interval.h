// Arithmetic with intervals that contain the exact result: each bound is moved outward by more than it was rounded.
//
// Based on: Ramon E. Moore, "Interval Analysis", 1966.

#pragma once

#include "bv/base.h"

#include "runtime/math/vec.h"

#include <math.h>

static inline bv_interval bvwscene_exactly( double x )
{
	return ( bv_interval ){ x, x };
}

static inline bv_interval bvwscene_outward( double lower, double upper )
{
	return ( bv_interval ){ lower - ( 0x1p-52 * fabs( lower ) + 0x1p-1060 ),
		                    upper + ( 0x1p-52 * fabs( upper ) + 0x1p-1060 ) };
}

static inline bv_interval bvwscene_plus( bv_interval a, bv_interval b )
{
	return bvwscene_outward( a.lower + b.lower, a.upper + b.upper );
}

static inline bv_interval bvwscene_minus( bv_interval a, bv_interval b )
{
	return bvwscene_outward( a.lower - b.upper, a.upper - b.lower );
}

static inline bv_interval bvwscene_hull( double a, double b, double c, double d )
{
	return bvwscene_outward( bvmath_min( bvmath_min( a, b ), bvmath_min( c, d ) ),
	                         bvmath_max( bvmath_max( a, b ), bvmath_max( c, d ) ) );
}

static inline bv_interval bvwscene_times( bv_interval a, bv_interval b )
{
	return bvwscene_hull( a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper );
}

static inline bool bvwscene_contains_zero( bv_interval a )
{
	return a.lower <= 0 && a.upper >= 0;
}

/// @param b  without 0
static inline bv_interval bvwscene_over( bv_interval a, bv_interval b )
{
	return bvwscene_hull( a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper );
}
