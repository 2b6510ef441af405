// Integers of a pool against GMP, and signs at roots of polynomials whose roots are known, or against Sturm's count.

#include "support.h"

#include "runtime/math/roots.h"
#include "tests/reference/random.h"

#include <gmp.h>

static void value_of( const bvmath_pool* pool, bvmath_integer x, mpz_t out )
{
	mpz_t digit;
	mpz_init( digit );
	mpz_set_si( out, 0 );
	for ( uint32_t i = x.first; i < x.first + x.count; ++i )
	{
		mpz_set_si( digit, pool->digit[i] );
		mpz_mul_2exp( digit, digit, 64 * (mp_bitcnt_t)pool->place[i] );
		mpz_add( out, out, digit );
	}
	if ( x.sign < 0 )
	{
		mpz_neg( out, out );
	}
	mpz_clear( digit );
}

static void assert_integer( const bvmath_pool* pool, bvmath_integer x, const mpz_t expected )
{
	mpz_t value;
	mpz_init( value );
	assert_false( pool->full );
	for ( uint32_t i = x.first; i < x.first + x.count; ++i )
	{
		assert_true( pool->digit[i] != 0 );
		assert_true( i == x.first || pool->place[i] > pool->place[i - 1] );
	}
	assert_true( x.count == 0 || pool->digit[x.first + x.count - 1] > 0 );
	value_of( pool, x, value );
	assert_int_equal( mpz_cmp( value, expected ), 0 );
	assert_int_equal( x.sign, mpz_sgn( expected ) );
	mpz_clear( value );
}

// Multiples of 2^-100 of many sizes, zeros among them.
static double any_number( uint64_t* seed )
{
	uint64_t bits = (uint64_t)next_random( seed ) << 22 ^ next_random( seed );
	double x =
		ldexp( (double)( bits >> next_random( seed ) % 54 ), (int)( next_random( seed ) % 200 ) - 100 );
	return next_random( seed ) % 2 ? x : -x;
}

// What is made of a number, times 2^100.
static void set_number( double x, mpz_t out )
{
	mpz_set_d( out, ldexp( x, 100 ) );
}

static void sums_products_and_shifts_equal_those_of_gmp( void** state )
{
	(void)state;
	uint64_t seed = 1;
	mpz_t value[4];
	mpz_t expected;
	mpz_t other;
	mpz_inits( expected, other, value[0], value[1], value[2], value[3], NULL );
	for ( int round = 0; round < 20000; ++round )
	{
		bvmath_pool pool;
		bvmath_pool_begin( &pool );
		bvmath_integer x[4];
		for ( int i = 0; i < 4; ++i )
		{
			double number = any_number( &seed );
			x[i] = bvmath_integer_of( &pool, number, -100 );
			set_number( number, value[i] );
			assert_integer( &pool, x[i], value[i] );
		}
		bvmath_integer sum = bvmath_integer_add( &pool, x[0], x[1] );
		mpz_add( expected, value[0], value[1] );
		assert_integer( &pool, sum, expected );
		bvmath_integer product = bvmath_integer_multiply( &pool, sum, x[2] );
		mpz_mul( expected, expected, value[2] );
		assert_integer( &pool, product, expected );
		mpz_sub( expected, expected, value[3] );
		assert_integer( &pool, bvmath_integer_subtract( &pool, product, x[3] ), expected );
		uint32_t shift = next_random( &seed ) % 200;
		mpz_mul_2exp( expected, value[0], shift );
		assert_integer( &pool, bvmath_integer_shift( &pool, x[0], shift ), expected );
		int32_t factor = (int32_t)( next_random( &seed ) % 2000 ) - 1000;
		mpz_mul_si( expected, value[1], factor );
		assert_integer( &pool, bvmath_integer_times( &pool, x[1], factor ), expected );
		mpz_mul( expected, value[0], value[3] );
		mpz_mul( other, value[1], value[2] );
		mpz_sub( expected, expected, other );
		uint32_t used = pool.used;
		bvmath_integer cross = bvmath_integer_cross( &pool, x[0], x[1], x[2], x[3] );
		assert_integer( &pool, cross, expected );
		assert_int_equal( pool.used, used + cross.count );
	}
	mpz_clears( expected, other, value[0], value[1], value[2], value[3], NULL );
}

