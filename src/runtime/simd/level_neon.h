// The operations of lanes_kernels.h for NEON: four lanes at a time, on every 64-bit Arm processor.

#pragma once

#include "runtime/simd/bits.h"

#include <stdbool.h>
#include <stdint.h>

#include <arm_neon.h>
#include <math.h>
#include <string.h>

#define LANES_INLINE BVSIMD_INLINE
#define LANES_LEVEL  "neon"

enum
{
	lanes_width = 4,
};

typedef float32x4_t lanes;
typedef uint32x4_t lanes_words;

LANES_INLINE lanes lanes_all( float x )
{
	return vdupq_n_f32( x );
}

LANES_INLINE lanes lanes_load( const float* from )
{
	return vld1q_f32( from );
}

LANES_INLINE void lanes_store( float* to, lanes x )
{
	vst1q_f32( to, x );
}

LANES_INLINE lanes lanes_bytes( const uint8_t* from )
{
	uint32_t four;
	memcpy( &four, from, sizeof four );
	uint16x8_t pairs = vmovl_u8( vcreate_u8( four ) );
	return vcvtq_f32_u32( vmovl_u16( vget_low_u16( pairs ) ) );
}

LANES_INLINE lanes_words lanes_load_words( const uint8_t* from )
{
	return vreinterpretq_u32_u8( vld1q_u8( from ) );
}

LANES_INLINE lanes lanes_field( lanes_words words, int shift, uint32_t mask )
{
	return vcvtq_f32_u32( vandq_u32( vshlq_u32( words, vdupq_n_s32( -shift ) ), vdupq_n_u32( mask ) ) );
}

// Those of NEON itself differ from x86's where one argument is not a number.
LANES_INLINE lanes lanes_max( lanes a, lanes b )
{
	return vbslq_f32( vcgtq_f32( a, b ), a, b );
}

LANES_INLINE lanes lanes_min( lanes a, lanes b )
{
	return vbslq_f32( vcltq_f32( a, b ), a, b );
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return vabsq_f32( a );
}

LANES_INLINE lanes lanes_flip( lanes a, lanes sign )
{
	uint32x4_t bit = vandq_u32( vdupq_n_u32( 0x80000000u ), vreinterpretq_u32_f32( sign ) );
	return vreinterpretq_f32_u32( veorq_u32( vreinterpretq_u32_f32( a ), bit ) );
}

LANES_INLINE lanes lanes_sqrt( lanes a )
{
	return vsqrtq_f32( a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	static const uint32_t bits[4] = { 1, 2, 4, 8 };
	return vaddvq_u32( vandq_u32( vcgtq_f32( a, b ), vld1q_u32( bits ) ) );
}

typedef uint32x4_t lanes_mask;

LANES_INLINE lanes_mask lanes_less( lanes a, lanes b )
{
	return vcltq_f32( a, b );
}

LANES_INLINE lanes_mask lanes_both( lanes_mask a, lanes_mask b )
{
	return vandq_u32( a, b );
}

LANES_INLINE lanes lanes_select( lanes_mask which, lanes a, lanes b )
{
	return vbslq_f32( which, a, b );
}

// Whole numbers, toward zero, of absolute values below 2^31.
LANES_INLINE lanes lanes_whole( lanes x )
{
	return vcvtq_f32_s32( vcvtq_s32_f32( x ) );
}

// Whole numbers from 0 on, as integers and, up to 255, as bytes.
LANES_INLINE void lanes_store_whole( uint32_t* to, lanes x )
{
	vst1q_u32( to, vcvtq_u32_f32( x ) );
}

LANES_INLINE void lanes_store_bytes( uint8_t* to, lanes x )
{
	uint16x4_t shorts = vmovn_u32( vcvtq_u32_f32( x ) );
	uint32_t bytes = vget_lane_u32( vreinterpret_u32_u8( vmovn_u16( vcombine_u16( shorts, shorts ) ) ), 0 );
	memcpy( to, &bytes, sizeof bytes );
}

// Integers of 16 bits and sums of their squares, of kernels for particles. See level_scalar.h.
enum
{
	lanes_shorts_width = 8,
};

typedef int16x8_t lanes_shorts;

typedef struct lanes_neon_squares
{
	int32x4_t low; // of lanes 0 to 3
	int32x4_t high;
} lanes_neon_squares;

typedef lanes_neon_squares lanes_squares;

LANES_INLINE lanes_shorts lanes_shorts_all( int16_t x )
{
	return vdupq_n_s16( x );
}

LANES_INLINE lanes_shorts lanes_shorts_load( const uint16_t* from )
{
	return vreinterpretq_s16_u16( vld1q_u16( from ) );
}

LANES_INLINE lanes_shorts lanes_shorts_add( lanes_shorts a, lanes_shorts b )
{
	return vaddq_s16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_subtract( lanes_shorts a, lanes_shorts b )
{
	return vsubq_s16( a, b );
}

LANES_INLINE lanes_shorts lanes_shorts_fold( lanes_shorts d, lanes_shorts period )
{
	lanes_shorts size = vabsq_s16( d );
	return vminq_s16( size, vabsq_s16( vsubq_s16( period, size ) ) );
}

LANES_INLINE lanes_shorts lanes_shorts_positive( lanes_shorts a )
{
	return vmaxq_s16( a, vdupq_n_s16( 0 ) );
}

LANES_INLINE int32x4_t lanes_squares_half( int16x4_t x, int16x4_t y, int16x4_t z )
{
	return vmlal_s16( vmlal_s16( vmull_s16( x, x ), y, y ), z, z );
}

LANES_INLINE lanes_squares lanes_squares_of( lanes_shorts x, lanes_shorts y, lanes_shorts z )
{
	return (
		lanes_squares ){ lanes_squares_half( vget_low_s16( x ), vget_low_s16( y ), vget_low_s16( z ) ),
		                 lanes_squares_half( vget_high_s16( x ), vget_high_s16( y ), vget_high_s16( z ) ) };
}

LANES_INLINE lanes_squares lanes_squares_all( int32_t x )
{
	return ( lanes_squares ){ vdupq_n_s32( x ), vdupq_n_s32( x ) };
}

LANES_INLINE uint32_t lanes_squares_below( lanes_squares s, lanes_squares a, lanes_squares b )
{
	static const uint8_t bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	uint16x8_t below_a =
		vcombine_u16( vmovn_u32( vcltq_s32( s.low, a.low ) ), vmovn_u32( vcltq_s32( s.high, a.high ) ) );
	uint16x8_t below_b =
		vcombine_u16( vmovn_u32( vcltq_s32( s.low, b.low ) ), vmovn_u32( vcltq_s32( s.high, b.high ) ) );
	uint8x8_t weights = vld1_u8( bits );
	return (uint32_t)vaddv_u8( vand_u8( vmovn_u16( below_a ), weights ) ) |
	       (uint32_t)vaddv_u8( vand_u8( vmovn_u16( below_b ), weights ) ) << 16;
}

LANES_INLINE lanes_words lanes_words_all( uint32_t x )
{
	return vdupq_n_u32( x );
}

LANES_INLINE lanes_words lanes_words_load( const uint32_t* from )
{
	return vld1q_u32( from );
}

LANES_INLINE void lanes_words_store( uint32_t* to, lanes_words x )
{
	vst1q_u32( to, x );
}

LANES_INLINE lanes_words lanes_words_count( lanes_words counts, lanes_words a, lanes_words b )
{
	return vsubq_u32( counts, vcgtq_u32( a, b ) );
}
