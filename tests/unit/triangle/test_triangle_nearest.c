// Nearest points of triangles and segments, and distances of two triangles, against arithmetic of 113 bits.

#include "support.h"

#include "runtime/triangle/gap.h"
#include "runtime/triangle/nearest.h"
#include "tests/reference/gaps.h"
#include "tests/reference/nearest.h"

#include <float.h>

static double norm( bv_vec3 a )
{
	return fabs( a.x ) + fabs( a.y ) + fabs( a.z );
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static bv_vec3 mixed( const bv_vec3 corner[3], const double weight[3] )
{
	bv_vec3 p = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		p.x += weight[k] * corner[k].x;
		p.y += weight[k] * corner[k].y;
		p.z += weight[k] * corner[k].z;
	}
	return p;
}

// How far the points are apart together: what errors are measured by.
static double extent_of( const bv_vec3* point, int count )
{
	double extent = 0;
	for ( int i = 1; i < count; ++i )
	{
		extent = fmax( extent, norm( minus( point[i], point[0] ) ) );
	}
	return extent;
}

// Of all shapes: plain ones, needles, caps, those on a line and on one point; each near the last point that was made.
static void random_triangle( fixture* f, bv_vec3 t[3] )
{
	int kind = (int)( random_bits( f ) % 6 );
	double size = pow( 10, 3 * random_unit( f ) - 2 );
	double thickness = pow( 10, -18 * random_unit( f ) );
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = random_point( f );
		t[k] = ( bv_vec3 ){ size * p.x, size * p.y, size * p.z };
	}
	double s = random_unit( f ) * ( kind == 3 ? 0 : 1 );
	bv_vec3 off = { thickness * t[2].x, thickness * t[2].y, thickness * t[2].z };
	if ( kind == 1 || kind == 2 || kind == 3 )
	{
		off = kind == 1 ? ( bv_vec3 ){ 0, 0, 0 } : off;
		t[2] =
			( bv_vec3 ){ t[0].x + s * ( t[1].x - t[0].x ) + off.x, t[0].y + s * ( t[1].y - t[0].y ) + off.y,
			             t[0].z + s * ( t[1].z - t[0].z ) + off.z };
	}
	if ( kind == 4 && random_bits( f ) % 4 == 0 )
	{
		t[1] = t[2] = t[0];
	}
}

static bv_vec3 random_mix( fixture* f, const bv_vec3 t[3], double weight[3] )
{
	weight[0] = random_unit( f );
	weight[1] = random_unit( f ) * ( 1 - weight[0] );
	weight[2] = 1 - weight[0] - weight[1];
	uint64_t kind = random_bits( f ) % 4;
	for ( uint64_t k = 0; k < kind && k < 2; ++k )
	{
		weight[2] += weight[k];
		weight[k] = 0;
	}
	return mixed( t, weight );
}

// The reference finds the nearest point in 113 bits.
static void nearest_points_of_triangles_are_nearest( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 30000; ++i )
	{
		bv_vec3 t[3];
		random_triangle( f, t );
		double weight[3];
		bv_vec3 x = random_mix( f, t, weight );
		double away = i % 3 == 0 ? 0 : pow( 10, 2 - 16 * random_unit( f ) );
		bv_vec3 d = random_point( f );
		x = ( bv_vec3 ){ x.x + away * ( d.x - 0.5 ), x.y + away * ( d.y - 0.5 ), x.z + away * ( d.z - 0.5 ) };

		nearest_face face = nearest_face_of( t );
		nearest_faces one = { &face, 1 };
		double expected = nearest_distance_exact( &one, x );
		bvtri_nearest found;
		bvtri_nearest_on_triangle( x, t, &found );
		bv_vec3 all[4] = { t[0], t[1], t[2], x };
		double error = 0x1p-48 * extent_of( all, 4 );
		if ( fabs( sqrt( found.square ) - expected ) > error )
		{
			fail_msg( "%.17g instead of %.17g, extent %g", sqrt( found.square ), expected,
			          extent_of( all, 4 ) );
		}

		// The point is what the weights say, and as far away as it says.
		assert_true( found.weight[0] >= 0 && found.weight[1] >= 0 && found.weight[2] >= 0 );
		assert_true( fabs( found.weight[0] + found.weight[1] + found.weight[2] - 1 ) <= 0x1p-50 );
		bv_vec3 off = minus( mixed( t, found.weight ), found.point );
		assert_true( norm( off ) <= error + 0x1p-50 * norm( found.point ) );
	}
}