// Differences of numbers of very different sizes, and products of these, have as many digits as they have parts.
static void numbers_with_gaps_are_short( void** state )
{
	(void)state;
	bvmath_pool pool;
	bvmath_pool_begin( &pool );
	bvmath_integer large = bvmath_integer_of( &pool, 0x1p200, -1074 );
	bvmath_integer small = bvmath_integer_of( &pool, 0x1p-1074, -1074 );
	bvmath_integer difference = bvmath_integer_subtract( &pool, large, small );
	assert_int_equal( difference.count, 2 );
	bvmath_integer square = bvmath_integer_multiply( &pool, difference, difference );
	assert_int_equal( square.count, 3 );
	bvmath_integer fourth = bvmath_integer_multiply( &pool, square, square );
	assert_int_equal( fourth.count, 5 );
	mpz_t expected;
	mpz_init_set_ui( expected, 1 );
	mpz_mul_2exp( expected, expected, 1274 );
	mpz_sub_ui( expected, expected, 1 );
	mpz_pow_ui( expected, expected, 4 );
	assert_integer( &pool, fourth, expected );
	mpz_clear( expected );
}

static void places_of_numbers_are_those_of_their_bits( void** state )
{
	(void)state;
	assert_int_equal( bvmath_last_place( 0x1p-1074 ), -1074 );
	assert_int_equal( bvmath_first_place( 0x1p-1074 ), -1073 );
	assert_int_equal( bvmath_last_place( -0x1.8p-1023 ), -1024 );
	assert_int_equal( bvmath_first_place( -0x1.8p-1023 ), -1022 );
	assert_int_equal( bvmath_last_place( 0x1.fffffffffffffp1023 ), 971 );
	assert_int_equal( bvmath_first_place( 0x1.fffffffffffffp1023 ), 1024 );
	assert_int_equal( bvmath_last_place( 12 ), 2 );
	assert_int_equal( bvmath_first_place( 12 ), 4 );
	assert_int_equal( bvmath_last_place( -0.0 ), INT32_MAX );
	assert_int_equal( bvmath_first_place( 0 ), INT32_MIN );
}

static void pool_that_was_full_stays_so( void** state )
{
	(void)state;
	bvmath_pool pool;
	bvmath_pool_begin( &pool );
	bvmath_integer x = bvmath_integer_of( &pool, 0x1.23456789abcdfp0, -52 );
	for ( int i = 0; i < 12; ++i )
	{
		x = bvmath_integer_multiply( &pool, x, x );
	}
	assert_true( pool.full );
	pool.used = 0;
	bvmath_integer_add( &pool, bvmath_integer_of( &pool, 1, 0 ), bvmath_integer_of( &pool, 1, 0 ) );
	assert_true( pool.full );
}

// A polynomial with small coefficients, the constant one first.
static bvmath_polynomial polynomial_of( bvmath_pool* pool, const int c[4] )
{
	bvmath_polynomial out;
	for ( int k = 0; k < 4; ++k )
	{
		out.coefficient[k] = bvmath_integer_of( pool, c[k], 0 );
	}
	bvmath_polynomial_trim( &out, 3 );
	return out;
}

static bvmath_root bound_root( bvmath_pool* pool, const bvmath_roots* roots, int index )
{
	bvmath_root out = { .roots = roots, .index = index };
	bvmath_bound_root( pool, 1, &out );
	return out;
}

// The sign without bounds that could decide it, and with these, if the root has any.
static int sign_at_root( bvmath_pool* pool, const bvmath_roots* roots, int index, const bvmath_polynomial* q )
{
	bvmath_root root = { roots, index, -INFINITY, INFINITY };
	int sign = bvmath_sign_at_root( pool, &root, q );
	if ( bvmath_compare_root( pool, roots, index, 0 ) >= 0 &&
	     bvmath_compare_root( pool, roots, index, 1 ) <= 0 )
	{
		root = bound_root( pool, roots, index );
		assert_int_equal( bvmath_sign_at_root( pool, &root, q ), sign );
	}
	return sign;
}

// The product of linear factors b t - a with the roots a / b, times a number.
static void product_of( int roots[3][2], int count, int times, int out[4] )
{
	memset( out, 0, 4 * sizeof *out );
	out[0] = times;
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 3; k >= 0; --k )
		{
			out[k] = ( k > 0 ? roots[i][1] * out[k - 1] : 0 ) - roots[i][0] * out[k];
		}
	}
}

static int sign_of( int64_t x )
{
	return ( x > 0 ) - ( x < 0 );
}

// Of a polynomial at a / b, where b is above 0.
static int sign_at( const int c[4], int a, int b )
{
	int64_t sum = 0;
	int64_t power = 1;
	for ( int k = 3; k >= 0; --k )
	{
		sum = sum * a + c[k] * power;
		power *= b;
	}
	return sign_of( sum );
}

