// Exact sums and products, judged by integers of any length (GMP): a number is compared as a fraction of two integers.

#include "support.h"

#include "runtime/math/exact.h"
#include "runtime/math/wide.h"
#include "tests/reference/random.h"

#include <gmp.h>

// Binary64 numbers of many sizes, zeros, equal ones, and those with few bits.
static double any_number( uint64_t* seed, int spread )
{
	static const double special[] = { 0, -0.0, 1, -1, 3, 0x1p64, 0x1p-64 };
	uint32_t choice = next_random( seed );
	if ( choice % 8 == 0 )
	{
		return special[next_random( seed ) % ( sizeof special / sizeof *special )];
	}
	double x = random_coordinate( seed ) + 0x1p-31 * random_coordinate( seed );
	return ldexp( x, (int)( next_random( seed ) % (uint32_t)( 2 * spread + 1 ) ) - spread );
}

static void value_of( const bvmath_exact* x, mpq_t out )
{
	mpz_t limbs;
	mpz_init( limbs );
	mpz_import( limbs, x->count, -1, sizeof *x->limb, 0, 0, x->limb );
	mpq_set_z( out, limbs );
	if ( x->low >= 0 )
	{
		mpq_mul_2exp( out, out, 64 * (mp_bitcnt_t)x->low );
	}
	else
	{
		mpq_div_2exp( out, out, 64 * (mp_bitcnt_t)-x->low );
	}
	if ( x->sign < 0 )
	{
		mpq_neg( out, out );
	}
	mpz_clear( limbs );
}

static void assert_same( const bvmath_exact* x, const mpq_t expected )
{
	mpq_t value;
	mpq_init( value );
	assert_false( x->lost );
	assert_true( x->count == 0 || x->limb[x->count - 1] != 0 );
	value_of( x, value );
	assert_true( mpq_equal( value, expected ) );
	assert_int_equal( x->sign, mpq_sgn( expected ) );
	mpq_clear( value );
}

static void sums_and_products_are_exact( void** state )
{
	(void)state;
	uint64_t seed = 1;
	mpq_t value[3];
	mpq_t other;
	mpq_init( other );
	for ( int i = 0; i < 3; ++i )
	{
		mpq_init( value[i] );
	}
	for ( int round = 0; round < 20000; ++round )
	{
		int spread = round % 2 ? 20 : 200;
		bvmath_exact x[3];
		bvmath_exact sum;
		bvmath_exact product;
		for ( int i = 0; i < 3; ++i )
		{
			double number = any_number( &seed, spread );
			bvmath_exact_set( number, x + i );
			mpq_set_d( value[i], number );
			assert_same( x + i, value[i] );
		}
		// ( x0 + x1 ) * x2 - x0
		bvmath_exact_add( x, x + 1, &sum );
		mpq_add( other, value[0], value[1] );
		assert_same( &sum, other );
		bvmath_exact_multiply( &sum, x + 2, &product );
		mpq_mul( other, other, value[2] );
		assert_same( &product, other );
		bvmath_exact_subtract( &product, x, &product ); // in place
		mpq_sub( other, other, value[0] );
		assert_same( &product, other );
		bvmath_exact_subtract( x, &product, &sum );
		mpq_sub( other, value[0], other );
		assert_same( &sum, other );
	}
	mpq_clear( other );
	for ( int i = 0; i < 3; ++i )
	{
		mpq_clear( value[i] );
	}
}

static void numbers_of_all_sizes_are_set( void** state )
{
	(void)state;
	static const double numbers[] = { 0x1p-1074, -0x1.fffffffffffffp-1023, 0x1p-1022, -0x1.fffffffffffffp1023,
		                              0x1p63 };
	mpq_t value;
	mpq_init( value );
	for ( size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i )
	{
		bvmath_exact x;
		bvmath_exact_set( numbers[i], &x );
		mpq_set_d( value, numbers[i] );
		assert_same( &x, value );
	}
	mpq_clear( value );
}

// Equal numbers of opposite signs leave nothing, with all limbs that cancel on the way.
static void differences_of_equal_numbers_are_zero( void** state )
{
	(void)state;
	bvmath_exact large;
	bvmath_exact small;
	bvmath_exact sum;
	bvmath_exact_set( 0x1p300, &large );
	bvmath_exact_set( 0x1p-300, &small );
	bvmath_exact_add( &large, &small, &sum );
	bvmath_exact_subtract( &sum, &large, &sum );
	bvmath_exact_subtract( &sum, &small, &sum );
	assert_int_equal( sum.sign, 0 );
	assert_int_equal( sum.count, 0 );
}

static void numbers_that_do_not_fit_are_lost_and_stay_lost( void** state )
{
	(void)state;
	bvmath_exact large;
	bvmath_exact small;
	bvmath_exact sum;
	bvmath_exact product;
	bvmath_exact_set( 0x1p900, &large );
	bvmath_exact_set( 0x1p-1000, &small );
	bvmath_exact_add( &large, &small, &sum );
	assert_true( sum.lost );
	bvmath_exact_multiply( &sum, &small, &product );
	assert_true( product.lost );
	bvmath_exact_subtract( &sum, &sum, &sum );
	assert_true( sum.lost );
}

