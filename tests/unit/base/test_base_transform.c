// Vectors, and transforms from quaternions and matrices and back. Expected values are closed forms, and products of
// matrices that are computed here.

#include "queries.h"

static const bv_vec3 zero = { 0, 0, 0 };

static void assert_same( bv_vec3 a, double x, double y, double z )
{
	assert_true( a.x == x && a.y == y && a.z == z );
}

static void vectors_are_computed_by_the_textbook( void** state )
{
	(void)state;
	bv_vec3 a = bv_vec3_make( 1, 2, 3 );
	bv_vec3 b = bv_vec3_make( -4, 5, 0.5 );
	assert_same( bv_add( a, b ), -3, 7, 3.5 );
	assert_same( bv_sub( a, b ), 5, -3, 2.5 );
	assert_same( bv_scale( -2, a ), -2, -4, -6 );
	assert_same( bv_negate( a ), -1, -2, -3 );
	assert_true( bv_dot( a, b ) == 7.5 );
	assert_same( bv_cross( a, b ), 2 * 0.5 - 3 * 5, 3 * -4 - 1 * 0.5, 1 * 5 - 2 * -4 );
	assert_true( bv_length( bv_vec3_make( 2, -3, 6 ) ) == 7 );
	assert_same( bv_normalize( bv_vec3_make( 3, 0, -4 ) ), 0.6, 0, -0.8 );
	assert_same( bv_normalize( zero ), 0, 0, 0 );
}

// The image by the matrix, in the order of mathematics.
static bv_vec3 by_matrix( const double m[16], bv_vec3 p )
{
	return bv_vec3_make( m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
	                     m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
	                     m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14] );
}

static double deviation_of( const bv_pose* pose )
{
	double most = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			const double* a = pose->rotation[i];
			const double* b = pose->rotation[j];
			most = fmax( most, fabs( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - ( i == j ) ) );
		}
	}
	return most;
}

static bv_quaternion random_quaternion( fixture* f )
{
	double q[4];
	double square;
	do
	{
		square = 0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = 2 * random_unit( f ) - 1;
			square += q[i] * q[i];
		}
	} while ( square > 1 || square < 0.01 );
	double s = 1 / sqrt( square );
	return ( bv_quaternion ){ s * q[0], s * q[1], s * q[2], s * q[3] };
}

// All that turn cubes onto themselves: signed permutations, half of them reflections. No digit is lost.
static void signed_permutations_are_exact( void** state )
{
	(void)state;
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
		                              { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	int mirrored = 0;
	for ( int k = 0; k < 48; ++k )
	{
		const double scale = k % 4 == 0 ? 1 : k % 4 == 1 ? 3 : k % 4 == 2 ? 0.1f : 0x1p-90;
		float m[16] = { [12] = 7, [13] = -8, [14] = 0.3f, [15] = 1 };
		bool odd = k / 8 >= 3;
		for ( int i = 0; i < 3; ++i )
		{
			bool negative = k >> i & 1;
			m[4 * i + orders[k / 8][i]] = (float)( negative ? -scale : scale );
			odd = odd != negative;
		}
		bv_transform t;
		assert_int_equal( bv_transform_from_matrixf( m, &t ), bv_ok );
		assert_true( t.scale == scale && t.mirror == odd && deviation_of( &t.pose ) == 0 );
		mirrored += t.mirror;
		float back[16];
		bv_transform_to_matrixf( &t, back );
		for ( int i = 0; i < 16; ++i )
		{
			assert_true( back[i] == m[i] );
		}
	}
	assert_int_equal( mirrored, 24 );
}

// Images of points by the transform are those by the matrix, up to the rounding of the floats.
static void matrices_of_floats_are_made_orthonormal( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 500; ++i )
	{
		double scale = pow( 10, 6 * random_unit( f ) - 3 );
		bv_transform wanted = random_transform( f, scale, i % 2 == 0, random_around( f ) );
		double m[16];
		float narrow[16];
		bv_transform_to_matrix( &wanted, m );
		for ( int k = 0; k < 16; ++k )
		{
			bool linear = k % 4 < 3 && k < 12;
			narrow[k] =
				(float)( m[k] + ( linear ? i % 5 * 1e-6 * scale * ( 2 * random_unit( f ) - 1 ) : 0 ) );
		}
		bv_transform t;
		assert_int_equal( bv_transform_from_matrixf( narrow, &t ), bv_ok );
		assert_true( deviation_of( &t.pose ) < 0x1p-49 );
		assert_true( bv_transform_is_valid( &t ) && t.mirror == wanted.mirror );
		assert_true( fabs( t.scale / scale - 1 ) < 2e-5 );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_around( f );
			bv_vec3 wrong = minus( bv_transform_point( &t, p ), by_matrix( m, p ) );
			assert_true( length( wrong ) < ( i % 5 == 0 ? 3e-7 : 3e-5 ) * ( 1 + scale ) );
			wrong = minus( bv_transform_point( &wanted, p ), by_matrix( m, p ) );
			assert_true( length( wrong ) < 1e-14 * ( 1 + scale ) );
		}
	}
}

