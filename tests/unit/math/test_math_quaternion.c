// Conversions of rotations against products of rotations in long double, over all of SO(3) and near every case in
// which a formula divides by 0 or an angle is not determined.

#include "support.h"

#include "bv/base.h"
#include "tests/reference/rotations.h"

// What base.h states for angles about fixed axes. Other conversions are closer.
static const double tolerance = 0x1p-48;

static const double pi = 3.14159265358979323846;

static const bv_vec3 origin = { 0, 0, 0 };

// 0, a distance from 1e-17 to 1e-1 on either side of 0, or none of these.
static double offset( fixture* f )
{
	uint64_t kind = random_bits( f ) % 4;
	double size = pow( 10, -1 - 16 * random_unit( f ) );
	return kind == 0 ? 0 : kind == 1 ? size : kind == 2 ? -size : 2 * pi * random_unit( f ) - pi;
}

// Anywhere, or near a multiple of a right angle.
static double random_angle( fixture* f )
{
	return offset( f ) + pi / 2 * ( (double)( random_bits( f ) % 9 ) - 4 );
}

static bv_quaternion random_rotation( fixture* f )
{
	bv_quaternion q;
	double square;
	do
	{
		q = ( bv_quaternion ){ 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1,
			                   2 * random_unit( f ) - 1 };
		square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	} while ( square > 1 || square < 0.01 );
	double s = ( 0.995 + 0.01 * random_unit( f ) ) / sqrt( square );
	return ( bv_quaternion ){ s * q.x, s * q.y, s * q.z, s * q.w };
}

// Coordinates that vanish or nearly do: no rotation, half a turn about any axis, and w = 0 among them.
static bv_quaternion special_rotation( fixture* f )
{
	double q[4];
	double square;
	do
	{
		square = 0;
		for ( int i = 0; i < 4; ++i )
		{
			uint64_t kind = random_bits( f ) % 3;
			double x = 2 * random_unit( f ) - 1;
			q[i] = kind == 0 ? 0 : kind == 1 ? x * pow( 10, -16 * random_unit( f ) ) : x;
			square += q[i] * q[i];
		}
	} while ( !( square > 1e-3 ) );
	double s = 1 / sqrt( square );
	return ( bv_quaternion ){ s * q[0], s * q[1], s * q[2], s * q[3] };
}

// The matrix that libbv makes of a quaternion.
static long_matrix matrix_of( bv_quaternion q )
{
	bv_transform t;
	long_matrix out;
	assert_int_equal( bv_transform_from_quaternion( q, origin, &t ), bv_ok );
	for ( int i = 0; i < 9; ++i )
	{
		out.at[i / 3][i % 3] = t.pose.rotation[i / 3][i % 3];
	}
	return out;
}

static void assert_close( const long_matrix* a, const long_matrix* b )
{
	double difference = long_matrix_difference( a, b );
	if ( !( difference < tolerance ) )
	{
		fail_msg( "the rotations differ by %g", difference );
	}
}

static void angles_of_fixed_axes_make_the_product_of_rotations( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100000; ++i )
	{
		bv_vec3 a = { random_angle( f ), random_angle( f ), random_angle( f ) };
		bv_quaternion q;
		assert_int_equal( bv_quaternion_from_xyz( a, &q ), bv_ok );
		long_matrix made = matrix_of( q );
		long_matrix wanted = rotation_of_xyz( ( long double[3] ){ a.x, a.y, a.z } );
		assert_close( &made, &wanted );
	}
}

static void assert_xyz_of( bv_quaternion q )
{
	bv_vec3 a;
	assert_int_equal( bv_quaternion_to_xyz( q, &a ), bv_ok );
	assert_true( fabs( a.x ) <= pi && fabs( a.y ) <= pi / 2 && fabs( a.z ) <= pi );
	long_matrix made = rotation_of_xyz( ( long double[3] ){ a.x, a.y, a.z } );
	long_matrix wanted = rotation_of_quaternion( q );
	assert_close( &made, &wanted );
}

// Also near right angles about y, from 1e-17 to 1e-1 away: entries of the matrix would lose all digits of the angles.
static void angles_of_fixed_axes_come_from_all_rotations( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100000; ++i )
	{
		assert_xyz_of( random_rotation( f ) );
		assert_xyz_of( special_rotation( f ) );
		bv_quaternion q;
		bv_vec3 steep = { random_angle( f ), ( i % 2 ? pi : -pi ) / 2 + offset( f ), random_angle( f ) };
		assert_int_equal( bv_quaternion_from_xyz( steep, &q ), bv_ok );
		assert_xyz_of( q );
	}
}

