// What the errors of printed conversions of rotations do (Eckstein 1998, appendix A): each fault shown, and absent from
// the library's form of the same conversion.

#include "support.h"

#include "bv/base.h"
#include "tests/reference/rotations.h"

static const double pi = 3.14159265358979323846;

static bv_vec3 random_axis( fixture* f )
{
	bv_vec3 v;
	do
	{
		v = ( bv_vec3 ){ 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1 };
	} while ( bv_length( v ) > 1 || bv_length( v ) < 0.1 );
	return bv_normalize( v );
}

// The angle between what the angles stand for and the rotation about the axis, from the trace of the difference.
static double error_of_xyz( const double angles[3], bv_vec3 axis, double angle )
{
	long_matrix made = rotation_of_xyz( ( long double[3] ){ angles[0], angles[1], angles[2] } );
	long_matrix wanted = rotation_about( axis, angle );
	long double square = 0;
	for ( int i = 0; i < 9; ++i )
	{
		long double d = made.at[i / 3][i % 3] - wanted.at[i / 3][i % 3];
		square += d * d;
	}
	// The sum of the squares is 8 sin^2( angle / 2 ).
	return (double)( 2 * asinl( fminl( 1, sqrtl( square / 8 ) ) ) );
}

// The angle about y is off by up to pi / 2. Near R11 = R12 = R31 = 0, R13 = 1 it is 0, but in print it can be any angle.
// 100,000 random rotations reach 1.3.
static void printed_angles_of_axes_are_wrong( void** state )
{
	fixture* f = *state;
	double worst = 0;
	double worst_beta = 0;
	double worst_fixed = 0;
	double worst_ours = 0;
	for ( int i = 0; i < 100000; ++i )
	{
		bv_vec3 axis = random_axis( f );
		double angle = pi * random_unit( f );
		double printed[3];
		double fixed[3];
		printed_xyz_of_axis( axis, angle, false, printed );
		printed_xyz_of_axis( axis, angle, true, fixed );
		worst = fmax( worst, error_of_xyz( printed, axis, angle ) );
		worst_beta = fmax( worst_beta, fabs( printed[1] - fixed[1] ) );
		worst_fixed = fmax( worst_fixed, error_of_xyz( fixed, axis, angle ) );
		bv_quaternion q;
		bv_vec3 ours;
		assert_int_equal( bv_quaternion_from_axis_angle( axis, angle, &q ), bv_ok );
		assert_int_equal( bv_quaternion_to_xyz( q, &ours ), bv_ok );
		worst_ours = fmax( worst_ours, error_of_xyz( ( double[3] ){ ours.x, ours.y, ours.z }, axis, angle ) );
	}
	assert_true( worst_beta > 1.2 && worst_beta < pi / 2 && worst > 1.2 );
	assert_true( worst_fixed < 1e-10 );
	assert_true( worst_ours < 0x1p-48 );
}

// A quarter of a turn about y after rotations about x: 1e-9 from it, angles from the matrix lose all but seven digits, each
// for itself, and the rotation with them. At the quarter, they are not numbers.
static void right_angles_about_y_have_no_case( void** state )
{
	fixture* f = *state;
	double worst_printed = 0;
	double worst_ours = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_quaternion q;
		bv_vec3 axis;
		bv_vec3 ours;
		double angle;
		double printed[3];
		bv_vec3 steep = { random_unit( f ), pi / 2 - 1e-9, random_unit( f ) };
		assert_int_equal( bv_quaternion_from_xyz( steep, &q ), bv_ok );
		assert_int_equal( bv_quaternion_to_axis_angle( q, &axis, &angle ), bv_ok );
		printed_xyz_of_axis( axis, angle, true, printed );
		worst_printed = fmax( worst_printed, error_of_xyz( printed, axis, angle ) );
		assert_int_equal( bv_quaternion_to_xyz( q, &ours ), bv_ok );
		worst_ours = fmax( worst_ours, error_of_xyz( ( double[3] ){ ours.x, ours.y, ours.z }, axis, angle ) );
	}
	assert_true( worst_printed > 1e-8 );
	assert_true( worst_ours < 0x1p-48 );
}

// Twice as long: the square of the length is 4, and the length 2.
static void printed_quaternions_must_have_length_1( void** state )
{
	(void)state;
	const bv_quaternion q = { 0, 0, sqrt( 2 ), sqrt( 2 ) };
	bv_vec3 x = { 1, 0, 0 };
	bv_vec3 printed = printed_quaternion_rotate( q, x, false );
	bv_vec3 fixed = printed_quaternion_rotate( q, x, true );
	assert_true( fabs( printed.y - 2 ) < 1e-12 && fabs( fixed.y - 1 ) < 1e-12 && fabs( fixed.x ) < 1e-12 );
	assert_true( fabs( bv_quaternion_rotate( q, x ).y - 1 ) < 1e-15 );
	long_matrix wrong = printed_matrix_of_quaternion( q, false );
	long_matrix right = printed_matrix_of_quaternion( q, true );
	long_matrix wanted = rotation_of_quaternion( q );
	assert_true( fabs( long_matrix_difference( &wrong, &wanted ) - 0.75 ) < 1e-12 );
	assert_true( long_matrix_difference( &right, &wanted ) < 1e-12 );
}

// No rotation, half a turn about z, and a matrix whose trace exceeds 3 by rounding: in print, not numbers.
static void singular_matrices_have_no_case( void** state )
{
	(void)state;
	double above = 1 + 0x1p-52;
	const double matrices[3][3][3] = {
		{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		{ { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } },
		{ { above, 1e-9, 0 }, { -1e-9, above, 0 }, { 0, 0, 1 } },
	};
	const double angles[3] = { 0, pi, 1e-9 };
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis;
		double angle;
		printed_axis_of_matrix( matrices[i], &axis, &angle );
		assert_false( fabs( bv_length( axis ) - 1 ) < 1e-6 );
		bv_transform t = bv_transform_identity();
		memcpy( t.pose.rotation, matrices[i], sizeof t.pose.rotation );
		assert_int_equal( bv_transform_to_axis_angle( &t, &axis, &angle ), bv_ok );
		assert_true( fabs( angle - angles[i] ) < 1e-15 );
		assert_true( angle == 0 || ( fabs( axis.z ) == 1 && axis.x == 0 && axis.y == 0 ) );
	}
	bv_quaternion q = printed_quaternion_of_matrix( matrices[1] );
	assert_true( isnan( q.z ) );
	bv_transform half = bv_transform_identity();
	memcpy( half.pose.rotation, matrices[1], sizeof half.pose.rotation );
	assert_true( bv_transform_to_quaternion( &half ).z == 1 );
}

// Columns of I + phi [r] across the axis have the length sqrt( 1 + phi^2 ).
static void small_rotations_are_not_orthonormal( void** state )
{
	(void)state;
	for ( double angle = 1e-4; angle < 0.2; angle *= 10 )
	{
		long_matrix m = printed_small_rotation( bv_vec3_make( 0, 0, 1 ), angle );
		long double square = m.at[0][0] * m.at[0][0] + m.at[1][0] * m.at[1][0] + m.at[2][0] * m.at[2][0];
		assert_true( fabsl( square - 1 - (long double)angle * angle ) < 1e-15L );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( printed_angles_of_axes_are_wrong ),
		fixture_test( right_angles_about_y_have_no_case ),
		cmocka_unit_test( printed_quaternions_must_have_length_1 ),
		cmocka_unit_test( singular_matrices_have_no_case ),
		cmocka_unit_test( small_rotations_are_not_orthonormal ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
