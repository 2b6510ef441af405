// The operations of lanes_kernels.h for SSE2: four lanes at a time, on every x86-64 processor.

#pragma once

#include "runtime/simd/bits.h"

#include <stdbool.h>
#include <stdint.h>

#include <emmintrin.h>
#include <math.h>
#include <string.h>

#define LANES_INLINE BVSIMD_INLINE
#define LANES_LEVEL  "sse2"

enum
{
	lanes_width = 4,
};

typedef __m128 lanes;
typedef __m128i lanes_words;

LANES_INLINE lanes lanes_all( float x )
{
	return _mm_set1_ps( x );
}

LANES_INLINE lanes lanes_load( const float* from )
{
	return _mm_loadu_ps( from );
}

LANES_INLINE void lanes_store( float* to, lanes x )
{
	_mm_storeu_ps( to, x );
}

LANES_INLINE lanes lanes_bytes( const uint8_t* from )
{
	int32_t four;
	memcpy( &four, from, sizeof four );
	__m128i zero = _mm_setzero_si128();
	__m128i pairs = _mm_unpacklo_epi8( _mm_cvtsi32_si128( four ), zero );
	return _mm_cvtepi32_ps( _mm_unpacklo_epi16( pairs, zero ) );
}

LANES_INLINE lanes_words lanes_load_words( const uint8_t* from )
{
	return _mm_loadu_si128( (const __m128i*)(const void*)from );
}

LANES_INLINE lanes lanes_field( lanes_words words, int shift, uint32_t mask )
{
	return _mm_cvtepi32_ps( _mm_and_si128( _mm_srli_epi32( words, shift ), _mm_set1_epi32( (int)mask ) ) );
}

LANES_INLINE lanes lanes_max( lanes a, lanes b )
{
	return _mm_max_ps( a, b );
}

LANES_INLINE lanes lanes_min( lanes a, lanes b )
{
	return _mm_min_ps( a, b );
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return _mm_andnot_ps( _mm_set1_ps( -0.0f ), a );
}

LANES_INLINE lanes lanes_flip( lanes a, lanes sign )
{
	return _mm_xor_ps( a, _mm_and_ps( _mm_set1_ps( -0.0f ), sign ) );
}

LANES_INLINE lanes lanes_sqrt( lanes a )
{
	return _mm_sqrt_ps( a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	return (uint32_t)_mm_movemask_ps( _mm_cmpgt_ps( a, b ) );
}

typedef __m128 lanes_mask;

LANES_INLINE lanes_mask lanes_less( lanes a, lanes b )
{
	return _mm_cmplt_ps( a, b );
}

LANES_INLINE lanes_mask lanes_both( lanes_mask a, lanes_mask b )
{
	return _mm_and_ps( a, b );
}

LANES_INLINE lanes lanes_select( lanes_mask which, lanes a, lanes b )
{
	return _mm_or_ps( _mm_and_ps( which, a ), _mm_andnot_ps( which, b ) );
}

// Whole numbers, toward zero, of absolute values below 2^31.
LANES_INLINE lanes lanes_whole( lanes x )
{
	return _mm_cvtepi32_ps( _mm_cvttps_epi32( x ) );
}

// Whole numbers from 0 on, as integers and, up to 255, as bytes.
LANES_INLINE void lanes_store_whole( uint32_t* to, lanes x )
{
	_mm_storeu_si128( (__m128i*)(void*)to, _mm_cvttps_epi32( x ) );
}

LANES_INLINE void lanes_store_bytes( uint8_t* to, lanes x )
{
	__m128i words = _mm_cvttps_epi32( x );
	__m128i shorts = _mm_packs_epi32( words, words );
	int32_t bytes = _mm_cvtsi128_si32( _mm_packus_epi16( shorts, shorts ) );
	memcpy( to, &bytes, sizeof bytes );
}

// Integers of 16 bits and sums of their squares, of kernels for particles. See level_scalar.h.
enum
{
	lanes_shorts_width = 8,
};

typedef __m128i lanes_shorts;

typedef struct lanes_sse2_squares
{
	__m128i low; // of lanes 0 to 3
	__m128i high;
} lanes_sse2_squares;

typedef lanes_sse2_squares lanes_squares;

LANES_INLINE lanes_shorts lanes_shorts_all( int16_t x )
{
	return _mm_set1_epi16( x );
}

LANES_INLINE lanes_shorts lanes_shorts_load( const uint16_t* from )
{
	return _mm_loadu_si128( (const __m128i*)(const void*)from );
}

LANES_INLINE lanes_shorts lanes_shorts_add( lanes_shorts a, lanes_shorts b )
{
	return _mm_add_epi16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_subtract( lanes_shorts a, lanes_shorts b )
{
	return _mm_sub_epi16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_size( lanes_shorts a )
{
	return _mm_max_epi16( a, _mm_sub_epi16( _mm_setzero_si128(), a ) );
}

LANES_INLINE lanes_shorts lanes_shorts_fold( lanes_shorts d, lanes_shorts period )
{
	lanes_shorts size = lanes_shorts_size( d );
	return _mm_min_epi16( size, lanes_shorts_size( _mm_sub_epi16( period, size ) ) );
}

LANES_INLINE lanes_shorts lanes_shorts_positive( lanes_shorts a )
{
	return _mm_max_epi16( a, _mm_setzero_si128() );
}

LANES_INLINE lanes_squares lanes_squares_of( lanes_shorts x, lanes_shorts y, lanes_shorts z )
{
	__m128i zero = _mm_setzero_si128();
	__m128i low = _mm_unpacklo_epi16( x, y );
	__m128i high = _mm_unpackhi_epi16( x, y );
	__m128i low_z = _mm_unpacklo_epi16( z, zero );
	__m128i high_z = _mm_unpackhi_epi16( z, zero );
	return (
		lanes_squares ){ _mm_add_epi32( _mm_madd_epi16( low, low ), _mm_madd_epi16( low_z, low_z ) ),
		                 _mm_add_epi32( _mm_madd_epi16( high, high ), _mm_madd_epi16( high_z, high_z ) ) };
}

LANES_INLINE lanes_squares lanes_squares_all( int32_t x )
{
	return ( lanes_squares ){ _mm_set1_epi32( x ), _mm_set1_epi32( x ) };
}

LANES_INLINE uint32_t lanes_squares_below( lanes_squares s, lanes_squares a, lanes_squares b )
{
	__m128i below_a = _mm_packs_epi32( _mm_cmplt_epi32( s.low, a.low ), _mm_cmplt_epi32( s.high, a.high ) );
	__m128i below_b = _mm_packs_epi32( _mm_cmplt_epi32( s.low, b.low ), _mm_cmplt_epi32( s.high, b.high ) );
	uint32_t bits = (uint32_t)_mm_movemask_epi8( _mm_packs_epi16( below_a, below_b ) );
	return ( bits & 0xff ) | bits >> 8 << 16;
}

LANES_INLINE lanes_words lanes_words_all( uint32_t x )
{
	return _mm_set1_epi32( (int)x );
}

LANES_INLINE lanes_words lanes_words_load( const uint32_t* from )
{
	return _mm_loadu_si128( (const __m128i*)(const void*)from );
}

LANES_INLINE void lanes_words_store( uint32_t* to, lanes_words x )
{
	_mm_storeu_si128( (__m128i*)(void*)to, x );
}

LANES_INLINE lanes_words lanes_words_count( lanes_words counts, lanes_words a, lanes_words b )
{
	return _mm_sub_epi32( counts, _mm_cmpgt_epi32( a, b ) );
}
