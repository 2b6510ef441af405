// Four binary32 numbers at a time: comparisons and arithmetic, with SSE2, NEON or SIMD128 instructions, or one by one where a machine has none of them.

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

BVSIMD_INLINE void bvsimd_floats_store( float* to, bvsimd_floats a )
{
	_mm_storeu_ps( to, a );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_add( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_add_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_subtract( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_sub_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_multiply( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_mul_ps( a, b );
}

// Of zeros with different signs, either.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_min( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_min_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_max( bvsimd_floats a, bvsimd_floats b )
{
	return _mm_max_ps( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_abs( bvsimd_floats a )
{
	return _mm_andnot_ps( _mm_set1_ps( -0.0f ), a );
}

// Number 0, 1 or 2 in all four places.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_0( bvsimd_floats a )
{
	return _mm_shuffle_ps( a, a, 0x00 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_1( bvsimd_floats a )
{
	return _mm_shuffle_ps( a, a, 0x55 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_2( bvsimd_floats a )
{
	return _mm_shuffle_ps( a, a, 0xaa );
}

// Whole numbers, toward zero, of absolute values below 2^31.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_whole( bvsimd_floats a )
{
	return _mm_cvtepi32_ps( _mm_cvttps_epi32( a ) );
}

// a where the mask is set, else 0.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_where( bvsimd_floats_mask mask, bvsimd_floats a )
{
	return _mm_and_ps( mask, a );
}

// Whole numbers from 0 to 255 as bytes.
BVSIMD_INLINE void bvsimd_floats_store_bytes( uint8_t to[4], bvsimd_floats a )
{
	__m128i words = _mm_cvttps_epi32( a );
	__m128i shorts = _mm_packs_epi32( words, words );
	int32_t bytes = _mm_cvtsi128_si32( _mm_packus_epi16( shorts, shorts ) );
	memcpy( to, &bytes, sizeof bytes );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_of( float a, float b, float c, float d )
{
	return _mm_setr_ps( a, b, c, d );
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

BVSIMD_INLINE void bvsimd_floats_store( float* to, bvsimd_floats a )
{
	vst1q_f32( to, a );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_add( bvsimd_floats a, bvsimd_floats b )
{
	return vaddq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_subtract( bvsimd_floats a, bvsimd_floats b )
{
	return vsubq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_multiply( bvsimd_floats a, bvsimd_floats b )
{
	return vmulq_f32( a, b );
}

// Of zeros with different signs, either.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_min( bvsimd_floats a, bvsimd_floats b )
{
	return vminq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_max( bvsimd_floats a, bvsimd_floats b )
{
	return vmaxq_f32( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_abs( bvsimd_floats a )
{
	return vabsq_f32( a );
}

// Number 0, 1 or 2 in all four places.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_0( bvsimd_floats a )
{
	return vdupq_laneq_f32( a, 0 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_1( bvsimd_floats a )
{
	return vdupq_laneq_f32( a, 1 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_2( bvsimd_floats a )
{
	return vdupq_laneq_f32( a, 2 );
}

// Whole numbers, toward zero, of absolute values below 2^31.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_whole( bvsimd_floats a )
{
	return vcvtq_f32_s32( vcvtq_s32_f32( a ) );
}

// a where the mask is set, else 0.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_where( bvsimd_floats_mask mask, bvsimd_floats a )
{
	return vreinterpretq_f32_u32( vandq_u32( mask, vreinterpretq_u32_f32( a ) ) );
}

// Whole numbers from 0 to 255 as bytes.
BVSIMD_INLINE void bvsimd_floats_store_bytes( uint8_t to[4], bvsimd_floats a )
{
	uint16x4_t shorts = vmovn_u32( vcvtq_u32_f32( a ) );
	uint32_t bytes = vget_lane_u32( vreinterpret_u32_u8( vmovn_u16( vcombine_u16( shorts, shorts ) ) ), 0 );
	memcpy( to, &bytes, sizeof bytes );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_of( float a, float b, float c, float d )
{
	const float from[4] = { a, b, c, d };
	return vld1q_f32( from );
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

BVSIMD_INLINE void bvsimd_floats_store( float* to, bvsimd_floats a )
{
	wasm_v128_store( to, a );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_add( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_add( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_subtract( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_sub( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_multiply( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_mul( a, b );
}

// Of zeros with different signs, either.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_min( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_pmin( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_max( bvsimd_floats a, bvsimd_floats b )
{
	return wasm_f32x4_pmax( a, b );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_abs( bvsimd_floats a )
{
	return wasm_f32x4_abs( a );
}

// Number 0, 1 or 2 in all four places.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_0( bvsimd_floats a )
{
	return wasm_i32x4_shuffle( a, a, 0, 0, 0, 0 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_1( bvsimd_floats a )
{
	return wasm_i32x4_shuffle( a, a, 1, 1, 1, 1 );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_2( bvsimd_floats a )
{
	return wasm_i32x4_shuffle( a, a, 2, 2, 2, 2 );
}

// Whole numbers, toward zero, of absolute values below 2^31.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_whole( bvsimd_floats a )
{
	return wasm_f32x4_convert_i32x4( wasm_i32x4_trunc_sat_f32x4( a ) );
}

// a where the mask is set, else 0.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_where( bvsimd_floats_mask mask, bvsimd_floats a )
{
	return wasm_v128_and( mask, a );
}

// Whole numbers from 0 to 255 as bytes.
BVSIMD_INLINE void bvsimd_floats_store_bytes( uint8_t to[4], bvsimd_floats a )
{
	v128_t words = wasm_i32x4_trunc_sat_f32x4( a );
	v128_t shorts = wasm_u16x8_narrow_i32x4( words, words );
	int32_t bytes = wasm_i32x4_extract_lane( wasm_u8x16_narrow_i16x8( shorts, shorts ), 0 );
	memcpy( to, &bytes, sizeof bytes );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_of( float a, float b, float c, float d )
{
	return wasm_f32x4_make( a, b, c, d );
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

BVSIMD_INLINE void bvsimd_floats_store( float* to, bvsimd_floats a )
{
	memcpy( to, a.x, sizeof a.x );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_add( bvsimd_floats a, bvsimd_floats b )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] + b.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_subtract( bvsimd_floats a, bvsimd_floats b )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] - b.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_multiply( bvsimd_floats a, bvsimd_floats b )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] * b.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_min( bvsimd_floats a, bvsimd_floats b )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] < b.x[k] ? a.x[k] : b.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_max( bvsimd_floats a, bvsimd_floats b )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] > b.x[k] ? a.x[k] : b.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_abs( bvsimd_floats a )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = a.x[k] < 0 ? -a.x[k] : a.x[k];
	}
	return a;
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_0( bvsimd_floats a )
{
	return bvsimd_floats_all( a.x[0] );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_1( bvsimd_floats a )
{
	return bvsimd_floats_all( a.x[1] );
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_all_of_2( bvsimd_floats a )
{
	return bvsimd_floats_all( a.x[2] );
}

// Whole numbers, toward zero, of absolute values below 2^31.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_whole( bvsimd_floats a )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = (float)(int32_t)a.x[k];
	}
	return a;
}

// a where the mask is set, else 0.
BVSIMD_INLINE bvsimd_floats bvsimd_floats_where( bvsimd_floats_mask mask, bvsimd_floats a )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		a.x[k] = mask >> k & 1 ? a.x[k] : 0;
	}
	return a;
}

// Whole numbers from 0 to 255 as bytes.
BVSIMD_INLINE void bvsimd_floats_store_bytes( uint8_t to[4], bvsimd_floats a )
{
	for ( uint32_t k = 0; k < 4; ++k )
	{
		to[k] = (uint8_t)a.x[k];
	}
}

BVSIMD_INLINE bvsimd_floats bvsimd_floats_of( float a, float b, float c, float d )
{
	return ( bvsimd_floats ){ { a, b, c, d } };
}

#endif