static void right_angles_about_y_leave_no_angle_about_x( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_quaternion q;
		bv_vec3 a;
		bv_vec3 steep = { random_angle( f ), i % 2 ? pi / 2 : -pi / 2, random_angle( f ) };
		assert_int_equal( bv_quaternion_from_xyz( steep, &q ), bv_ok );
		assert_int_equal( bv_quaternion_to_xyz( q, &a ), bv_ok );
		assert_true( a.x == 0 && fabs( a.y - steep.y ) < tolerance );
	}
}

// Where no angle is near a case that is not determined, the same angles come back.
static void angles_of_fixed_axes_come_back( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 10000; ++i )
	{
		bv_vec3 a = { 6 * random_unit( f ) - 3, 3 * random_unit( f ) - 1.5, 6 * random_unit( f ) - 3 };
		bv_transform t;
		bv_vec3 b;
		assert_int_equal( bv_transform_from_xyz( a, origin, &t ), bv_ok );
		assert_int_equal( bv_transform_to_xyz( &t, &b ), bv_ok );
		double most = 0x1p-48 / cos( a.y );
		assert_true( fabs( a.x - b.x ) < most && fabs( a.y - b.y ) < tolerance && fabs( a.z - b.z ) < most );
	}
}

// Axes of any length, down to denormals and up to the largest numbers.
static void axes_and_angles_make_their_rotation( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100000; ++i )
	{
		double angle = i % 10 == 0 ? ( 2 * random_unit( f ) - 1 ) * BV_MAX_ANGLE : random_angle( f );
		bv_quaternion s = special_rotation( f );
		bv_vec3 axis = { s.x, s.y, s.z };
		if ( s.x == 0 && s.y == 0 && s.z == 0 )
		{
			continue;
		}
		double scale = ldexp( 1, (int)( random_bits( f ) % 1990 ) - 1020 );
		bv_vec3 longer = bv_scale( i % 3 == 0 ? scale : 1, axis );
		bv_quaternion q;
		assert_int_equal( bv_quaternion_from_axis_angle( longer, angle, &q ), bv_ok );
		long_matrix made = matrix_of( q );
		// What underflow leaves of tiny coordinates is exact only if they are scaled back.
		longer = bv_scale( i % 3 == 0 ? 1 / scale : 1, longer );
		long_matrix wanted = rotation_about( longer, angle );
		assert_close( &made, &wanted );
	}
	bv_quaternion q;
	assert_int_equal( bv_quaternion_from_axis_angle( bv_vec3_make( 0, 0x1p-1074, 0 ), pi, &q ), bv_ok );
	assert_true( q.x == 0 && q.y == 1 && q.z == 0 && fabs( q.w ) < 0x1p-52 );
}

// The angle is close, and the axis up to the rounding of the quaternion.
static void assert_axis_of( bv_quaternion q )
{
	bv_vec3 axis;
	double angle;
	assert_int_equal( bv_quaternion_to_axis_angle( q, &axis, &angle ), bv_ok );
	assert_true( angle >= 0 && angle <= pi && fabs( bv_length( axis ) - 1 ) < 0x1p-51 );
	long_matrix made = rotation_about( axis, angle );
	long_matrix wanted = rotation_of_quaternion( q );
	assert_close( &made, &wanted );
	long double w = fabsl( q.w );
	long double v = sqrtl( (long double)q.x * q.x + (long double)q.y * q.y + (long double)q.z * q.z );
	assert_true( fabsl( 2 * atan2l( v, w ) - angle ) <= 0x1p-51L * angle );
}

static void axes_and_angles_come_from_all_rotations( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100000; ++i )
	{
		assert_axis_of( random_rotation( f ) );
		assert_axis_of( special_rotation( f ) );
		// Tiny angles: their squares vanish.
		double size = ldexp( 1, -4 - (int)( random_bits( f ) % 1000 ) );
		assert_axis_of( ( bv_quaternion ){ size * random_unit( f ), -size, size * random_unit( f ), 1 } );
	}
}

