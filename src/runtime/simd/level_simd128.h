// The operations of lanes_kernels.h for SIMD128 of WebAssembly: four lanes at a time, if the module is compiled with -msimd128.

#pragma once

#include "runtime/simd/bits.h"

#include <stdbool.h>
#include <stdint.h>

#include <math.h>
#include <wasm_simd128.h>

#define LANES_INLINE BVSIMD_INLINE
#define LANES_LEVEL  "simd128"

enum
{
	lanes_width = 4,
};

typedef bvsimd_four_floats lanes;
typedef v128_t lanes_words;

LANES_INLINE lanes lanes_all( float x )
{
	return (lanes)wasm_f32x4_splat( x );
}

LANES_INLINE lanes lanes_load( const float* from )
{
	return (lanes)wasm_v128_load( from );
}

LANES_INLINE void lanes_store( float* to, lanes x )
{
	wasm_v128_store( to, (v128_t)x );
}

// Clang 14 makes four scalar conversions of extensions to 32 bits and a conversion. An index of 16 gives 0.
LANES_INLINE lanes lanes_bytes( const uint8_t* from )
{
	const v128_t spread = wasm_u8x16_const( 0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16 );
	return (lanes)wasm_f32x4_convert_i32x4( wasm_i8x16_swizzle( wasm_v128_load32_zero( from ), spread ) );
}

LANES_INLINE lanes_words lanes_load_words( const uint8_t* from )
{
	return wasm_v128_load( from );
}

LANES_INLINE lanes lanes_field( lanes_words words, int shift, uint32_t mask )
{
	return (lanes)wasm_f32x4_convert_i32x4(
		wasm_v128_and( wasm_u32x4_shr( words, (uint32_t)shift ), wasm_i32x4_splat( (int32_t)mask ) ) );
}

// The second argument where one is NaN or both are equal, as on x86: wasm_f32x4_pmax( b, a ) is b < a ? a : b.
LANES_INLINE lanes lanes_max( lanes a, lanes b )
{
	return (lanes)wasm_f32x4_pmax( (v128_t)b, (v128_t)a );
}

LANES_INLINE lanes lanes_min( lanes a, lanes b )
{
	return (lanes)wasm_f32x4_pmin( (v128_t)b, (v128_t)a );
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return (lanes)wasm_f32x4_abs( (v128_t)a );
}

LANES_INLINE lanes lanes_flip( lanes a, lanes sign )
{
	return (lanes)wasm_v128_xor( (v128_t)a, wasm_v128_and( wasm_i32x4_splat( INT32_MIN ), (v128_t)sign ) );
}

