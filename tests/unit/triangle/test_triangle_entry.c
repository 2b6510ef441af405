// When a moving triangle can first touch another one, against motions that are made so that they touch.

#include "support.h"

#include "bv/motion.h"
#include "runtime/triangle/entry.h"

enum
{
	cases = 200000,
};

static bv_vec3 point_within( fixture* f, double size )
{
	return bv_vec3_make( size * ( 2 * random_unit( f ) - 1 ), size * ( 2 * random_unit( f ) - 1 ),
	                     size * ( 2 * random_unit( f ) - 1 ) );
}

// A point of a triangle: anywhere, on an edge, or a corner.
static bv_vec3 point_of( fixture* f, const bv_vec3 corner[3] )
{
	double weight[3] = { random_unit( f ), random_unit( f ), random_unit( f ) };
	uint32_t kind = random_bits( f ) % 3;
	weight[0] = kind > 0 ? 0 : weight[0];
	weight[1] = kind > 1 ? 0 : weight[1];
	double sum = ( weight[0] + weight[1] ) + weight[2];
	bv_vec3 out = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		out = bv_add( out, bv_scale( weight[k] / sum, corner[k] ) );
	}
	return out;
}

static void random_triangle( fixture* f, double size, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = point_within( f, size );
	}
	uint32_t kind = random_bits( f ) % 8;
	out[1] = kind == 0 ? out[0] : out[1];
	out[2] = kind <= 1 ? out[1] : kind == 2 ? bv_scale( 0.5, bv_add( out[0], out[1] ) ) : out[2];
	out[2].z = kind == 3 ? out[1].z : out[2].z;
}

// Points of both triangles coincide at a part of the way, and at none if the range ends before.
static void triangles_do_not_touch_before_their_entry( void** state )
{
	fixture* f = *state;
	int late = 0;
	int none = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bv_vec3 a[3];
		bv_vec3 b[3];
		random_triangle( f, 1, a );
		random_triangle( f, pow( 10, 4 * random_unit( f ) - 2 ), b );
		bvtri_flight flight = { .way = point_within( f, pow( 10, 5 * random_unit( f ) - 3 ) ),
			                    .rest = random_bits( f ) % 2 ? 0 : 0.1 * random_unit( f ),
			                    .from = -1,
			                    .to = random_bits( f ) % 2 ? 1 : 2 * random_unit( f ) - 1,
			                    .rounding = 1e-9 };
		double part = 2 * random_unit( f ) - 1;
		bv_vec3 rest = bv_scale( flight.rest * random_unit( f ), bv_normalize( point_within( f, 1 ) ) );
		bv_vec3 away = bv_add( bv_scale( part, flight.way ), rest );
		bv_vec3 move = bv_sub( point_of( f, a ), bv_add( point_of( f, b ), away ) );
		for ( int k = 0; k < 3; ++k )
		{
			b[k] = bv_add( b[k], move );
		}
		double entry = bvtri_triangles_entry( a, b, &flight );
		assert_true( part > flight.to || entry <= part );
		assert_true( entry >= -1 );
		late += entry > -1 && entry < INFINITY;
		none += entry == INFINITY;
	}
	assert_true( late > cases / 10 && none > cases / 100 );
}

// Of translations without rest the axes are all that there are, so that entries are contacts.
static void entries_without_rest_are_contacts( void** state )
{
	fixture* f = *state;
	bv_transform origin = bv_transform_identity();
	int found = 0;
	for ( int i = 0; i < 5000; ++i )
	{
		bv_vec3 a[3];
		bv_vec3 b[3];
		for ( int k = 0; k < 3; ++k )
		{
			a[k] = point_within( f, 1 );
			b[k] = bv_add( point_within( f, 1 ), bv_vec3_make( 0, 0, 3 ) );
		}
		bvtri_flight flight = { .way = bv_vec3_make( random_unit( f ), random_unit( f ), -4 ), .to = 1 };
		bv_convex shape[2] = { bv_convex_triangle( a[0], a[1], a[2] ),
			                   bv_convex_triangle( b[0], b[1], b[2] ) };
		bv_transform end = bv_transform_translation( flight.way.x, flight.way.y, flight.way.z );
		bv_motion motion[2];
		bv_sweep_result r;
		assert_int_equal( bv_motion_still( &origin, motion ), bv_ok );
		assert_int_equal( bv_motion_slerp( &origin, &end, bv_vec3_make( 0, 0, 0 ), motion + 1 ), bv_ok );
		assert_int_equal( bv_sweep_convexes( shape, motion, shape + 1, motion + 1, NULL, &r ), bv_ok );
		double entry = bvtri_triangles_entry( a, b, &flight );
		assert_true( r.found ? entry <= r.upper : entry == INFINITY || !r.certain );
		assert_true( !r.found || entry >= r.lower - 1e-9 );
		found += r.found;
	}
	assert_in_range( found, 1000, 4900 );
}

static void ranges_and_ways_of_nothing( void** state )
{
	(void)state;
	const bv_vec3 a[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const bv_vec3 b[3] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } };
	bvtri_flight flight = { .way = { 0, 0, -2 }, .from = -1, .to = 1 };
	assert_true( fabs( bvtri_triangles_entry( a, b, &flight ) - 0.5 ) < 1e-12 );
	flight.rest = 0.5;
	assert_true( fabs( bvtri_triangles_entry( a, b, &flight ) - 0.25 ) < 1e-12 );
	flight.to = 0.2;
	assert_true( bvtri_triangles_entry( a, b, &flight ) == INFINITY );
	flight.way.z = 2;
	assert_true( fabs( bvtri_triangles_entry( a, b, &flight ) + 0.75 ) < 1e-12 );
	flight.way.z = 0;
	assert_true( bvtri_triangles_entry( a, b, &flight ) == INFINITY );
	flight.rest = 1;
	assert_true( bvtri_triangles_entry( a, b, &flight ) == -1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( triangles_do_not_touch_before_their_entry, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( entries_without_rest_are_contacts, fixture_setup, fixture_teardown ),
		cmocka_unit_test( ranges_and_ways_of_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