// Of doubles to a few units in the last place, there and back.
static void matrices_of_doubles_come_back( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 500; ++i )
	{
		bv_transform t = random_transform( f, i % 3 == 0 ? 1 : pow( 10, random_unit( f ) ), i % 2 == 0,
		                                   random_around( f ) );
		double m[16];
		double again[16];
		bv_transform back;
		bv_transform_to_matrix( &t, m );
		assert_int_equal( bv_transform_from_matrix( m, &back ), bv_ok );
		bv_transform_to_matrix( &back, again );
		for ( int k = 0; k < 16; ++k )
		{
			assert_true( fabs( m[k] - again[k] ) < 4e-15 * t.scale );
		}
	}
}

// The nearest orthonormal matrix: R (1 + S) with a small symmetric S has R as its polar factor, and the mean of the
// diagonal of S is what the scale grows by, all to the first order.
static void symmetric_errors_of_a_matrix_cancel( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_transform t = random_transform( f, 1, false, zero );
		double s[3][3];
		double m[16] = { [15] = 1 };
		for ( int j = 0; j < 3; ++j )
		{
			for ( int k = 0; k <= j; ++k )
			{
				s[j][k] = s[k][j] = 2e-5 * ( 2 * random_unit( f ) - 1 );
			}
		}
		for ( int row = 0; row < 3; ++row )
		{
			for ( int k = 0; k < 3; ++k )
			{
				const double* r = t.pose.rotation[row];
				m[4 * k + row] = r[k] + ( r[0] * s[0][k] + r[1] * s[1][k] + r[2] * s[2][k] );
			}
		}
		bv_transform made;
		assert_int_equal( bv_transform_from_matrix( m, &made ), bv_ok );
		assert_true( fabs( made.scale - 1 - ( s[0][0] + s[1][1] + s[2][2] ) / 3 ) < 1e-8 );
		for ( int row = 0; row < 3; ++row )
		{
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( fabs( made.pose.rotation[row][k] - t.pose.rotation[row][k] ) < 1e-8 );
			}
		}
	}
}

// Rodrigues' formula, with which a quaternion of an axis and an angle has to agree.
static bv_vec3 turned( bv_vec3 axis, double angle, bv_vec3 p )
{
	bv_vec3 across = { axis.y * p.z - axis.z * p.y, axis.z * p.x - axis.x * p.z,
		               axis.x * p.y - axis.y * p.x };
	bv_vec3 out = plus( zero, cos( angle ), p );
	out = plus( out, sin( angle ), across );
	return plus( out, ( 1 - cos( angle ) ) * dot( axis, p ), axis );
}

static void quaternions_turn_about_their_axis( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 500; ++i )
	{
		bv_vec3 axis = bv_normalize( random_around( f ) );
		double angle = 7 * ( 2 * random_unit( f ) - 1 );
		double s = sin( angle / 2 );
		bv_quaternion q = { s * axis.x, s * axis.y, s * axis.z, cos( angle / 2 ) };
		const float narrow[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		const float at[3] = { 1, 2, 3 };
		bv_transform t;
		bv_transform of_floats;
		assert_int_equal( bv_transform_from_quaternion( q, bv_vec3_make( 1, 2, 3 ), &t ), bv_ok );
		assert_int_equal( bv_transform_from_quaternionf( narrow, at, &of_floats ), bv_ok );
		assert_true( t.scale == 1 && !t.mirror && deviation_of( &t.pose ) < 1e-15 );
		assert_true( of_floats.scale == 1 && deviation_of( &of_floats.pose ) < 1e-15 );
		bv_vec3 p = random_around( f );
		bv_vec3 wanted = plus( bv_vec3_make( 1, 2, 3 ), 1, turned( axis, angle, p ) );
		assert_true( length( minus( bv_transform_point( &t, p ), wanted ) ) < 4e-15 );
		assert_true( length( minus( bv_transform_point( &of_floats, p ), wanted ) ) < 1e-6 );
	}
}

