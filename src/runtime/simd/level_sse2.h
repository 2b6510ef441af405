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
