// Comparisons of four binary32 numbers at a time, with SSE2, NEON or SIMD128 instructions, or one by one where a machine has none of them.

#pragma once

#include "runtime/simd/bits.h"

#if defined( BVSIMD_SSE2 )

#include <emmintrin.h>

typedef __m128 bvsimd_floats;
typedef __m128 bvsimd_floats_mask;

BVSIMD_INLINE bvsimd_floats bvsimd_floats_load( const float* from )
{
	return _mm_loadu_ps( from );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all( float x )
{
	return _mm_set1_ps( x );
}

// a <= b; false for NaN.
BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_not_above( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_cmple_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_below( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_cmplt_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_both( bvsimd_floats_mask a, bvsimd_floats_mask b )
{
	return _mm_and_ps( a, b );
}

// Bit k is that of number k.
BVSIMD_INLINE uint32_t bvsimd_floats_bits( bvsimd_floats_mask a )
{
	return (uint32_t)_mm_movemask_ps( a );
}

#elif defined( BVSIMD_NEON )

#include <arm_neon.h>

typedef float32x4_t bvsimd_floats;
typedef uint32x4_t bvsimd_floats_mask;

BVSIMD_INLINE bvsimd_floats bvsimd_floats_load( const float* from )
{
	return vld1q_f32( from );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all( float x )
{
	return vdupq_n_f32( x );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_not_above( bvsimd_floats a, bvsimd_floats b )
{
	return vcleq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_below( bvsimd_floats a, bvsimd_floats b )
{
	return vcltq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_both( bvsimd_floats_mask a, bvsimd_floats_mask b )
{
	return vandq_u32( a, b );
}

BVSIMD_INLINE uint32_t bvsimd_floats_bits( bvsimd_floats_mask a )
{
	static const uint32_t bits[4] = { 1, 2, 4, 8 };
	return vaddvq_u32( vandq_u32( a, vld1q_u32( bits ) ) );
}

#elif defined( BVSIMD_SIMD128 )

#include <wasm_simd128.h>

typedef v128_t bvsimd_floats;
typedef v128_t bvsimd_floats_mask;

BVSIMD_INLINE bvsimd_floats bvsimd_floats_load( const float* from )
{
	return wasm_v128_load( from );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all( float x )
{
	return wasm_f32x4_splat( x );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_not_above( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_le( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_below( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_lt( a, b );
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_both( bvsimd_floats_mask a, bvsimd_floats_mask b )
{
	return wasm_v128_and( a, b );
}

BVSIMD_INLINE uint32_t bvsimd_floats_bits( bvsimd_floats_mask a )
{
	return wasm_i32x4_bitmask( a );
}

#else

typedef struct bvsimd_floats
{
	float x[4];
} bvsimd_floats;

typedef uint32_t bvsimd_floats_mask;

BVSIMD_INLINE bvsimd_floats bvsimd_floats_load( const float* from )
{
	bvsimd_floats out;
	memcpy( out.x, from, sizeof out.x );
	return out;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all( float x )
{
	return ( bvsimd_floats ){ { x, x, x, x } };
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_not_above( bvsimd_floats a, bvsimd_floats b )
{
	uint32_t bits = 0;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		bits |= (uint32_t)( a.x[k] <= b.x[k] ) << k;
	}
	return bits;
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_below( bvsimd_floats a, bvsimd_floats b )
{
	uint32_t bits = 0;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		bits |= (uint32_t)( a.x[k] < b.x[k] ) << k;
	}
	return bits;
}

BVSIMD_INLINE bvsimd_floats_mask bvsimd_floats_both( bvsimd_floats_mask a, bvsimd_floats_mask b )
{
	return a & b;
}

BVSIMD_INLINE uint32_t bvsimd_floats_bits( bvsimd_floats_mask a )
{
	return a;
}

#endif
