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

// Whole numbers, toward zero, of absolute values below 2^31.
LANES_INLINE lanes lanes_whole( lanes x )
{
	return _mm256_cvtepi32_ps( _mm256_cvttps_epi32( x ) );
}

// Whole numbers from 0 on, as integers and, up to 255, as bytes.
LANES_INLINE void lanes_store_whole( uint32_t* to, lanes x )
{
	_mm256_storeu_si256( (__m256i*)(void*)to, _mm256_cvttps_epi32( x ) );
}

LANES_INLINE void lanes_store_bytes( uint8_t* to, lanes x )
{
	__m256i words = _mm256_cvttps_epi32( x );
	__m128i shorts = _mm_packs_epi32( _mm256_castsi256_si128( words ), _mm256_extracti128_si256( words, 1 ) );
	_mm_storel_epi64( (__m128i*)(void*)to, _mm_packus_epi16( shorts, shorts ) );
}

// Integers of 16 bits and sums of their squares, of kernels for particles. See level_scalar.h.
enum
{
	lanes_shorts_width = 16,
};

typedef __m256i lanes_shorts;

// In the order in which packing two of them puts lanes in order.
typedef struct lanes_avx2_squares
{
	__m256i low; // of lanes 0 to 3 and 8 to 11
	__m256i high;
} lanes_avx2_squares;

typedef lanes_avx2_squares lanes_squares;

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

#define LANES_HAS_PACK 1

// For each set of eight lanes: their indices, one per byte.
static const uint64_t lanes_packed[256] = {
	0x0,
	0x0,
	0x1,
	0x100,
	0x2,
	0x200,
	0x201,
	0x20100,
	0x3,
	0x300,
	0x301,
	0x30100,
	0x302,
	0x30200,
	0x30201,
	0x3020100,
	0x4,
	0x400,
	0x401,
	0x40100,
	0x402,
	0x40200,
	0x40201,
	0x4020100,
	0x403,
	0x40300,
	0x40301,
	0x4030100,
	0x40302,
	0x4030200,
	0x4030201,
	0x403020100,
	0x5,
	0x500,
	0x501,
	0x50100,
	0x502,
	0x50200,
	0x50201,
	0x5020100,
	0x503,
	0x50300,
	0x50301,
	0x5030100,
	0x50302,
	0x5030200,
	0x5030201,
	0x503020100,
	0x504,
	0x50400,
	0x50401,
	0x5040100,
	0x50402,
	0x5040200,
	0x5040201,
	0x504020100,
	0x50403,
	0x5040300,
	0x5040301,
	0x504030100,
	0x5040302,
	0x504030200,
	0x504030201,
	0x50403020100,
	0x6,
	0x600,
	0x601,
	0x60100,
	0x602,
	0x60200,
	0x60201,
	0x6020100,
	0x603,
	0x60300,
	0x60301,
	0x6030100,
	0x60302,
	0x6030200,
	0x6030201,
	0x603020100,
	0x604,
	0x60400,
	0x60401,
	0x6040100,
	0x60402,
	0x6040200,
	0x6040201,
	0x604020100,
	0x60403,
	0x6040300,
	0x6040301,
	0x604030100,
	0x6040302,
	0x604030200,
	0x604030201,
	0x60403020100,
	0x605,
	0x60500,
	0x60501,
	0x6050100,
	0x60502,
	0x6050200,
	0x6050201,
	0x605020100,
	0x60503,
	0x6050300,
	0x6050301,
	0x605030100,
	0x6050302,
	0x605030200,
	0x605030201,
	0x60503020100,
	0x60504,
	0x6050400,
	0x6050401,
	0x605040100,
	0x6050402,
	0x605040200,
	0x605040201,
	0x60504020100,
	0x6050403,
	0x605040300,
	0x605040301,
	0x60504030100,
	0x605040302,
	0x60504030200,
	0x60504030201,
	0x6050403020100,
	0x7,
	0x700,
	0x701,
	0x70100,
	0x702,
	0x70200,
	0x70201,
	0x7020100,
	0x703,
	0x70300,
	0x70301,
	0x7030100,
	0x70302,
	0x7030200,
	0x7030201,
	0x703020100,
	0x704,
	0x70400,
	0x70401,
	0x7040100,
	0x70402,
	0x7040200,
	0x7040201,
	0x704020100,
	0x70403,
	0x7040300,
	0x7040301,
	0x704030100,
	0x7040302,
	0x704030200,
	0x704030201,
	0x70403020100,
	0x705,
	0x70500,
	0x70501,
	0x7050100,
	0x70502,
	0x7050200,
	0x7050201,
	0x705020100,
	0x70503,
	0x7050300,
	0x7050301,
	0x705030100,
	0x7050302,
	0x705030200,
	0x705030201,
	0x70503020100,
	0x70504,
	0x7050400,
	0x7050401,
	0x705040100,
	0x7050402,
	0x705040200,
	0x705040201,
	0x70504020100,
	0x7050403,
	0x705040300,
	0x705040301,
	0x70504030100,
	0x705040302,
	0x70504030200,
	0x70504030201,
	0x7050403020100,
	0x706,
	0x70600,
	0x70601,
	0x7060100,
	0x70602,
	0x7060200,
	0x7060201,
	0x706020100,
	0x70603,
	0x7060300,
	0x7060301,
	0x706030100,
	0x7060302,
	0x706030200,
	0x706030201,
	0x70603020100,
	0x70604,
	0x7060400,
	0x7060401,
	0x706040100,
	0x7060402,
	0x706040200,
	0x706040201,
	0x70604020100,
	0x7060403,
	0x706040300,
	0x706040301,
	0x70604030100,
	0x706040302,
	0x70604030200,
	0x70604030201,
	0x7060403020100,
	0x70605,
	0x7060500,
	0x7060501,
	0x706050100,
	0x7060502,
	0x706050200,
	0x706050201,
	0x70605020100,
	0x7060503,
	0x706050300,
	0x706050301,
	0x70605030100,
	0x706050302,
	0x70605030200,
	0x70605030201,
	0x7060503020100,
	0x7060504,
	0x706050400,
	0x706050401,
	0x70605040100,
	0x706050402,
	0x70605040200,
	0x70605040201,
	0x7060504020100,
	0x706050403,
	0x70605040300,
	0x70605040301,
	0x7060504030100,
	0x70605040302,
	0x7060504030200,
	0x7060504030201,
	0x706050403020100,
};

// Stores the lanes whose bits are set, and others behind them: eight in all.
LANES_INLINE void lanes_words_pack( uint32_t* to, const uint32_t* from, uint32_t which )
{
	__m256i lanes_of = _mm256_cvtepu8_epi32( _mm_cvtsi64_si128( (int64_t)lanes_packed[which] ) );
	__m256i words = _mm256_loadu_si256( (const __m256i*)(const void*)from );
	_mm256_storeu_si256( (__m256i*)(void*)to, _mm256_permutevar8x32_epi32( words, lanes_of ) );
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