// The double nearest to zero in magnitude that GMP makes of the number, and ours, are both rounded towards 0.
static void fractions_are_rounded_towards_zero( void** state )
{
	(void)state;
	uint64_t seed = 2;
	mpq_t value;
	mpq_init( value );
	for ( int round = 0; round < 5000; ++round )
	{
		bvmath_exact x[3];
		bvmath_exact product;
		bvmath_exact sum;
		for ( int i = 0; i < 3; ++i )
		{
			bvmath_exact_set( any_number( &seed, 60 ), x + i );
		}
		bvmath_exact_multiply( x, x + 1, &product );
		bvmath_exact_add( &product, x + 2, &sum );
		value_of( &sum, value );
		int exponent;
		double fraction = bvmath_exact_split( &sum, &exponent );
		assert_true( sum.sign == 0 ? fraction == 0 : fabs( fraction ) >= 0.5 && fabs( fraction ) < 1 );
		if ( exponent > -900 )
		{
			double expected = mpq_get_d( value ); // truncates, GMP manual, section 6.4
			assert_true( bvmath_scale_by( fraction, exponent ) == expected );
		}
	}
	mpq_clear( value );
}

// sqrt( 9 x / 4 x ) and 3 x / sqrt( 4 x x ) are 3 / 2 whatever x is, also of sizes that binary64 does not have.
static void roots_of_ratios_are_right_at_all_sizes( void** state )
{
	(void)state;
	static const double sizes[] = { 1, 3, 0x1p400, 0x1p-400, 0x1.921fb54442d18p1, 2 };
	for ( size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i )
	{
		bvmath_exact x;
		bvmath_exact number;
		bvmath_exact a;
		bvmath_exact b;
		bvmath_exact square;
		bvmath_exact_set( sizes[i], &x );
		bvmath_exact_set( 9, &number );
		bvmath_exact_multiply( &number, &x, &a );
		bvmath_exact_set( 4, &number );
		bvmath_exact_multiply( &number, &x, &b );
		assert_true( fabs( bvmath_exact_root_of_ratio( &a, &b ) - 1.5 ) <= 0x1p-49 );
		bvmath_exact_multiply( &b, &x, &square );
		bvmath_exact_set( -3, &number );
		bvmath_exact_multiply( &number, &x, &a );
		assert_true( fabs( bvmath_exact_over_root( &a, &square ) + 1.5 ) <= 0x1p-49 );
	}
}

static void exact_wide( bvmath_wide x, mpq_t out )
{
	mpq_t low;
	mpq_init( low );
	mpq_set_d( out, x.high );
	mpq_set_d( low, x.low );
	mpq_add( out, out, low );
	mpq_clear( low );
}

// The error of a dot product in twice the precision is below 2^-96 of the sum of the products' magnitudes.
static void wide_products_err_by_little( void** state )
{
	(void)state;
	uint64_t seed = 3;
	mpq_t sum;
	mpq_t size;
	mpq_t part;
	mpq_t other;
	mpq_inits( sum, size, part, other, NULL );
	for ( int round = 0; round < 5000; ++round )
	{
		double a[3];
		bvmath_wide3 b;
		mpq_set_ui( sum, 0, 1 );
		mpq_set_ui( size, 0, 1 );
		for ( int k = 0; k < 3; ++k )
		{
			a[k] = ldexp( random_coordinate( &seed ), (int)( next_random( &seed ) % 40 ) - 20 );
			b.x[k] = bvmath_wide_product( random_coordinate( &seed ), random_coordinate( &seed ) );
			exact_wide( b.x[k], part );
			mpq_set_d( other, a[k] );
			mpq_mul( part, part, other );
			mpq_add( sum, sum, part );
			mpq_abs( part, part );
			mpq_add( size, size, part );
		}
		exact_wide( bvmath_wide3_dot( ( bv_vec3 ){ a[0], a[1], a[2] }, &b ), other );
		mpq_sub( other, other, sum );
		mpq_abs( other, other );
		mpq_mul_2exp( other, other, 96 );
		assert_true( mpq_cmp( other, size ) <= 0 );
	}
	mpq_clears( sum, size, part, other, NULL );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( numbers_of_all_sizes_are_set ),
		cmocka_unit_test( sums_and_products_are_exact ),
		cmocka_unit_test( differences_of_equal_numbers_are_zero ),
		cmocka_unit_test( numbers_that_do_not_fit_are_lost_and_stay_lost ),
		cmocka_unit_test( fractions_are_rounded_towards_zero ),
		cmocka_unit_test( roots_of_ratios_are_right_at_all_sizes ),
		cmocka_unit_test( wide_products_err_by_little ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
