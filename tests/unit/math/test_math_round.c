// Directed rounding to binary32, against nextafterf and comparisons in binary64.

#include "support.h"

#include "runtime/math/round.h"

#include <float.h>

static double of_bits( uint64_t bits )
{
	double x;
	memcpy( &x, &bits, sizeof x );
	return x;
}

static uint32_t bits_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits;
}

// Any bits, binary32 numbers and their neighbors in binary64, halfway between two, subnormal ones, beyond the range, infinite ones, zeros.
static double draw_number( fixture* f )
{
	uint64_t bits = random_bits( f );
	uint64_t sign = bits & UINT64_C( 1 ) << 63;
	double x = of_bits( bits );
	uint32_t few = (uint32_t)( random_bits( f ) % 3 ) - 1;
	switch ( random_bits( f ) % 8 )
	{
	case 0: return isnan( x ) ? 0 : x;
	case 1:
		return isnan( x ) || fabs( x ) > (double)FLT_MAX
		           ? 1
		           : of_bits( ( bits & ~UINT64_C( 0x1fffffff ) ) + few );
	case 2: return isnan( x ) ? 1 : of_bits( ( ( bits & ~UINT64_C( 0x1fffffff ) ) | 0x10000000 ) + few );
	case 3:
		return of_bits( sign | (uint64_t)( 1023 - 150 + random_bits( f ) % 30 ) << 52 |
		                bits % ( UINT64_C( 1 ) << 52 ) );
	case 4:
		return of_bits( sign | (uint64_t)( 1023 + 120 + random_bits( f ) % 12 ) << 52 |
		                bits % ( UINT64_C( 1 ) << 52 ) );
	case 5:
		return of_bits( sign | (uint64_t)( 1023 + random_bits( f ) % 12 ) << 52 |
		                bits % ( UINT64_C( 1 ) << 52 ) );
	case 6: return of_bits( sign | ( random_bits( f ) % 2 ? 0 : UINT64_C( 0x7ff ) << 52 ) );
	default:
		return (double)(float)of_bits( sign | (uint64_t)( 1023 - 60 + random_bits( f ) % 120 ) << 52 |
		                               bits % ( UINT64_C( 1 ) << 52 ) );
	}
}

// A conversion rounds to the nearest, so that the result is that or its neighbor.
static float expected_up( double x )
{
	float nearest = (float)x;
	return (double)nearest < x ? nextafterf( nearest, INFINITY ) : nearest;
}

static float expected_down( double x )
{
	float nearest = (float)x;
	return (double)nearest > x ? nextafterf( nearest, -INFINITY ) : nearest;
}

static void bounds_are_rounded_outward( void** state )
{
	fixture* f = *state;
	uint32_t exact = 0;
	for ( int round = 0; round < 400000; ++round )
	{
		double from[6];
		float to[6];
		bool is_exact = true;
		for ( int k = 0; k < 6; ++k )
		{
			from[k] = round % 4 == 0 ? (double)(float)draw_number( f ) : draw_number( f );
			is_exact = is_exact && (double)(float)from[k] == from[k];
		}
		assert_int_equal( bvmath_round_outward( from, to ), is_exact );
		exact += is_exact;
		for ( int k = 0; k < 6; ++k )
		{
			float expected = k < 3 ? expected_down( from[k] ) : expected_up( from[k] );
			float one = k < 3 ? bvmath_float_down( from[k] ) : bvmath_float_up( from[k] );
			assert_int_equal( bits_of( to[k] ), bits_of( expected ) );
			assert_int_equal( bits_of( one ), bits_of( expected ) );
		}
	}
	assert_true( exact > 1000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bounds_are_rounded_outward ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