// Random ones, ones of 180 degrees, where w is 0, ones close to that, and ones about the axes.
static void quaternions_come_back( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_quaternion q = random_quaternion( f );
		if ( i % 4 == 1 ) // half a turn
		{
			bv_vec3 axis = bv_normalize( bv_vec3_make( q.x, q.y, q.z ) );
			q = ( bv_quaternion ){ axis.x, axis.y, axis.z, i % 8 == 1 ? 0 : 1e-9 };
		}
		else if ( i % 4 == 2 )
		{
			double one = i & 4 ? 1 : -1;
			int k = i / 8 % 4;
			q = ( bv_quaternion ){ k == 0 ? one : 0, k == 1 ? one : 0, k == 2 ? one : 0, k == 3 ? one : 0 };
		}
		bv_transform t;
		assert_int_equal( bv_transform_from_quaternion( q, zero, &t ), bv_ok );
		bv_quaternion r = bv_transform_to_quaternion( &t );
		double sign = q.x * r.x + q.y * r.y + q.z * r.z + q.w * r.w < 0 ? -1 : 1;
		double most = i % 4 == 2 ? 0 : 1e-15;
		assert_true( fabs( sign * q.x - r.x ) <= most && fabs( sign * q.y - r.y ) <= most );
		assert_true( fabs( sign * q.z - r.z ) <= most && fabs( sign * q.w - r.w ) <= most );
		assert_true( r.w > 0 ||
		             ( r.w == 0 && ( r.x > 0 || ( r.x == 0 && ( r.y > 0 || ( r.y == 0 && r.z > 0 ) ) ) ) ) );
		assert_false( signbit( r.w ) );
	}
}

// Scaled, then turned, then moved. A negative scale is that of all three coordinates.
static void scale_comes_first( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_quaternion q = random_quaternion( f );
		double scale = ( i % 2 ? -1 : 1 ) * pow( 10, 2 * random_unit( f ) - 1 );
		bv_vec3 at = random_around( f );
		bv_vec3 p = random_around( f );
		bv_transform rotation;
		bv_transform t;
		bv_transform of_floats;
		const float narrow[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		const float to[3] = { (float)at.x, (float)at.y, (float)at.z };
		assert_int_equal( bv_transform_from_quaternion( q, zero, &rotation ), bv_ok );
		assert_int_equal( bv_transform_from_trs( at, q, scale, &t ), bv_ok );
		assert_int_equal( bv_transform_from_trsf( to, narrow, (float)scale, &of_floats ), bv_ok );
		assert_true( t.scale == fabs( scale ) && t.mirror == ( scale < 0 ) && bv_transform_is_valid( &t ) );
		bv_vec3 wanted = plus( at, scale, bv_transform_point( &rotation, p ) );
		assert_true( length( minus( bv_transform_point( &t, p ), wanted ) ) < 1e-14 * ( 1 + fabs( scale ) ) );
		assert_true( length( minus( bv_transform_point( &of_floats, p ), wanted ) ) <
		             1e-6 * ( 1 + fabs( scale ) ) );
	}
}

static void inverse_and_product_are_those_of_points( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 500; ++i )
	{
		bv_transform a =
			random_transform( f, pow( 10, 2 * random_unit( f ) - 1 ), i % 2 == 0, random_around( f ) );
		bv_transform b =
			random_transform( f, pow( 10, 2 * random_unit( f ) - 1 ), i % 3 == 0, random_around( f ) );
		a.pose.rotation[i % 3][i / 3 % 3] += i % 5 == 0 ? 1e-5 : 0; // not quite orthonormal
		bv_transform ab = bv_transform_compose( &a, &b );
		bv_transform back = bv_transform_inverse( &a );
		assert_true( bv_transform_is_valid( &ab ) && bv_transform_is_valid( &back ) );
		bv_vec3 p = random_around( f );
		bv_vec3 moved = bv_transform_point( &a, bv_transform_point( &b, p ) );
		assert_true( length( minus( bv_transform_point( &ab, p ), moved ) ) < 1e-12 );
		assert_true( length( minus( bv_transform_point( &back, bv_transform_point( &a, p ) ), p ) ) < 1e-13 );
	}
}