// Closed forms: no rotation, half turns with either sign of w, and where an arccosine would get more than 1.
static void singular_axes_are_fixed_by_convention( void** state )
{
	(void)state;
	bv_vec3 axis;
	double angle;
	assert_int_equal( bv_quaternion_to_axis_angle( bv_quaternion_identity(), &axis, &angle ), bv_ok );
	assert_true( axis.x == 1 && axis.y == 0 && axis.z == 0 && angle == 0 );
	assert_int_equal( bv_quaternion_to_axis_angle( ( bv_quaternion ){ 0, 0, 0, -1.005 }, &axis, &angle ),
	                  bv_ok );
	assert_true( axis.x == 1 && angle == 0 && !signbit( angle ) );
	const bv_quaternion half[4] = {
		{ -1, 0, 0, 0 }, { -0.0, -1, 0, -0.0 }, { 0, -0.6, 0.8, 0 }, { 0, 0, 1, -0.0 }
	};
	const bv_vec3 wanted[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0.6, -0.8 }, { 0, 0, 1 } };
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bv_quaternion_to_axis_angle( half[i], &axis, &angle ), bv_ok );
		assert_true( angle == pi && bv_length( bv_sub( axis, wanted[i] ) ) < 0x1p-52 );
	}
}

static bv_quaternion through_transform( bv_quaternion q, bool by_axis )
{
	bv_transform t;
	bv_vec3 a;
	double angle;
	assert_int_equal( bv_transform_from_quaternion( q, origin, &t ), bv_ok );
	if ( by_axis )
	{
		assert_int_equal( bv_transform_to_axis_angle( &t, &a, &angle ), bv_ok );
		assert_int_equal( bv_transform_from_axis_angle( a, angle, origin, &t ), bv_ok );
	}
	else
	{
		assert_int_equal( bv_transform_to_xyz( &t, &a ), bv_ok );
		assert_int_equal( bv_transform_from_xyz( a, origin, &t ), bv_ok );
	}
	return bv_transform_to_quaternion( &t );
}

static void matrices_come_back_through_any_form( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 50000; ++i )
	{
		bv_quaternion q = i % 2 ? random_rotation( f ) : special_rotation( f );
		long_matrix wanted = rotation_of_quaternion( q );
		for ( int by_axis = 0; by_axis < 2; ++by_axis )
		{
			long_matrix made = rotation_of_quaternion( through_transform( q, by_axis ) );
			assert_close( &made, &wanted );
		}
	}
}

static void products_compose_rotations( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_quaternion a = random_rotation( f );
		bv_quaternion b = special_rotation( f );
		bv_vec3 p = random_point( f );
		long_matrix ma = rotation_of_quaternion( a );
		long_matrix mb = rotation_of_quaternion( b );
		long_matrix wanted = long_matrix_product( &ma, &mb );
		bv_quaternion product = bv_quaternion_multiply( a, b );
		long_matrix made = rotation_of_quaternion( product );
		assert_close( &made, &wanted );
		bv_vec3 image = bv_quaternion_rotate( product, p );
		const double coordinate[3] = { image.x, image.y, image.z };
		for ( int k = 0; k < 3; ++k )
		{
			long double w = wanted.at[k][0] * p.x + wanted.at[k][1] * p.y + wanted.at[k][2] * p.z;
			assert_true( fabsl( w - coordinate[k] ) < tolerance );
		}
		bv_quaternion none = bv_quaternion_multiply( a, bv_quaternion_conjugate( a ) );
		assert_true( fabs( none.x ) + fabs( none.y ) + fabs( none.z ) < 0x1p-50 && none.w > 0.9 );
	}
}