// All polynomials of degree 1 to 3 with roots from a list, simple and multiple: their places, and the signs of random
// quadratics there.
static void roots_that_are_fractions_are_found( void** state )
{
	(void)state;
	static const int list[][2] = { { -1, 2 }, { 0, 1 }, { 1, 3 }, { 1, 2 }, { 3, 4 }, { 1, 1 }, { 5, 3 } };
	enum
	{
		listed = sizeof list / sizeof *list,
	};
	uint64_t seed = 1;
	for ( int i = 0; i < listed * listed * listed; ++i )
	{
		const int pick[3] = { i % listed, i / listed % listed, i / ( listed * listed ) };
		for ( int degree = 1; degree <= 3; ++degree )
		{
			int root[3][2];
			bool taken[listed] = { false };
			for ( int k = 0; k < degree; ++k )
			{
				memcpy( root[k], list[pick[k]], sizeof root[k] );
				taken[pick[k]] = true;
			}
			int c[4];
			product_of( root, degree, i % 2 ? 5 : -3, c );
			bvmath_pool pool;
			bvmath_pool_begin( &pool );
			bvmath_polynomial p = polynomial_of( &pool, c );
			bvmath_roots roots;
			bvmath_roots_of( &pool, &p, &roots );
			int index = 0;
			for ( int k = 0; k < listed; ++k )
			{
				if ( !taken[k] )
				{
					continue;
				}
				for ( int round = 0; round < 8; ++round )
				{
					// Often a multiple of a factor, which is 0 at the root.
					int q[4];
					int both[3][2] = { { list[k][0], list[k][1] },
						               { (int)( next_random( &seed ) % 7 ) - 3,
						                 1 + (int)( next_random( &seed ) % 4 ) } };
					product_of( both, 1 + round % 2, round % 3 - 1, q );
					q[round % 3] += round < 4 ? 0 : (int)( next_random( &seed ) % 5 ) - 2;
					bvmath_polynomial other = polynomial_of( &pool, q );
					assert_int_equal( sign_at_root( &pool, &roots, index, &other ),
					                  sign_at( q, list[k][0], list[k][1] ) );
				}
				for ( int eighth = 0; eighth <= 8; ++eighth )
				{
					assert_int_equal( bvmath_compare_root( &pool, &roots, index, eighth / 8.0 ),
					                  sign_of( 8 * list[k][0] - eighth * list[k][1] ) );
				}
				if ( list[k][0] >= 0 && list[k][0] <= list[k][1] )
				{
					bvmath_root at = bound_root( &pool, &roots, index );
					double lower = at.lower;
					double upper = at.upper;
					assert_true( fma( lower, list[k][1], -list[k][0] ) <= 0 );
					assert_true( fma( upper, list[k][1], -list[k][0] ) >= 0 );
					assert_true( upper - lower <= 0x1p-47 * upper );
				}
				++index;
			}
			assert_int_equal( roots.count, index );
			assert_false( pool.full );
		}
	}
}

// The number of sign changes of a sequence of polynomials at x, for Sturm's theorem and that of Tarski. In binary64, of
// polynomials so small that nothing is rounded to another sign.
typedef struct chain
{
	int count;
	int degree[6];
	long double c[6][6];
} chain;

static int degree_of( const long double* c, int most )
{
	while ( most >= 0 && fabsl( c[most] ) < 1e-9L )
	{
		--most;
	}
	return most;
}

// Signed remainders of p and p' q.
static chain chain_of( const int p[4], const int q[4] )
{
	chain out = { .count = 2 };
	for ( int i = 0; i < 4; ++i )
	{
		out.c[0][i] = p[i];
		for ( int j = 0; j < 3 && i > 0; ++j )
		{
			out.c[1][i - 1 + j] += (long double)i * p[i] * q[j];
		}
	}
	out.degree[0] = degree_of( out.c[0], 5 );
	out.degree[1] = degree_of( out.c[1], 5 );
	while ( out.count < 6 && out.degree[out.count - 1] > 0 )
	{
		long double* rest = out.c[out.count];
		const long double* by = out.c[out.count - 1];
		int degree = out.degree[out.count - 1];
		memcpy( rest, out.c[out.count - 2], sizeof out.c[0] );
		for ( int top = 5; top >= degree; --top )
		{
			long double factor = rest[top] / by[degree];
			for ( int k = 0; k <= degree; ++k )
			{
				rest[top - degree + k] -= factor * by[k];
			}
			rest[top] = 0;
		}
		for ( int k = 0; k < 6; ++k )
		{
			rest[k] = -rest[k];
		}
		out.degree[out.count] = degree_of( rest, degree - 1 );
		out.count += out.degree[out.count] >= 0;
		if ( out.degree[out.count - 1] == degree )
		{
			break;
		}
	}
	return out;
}

static int changes_at( const chain* c, long double x )
{
	int changes = 0;
	long double last = 0;
	for ( int i = 0; i < c->count; ++i )
	{
		long double value = 0;
		for ( int k = c->degree[i]; k >= 0; --k )
		{
			value = value * x + c->c[i][k];
		}
		changes += value * last < 0;
		last = value != 0 ? value : last;
	}
	return changes;
}