static void directions_keep_their_length( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_transform t = random_transform( f, 3, i % 2 == 0, random_around( f ) );
		bv_vec3 p = random_around( f );
		bv_vec3 d = random_around( f );
		bv_vec3 moved = minus( bv_transform_point( &t, plus( p, 1, d ) ), bv_transform_point( &t, p ) );
		assert_true( length( minus( plus( zero, 3, bv_transform_direction( &t, d ) ), moved ) ) < 1e-14 );
	}
	bv_transform moved = bv_transform_translation( 1, -2, 3 );
	assert_same( bv_transform_point( &moved, bv_vec3_make( 0.5, 0.5, 0.5 ) ), 1.5, -1.5, 3.5 );
	assert_same( bv_transform_direction( &moved, bv_vec3_make( 0.5, 0.5, 0.5 ) ), 0.5, 0.5, 0.5 );
}

// Each differs from an accepted one by a single number.
static void what_is_no_similarity_is_rejected( void** state )
{
	(void)state;
	static const struct
	{
		int index;
		double value;
		bool good;
	} cases[] = {
		{ 0, 1, true },          { 0, 1.00005, true }, { 0, 1.001, false }, { 0, 0, false },
		{ 0, 2, false },         { 4, 5e-5, true },    { 4, 1e-3, false },  { 4, 1, false },
		{ 9, -0.1, false },      { 3, 1e-7, true },    { 3, 1e-5, false },  { 15, 0, false },
		{ 15, 1.1, false },      { 15, NAN, false },   { 5, NAN, false },   { 10, INFINITY, false },
		{ 12, INFINITY, false }, { 13, NAN, false },   { 14, 1e300, true }, { 5, 1e200, false },
		{ 7, NAN, false },       { 11, -1e-5, false },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		double m[16] = { [0] = 1, [5] = 1, [10] = 1, [15] = 1 };
		m[cases[i].index] = cases[i].value;
		bv_transform t = bv_transform_translation( 4, 5, 6 );
		assert_int_equal( bv_transform_from_matrix( m, &t ), cases[i].good ? bv_ok : bv_error_argument );
		assert_true( cases[i].good || ( t.pose.translation.y == 5 && t.scale == 1 ) );
	}
	double small[16] = { [0] = 0x1p-101, [5] = 0x1p-101, [10] = 0x1p-101, [15] = 1 };
	float none[16] = { [15] = 1 };
	bv_transform t = bv_transform_translation( 4, 5, 6 );
	bv_quaternion one = { 0, 0, 0, 1 };
	const float at[3] = { 0, 0, 0 };
	const float no_rotation[4] = { 0, 0, 0, 0 };
	assert_int_equal( bv_transform_from_matrix( small, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_matrixf( none, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_matrixf( NULL, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_matrix( small, NULL ), bv_error_argument );
	assert_int_equal( bv_transform_from_trs( zero, one, 0, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_trs( zero, one, 0x1p101, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_trs( zero, one, NAN, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_trs( bv_vec3_make( 0, NAN, 0 ), one, 1, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_trsf( at, NULL, 1, &t ), bv_error_argument );
	assert_int_equal( bv_transform_from_quaternion( ( bv_quaternion ){ 0, 0, 0, 1.02 }, zero, &t ),
	                  bv_error_argument );
	assert_int_equal( bv_transform_from_quaternion( ( bv_quaternion ){ 0, NAN, 0, 1 }, zero, &t ),
	                  bv_error_argument );
	assert_int_equal( bv_transform_from_quaternion( one, zero, NULL ), bv_error_argument );
	assert_int_equal( bv_transform_from_quaternionf( no_rotation, at, &t ), bv_error_argument );
	assert_same( t.pose.translation, 4, 5, 6 );
	assert_int_equal( bv_transform_from_quaternion( ( bv_quaternion ){ 0, 0, 0, 1.005 }, zero, &t ), bv_ok );
	assert_true( t.pose.rotation[0][0] == 1 && t.scale == 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( vectors_are_computed_by_the_textbook ),
		cmocka_unit_test( signed_permutations_are_exact ),
		fixture_test( matrices_of_floats_are_made_orthonormal ),
		fixture_test( matrices_of_doubles_come_back ),
		fixture_test( symmetric_errors_of_a_matrix_cancel ),
		fixture_test( quaternions_turn_about_their_axis ),
		fixture_test( quaternions_come_back ),
		fixture_test( scale_comes_first ),
		fixture_test( inverse_and_product_are_those_of_points ),
		fixture_test( directions_keep_their_length ),
		cmocka_unit_test( what_is_no_similarity_is_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
