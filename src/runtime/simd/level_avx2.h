// The operations of lanes_kernels.h for AVX2: eight lanes at a time, on x86-64.
//
// Functions between this header and level_end.h are compiled for AVX2, whatever the options of the compiler
// are. Call them only if the processor has AVX2.

#pragma once

#include "runtime/simd/bits.h"

#include <stdbool.h>
#include <stdint.h>

#include <immintrin.h>
#include <math.h>

#ifdef __clang__
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC push_options
#pragma GCC target( "avx2" )
#endif

#define LANES_INLINE BVSIMD_INLINE
#define LANES_LEVEL  "avx2"

enum
{
	lanes_width = 8,
};

typedef __m256 lanes;
typedef __m256i lanes_words;

LANES_INLINE lanes lanes_all( float x )
{
	return _mm256_set1_ps( x );
}

LANES_INLINE lanes lanes_load( const float* from )
{
	return _mm256_loadu_ps( from );
}

LANES_INLINE void lanes_store( float* to, lanes x )
{
	_mm256_storeu_ps( to, x );
}

LANES_INLINE lanes lanes_bytes( const uint8_t* from )
{
	return _mm256_cvtepi32_ps( _mm256_cvtepu8_epi32( _mm_loadl_epi64( (const __m128i*)(const void*)from ) ) );
}

LANES_INLINE lanes_words lanes_load_words( const uint8_t* from )
{
	return _mm256_loadu_si256( (const __m256i*)(const void*)from );
}

LANES_INLINE lanes lanes_field( lanes_words words, int shift, uint32_t mask )
{
	return _mm256_cvtepi32_ps(
		_mm256_and_si256( _mm256_srli_epi32( words, shift ), _mm256_set1_epi32( (int)mask ) ) );
}

LANES_INLINE lanes lanes_max( lanes a, lanes b )
{
	return _mm256_max_ps( a, b );
}

LANES_INLINE lanes lanes_min( lanes a, lanes b )
{
	return _mm256_min_ps( a, b );
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return _mm256_andnot_ps( _mm256_set1_ps( -0.0f ), a );
}

LANES_INLINE lanes lanes_flip( lanes a, lanes sign )
{
	return _mm256_xor_ps( a, _mm256_and_ps( _mm256_set1_ps( -0.0f ), sign ) );
}

LANES_INLINE lanes lanes_sqrt( lanes a )
{
	return _mm256_sqrt_ps( a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	return (uint32_t)_mm256_movemask_ps( _mm256_cmp_ps( a, b, _CMP_GT_OQ ) );
}

typedef __m256 lanes_mask;

LANES_INLINE lanes_mask lanes_less( lanes a, lanes b )
{
	return _mm256_cmp_ps( a, b, _CMP_LT_OQ );
}

LANES_INLINE lanes_mask lanes_both( lanes_mask a, lanes_mask b )
{
	return _mm256_and_ps( a, b );
}

LANES_INLINE lanes lanes_select( lanes_mask which, lanes a, lanes b )
{
	return _mm256_blendv_ps( b, a, which );
}

// Integers of 16 bits and sums of their squares, of kernels for particles. See level_scalar.h.
enum
{
	lanes_shorts_width = 16,
};

typedef __m256i lanes_shorts;

// In the order in which packing two of them puts lanes in order.
typedef struct lanes_squares
{
	__m256i low; // of lanes 0 to 3 and 8 to 11
	__m256i high;
} lanes_squares;

LANES_INLINE lanes_shorts lanes_shorts_all( int16_t x )
{
	return _mm256_set1_epi16( x );
}

LANES_INLINE lanes_shorts lanes_shorts_load( const uint16_t* from )
{
	return _mm256_loadu_si256( (const __m256i*)(const void*)from );
}

LANES_INLINE lanes_shorts lanes_shorts_add( lanes_shorts a, lanes_shorts b )
{
	return _mm256_add_epi16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_subtract( lanes_shorts a, lanes_shorts b )
{
	return _mm256_sub_epi16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_fold( lanes_shorts d, lanes_shorts period )
{
	lanes_shorts size = _mm256_abs_epi16( d );
	return _mm256_min_epi16( size, _mm256_abs_epi16( _mm256_sub_epi16( period, size ) ) );
}

LANES_INLINE lanes_shorts lanes_shorts_positive( lanes_shorts a )
{
	return _mm256_max_epi16( a, _mm256_setzero_si256() );
}

LANES_INLINE lanes_squares lanes_squares_of( lanes_shorts x, lanes_shorts y, lanes_shorts z )
{
	__m256i zero = _mm256_setzero_si256();
	__m256i low = _mm256_unpacklo_epi16( x, y );
	__m256i high = _mm256_unpackhi_epi16( x, y );
	__m256i low_z = _mm256_unpacklo_epi16( z, zero );
	__m256i high_z = _mm256_unpackhi_epi16( z, zero );
	return ( lanes_squares ){
		_mm256_add_epi32( _mm256_madd_epi16( low, low ), _mm256_madd_epi16( low_z, low_z ) ),
		_mm256_add_epi32( _mm256_madd_epi16( high, high ), _mm256_madd_epi16( high_z, high_z ) )
	};
}

LANES_INLINE lanes_squares lanes_squares_all( int32_t x )
{
	return ( lanes_squares ){ _mm256_set1_epi32( x ), _mm256_set1_epi32( x ) };
}

LANES_INLINE uint32_t lanes_squares_below( lanes_squares s, lanes_squares a, lanes_squares b )
{
	__m256i below_a =
		_mm256_packs_epi32( _mm256_cmpgt_epi32( a.low, s.low ), _mm256_cmpgt_epi32( a.high, s.high ) );
	__m256i below_b =
		_mm256_packs_epi32( _mm256_cmpgt_epi32( b.low, s.low ), _mm256_cmpgt_epi32( b.high, s.high ) );
	__m256i both = _mm256_permute4x64_epi64( _mm256_packs_epi16( below_a, below_b ), 0xd8 );
	return (uint32_t)_mm256_movemask_epi8( both );
}

LANES_INLINE lanes_words lanes_words_all( uint32_t x )
{
	return _mm256_set1_epi32( (int)x );
}

LANES_INLINE lanes_words lanes_words_load( const uint32_t* from )
{
	return _mm256_loadu_si256( (const __m256i*)(const void*)from );
}

LANES_INLINE void lanes_words_store( uint32_t* to, lanes_words x )
{
	_mm256_storeu_si256( (__m256i*)(void*)to, x );
}

LANES_INLINE lanes_words lanes_words_count( lanes_words counts, lanes_words a, lanes_words b )
{
	return _mm256_sub_epi32( counts, _mm256_cmpgt_epi32( a, b ) );
}