// The definition: from the start, by a part of the angle about the axis of the whole.
static void assert_interpolated( bv_quaternion a, bv_quaternion b, double t, double most )
{
	long_matrix start = rotation_of_quaternion( a );
	bv_quaternion back = { -a.x, -a.y, -a.z, a.w };
	bv_quaternion whole = bv_quaternion_multiply( b, back );
	whole = whole.w < 0 ? ( bv_quaternion ){ -whole.x, -whole.y, -whole.z, -whole.w } : whole;
	bv_vec3 axis = { whole.x, whole.y, whole.z };
	long double sine =
		sqrtl( (long double)axis.x * axis.x + (long double)axis.y * axis.y + (long double)axis.z * axis.z );
	long double half = atan2l( sine, whole.w );
	axis = sine > 0 ? axis : bv_vec3_make( 1, 0, 0 );
	bv_quaternion q;
	long_matrix made;
	long_matrix turn;
	long_matrix wanted;

	assert_int_equal( bv_quaternion_slerp( a, b, t, &q ), bv_ok );
	assert_true( fabs( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1 ) < 0x1p-50 );
	made = rotation_of_quaternion( q );
	turn = rotation_about( axis, 2 * t * half );
	wanted = long_matrix_product( &turn, &start );
	assert_true( long_matrix_difference( &made, &wanted ) < most );

	// On the same circle, where the chord is cut.
	assert_int_equal( bv_quaternion_nlerp( a, b, t, &q ), bv_ok );
	made = rotation_of_quaternion( q );
	turn = rotation_about( axis, 2 * atan2l( t * sinl( half ), 1 - t + t * cosl( half ) ) );
	wanted = long_matrix_product( &turn, &start );
	assert_true( long_matrix_difference( &made, &wanted ) < most );
}

static void interpolation_turns_about_one_axis( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 50000; ++i )
	{
		double t = i % 10 == 0 ? 0 : i % 10 == 1 ? 1 : random_unit( f );
		bv_quaternion a = random_rotation( f );
		bv_quaternion b = random_rotation( f );
		// Where the axis is lost in rounding: half a turn, within 2^-30.
		double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
		if ( fabs( dot ) > 0x1p-30 )
		{
			assert_interpolated( a, b, t, tolerance );
		}
		// Small angles, from 1e-17 to 1e-1, and the same with the other sign.
		bv_quaternion by;
		double angle = pow( 10, -1 - 16 * random_unit( f ) );
		assert_int_equal( bv_quaternion_from_axis_angle( random_point( f ), angle, &by ), bv_ok );
		b = bv_quaternion_multiply( by, a );
		assert_interpolated( a, b, t, tolerance );
		assert_interpolated( a, ( bv_quaternion ){ -b.x, -b.y, -b.z, -b.w }, t, tolerance );
	}
}

// Half a turn apart, either way is as short: a unit quaternion on one of them, and both ends.
static void half_turns_are_interpolated_either_way( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_quaternion a = random_rotation( f );
		bv_quaternion by;
		bv_quaternion q;
		assert_int_equal( bv_quaternion_from_axis_angle( random_point( f ), pi + ( i % 3 - 1 ) * 1e-15, &by ),
		                  bv_ok );
		bv_quaternion b = bv_quaternion_multiply( by, a );
		long_matrix ends[2] = { rotation_of_quaternion( a ), rotation_of_quaternion( b ) };
		for ( int t = 0; t < 2; ++t )
		{
			assert_int_equal( bv_quaternion_slerp( a, b, t, &q ), bv_ok );
			long_matrix made = rotation_of_quaternion( q );
			assert_close( &made, &ends[t] );
		}
		// A quarter of a turn from both.
		assert_int_equal( bv_quaternion_slerp( a, b, 0.5, &q ), bv_ok );
		for ( int t = 0; t < 2; ++t )
		{
			bv_quaternion e = t ? b : a;
			double length = sqrt( e.x * e.x + e.y * e.y + e.z * e.z + e.w * e.w );
			double dot = ( q.x * e.x + q.y * e.y + q.z * e.z + q.w * e.w ) / length;
			assert_true( fabs( fabs( dot ) - sqrt( 0.5 ) ) < 1e-14 );
		}
	}
}

