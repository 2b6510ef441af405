// Two 64-bit integers at a time, modulo 2^64: by SSE2, NEON or SIMD128, otherwise one at a time.

#pragma once

#include "runtime/simd/bits.h"

#if defined( BVSIMD_SSE2 )

#include <emmintrin.h>

typedef __m128i bvsimd_words;

// Little-endian, from any address.
BVSIMD_INLINE bvsimd_words bvsimd_words_load( const void* from )
{
	return _mm_loadu_si128( (const __m128i*)from );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_pair( uint64_t first, uint64_t second )
{
	return _mm_set_epi64x( (long long)second, (long long)first );
}

BVSIMD_INLINE void bvsimd_words_store( uint64_t to[2], bvsimd_words a )
{
	_mm_storeu_si128( (__m128i*)(void*)to, a );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_add( bvsimd_words a, bvsimd_words b )
{
	return _mm_add_epi64( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_xor( bvsimd_words a, bvsimd_words b )
{
	return _mm_xor_si128( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_swap( bvsimd_words a )
{
	return _mm_shuffle_epi32( a, 0x4e );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_shift_right( bvsimd_words a, int count )
{
	return _mm_srli_epi64( a, count );
}

// The lower half of each times its upper half.
BVSIMD_INLINE bvsimd_words bvsimd_words_square_halves( bvsimd_words a )
{
	return _mm_mul_epu32( a, _mm_srli_epi64( a, 32 ) );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_scale( bvsimd_words a, uint32_t factor )
{
	__m128i by = _mm_set1_epi32( (int)factor );
	__m128i high = _mm_mul_epu32( _mm_srli_epi64( a, 32 ), by );
	return _mm_add_epi64( _mm_mul_epu32( a, by ), _mm_slli_epi64( high, 32 ) );
}

#elif defined( BVSIMD_NEON )

#include <arm_neon.h>

typedef uint64x2_t bvsimd_words;

BVSIMD_INLINE bvsimd_words bvsimd_words_load( const void* from )
{
	return vreinterpretq_u64_u8( vld1q_u8( (const uint8_t*)from ) );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_pair( uint64_t first, uint64_t second )
{
	return vcombine_u64( vcreate_u64( first ), vcreate_u64( second ) );
}

BVSIMD_INLINE void bvsimd_words_store( uint64_t to[2], bvsimd_words a )
{
	vst1q_u64( to, a );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_add( bvsimd_words a, bvsimd_words b )
{
	return vaddq_u64( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_xor( bvsimd_words a, bvsimd_words b )
{
	return veorq_u64( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_swap( bvsimd_words a )
{
	return vextq_u64( a, a, 1 );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_shift_right( bvsimd_words a, int count )
{
	return vshlq_u64( a, vdupq_n_s64( -count ) );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_square_halves( bvsimd_words a )
{
	return vmull_u32( vmovn_u64( a ), vshrn_n_u64( a, 32 ) );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_scale( bvsimd_words a, uint32_t factor )
{
	uint32x2_t by = vdup_n_u32( factor );
	uint64x2_t high = vmull_u32( vshrn_n_u64( a, 32 ), by );
	return vaddq_u64( vmull_u32( vmovn_u64( a ), by ), vshlq_n_u64( high, 32 ) );
}

#elif defined( BVSIMD_SIMD128 )

#include <wasm_simd128.h>

typedef v128_t bvsimd_words;

BVSIMD_INLINE bvsimd_words bvsimd_words_load( const void* from )
{
	return wasm_v128_load( from );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_pair( uint64_t first, uint64_t second )
{
	return wasm_i64x2_make( (int64_t)first, (int64_t)second );
}

BVSIMD_INLINE void bvsimd_words_store( uint64_t to[2], bvsimd_words a )
{
	wasm_v128_store( to, a );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_add( bvsimd_words a, bvsimd_words b )
{
	return wasm_i64x2_add( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_xor( bvsimd_words a, bvsimd_words b )
{
	return wasm_v128_xor( a, b );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_swap( bvsimd_words a )
{
	return wasm_i64x2_shuffle( a, a, 1, 0 );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_shift_right( bvsimd_words a, int count )
{
	return wasm_u64x2_shr( a, (uint32_t)count );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_square_halves( bvsimd_words a )
{
	return wasm_u64x2_extmul_low_u32x4( wasm_i32x4_shuffle( a, a, 0, 2, 0, 2 ),
	                                    wasm_i32x4_shuffle( a, a, 1, 3, 1, 3 ) );
}

BVSIMD_INLINE bvsimd_words bvsimd_words_scale( bvsimd_words a, uint32_t factor )
{
	return wasm_i64x2_mul( a, wasm_i64x2_splat( factor ) );
}

#else

typedef struct bvsimd_words
{
	uint64_t of[2];
} bvsimd_words;

BVSIMD_INLINE bvsimd_words bvsimd_words_load( const void* from )
{
	return ( bvsimd_words ){ { bvsimd_load_u64( from ), bvsimd_load_u64( (const char*)from + 8 ) } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_pair( uint64_t first, uint64_t second )
{
	return ( bvsimd_words ){ { first, second } };
}

BVSIMD_INLINE void bvsimd_words_store( uint64_t to[2], bvsimd_words a )
{
	to[0] = a.of[0];
	to[1] = a.of[1];
}

BVSIMD_INLINE bvsimd_words bvsimd_words_add( bvsimd_words a, bvsimd_words b )
{
	return ( bvsimd_words ){ { a.of[0] + b.of[0], a.of[1] + b.of[1] } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_xor( bvsimd_words a, bvsimd_words b )
{
	return ( bvsimd_words ){ { a.of[0] ^ b.of[0], a.of[1] ^ b.of[1] } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_swap( bvsimd_words a )
{
	return ( bvsimd_words ){ { a.of[1], a.of[0] } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_shift_right( bvsimd_words a, int count )
{
	return ( bvsimd_words ){ { a.of[0] >> count, a.of[1] >> count } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_square_halves( bvsimd_words a )
{
	return ( bvsimd_words ){ { ( a.of[0] & 0xffffffffu ) * ( a.of[0] >> 32 ),
		                       ( a.of[1] & 0xffffffffu ) * ( a.of[1] >> 32 ) } };
}

BVSIMD_INLINE bvsimd_words bvsimd_words_scale( bvsimd_words a, uint32_t factor )
{
	return ( bvsimd_words ){ { a.of[0] * factor, a.of[1] * factor } };
}

#endif
