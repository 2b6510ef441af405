// Integers of any length, as long as the room in a pool lasts. Only digits that are not 0 take room.
//
// A number is a sum of digits times powers of 2^64. Digits are from -2^63 to 2^63 - 1 (balanced), so that a small number that
// is subtracted from a large one changes a digit, and does not borrow from all those between. Numbers of very different
// sizes and their products therefore have few digits.
//
// A pool is a stack of digits that the caller has on its own stack. A result takes as many as it needs; `used` is taken down
// again when what was computed since is no longer needed. Once a pool was full, `full` stays true, and every result is an
// integer of no meaning: a computation asks once, at its end. Numbers of different pools do not mix.

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum
{
	bvmath_pool_digits = 832, ///< 8 kB
};

/// Where integers are.
typedef struct bvmath_pool
{
	uint32_t used; ///< digits; may be set back to what it was
	bool full;     ///< there was no room at some time, and nothing that was computed has a meaning
	int64_t digit[bvmath_pool_digits];  ///< also where products are made, behind those that are used
	uint16_t place[bvmath_pool_digits]; ///< of each digit: the power of 2^64
} bvmath_pool;

/// sign * the sum of digit * 2^(64 place) of `count` digits of a pool. Places ascend, no digit is 0, and the last one is
/// above 0. Zero has no digits.
typedef struct bvmath_integer
{
	uint32_t first; ///< index of the first digit
	uint32_t count; ///< of digits
	int32_t sign;   ///< -1, 0 or 1
} bvmath_integer;

/// Makes a pool empty.
void bvmath_pool_begin( bvmath_pool* pool );

/// Takes back all digits but the first `used` and those of x, which moves down.
/// @param x  computed since `used` digits were used, or before
bvmath_integer bvmath_integer_keep( bvmath_pool* pool, uint32_t used, bvmath_integer x );

/// @param x      finite
/// @param place  x is a multiple of 2^place
/// @return x / 2^place
bvmath_integer bvmath_integer_of( bvmath_pool* pool, double x, int place );

/// @return x * 2^shift
bvmath_integer bvmath_integer_shift( bvmath_pool* pool, bvmath_integer x, uint32_t shift );

bvmath_integer bvmath_integer_add( bvmath_pool* pool, bvmath_integer a, bvmath_integer b );

bvmath_integer bvmath_integer_multiply( bvmath_pool* pool, bvmath_integer a, bvmath_integer b );

/// @return x * factor
bvmath_integer bvmath_integer_times( bvmath_pool* pool, bvmath_integer x, int32_t factor );

/// @return a * d - b * c
bvmath_integer bvmath_integer_cross( bvmath_pool* pool, bvmath_integer a, bvmath_integer b, bvmath_integer c,
                                     bvmath_integer d );

/// @return x as fraction * 2^exponent, where the absolute value of the fraction is from 0.5 to 1, or 0. It is off by less than
/// 2^-51 of itself
double bvmath_integer_split( const bvmath_pool* pool, bvmath_integer x, int* exponent );

/// @param x  finite
/// @return the greatest p for which x is a multiple of 2^p; INT32_MAX if x is 0
int bvmath_last_place( double x );

/// @return the least p for which the absolute value of x is below 2^p; INT32_MIN if x is 0
int bvmath_first_place( double x );

/// @return -x
static inline bvmath_integer bvmath_integer_negate( bvmath_integer x )
{
	x.sign = -x.sign;
	return x;
}

static inline bvmath_integer bvmath_integer_subtract( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	return bvmath_integer_add( pool, a, bvmath_integer_negate( b ) );
}

/// @return x times the sign of `by`
static inline bvmath_integer bvmath_integer_signed( bvmath_integer x, bvmath_integer by )
{
	x.sign *= by.sign;
	return x;
}
