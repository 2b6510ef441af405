// Vectors of four floats, for builders. Minimum and maximum are single instructions where the machine has
// them. Results have the same bits on every machine.

#pragma once

#include <math.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// Four binary32 numbers.
typedef float bvb_float4 __attribute__( ( vector_size( 16 ) ) );

/// Four whole numbers, or masks of four lanes.
typedef int32_t bvb_int4 __attribute__( ( vector_size( 16 ) ) );

/// Two binary64 numbers.
typedef double bvb_double2 __attribute__( ( vector_size( 16 ) ) );

/// Two whole numbers, or masks of two lanes.
typedef int64_t bvb_long2 __attribute__( ( vector_size( 16 ) ) );

/// @return in each lane a < b ? a : b
static inline bvb_float4 bvb_least4( bvb_float4 a, bvb_float4 b )
{
#ifdef __SSE2__
	return _mm_min_ps( a, b );
#else
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = a[k] < b[k] ? a[k] : b[k];
	}
	return a;
#endif
}

/// @return in each lane a > b ? a : b
static inline bvb_float4 bvb_greatest4( bvb_float4 a, bvb_float4 b )
{
#ifdef __SSE2__
	return _mm_max_ps( a, b );
#else
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = a[k] > b[k] ? a[k] : b[k];
	}
	return a;
#endif
}

/// @return in each lane a where the mask's bits are set, else b
static inline bvb_float4 bvb_select4( bvb_int4 mask, bvb_float4 a, bvb_float4 b )
{
	return (bvb_float4)( ( mask & (bvb_int4)a ) | ( ~mask & (bvb_int4)b ) );
}

/// @return in each lane a < b ? a : b
static inline bvb_double2 bvb_least2( bvb_double2 a, bvb_double2 b )
{
#ifdef __SSE2__
	return _mm_min_pd( a, b );
#else
	return ( bvb_double2 ){ a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1] };
#endif
}

/// @return in each lane a > b ? a : b
static inline bvb_double2 bvb_greatest2( bvb_double2 a, bvb_double2 b )
{
#ifdef __SSE2__
	return _mm_max_pd( a, b );
#else
	return ( bvb_double2 ){ a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1] };
#endif
}

/// @return in each lane |a|
static inline bvb_double2 bvb_absolute2( bvb_double2 a )
{
	return (bvb_double2)( (bvb_long2)a & INT64_MAX );
}

/// @return in each lane the square root, rounded to the nearest
static inline bvb_double2 bvb_root2( bvb_double2 a )
{
#ifdef __SSE2__
	return _mm_sqrt_pd( a );
#else
	return ( bvb_double2 ){ sqrt( a[0] ), sqrt( a[1] ) };
#endif
}

/// @return the first two lanes
static inline bvb_double2 bvb_widen_low( bvb_float4 a )
{
#ifdef __SSE2__
	return _mm_cvtps_pd( a );
#else
	return ( bvb_double2 ){ a[0], a[1] };
#endif
}

/// @return the last two lanes
static inline bvb_double2 bvb_widen_high( bvb_float4 a )
{
#ifdef __SSE2__
	return _mm_cvtps_pd( _mm_movehl_ps( a, a ) );
#else
	return ( bvb_double2 ){ a[2], a[3] };
#endif
}
