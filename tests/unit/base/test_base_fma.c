// The fma that Windows gets rounds once: it equals the one of this machine's C library.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

static double of_this_machine( double a, double b, double c )
{
	return fma( a, b, c );
}

#define fma fma_of_windows
#include "offline/base/system_math_windows.c"

static uint64_t seed = 88172645463325252u;

static uint64_t next( void )
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

// @param least  exponent
static double make_number( int least, int most )
{
	double x =
		ldexp( (double)( next() >> 11 ) + 1, least + (int)( next() % (uint64_t)( most - least + 1 ) ) - 53 );
	return next() & 1 ? -x : x;
}

static void check( double a, double b, double c )
{
	double expected = of_this_machine( a, b, c );
	const double found[] = { add_exactly( a, b, c ), fma_of_windows( a, b, c ) };
	for ( int i = 0; i < 2; ++i )
	{
		bool same =
			isnan( expected ) ? isnan( found[i] ) : memcmp( &expected, &found[i], sizeof expected ) == 0;
		if ( !same )
		{
			fail_msg( "fma( %a, %a, %a ) is %a, not %a", a, b, c, expected, found[i] );
		}
	}
}

static void test_any_numbers( void** state )
{
	(void)state;
	for ( int i = 0; i < 400000; ++i )
	{
		check( make_number( -40, 40 ), make_number( -40, 40 ), make_number( -80, 80 ) );
	}
}

// The error of a product, as exact arithmetic asks for it; and numbers that are nearly that.
static void test_tails_of_products( void** state )
{
	(void)state;
	for ( int i = 0; i < 400000; ++i )
	{
		double a = make_number( -300, 300 );
		double b = make_number( -300, 300 );
		double product = a * b;
		check( a, b, -product );
		check( a, b, nextafter( -product, (double)( i % 3 - 1 ) ) );
		check( a, b, -product * ( 1 + ldexp( 1, -( i % 60 ) ) ) );
	}
}

// Results that are halfway but for what is far below.
static void test_ties( void** state )
{
	(void)state;
	for ( int i = 0; i < 200000; ++i )
	{
		double c = make_number( 0, 4 );
		double half = ldexp( 1, ilogb( c ) - 53 );
		check( half, i & 1 ? 1.0 : 1 + DBL_EPSILON, c );
		check( half, i & 1 ? 1 - DBL_EPSILON / 2 : 3.0, c );
		check( ldexp( 1, -100 ), ldexp( i & 2 ? 1 : -1, -( i % 80 ) ), c );
	}
}

static void test_the_smallest_numbers( void** state )
{
	(void)state;
	for ( int i = 0; i < 400000; ++i )
	{
		check( make_number( -540, -480 ), make_number( -600, -500 ), make_number( -1074, -1000 ) );
		check( make_number( -1074, -1020 ), make_number( -3, 60 ), make_number( -1074, -1000 ) );
	}
}

static void test_the_largest_and_special_numbers( void** state )
{
	(void)state;
	static const double numbers[] = { 0.0,      -0.0,         1.0,         -1.0,          DBL_MAX,
		                              -DBL_MAX, DBL_MIN,      -DBL_MIN,    INFINITY,      -INFINITY,
		                              NAN,      DBL_TRUE_MIN, 0.5,         2.0,           1e308,
		                              -1e308,   3.0,          DBL_EPSILON, -DBL_TRUE_MIN, 1e-308 };
	const size_t count = sizeof numbers / sizeof *numbers;
	for ( size_t i = 0; i < count * count * count; ++i )
	{
		check( numbers[i % count], numbers[i / count % count], numbers[i / count / count] );
	}
	for ( int i = 0; i < 100000; ++i )
	{
		check( make_number( 480, 512 ), make_number( 480, 513 ), make_number( 960, 1023 ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_any_numbers ),
		cmocka_unit_test( test_tails_of_products ),
		cmocka_unit_test( test_ties ),
		cmocka_unit_test( test_the_smallest_numbers ),
		cmocka_unit_test( test_the_largest_and_special_numbers ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
