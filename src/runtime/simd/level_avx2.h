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