// The sum of the signs of q at the roots of p between -100 and 100 is what Tarski's query says (Basu, Pollack and Roy 2006,
// theorem 2.61).
static void sums_of_signs_equal_tarskis( void** state )
{
	(void)state;
	uint64_t seed = 1;
	int counted[4] = { 0 };
	for ( int round = 0; round < 100000; ++round )
	{
		int p[4];
		int q[4] = { 0 };
		for ( int k = 0; k < 4; ++k )
		{
			p[k] = (int)( next_random( &seed ) % 19 ) - 9;
			q[k] = k < 3 ? (int)( next_random( &seed ) % 19 ) - 9 : 0;
		}
		bvmath_pool pool;
		bvmath_pool_begin( &pool );
		bvmath_polynomial a = polynomial_of( &pool, p );
		bvmath_polynomial b = polynomial_of( &pool, q );
		if ( a.degree < 1 )
		{
			continue;
		}
		bvmath_roots roots;
		bvmath_roots_of( &pool, &a, &roots );
		int sum = 0;
		for ( int i = 0; i < roots.count; ++i )
		{
			sum += sign_at_root( &pool, &roots, i, &b );
		}
		chain c = chain_of( p, q );
		assert_int_equal( sum, changes_at( &c, -100 ) - changes_at( &c, 100 ) );
		++counted[roots.count];
	}
	assert_true( counted[0] > 1000 && counted[1] > 1000 && counted[2] > 1000 && counted[3] > 1000 );
}

// 2 t^2 - 1 and t ( 2 t^2 - 1 ) have the root sqrt( 1 / 2 ). Its bounds are next to it, and where other polynomials are 0 is
// known.
static void irrational_roots_are_bounded( void** state )
{
	(void)state;
	static const int p[2][4] = { { -1, 0, 2, 0 }, { 0, -1, 0, 2 } };
	static const int zero[4] = { 3, 0, -6, 0 };
	static const int below[4] = { -7071, 10000, 0, 0 };
	static const int above[4] = { -7072, 10000, 0, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		bvmath_pool pool;
		bvmath_pool_begin( &pool );
		bvmath_polynomial a = polynomial_of( &pool, p[i] );
		bvmath_roots roots;
		bvmath_roots_of( &pool, &a, &roots );
		assert_int_equal( roots.count, 2 + i );
		bvmath_root at = bound_root( &pool, &roots, 1 + i );
		double lower = at.lower;
		double upper = at.upper;
		assert_true( lower < upper );
		assert_true( (long double)lower * lower < 0.5L && (long double)upper * upper > 0.5L );
		assert_true( upper - lower <= 0x1p-48 );
		bvmath_polynomial q = polynomial_of( &pool, zero );
		assert_int_equal( sign_at_root( &pool, &roots, 1 + i, &q ), 0 );
		assert_int_equal( sign_at_root( &pool, &roots, 0, &q ), 0 );
		q = polynomial_of( &pool, below );
		assert_int_equal( sign_at_root( &pool, &roots, 1 + i, &q ), 1 );
		q = polynomial_of( &pool, above );
		assert_int_equal( sign_at_root( &pool, &roots, 1 + i, &q ), -1 );
	}
}

// Roots of 2^k t - 1 as those of cubics and of linear polynomials: what is above 0 has a lower bound above 0.
static void tiny_roots_have_bounds_above_0( void** state )
{
	(void)state;
	for ( int k = 1; k < 700; k += 37 )
	{
		for ( int degree = 1; degree <= 3; degree += 2 )
		{
			bvmath_pool pool;
			bvmath_pool_begin( &pool );
			const int ones[4] = { -1, 1, 0, degree == 3 };
			bvmath_polynomial p = polynomial_of( &pool, ones );
			p.coefficient[1] = bvmath_integer_shift( &pool, p.coefficient[1], (uint32_t)k );
			bvmath_roots roots;
			bvmath_roots_of( &pool, &p, &roots );
			bvmath_root at = bound_root( &pool, &roots, roots.count - 1 );
			double lower = at.lower;
			double upper = at.upper;
			assert_false( pool.full );
			assert_true( lower > 0 && lower <= ldexp( 1, -k ) );
			assert_true( degree == 3 || upper >= ldexp( 1, -k ) );
			assert_true( upper - lower <= 0x1p-48 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( sums_products_and_shifts_equal_those_of_gmp ),
		cmocka_unit_test( numbers_with_gaps_are_short ),
		cmocka_unit_test( places_of_numbers_are_those_of_their_bits ),
		cmocka_unit_test( pool_that_was_full_stays_so ),
		cmocka_unit_test( roots_that_are_fractions_are_found ),
		cmocka_unit_test( sums_of_signs_equal_tarskis ),
		cmocka_unit_test( irrational_roots_are_bounded ),
		cmocka_unit_test( tiny_roots_have_bounds_above_0 ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
