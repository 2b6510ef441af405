// Directed rounding of the bounds of a box to binary32, six at a time, with SSE2 instructions. Other machines round one by one:
// runtime/math/round.h.

#pragma once

#include "runtime/simd/bits.h"

#if defined( BVSIMD_SSE2 )

#include <emmintrin.h>

// Two numbers that were rounded to the nearest, and are moved to their neighbors where they were rounded inward.
// @param is_past   of each number, in 64 bits: all bits if it was
// @param is_upper  all bits of the lower 32-bit elements that are upper bounds
BVSIMD_INLINE void bvsimd_store_outward( __m128 nearest, __m128d is_past, __m128i is_upper, float* to )
{
	__m128i bits = _mm_castps_si128( nearest );
	__m128i past = _mm_shuffle_epi32( _mm_castpd_si128( is_past ), _MM_SHUFFLE( 2, 0, 2, 0 ) );
	// Bits of numbers grow away from zero: -1 for a positive lower bound, 1 for a negative one.
	__m128i sign = _mm_srai_epi32( bits, 31 );
	__m128i down = _mm_sub_epi32( _mm_set1_epi32( -1 ), _mm_add_epi32( sign, sign ) );
	__m128i step = _mm_sub_epi32( _mm_xor_si128( down, is_upper ), is_upper );
	bits = _mm_add_epi32( bits, _mm_and_si128( past, step ) );
	_mm_storel_epi64( (__m128i*)(void*)to, bits );
}

/// Rounds three lower bounds down, and three upper ones up.
/// @return whether all six are binary32 numbers already
BVSIMD_INLINE bool bvsimd_round_outward( const double from[6], float to[6] )
{
	__m128d a = _mm_loadu_pd( from );
	__m128d b = _mm_loadu_pd( from + 2 );
	__m128d c = _mm_loadu_pd( from + 4 );
	__m128 near_a = _mm_cvtpd_ps( a );
	__m128 near_b = _mm_cvtpd_ps( b );
	__m128 near_c = _mm_cvtpd_ps( c );
	__m128d back_a = _mm_cvtps_pd( near_a );
	__m128d back_b = _mm_cvtps_pd( near_b );
	__m128d back_c = _mm_cvtps_pd( near_c );
	__m128d differ = _mm_or_pd( _mm_or_pd( _mm_cmpneq_pd( a, back_a ), _mm_cmpneq_pd( b, back_b ) ),
	                            _mm_cmpneq_pd( c, back_c ) );
	// The first of the second two is a lower bound.
	__m128d past_b = _mm_move_sd( _mm_cmplt_pd( back_b, b ), _mm_cmpgt_pd( back_b, b ) );
	bvsimd_store_outward( near_a, _mm_cmpgt_pd( back_a, a ), _mm_setzero_si128(), to );
	bvsimd_store_outward( near_b, past_b, _mm_set_epi32( 0, 0, -1, 0 ), to + 2 );
	bvsimd_store_outward( near_c, _mm_cmplt_pd( back_c, c ), _mm_set1_epi32( -1 ), to + 4 );
	return _mm_movemask_pd( differ ) == 0;
}

#endif
