// Real roots of polynomials with integer coefficients, up to degree 3, and exact signs of other polynomials there.
//
// A root is not approximated to decide about it. It is given by its polynomial and by its index among
// the roots in ascending order. Signs at roots are found from signs at simpler numbers:
//
//   - at a fraction, by evaluation;
//   - at a root of a quadratic p, from the remainder by p, which is linear: its zero is a fraction, which is below,
//     between or above the roots of p by the signs of p and p' there;
//   - at a root of a cubic p, of a quadratic q: from the places of the roots of q among those of p, which the signs of
//     p, p' and p'' there tell (Thom's lemma; Coste, Roy 1988).
//
// Multiple roots are fractions. All of it takes a number of operations that is bounded, and no integer is longer than 20
// times a coefficient of q's factors (see roots.c).

#pragma once

#include "runtime/math/integer.h"

enum
{
	bvmath_most_roots = 3,
};

/// A polynomial: the sum of coefficient[k] * t^k.
typedef struct bvmath_polynomial
{
	int degree; ///< -1 of zero; otherwise coefficient[degree] is not 0
	bvmath_integer coefficient[bvmath_most_roots + 1];
} bvmath_polynomial;

/// A number: numerator / denominator, and the denominator is above 0.
typedef struct bvmath_fraction
{
	bvmath_integer numerator;
	bvmath_integer denominator;
} bvmath_fraction;

/// The distinct real roots of a polynomial, in ascending order.
typedef struct bvmath_roots
{
	int count;
	bool fractions; ///< all of them are fractions
	bvmath_fraction fraction[2];
	bvmath_polynomial polynomial; ///< otherwise; its degree is 2 or 3, its roots are simple
	bvmath_polynomial first;      ///< its derivative
	bvmath_polynomial second;     ///< the derivative of that
} bvmath_roots;

/// One of them.
typedef struct bvmath_root
{
	const bvmath_roots* roots;
	int index;
	double lower; ///< it is not below this; may be infinite
	double upper; ///< and not above this; may be infinite
} bvmath_root;

/// Sets the degree.
/// @param most  coefficients up to that of t^most are given
void bvmath_polynomial_trim( bvmath_polynomial* p, int most );

/// Sets the degree, and takes back all digits but the first `used` and those of the coefficients, which move down.
/// @param used  of the pool's digits, before the first coefficient was computed. All later digits are of coefficients, in order
/// @param most  coefficients up to that of t^most are given
void bvmath_polynomial_keep( bvmath_pool* pool, uint32_t used, int most, bvmath_polynomial* p );

/// @param p  not zero
void bvmath_roots_of( bvmath_pool* pool, const bvmath_polynomial* p, bvmath_roots* out );

/// Makes 0 the only root.
void bvmath_roots_of_zero( bvmath_pool* pool, bvmath_roots* out );

/// @param q  of degree 2 at most
/// @return the sign of q at a root. It is exact, and costs less if the root's bounds decide it
int bvmath_sign_at_root( bvmath_pool* pool, const bvmath_root* root, const bvmath_polynomial* q );

/// @param x  from 0 to 1
/// @return -1, 0 or 1 if root `index` is below, at or above x
int bvmath_compare_root( bvmath_pool* pool, const bvmath_roots* roots, int index, double x );

/// Bounds a root by numbers that are equal to it, or at most 2^-48 apart.
/// @param limit  from 0 to 1; the root is between 0 and this
/// @param io     `roots` and `index` are given. Receives `lower`, which is above 0 if the root is, and `upper`
void bvmath_bound_root( bvmath_pool* pool, double limit, bvmath_root* io );
