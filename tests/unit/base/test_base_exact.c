// The signs of orientations and of differences of distances against 128-bit integers, near and at zero.

#include "support.h"

#include "offline/base/exact.h"

__extension__ typedef __int128 wide;

static int sign_of( wide x )
{
	return ( x > 0 ) - ( x < 0 );
}

static int sign_of_double( double x )
{
	return ( x > 0 ) - ( x < 0 );
}

static int64_t random_integer( fixture* f, int bits )
{
	return (int64_t)( random_bits( f ) >> ( 64 - bits ) ) - ( (int64_t)1 << ( bits - 1 ) );
}

// Points of up to 40 bits on a line through small steps, moved by one unit or not at all: most are at zero or next to it.
static void orientation_in_the_plane_has_the_exact_sign( void** state )
{
	fixture* f = *state;
	int zeros = 0;
	for ( int round = 0; round < 200000; ++round )
	{
		int64_t p[3][2];
		int64_t step[2] = { random_integer( f, 20 ), random_integer( f, 20 ) };
		int64_t origin[2] = { random_integer( f, 40 ), random_integer( f, 40 ) };
		for ( int i = 0; i < 3; ++i )
		{
			int64_t times = random_integer( f, 18 );
			p[i][0] = origin[0] + times * step[0];
			p[i][1] = origin[1] + times * step[1] + ( i == round % 6 );
		}
		wide expected = (wide)( p[1][0] - p[0][0] ) * ( p[2][1] - p[0][1] ) -
		                (wide)( p[1][1] - p[0][1] ) * ( p[2][0] - p[0][0] );
		double unit = 0x1p-42;
		double value = bvbase_orient2d( ( bvbase_vec2 ){ unit * (double)p[0][0], unit * (double)p[0][1] },
		                                ( bvbase_vec2 ){ unit * (double)p[1][0], unit * (double)p[1][1] },
		                                ( bvbase_vec2 ){ unit * (double)p[2][0], unit * (double)p[2][1] } );
		assert_int_equal( sign_of_double( value ), sign_of( expected ) );
		zeros += expected == 0;
	}
	assert_true( zeros > 50000 && zeros < 150000 );
}

// Points of a plane, moved by one unit or not at all; the determinant of numbers of 36 bits has 110.
static void orientation_in_space_has_the_exact_sign( void** state )
{
	fixture* f = *state;
	int zeros = 0;
	for ( int round = 0; round < 200000; ++round )
	{
		int64_t p[4][3];
		int64_t side[2][3];
		int64_t origin[3];
		for ( int k = 0; k < 3; ++k )
		{
			side[0][k] = random_integer( f, 18 );
			side[1][k] = random_integer( f, 18 );
			origin[k] = random_integer( f, 34 );
		}
		for ( int i = 0; i < 4; ++i )
		{
			int64_t s = random_integer( f, 16 );
			int64_t t = random_integer( f, 16 );
			for ( int k = 0; k < 3; ++k )
			{
				p[i][k] = origin[k] + s * side[0][k] + t * side[1][k] + ( k == 1 && i == round % 8 );
			}
		}
		wide d[3][3];
		bv_vec3 v[4];
		for ( int i = 0; i < 4; ++i )
		{
			double unit = 0x1p-36;
			v[i] = ( bv_vec3 ){ unit * (double)p[i][0], unit * (double)p[i][1], unit * (double)p[i][2] };
			for ( int k = 0; k < 3 && i > 0; ++k )
			{
				d[i - 1][k] = p[i][k] - p[0][k];
			}
		}
		wide expected = ( d[0][1] * d[1][2] - d[0][2] * d[1][1] ) * d[2][0] +
		                ( d[0][2] * d[1][0] - d[0][0] * d[1][2] ) * d[2][1] +
		                ( d[0][0] * d[1][1] - d[0][1] * d[1][0] ) * d[2][2];
		assert_int_equal( sign_of_double( bvbase_orient3d( v[0], v[1], v[2], v[3] ) ), sign_of( expected ) );
		zeros += expected == 0;
	}
	assert_true( zeros > 50000 && zeros < 150000 );
}

static void set_point( bv_vec3* point, const int64_t p[3] )
{
	double unit = 0x1p-40;
	*point = ( bv_vec3 ){ unit * (double)p[0], unit * (double)p[1], unit * (double)p[2] };
}

// Two pairs of points with the same step between them up to its order and signs, moved by one unit or not at all.
static void distances_are_compared_exactly( void** state )
{
	fixture* f = *state;
	int zeros = 0;
	for ( int round = 0; round < 200000; ++round )
	{
		int64_t p[4][3];
		int64_t step[3];
		for ( int k = 0; k < 3; ++k )
		{
			step[k] = random_integer( f, 40 );
			p[0][k] = random_integer( f, 45 );
			p[2][k] = random_integer( f, 45 );
		}
		wide expected = 0;
		for ( int k = 0; k < 3; ++k )
		{
			int64_t other = step[( k + round ) % 3] + ( k == round % 6 );
			p[1][k] = p[0][k] + step[k];
			p[3][k] = p[2][k] + ( k == 1 ? -other : other );
			expected += (wide)step[k] * step[k] - (wide)other * other;
		}
		bv_vec3 v[4];
		for ( int i = 0; i < 4; ++i )
		{
			set_point( v + i, p[i] );
		}
		assert_int_equal( sign_of_double( bvbase_compare_distances( v[0], v[1], v[2], v[3] ) ),
		                  sign_of( expected ) );
		zeros += expected == 0;
	}
	assert_true( zeros > 50000 && zeros < 150000 );
}

// Squares of these numbers have 106 bits, and the differences do not fit into one binary64 number.
static void distances_of_far_points_are_compared_exactly( void** state )
{
	(void)state;
	const bv_vec3 zero = { 0, 0, 0 };
	const bv_vec3 a = { 1, 0x1p-50, 0 };
	const bv_vec3 one = { 1, 0, 0 };
	assert_true( bvbase_compare_distances( a, zero, one, zero ) > 0 );
	assert_true( bvbase_compare_distances( one, zero, zero, a ) < 0 );
	const bv_vec3 far = { 0x1p50, 0, 0 };
	const bv_vec3 near = { -0x1p-50, 0, 0 };
	assert_true( bvbase_compare_distances( far, near, far, zero ) > 0 );
	assert_true( bvbase_compare_distances( far, zero, far, near ) < 0 );
	assert_true( bvbase_compare_distances( far, near, near, far ) == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( orientation_in_the_plane_has_the_exact_sign ),
		fixture_test( orientation_in_space_has_the_exact_sign ),
		fixture_test( distances_are_compared_exactly ),
		fixture_test( distances_of_far_points_are_compared_exactly ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
