// Options: zero-initialized ones are the defaults, a limit of 0 does not limit, and invalid ones change no result.

#include "queries.h"

#include "runtime/tree/levels.h"

// Also the bytes between members are 0.
#define assert_is_zero( options )                               \
	do                                                          \
	{                                                           \
		const unsigned char none[sizeof( options )] = { 0 };    \
		assert_memory_equal( &( options ), none, sizeof none ); \
	} while ( 0 )

static void defaults_are_zero( void** state )
{
	(void)state;
	bv_collide_options collide = bv_collide_options_default();
	bv_distance_options distance = bv_distance_options_default();
	bv_closest_options closest = bv_closest_options_default();
	bv_ray_options ray = bv_ray_options_default();
	bv_cast_options cast = bv_cast_options_default();
	bv_overlap_options overlap = bv_overlap_options_default();
	assert_is_zero( collide );
	assert_is_zero( distance );
	assert_is_zero( closest );
	assert_is_zero( ray );
	assert_is_zero( cast );
	assert_is_zero( overlap );
}

// The cube from 0 to 1, and another one 3 away from it along x.
static void a_limit_of_zero_is_none( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_transform away = bv_transform_translation( 4, 0, 0 );
	for ( int k = 0; k < 3; ++k )
	{
		double limit = k == 0 ? 0 : k == 1 ? -0.0 : 2;
		bv_distance_options distance_options = { .limit = limit };
		bv_closest_options closest_options = { .limit = limit };
		bv_distance_result distance;
		bv_closest_result closest;
		assert_int_equal( bv_mesh_distance( file, file, &away, &distance_options, &distance ), bv_ok );
		assert_true( distance.found == ( k < 2 ) && distance.distance == ( k < 2 ? 3 : INFINITY ) );
		assert_int_equal(
			bv_mesh_closest_point( file, NULL, ( bv_vec3 ){ 0.5, 0.25, -7 }, &closest_options, &closest ),
			bv_ok );
		assert_true( closest.found == ( k < 2 ) && closest.distance == ( k < 2 ? 7 : INFINITY ) );
	}
}

static void a_ray_that_ends_at_zero_has_no_end( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_ray ray = { .origin = { 0.5, 0.25, 9 }, .direction = { 0, 0, -1 } };
	bv_ray_result hit;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ), bv_ok );
	assert_true( hit.found && hit.time == 8 );
	ray.from = 8.5; // inside
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ), bv_ok );
	assert_true( hit.found && hit.time == 9 && hit.back );
	const double ends[3] = { 0, 7.5, 10 };
	bv_rays rays = {
		.count = 3,
		.origin = { &ray.origin, 0, bv_number_double },
		.direction = { &ray.direction, 0, bv_number_double },
		.to = { ends, sizeof *ends, bv_number_double },
	};
	bv_ray_result hits[3];
	for ( int in_turns = 0; in_turns < 2; ++in_turns )
	{
		assert_int_equal(
			bvtree_cast_rays_in( bvtree_lanes_best(), in_turns, file, NULL, &rays, NULL, hits, NULL ),
			bv_ok );
		assert_true( hits[0].found && hits[0].time == 8 && !hits[1].found && hits[2].time == 8 );
	}
}

// 8 away: met in the first unit of time if the motion is 16, not if it is 4.
static void a_cast_without_a_limit_ends_after_the_motion( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_vec3 center = { 0.5, 0.25, 10 };
	bv_convex ball = bv_convex_points( &center, 1, 1 );
	for ( int k = 0; k < 4; ++k )
	{
		bv_cast_options options = { .limit = k == 3 ? INFINITY : 0 };
		bv_cast_result hit;
		bv_vec3 motion = { 0, 0, k == 0 ? -16 : -4 };
		assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, motion, k == 2 ? NULL : &options, &hit ),
		                  bv_ok );
		assert_int_equal( hit.found, k == 0 || k == 3 );
		assert_true( !hit.found || fabs( hit.time + 8 / motion.z ) < 1e-9 );
	}
}

// The cube's face z = 1 is 2 and 4 away from the points.
static void points_have_the_lesser_of_both_limits( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	static const struct
	{
		double all;
		double each;
		int found;
	} cases[] = {
		{ 0, 0, 2 }, { 3, 0, 1 }, { 0, 3, 1 }, { 3, 5, 1 }, { 5, 3, 1 }, { 5, INFINITY, 2 }, { 1, 5, 0 },
	};
	const bv_vec3 at[2] = { { 0.5, 0.25, 3 }, { 0.5, 0.25, 5 } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bv_closest_options options = { cases[i].all };
		bv_points points = { 2,
			                 { at, sizeof *at, bv_number_double },
			                 { &cases[i].each, 0, bv_number_double } };
		for ( int in_order = 0; in_order < 2; ++in_order )
		{
			bv_closest_result results[2];
			assert_int_equal( bvtree_closest_points_in( bvtree_lanes_best(), in_order, file, NULL, &points,
			                                            &options, results, NULL ),
			                  bv_ok );
			assert_int_equal( results[0].found + results[1].found, cases[i].found );
			assert_true( !results[0].found || results[0].distance == 2 );
		}
	}
}

static void invalid_limits_change_no_result( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	static const double limits[] = { -1, NAN, -INFINITY };
	bv_vec3 point = { 2, 2, 2 };
	bv_points points = { 1, { &point, 0, bv_number_double }, { 0 } };
	bv_convex ball = bv_convex_points( &point, 1, 0.5 );
	for ( size_t i = 0; i < 3; ++i )
	{
		bv_closest_options closest_options = { limits[i] };
		bv_distance_options distance_options = { .limit = limits[i] };
		bv_cast_options cast_options = { .limit = limits[i] };
		bv_ray ray = { point, { 1, 0, 0 }, 0, limits[i] };
		bv_closest_result closest;
		bv_distance_result distance;
		bv_cast_result cast;
		bv_ray_result hit;
		unsigned char before[sizeof distance];
		memset( before, 0x5A, sizeof before );
		memset( &closest, 0x5A, sizeof closest );
		memset( &distance, 0x5A, sizeof distance );
		memset( &cast, 0x5A, sizeof cast );
		memset( &hit, 0x5A, sizeof hit );
		assert_int_equal( bv_mesh_closest_point( file, NULL, point, &closest_options, &closest ),
		                  bv_error_argument );
		assert_int_equal( bv_mesh_closest_points( file, NULL, &points, &closest_options, &closest, NULL ),
		                  bv_error_argument );
		assert_int_equal( bv_mesh_distance( file, file, NULL, &distance_options, &distance ),
		                  bv_error_argument );
		assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, point, &cast_options, &cast ),
		                  bv_error_argument );
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ), bv_error_argument );
		assert_memory_equal( &closest, before, sizeof closest );
		assert_memory_equal( &distance, before, sizeof distance );
		assert_memory_equal( &cast, before, sizeof cast );
		assert_memory_equal( &hit, before, sizeof hit );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( defaults_are_zero ),
		fixture_test( a_limit_of_zero_is_none ),
		fixture_test( a_ray_that_ends_at_zero_has_no_end ),
		fixture_test( a_cast_without_a_limit_ends_after_the_motion ),
		fixture_test( points_have_the_lesser_of_both_limits ),
		fixture_test( invalid_limits_change_no_result ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
