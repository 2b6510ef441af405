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
