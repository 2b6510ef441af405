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