static void features_are_where_the_nearest_point_is( void** state )
{
	(void)state;
	const bv_vec3 t[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
	static const struct
	{
		bv_vec3 point;
		int feature;
	} cases[] = {
		{ { 1, 1, 5 }, bv_feature_face },      { { -1, -1, 2 }, bv_feature_corner_0 },
		{ { 9, -1, 0 }, bv_feature_corner_1 }, { { 0, 9, -3 }, bv_feature_corner_2 },
		{ { 2, -1, 1 }, bv_feature_edge_0 },   { { 3, 3, 0 }, bv_feature_edge_1 },
		{ { -1, 2, 0 }, bv_feature_edge_2 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvtri_nearest found;
		bvtri_nearest_on_triangle( cases[i].point, t, &found );
		assert_int_equal( found.feature, cases[i].feature );
	}
}

static void assert_gap( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	bv_vec3 all[6] = { a[0], a[1], a[2], b[0], b[1], b[2] };
	double extent = extent_of( all, 6 );
	double error = 0x1p-46 * extent;
	double expected = gap_of_triangles( a, b );
	bvtri_gap found;
	bool is_found = bvtri_triangles_gap( a, b, INFINITY, &found );
	assert_true( is_found );
	double distance = sqrt( found.square );
	if ( fabs( distance - expected ) > error )
	{
		fail_msg( "%.17g instead of %.17g, extent %g", distance, expected, extent );
	}

	// Both points are what their weights say, and as far apart as is said.
	double rounding = 0x1p-50 * ( norm( a[0] ) + extent );
	bv_vec3 apart = minus( found.point[0], found.point[1] );
	double far = sqrt( apart.x * apart.x + apart.y * apart.y + apart.z * apart.z );
	assert_true( fabs( far - distance ) <= error + 4 * rounding );
	assert_true( norm( minus( mixed( a, found.weight[0] ), found.point[0] ) ) <= error + 8 * rounding );
	assert_true( norm( minus( mixed( b, found.weight[1] ), found.point[1] ) ) <= error + 8 * rounding );
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( found.weight[0][k] >= -0x1p-50 && found.weight[1][k] >= -0x1p-50 );
	}

	// A limit on either side of it decides.
	bvtri_gap other;
	bool is_near = bvtri_triangles_gap( a, b, distance + 4 * error + DBL_MIN, &other );
	assert_true( is_near && fabs( sqrt( other.square ) - expected ) <= error );
	assert_false( bvtri_triangles_gap( a, b, distance - 4 * error, &other ) );
}

static void distances_of_triangles_are_those_of_all_features( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 30000; ++i )
	{
		bv_vec3 a[3];
		bv_vec3 b[3];
		double weight[3];
		random_triangle( f, a );
		random_triangle( f, b );

		// A point of one and a point of the other, brought near to each other or onto each other.
		bv_vec3 d = minus( random_mix( f, a, weight ), random_mix( f, b, weight ) );
		double away = i % 3 == 0 ? 0 : pow( 10, 2 - 17 * random_unit( f ) );
		bv_vec3 r = random_point( f );
		bv_vec3 far = { i % 5 == 0 ? 1e6 : 0, 0, i % 7 == 0 ? -1e3 : 0 };
		for ( int k = 0; k < 3; ++k )
		{
			b[k] = ( bv_vec3 ){ b[k].x + d.x + away * ( r.x - 0.5 ) + far.x,
				                b[k].y + d.y + away * ( r.y - 0.5 ) + far.y,
				                b[k].z + d.z + away * ( r.z - 0.5 ) + far.z };
			a[k] = ( bv_vec3 ){ a[k].x + far.x, a[k].y + far.y, a[k].z + far.z };
		}
		assert_gap( a, b );
	}
}

