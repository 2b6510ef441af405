// Angles of points, sines and cosines against long double functions of libm, which have 11 bits more on x86.

#include "support.h"

#include "runtime/math/angle.h"

#include <float.h>

// The distance from the true angle in units of the last place of a double there.
static double error_in_ulps( double y, double x )
{
	long double expected = atan2l( y, x );
	double value = bvmath_atan2( y, x );
	int exponent;
	frexp( (double)expected, &exponent );
	exponent = exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent;
	return (double)fabsl( ldexpl( value - expected, DBL_MANT_DIG - exponent ) );
}

// The bound that angle.h states.
static void assert_near_the_angle( double y, double x )
{
	double error = error_in_ulps( y, x );
	if ( !( error <= 1.6 ) )
	{
		fail_msg( "atan2( %a, %a ) is wrong by %g ulps", y, x, error );
	}
}

static double random_sign( fixture* f )
{
	return random_bits( f ) >> 63 ? 1 : -1;
}

static void random_points_of_the_unit_square( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000000; ++i )
	{
		double y = 2 * random_unit( f ) - 1;
		assert_near_the_angle( y, 2 * random_unit( f ) - 1 );
	}
}

// Exponents anywhere: quotients that overflow, underflow and lose bits.
static void random_exponents( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 300000; ++i )
	{
		double y = random_sign( f ) * ldexp( 1 + random_unit( f ), (int)( random_bits( f ) % 2098 ) - 1074 );
		double x = random_sign( f ) * ldexp( 1 + random_unit( f ), (int)( random_bits( f ) % 2098 ) - 1074 );
		assert_near_the_angle( y, x );
		assert_near_the_angle( y, y * random_unit( f ) * 8 );
	}
}

// Quotients at and next to multiples of 1 / 32: the table's entries and the borders between them.
static void next_to_table_entries_and_borders( void** state )
{
	fixture* f = *state;
	for ( int k = 0; k <= 32; ++k )
	{
		for ( int i = 0; i < 1000; ++i )
		{
			double x = ldexp( 1 + random_unit( f ), (int)( random_bits( f ) % 2000 ) - 1000 );
			double y = x * ( k / 32.0 );
			for ( int side = -1; side <= 1; ++side )
			{
				double moved = side == 0 ? y : nextafter( y, side * INFINITY );
				assert_near_the_angle( moved, x );
				assert_near_the_angle( -x, moved );
			}
		}
	}
}

// Zeros, infinities, the least and the greatest numbers, in all pairs: what C's annex F prescribes for atan2,
// the signs of zeros included.
static void special_points( void** state )
{
	(void)state;
	const double special[] = { 0, 0x1p-1074, 0x1.8p-1073,           DBL_MIN, 0x1p-900, 0x1.fp-901, 0.5,
		                       1, 0x1p900,   0x1.0000000000001p900, DBL_MAX, INFINITY };
	enum
	{
		count = sizeof special / sizeof *special,
	};
	for ( int i = 0; i < 4 * count * count; ++i )
	{
		double y = ( i & 1 ? -1 : 1 ) * special[i / 4 % count];
		double x = ( i & 2 ? -1 : 1 ) * special[i / 4 / count];
		assert_near_the_angle( y, x );
		assert_true( !signbit( bvmath_atan2( y, x ) ) == !signbit( y ) );
	}
	assert_true( isnan( bvmath_atan2( NAN, 1 ) ) && isnan( bvmath_atan2( -INFINITY, NAN ) ) );
}

// The multiples of 45 degrees, rounded to nearest, by definition of the constant.
static void diagonals_and_axes_are_rounded_correctly( void** state )
{
	(void)state;
	const double pi = 3.14159265358979323846;
	for ( double r = 0x1p-1074; r < INFINITY; r *= 0x1p53 )
	{
		assert_true( bvmath_atan2( r, r ) == pi / 4 );
		assert_true( bvmath_atan2( r, 0 ) == pi / 2 );
		assert_true( bvmath_atan2( 0, -r ) == pi );
		assert_true( bvmath_atan2( -r, -r ) == -3 * ( pi / 4 ) );
	}
}

// Against the long double of the C library, which is right to 2^-60 or so.
static double sincos_error( double angle )
{
	double sine;
	double cosine;
	bvmath_sincos( angle, &sine, &cosine );
	return fmax( (double)fabsl( (long double)sine - sinl( (long double)angle ) ),
	             (double)fabsl( (long double)cosine - cosl( (long double)angle ) ) );
}

// The bound that angle.h states, also next to multiples of 45 degrees, where the quarter and the sign change.
static void sines_and_cosines_are_close( void** state )
{
	fixture* f = *state;
	double worst = 0;
	for ( int i = -300000; i <= 300000; ++i )
	{
		worst = fmax( worst, sincos_error( i * ( i % 2 ? 1e-5 : 3.0123 ) ) );
		worst = fmax( worst, sincos_error( ( 2 * random_unit( f ) - 1 ) * 0x1p20 ) );
		worst = fmax( worst, sincos_error( ldexp( random_unit( f ), -(int)( random_bits( f ) % 60 ) ) ) );
		double eighth = (double)(int)( random_bits( f ) % 1300000 ) * 0.78539816339744830962;
		worst = fmax( worst, sincos_error( eighth ) );
		worst = fmax( worst, sincos_error( nextafter( eighth, i % 2 ? INFINITY : -INFINITY ) ) );
	}
	assert_true( worst < 0x1p-51 );
	static const double none[] = { NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		double sine;
		double cosine;
		bvmath_sincos( none[i], &sine, &cosine );
		assert_true( isnan( sine ) && isnan( cosine ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( sines_and_cosines_are_close ),
		fixture_test( random_points_of_the_unit_square ),
		fixture_test( random_exponents ),
		fixture_test( next_to_table_entries_and_borders ),
		fixture_test( special_points ),
		fixture_test( diagonals_and_axes_are_rounded_correctly ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
