// Exact sums and products of binary64 numbers: signed integers of bounded size times a power of 2^64.
//
// Limbs are aligned to powers of 2^64, so that a sum needs no shifts and a product none but those by whole
// limbs. A number that needs more than bvmath_exact_limbs is lost, and so is every number computed from a lost
// one. Nothing rounds.

#pragma once

#include "bv/base.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
	bvmath_exact_limbs = 24, ///< 1536 bits
};

/// A number: sign * sum of limb[i] * 2^(64 * (low + i)). Zero has no limbs; otherwise the last one is not 0.
typedef struct bvmath_exact
{
	int8_t sign;   ///< -1, 0 or 1
	bool lost;     ///< the true value did not fit, and nothing else is defined
	uint8_t count; ///< of limbs
	int32_t low;   ///< place of the first limb
	uint64_t limb[bvmath_exact_limbs];
} bvmath_exact;

/// A vector of such numbers.
typedef struct bvmath_exact3
{
	bvmath_exact x[3];
} bvmath_exact3;

/// @param x  finite
void bvmath_exact_set( double x, bvmath_exact* out );

/// @param out  may be a or b
void bvmath_exact_add( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out );

/// @param out  may be a or b
void bvmath_exact_subtract( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out );

/// @param out  neither a nor b
void bvmath_exact_multiply( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out );

/// @return x as fraction * 2^exponent, where the absolute value of the fraction is at least 0.5 and below 1, or 0. It
/// is rounded towards 0, by less than 2^-52 of itself
double bvmath_exact_split( const bvmath_exact* x, int* exponent );

/// @param a, b  b above 0
/// @return sqrt( a / b ), to 2^-50 of itself; 0 if that is below 2^-1000
double bvmath_exact_root_of_ratio( const bvmath_exact* a, const bvmath_exact* b );

/// @param a, b  b above 0
/// @return a / sqrt( b ), to 2^-50 of itself; 0 if its absolute value is below 2^-1000
double bvmath_exact_over_root( const bvmath_exact* a, const bvmath_exact* b );

/// @return x * 2^exponent, to rounding; 0 below 2^-1000, and infinity if it is too large
double bvmath_scale_by( double x, int exponent );

/// @param v  finite
void bvmath_exact3_set( bv_vec3 v, bvmath_exact3* out );

/// @param out  may be a or b
void bvmath_exact3_subtract( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact3* out );

/// @param out  neither a nor b
void bvmath_exact3_cross( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact3* out );

void bvmath_exact3_dot( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact* out );

/// @return s * v
void bvmath_exact3_scale( const bvmath_exact* s, const bvmath_exact3* v, bvmath_exact3* out );

/// @return a vector of the same direction, to rounding, whose largest coordinate is between 0.5 and 1; 0 of 0
bv_vec3 bvmath_exact3_direction( const bvmath_exact3* v );
