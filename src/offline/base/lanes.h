// Vectors of four floats, for builders. Minimum and maximum are single instructions where the machine has
// them. Results have the same bits on every machine.

#pragma once

#include <math.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#elif defined( __wasm_simd128__ )
#include <wasm_simd128.h>
#endif

/// Four binary32 numbers.
typedef float bvbase_float4 __attribute__( ( vector_size( 16 ) ) );

/// Four whole numbers, or masks of four lanes.
typedef int32_t bvbase_int4 __attribute__( ( vector_size( 16 ) ) );

/// Two binary64 numbers.
typedef double bvbase_double2 __attribute__( ( vector_size( 16 ) ) );

/// Two whole numbers, or masks of two lanes.
typedef int64_t bvbase_long2 __attribute__( ( vector_size( 16 ) ) );

/// @return in each lane a < b ? a : b
static inline bvbase_float4 bvbase_least4( bvbase_float4 a, bvbase_float4 b )
{
#ifdef __SSE2__
	return _mm_min_ps( a, b );
#elif defined( __wasm_simd128__ )
	return (bvbase_float4)wasm_f32x4_pmin( (v128_t)b, (v128_t)a );
#else
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = a[k] < b[k] ? a[k] : b[k];
	}
	return a;
#endif
}

/// @return in each lane a > b ? a : b
static inline bvbase_float4 bvbase_greatest4( bvbase_float4 a, bvbase_float4 b )
{
#ifdef __SSE2__
	return _mm_max_ps( a, b );
#elif defined( __wasm_simd128__ )
	return (bvbase_float4)wasm_f32x4_pmax( (v128_t)b, (v128_t)a );
#else
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = a[k] > b[k] ? a[k] : b[k];
	}
	return a;
#endif
}

/// @return in each lane a where the mask's bits are set, else b
static inline bvbase_float4 bvbase_select4( bvbase_int4 mask, bvbase_float4 a, bvbase_float4 b )
{
	return (bvbase_float4)( ( mask & (bvbase_int4)a ) | ( ~mask & (bvbase_int4)b ) );
}

/// @return in each lane a < b ? a : b
static inline bvbase_double2 bvbase_least2( bvbase_double2 a, bvbase_double2 b )
{
#ifdef __SSE2__
	return _mm_min_pd( a, b );
#elif defined( __wasm_simd128__ )
	return (bvbase_double2)wasm_f64x2_pmin( (v128_t)b, (v128_t)a );
#else
	return ( bvbase_double2 ){ a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1] };
#endif
}

/// @return in each lane a > b ? a : b
static inline bvbase_double2 bvbase_greatest2( bvbase_double2 a, bvbase_double2 b )
{
#ifdef __SSE2__
	return _mm_max_pd( a, b );
#elif defined( __wasm_simd128__ )
	return (bvbase_double2)wasm_f64x2_pmax( (v128_t)b, (v128_t)a );
#else
	return ( bvbase_double2 ){ a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1] };
#endif
}

/// @return in each lane |a|
static inline bvbase_double2 bvbase_absolute2( bvbase_double2 a )
{
	return (bvbase_double2)( (bvbase_long2)a & INT64_MAX );
}

/// @return in each lane the square root, rounded to the nearest
static inline bvbase_double2 bvbase_root2( bvbase_double2 a )
{
#ifdef __SSE2__
	return _mm_sqrt_pd( a );
#elif defined( __wasm_simd128__ )
	return (bvbase_double2)wasm_f64x2_sqrt( (v128_t)a );
#else
	return ( bvbase_double2 ){ sqrt( a[0] ), sqrt( a[1] ) };
#endif
}

/// @return the first two lanes
static inline bvbase_double2 bvbase_widen_low( bvbase_float4 a )
{
#ifdef __SSE2__
	return _mm_cvtps_pd( a );
#else
	return ( bvbase_double2 ){ a[0], a[1] };
#endif
}

/// @return the last two lanes
static inline bvbase_double2 bvbase_widen_high( bvbase_float4 a )
{
#ifdef __SSE2__
	return _mm_cvtps_pd( _mm_movehl_ps( a, a ) );
#else
	return ( bvbase_double2 ){ a[2], a[3] };
#endif
}
