// The operations of lanes_kernels.h without SIMD: one lane at a time.

#pragma once

#include "runtime/simd/bits.h"

#include <stdbool.h>
#include <stdint.h>

#include <math.h>

#define LANES_INLINE BVSIMD_INLINE
#define LANES_LEVEL  "scalar"

enum
{
	lanes_width = 1,
};

typedef float lanes;
typedef uint32_t lanes_words;

LANES_INLINE lanes lanes_all( float x )
{
	return x;
}

LANES_INLINE lanes lanes_load( const float* from )
{
	return *from;
}

LANES_INLINE void lanes_store( float* to, lanes x )
{
	*to = x;
}

LANES_INLINE lanes lanes_bytes( const uint8_t* from )
{
	return *from;
}

// Little-endian on every machine.
LANES_INLINE lanes_words lanes_load_words( const uint8_t* from )
{
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

LANES_INLINE lanes lanes_field( lanes_words words, int shift, uint32_t mask )
{
	return (float)( words >> shift & mask );
}

LANES_INLINE lanes lanes_max( lanes a, lanes b )
{
	return a > b ? a : b;
}

LANES_INLINE lanes lanes_min( lanes a, lanes b )
{
	return a < b ? a : b;
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return fabsf( a );
}

LANES_INLINE lanes lanes_flip( lanes a, lanes sign )
{
	return signbit( sign ) ? -a : a;
}

LANES_INLINE lanes lanes_sqrt( lanes a )
{
	return sqrtf( a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	return a > b;
}

typedef bool lanes_mask;

LANES_INLINE lanes_mask lanes_less( lanes a, lanes b )
{
	return a < b;
}

LANES_INLINE lanes_mask lanes_both( lanes_mask a, lanes_mask b )
{
	return a && b;
}

LANES_INLINE lanes lanes_select( lanes_mask which, lanes a, lanes b )
{
	return which ? a : b;
}

// Whole numbers, toward zero, of absolute values below 2^31.
LANES_INLINE lanes lanes_whole( lanes x )
{
	return (float)(int32_t)x;
}

// Whole numbers from 0 on, as integers and, up to 255, as bytes.
LANES_INLINE void lanes_store_whole( uint32_t* to, lanes x )
{
	*to = (uint32_t)x;
}

LANES_INLINE void lanes_store_bytes( uint8_t* to, lanes x )
{
	*to = (uint8_t)x;
}

// Integers of 16 bits and sums of their squares, of kernels for particles.
enum
{
	lanes_shorts_width = 1,
};

typedef int16_t lanes_shorts;
typedef int32_t lanes_squares;

LANES_INLINE lanes_shorts lanes_shorts_all( int16_t x )
{
	return x;
}

LANES_INLINE lanes_shorts lanes_shorts_load( const uint16_t* from )
{
	return (int16_t)*from;
}

LANES_INLINE lanes_shorts lanes_shorts_add( lanes_shorts a, lanes_shorts b )
{
	return (int16_t)(uint16_t)( a + b );
}

// Modulo 2^16.
LANES_INLINE lanes_shorts lanes_shorts_subtract( lanes_shorts a, lanes_shorts b )
{
	return (int16_t)(uint16_t)( a - b );
}

// The smaller absolute value of d and of period - |d|.
LANES_INLINE lanes_shorts lanes_shorts_fold( lanes_shorts d, lanes_shorts period )
{
	int size = d < 0 ? -d : d;
	int other = period - size < 0 ? size - period : period - size;
	return (int16_t)( size < other ? size : other );
}

LANES_INLINE lanes_shorts lanes_shorts_positive( lanes_shorts a )
{
	return a < 0 ? 0 : a;
}

LANES_INLINE lanes_squares lanes_squares_of( lanes_shorts x, lanes_shorts y, lanes_shorts z )
{
	// As vectors do, modulo 2^32: what is behind the end of an array can be anything.
	return (int32_t)( (uint32_t)( x * x ) + (uint32_t)( y * y ) + (uint32_t)( z * z ) );
}

LANES_INLINE lanes_squares lanes_squares_all( int32_t x )
{
	return x;
}

// Bits from 0 on: below a; bits from 16 on: below b.
LANES_INLINE uint32_t lanes_squares_below( lanes_squares s, lanes_squares a, lanes_squares b )
{
	return (uint32_t)( s < a ) | (uint32_t)( s < b ) << 16;
}

LANES_INLINE lanes_words lanes_words_all( uint32_t x )
{
	return x;
}

LANES_INLINE lanes_words lanes_words_load( const uint32_t* from )
{
	return *from;
}

LANES_INLINE void lanes_words_store( uint32_t* to, lanes_words x )
{
	*to = x;
}

// Adds 1 where a, which is below 2^31, is above b.
LANES_INLINE lanes_words lanes_words_count( lanes_words counts, lanes_words a, lanes_words b )
{
	return counts + ( a > b );
}