LANES_INLINE lanes lanes_sqrt( lanes a )
{
	return (lanes)wasm_f32x4_sqrt( (v128_t)a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	return wasm_i32x4_bitmask( wasm_f32x4_gt( (v128_t)a, (v128_t)b ) );
}

typedef v128_t lanes_mask;

LANES_INLINE lanes_mask lanes_less( lanes a, lanes b )
{
	return wasm_f32x4_lt( (v128_t)a, (v128_t)b );
}

LANES_INLINE lanes_mask lanes_both( lanes_mask a, lanes_mask b )
{
	return wasm_v128_and( a, b );
}

LANES_INLINE lanes lanes_select( lanes_mask which, lanes a, lanes b )
{
	return (lanes)wasm_v128_bitselect( (v128_t)a, (v128_t)b, which );
}

// Whole numbers, toward zero, of absolute values below 2^31.
LANES_INLINE lanes lanes_whole( lanes x )
{
	return (lanes)wasm_f32x4_convert_i32x4( wasm_i32x4_trunc_sat_f32x4( (v128_t)x ) );
}

// Whole numbers from 0 on, as integers and, up to 255, as bytes.
LANES_INLINE void lanes_store_whole( uint32_t* to, lanes x )
{
	wasm_v128_store( to, wasm_i32x4_trunc_sat_f32x4( (v128_t)x ) );
}

LANES_INLINE void lanes_store_bytes( uint8_t* to, lanes x )
{
	v128_t words = wasm_i32x4_trunc_sat_f32x4( (v128_t)x );
	v128_t shorts = wasm_u16x8_narrow_i32x4( words, words );
	int32_t bytes = wasm_i32x4_extract_lane( wasm_u8x16_narrow_i16x8( shorts, shorts ), 0 );
	memcpy( to, &bytes, sizeof bytes );
}

// Integers of 16 bits and sums of their squares, of kernels for particles. See level_scalar.h.
enum
{
	lanes_shorts_width = 8,
};

typedef v128_t lanes_shorts;

typedef struct lanes_simd128_squares
{
	v128_t low; // of lanes 0 to 3
	v128_t high;
} lanes_simd128_squares;

typedef lanes_simd128_squares lanes_squares;

LANES_INLINE lanes_shorts lanes_shorts_all( int16_t x )
{
	return wasm_i16x8_splat( x );
}

LANES_INLINE lanes_shorts lanes_shorts_load( const uint16_t* from )
{
	return wasm_v128_load( from );
}

LANES_INLINE lanes_shorts lanes_shorts_add( lanes_shorts a, lanes_shorts b )
{
	return wasm_i16x8_add( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_subtract( lanes_shorts a, lanes_shorts b )
{
	return wasm_i16x8_sub( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_fold( lanes_shorts d, lanes_shorts period )
{
	lanes_shorts size = wasm_i16x8_abs( d );
	return wasm_i16x8_min( size, wasm_i16x8_abs( wasm_i16x8_sub( period, size ) ) );
}

LANES_INLINE lanes_shorts lanes_shorts_positive( lanes_shorts a )
{
	return wasm_i16x8_max( a, wasm_i16x8_const_splat( 0 ) );
}

LANES_INLINE lanes_squares lanes_squares_of( lanes_shorts x, lanes_shorts y, lanes_shorts z )
{
	v128_t zero = wasm_i16x8_const_splat( 0 );
	v128_t low = wasm_i16x8_shuffle( x, y, 0, 8, 1, 9, 2, 10, 3, 11 );
	v128_t high = wasm_i16x8_shuffle( x, y, 4, 12, 5, 13, 6, 14, 7, 15 );
	v128_t low_z = wasm_i16x8_shuffle( z, zero, 0, 8, 1, 9, 2, 10, 3, 11 );
	v128_t high_z = wasm_i16x8_shuffle( z, zero, 4, 12, 5, 13, 6, 14, 7, 15 );
	return ( lanes_squares ){
		wasm_i32x4_add( wasm_i32x4_dot_i16x8( low, low ), wasm_i32x4_dot_i16x8( low_z, low_z ) ),
		wasm_i32x4_add( wasm_i32x4_dot_i16x8( high, high ), wasm_i32x4_dot_i16x8( high_z, high_z ) )
	};
}

LANES_INLINE lanes_squares lanes_squares_all( int32_t x )
{
	return ( lanes_squares ){ wasm_i32x4_splat( x ), wasm_i32x4_splat( x ) };
}

LANES_INLINE uint32_t lanes_squares_below( lanes_squares s, lanes_squares a, lanes_squares b )
{
	v128_t below_a =
		wasm_i16x8_narrow_i32x4( wasm_i32x4_lt( s.low, a.low ), wasm_i32x4_lt( s.high, a.high ) );
	v128_t below_b =
		wasm_i16x8_narrow_i32x4( wasm_i32x4_lt( s.low, b.low ), wasm_i32x4_lt( s.high, b.high ) );
	return (uint32_t)wasm_i16x8_bitmask( below_a ) | (uint32_t)wasm_i16x8_bitmask( below_b ) << 16;
}

LANES_INLINE lanes_words lanes_words_all( uint32_t x )
{
	return wasm_i32x4_splat( (int32_t)x );
}

LANES_INLINE lanes_words lanes_words_load( const uint32_t* from )
{
	return wasm_v128_load( from );
}

LANES_INLINE void lanes_words_store( uint32_t* to, lanes_words x )
{
	wasm_v128_store( to, x );
}

LANES_INLINE lanes_words lanes_words_count( lanes_words counts, lanes_words a, lanes_words b )
{
	return wasm_i32x4_sub( counts, wasm_i32x4_gt( a, b ) );
}