static void bad_arguments_change_nothing( void** state )
{
	(void)state;
	const double bad[] = { NAN, INFINITY, -INFINITY };
	const bv_quaternion one = { 0, 0, 0, 1 };
	const bv_vec3 x = { 1, 0, 0 };
	bv_quaternion q = { 5, 6, 7, 8 };
	bv_vec3 v = { 5, 6, 7 };
	double angle = 5;
	bv_transform t = { .scale = 5 };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 n = { k == 0 ? bad[i] : 1, k == 1 ? bad[i] : 1, k == 2 ? bad[i] : 1 };
			assert_int_equal( bv_quaternion_from_axis_angle( n, 1, &q ), bv_error_argument );
			assert_int_equal( bv_quaternion_from_xyz( n, &q ), bv_error_argument );
			assert_int_equal( bv_transform_from_axis_angle( n, 1, origin, &t ), bv_error_argument );
			assert_int_equal( bv_transform_from_axis_angle( x, 1, n, &t ), bv_error_argument );
			assert_int_equal( bv_transform_from_xyz( n, origin, &t ), bv_error_argument );
			assert_int_equal( bv_transform_from_xyz( x, n, &t ), bv_error_argument );
		}
		for ( int k = 0; k < 4; ++k )
		{
			bv_quaternion n = { k == 0 ? bad[i] : 0.5, k == 1 ? bad[i] : 0.5, k == 2 ? bad[i] : 0.5,
				                k == 3 ? bad[i] : 0.5 };
			assert_false( bv_quaternion_is_valid( n ) );
			assert_int_equal( bv_quaternion_to_axis_angle( n, &v, &angle ), bv_error_argument );
			assert_int_equal( bv_quaternion_to_xyz( n, &v ), bv_error_argument );
			assert_int_equal( bv_quaternion_slerp( n, one, 0.5, &q ), bv_error_argument );
			assert_int_equal( bv_quaternion_nlerp( one, n, 0.5, &q ), bv_error_argument );
		}
		assert_int_equal( bv_quaternion_from_axis_angle( x, bad[i], &q ), bv_error_argument );
		assert_int_equal( bv_quaternion_slerp( one, one, bad[i], &q ), bv_error_argument );
		assert_int_equal( bv_quaternion_nlerp( one, one, bad[i], &q ), bv_error_argument );
	}
	assert_int_equal( bv_quaternion_from_axis_angle( origin, 1, &q ), bv_error_argument );
	assert_int_equal( bv_quaternion_from_axis_angle( x, 1.0001 * BV_MAX_ANGLE, &q ), bv_error_argument );
	assert_int_equal( bv_quaternion_from_axis_angle( x, 1, NULL ), bv_error_argument );
	assert_int_equal( bv_quaternion_from_xyz( bv_vec3_make( 0, -1e7, 0 ), &q ), bv_error_argument );
	assert_int_equal( bv_quaternion_from_xyz( x, NULL ), bv_error_argument );
	const bv_quaternion lengths[3] = { { 0, 0, 0, 0 }, { 0, 0, 0, 0.98 }, { 0, 0, 1.02, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		assert_false( bv_quaternion_is_valid( lengths[i] ) );
		assert_int_equal( bv_quaternion_to_xyz( lengths[i], &v ), bv_error_argument );
		assert_int_equal( bv_quaternion_slerp( one, lengths[i], 0.5, &q ), bv_error_argument );
	}
	assert_int_equal( bv_quaternion_to_axis_angle( one, NULL, &angle ), bv_error_argument );
	assert_int_equal( bv_quaternion_to_axis_angle( one, &v, NULL ), bv_error_argument );
	assert_int_equal( bv_quaternion_to_xyz( one, NULL ), bv_error_argument );
	assert_int_equal( bv_quaternion_slerp( one, one, -0.1, &q ), bv_error_argument );
	assert_int_equal( bv_quaternion_slerp( one, one, 1.1, &q ), bv_error_argument );
	assert_int_equal( bv_quaternion_nlerp( one, one, 0.5, NULL ), bv_error_argument );
	bv_transform invalid = bv_transform_identity();
	invalid.scale = 0;
	assert_int_equal( bv_transform_to_xyz( &invalid, &v ), bv_error_argument );
	assert_int_equal( bv_transform_to_axis_angle( &invalid, &v, &angle ), bv_error_argument );
	assert_int_equal( bv_transform_to_xyz( NULL, &v ), bv_error_argument );
	assert_true( q.x == 5 && q.w == 8 && v.x == 5 && v.z == 7 && angle == 5 && t.scale == 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( angles_of_fixed_axes_make_the_product_of_rotations ),
		fixture_test( angles_of_fixed_axes_come_from_all_rotations ),
		fixture_test( right_angles_about_y_leave_no_angle_about_x ),
		fixture_test( angles_of_fixed_axes_come_back ),
		fixture_test( axes_and_angles_make_their_rotation ),
		fixture_test( axes_and_angles_come_from_all_rotations ),
		cmocka_unit_test( singular_axes_are_fixed_by_convention ),
		fixture_test( matrices_come_back_through_any_form ),
		fixture_test( products_compose_rotations ),
		fixture_test( interpolation_turns_about_one_axis ),
		fixture_test( half_turns_are_interpolated_either_way ),
		cmocka_unit_test( bad_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