// Small integers: sides in one plane, parallel ones, common corners and sides, twins; of these most meet or touch.
static void distances_of_triangles_in_special_position( void** state )
{
	fixture* f = *state;
	int meeting = 0;
	for ( int i = 0; i < 30000; ++i )
	{
		int range = 2 + i % 3;
		bv_vec3 t[2][3];
		for ( int k = 0; k < 6; ++k )
		{
			bv_vec3 p = random_point( f );
			t[k / 3][k % 3] = ( bv_vec3 ){ floor( range * p.x ), floor( range * p.y ), floor( range * p.z ) };
		}
		assert_gap( t[0], t[1] );
		meeting += gap_of_triangles( t[0], t[1] ) == 0;
	}
	assert_in_range( meeting, 3000, 27000 );
}

static void triangles_that_meet_have_a_common_point( void** state )
{
	(void)state;
	const bv_vec3 a[3] = { { 0, 0, 0 }, { 6, 0, 0 }, { 0, 6, 0 } };
	const bv_vec3 b[3] = { { 1, 1, -1 }, { 1, 1, 1 }, { 2, 2, 3 } };
	bvtri_gap found;
	assert_true( bvtri_triangles_gap( a, b, INFINITY, &found ) );
	assert_true( found.square == 0 );
	assert_memory_equal( &found.point[0], &found.point[1], sizeof( bv_vec3 ) );
	assert_true( fabs( found.point[0].z ) < 1e-15 );
}

// From the smallest coordinates that a file holds to the largest: scaling by powers of two scales the answer.
static void distances_scale_with_the_coordinates( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 300; ++i )
	{
		bv_vec3 t[6];
		bv_vec3 scaled[6];
		double factor = ldexp( 1, i % 2 == 0 ? 120 : -120 );
		for ( int k = 0; k < 6; ++k )
		{
			t[k] = random_point( f );
			t[k].z += k / 3;
			scaled[k] = ( bv_vec3 ){ factor * t[k].x, factor * t[k].y, factor * t[k].z };
		}
		bvtri_gap plain;
		bvtri_gap large;
		assert_true( bvtri_triangles_gap( t, t + 3, INFINITY, &plain ) );
		assert_true( bvtri_triangles_gap( scaled, scaled + 3, INFINITY, &large ) );
		assert_true( factor * sqrt( plain.square ) == sqrt( large.square ) );
	}
}

static void nearest_points_of_segments_by_sampling( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 300; ++i )
	{
		bv_vec3 p = random_point( f );
		bv_vec3 u = minus( random_point( f ), p );
		bv_vec3 q = random_point( f );
		bv_vec3 v = i % 4 == 0 ? u : i % 7 == 0 ? ( bv_vec3 ){ 0, 0, 0 } : minus( random_point( f ), q );
		bvtri_nearest_pair found;
		bvtri_nearest_on_segments( p, u, q, v, &found );
		double least = INFINITY;
		for ( int k = 0; k <= 100 * 100; ++k )
		{
			double s = 0.01 * ( k % 101 );
			double t = 0.01 * ( k / 101 );
			bv_vec3 d = { p.x + s * u.x - q.x - t * v.x, p.y + s * u.y - q.y - t * v.y,
				          p.z + s * u.z - q.z - t * v.z };
			least = fmin( least, sqrt( d.x * d.x + d.y * d.y + d.z * d.z ) );
		}
		// No sample is nearer, and one is within half a step of each.
		assert_true( sqrt( found.square ) <= least + 1e-12 );
		assert_true( sqrt( found.square ) >= least - 0.02 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nearest_points_of_triangles_are_nearest ),
		fixture_test( features_are_where_the_nearest_point_is ),
		fixture_test( distances_of_triangles_are_those_of_all_features ),
		fixture_test( distances_of_triangles_in_special_position ),
		fixture_test( triangles_that_meet_have_a_common_point ),
		fixture_test( distances_scale_with_the_coordinates ),
		fixture_test( nearest_points_of_segments_by_sampling ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
