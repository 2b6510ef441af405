// bv_mesh_distance against all pairs of triangles; that of one pair is proved in test_triangle_nearest.

#include "queries.h"

#include "runtime/tree/levels.h"
#include "runtime/triangle/gap.h"

static double distance_of_all( const bv_file* a, const bv_file* b, const bv_transform* t )
{
	bv_transform none = bv_transform_identity();
	double least = INFINITY;
	for ( uint32_t k = 0; k < bv_file_get_mesh( b ).triangles; ++k )
	{
		bv_vec3 moved[3];
		get_placed( b, k, t, moved );
		for ( uint32_t i = 0; i < bv_file_get_mesh( a ).triangles; ++i )
		{
			bv_vec3 corner[3];
			bvtri_gap gap;
			get_placed( a, i, &none, corner );
			if ( bvtri_triangles_gap( corner, moved, least, &gap ) )
			{
				least = sqrt( gap.square );
			}
		}
	}
	return least;
}

static void assert_distance( const bv_file* a, const bv_file* b, const bv_transform* t, double expected,
                             double error )
{
	bv_distance_result result;
	assert_int_equal( bv_mesh_distance( a, b, t, NULL, &result ), bv_ok );
	assert_true( result.found );
	if ( fabs( result.distance - expected ) > error )
	{
		fail_msg( "%.17g instead of %.17g", result.distance, expected );
	}
	bv_transform none = bv_transform_identity();
	assert_surface_point( a, &result.a, &none, error );
	assert_surface_point( b, &result.b, t, error );
	assert_true( fabs( length( minus( result.a.point, result.b.point ) ) - result.distance ) <= error );
	assert_true( result.triangle_tests > 0 && result.volume_tests > 0 );
}

static void distances_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 48; ++round )
	{
		double scale = round % 3 == 0 ? 1 : pow( 10, 2 * random_unit( f ) - 1 );
		bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
		double far = round % 4 == 3 ? 1e4 : 1 + scale;
		bvb_mesh soup_a = random_soup( f, 60, center );
		bvb_mesh soup_b = random_soup( f, 90, center );
		const bv_file* a = file_of_round( f, &soup_a, round );
		const bv_file* b = file_of_round( f, &soup_b, round / 2 );

		// B's center comes to the place that is `far` from A's.
		bv_vec3 direction = random_around( f );
		bv_transform t = random_transform( f, scale, round % 2 == 1, ( bv_vec3 ){ 0, 0, 0 } );
		t.pose.rotation[0][1] += round % 6 == 5 ? 4e-5 : round % 6 == 2 ? 1e-7 : 0; // rigid only so far
		t.pose.translation = minus( plus( center, far, direction ), placed( &t, center ) );
		double magnitude = ( 1 + scale ) * ( length( center ) + 1 ) + far;
		assert_distance( a, b, &t, distance_of_all( a, b, &t ), 1e-13 * magnitude );
	}
}

// With the least memory almost all of the search goes back along its path; with 1,200 bytes the queue is purged; with
// ample memory neither happens.
static void distances_do_not_depend_on_the_memory_for_pairs( void** state )
{
	fixture* f = *state;
	static double scratch[BV_DISTANCE_SCRATCH_AMPLE / sizeof( double )];
	static const size_t sizes[] = { BV_DISTANCE_SCRATCH_LEAST, 640, 1200, 2928, BV_DISTANCE_SCRATCH_AMPLE };
	uint64_t tests[sizeof sizes / sizeof *sizes] = { 0 };
	for ( int round = 0; round < 24; ++round )
	{
		bvb_mesh soup_a = random_soup( f, 300, ( bv_vec3 ){ 0, 0, 0 } );
		bvb_mesh soup_b = random_soup( f, 200, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* a = file_of_round( f, &soup_a, round );
		const bv_file* b = file_of_round( f, &soup_b, round / 2 );
		bv_transform t =
			random_transform( f, 0.5 + random_unit( f ), round % 2 == 1, ( bv_vec3 ){ 0, 0, 0 } );
		t.pose.translation = random_around( f );
		t.pose.translation.x += round % 4;
		bv_distance_result result;
		assert_int_equal( bv_mesh_distance( a, b, &t, NULL, &result ), bv_ok );
		for ( size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i )
		{
			bv_distance_options options = { .scratch = scratch, .scratch_bytes = sizes[i] };
			bv_distance_result r;
			double behind = i + 1 < sizeof sizes / sizeof *sizes ? scratch[sizes[i] / sizeof *scratch] : 0;
			assert_int_equal( bv_mesh_distance( a, b, &t, &options, &r ), bv_ok );
			assert_true( r.found && r.distance == result.distance );
			assert_true( r.triangle_tests < 300 * 200 );
			assert_true( i + 1 == sizeof sizes / sizeof *sizes ||
			             memcmp( &behind, scratch + sizes[i] / sizeof *scratch, sizeof behind ) == 0 );
			tests[i] += r.volume_tests + r.triangle_tests;
		}
	}
	for ( size_t i = 1; i < sizeof sizes / sizeof *sizes; ++i )
	{
		assert_true( tests[i] < tests[i - 1] );
	}
}

static void scratch_memory_that_is_too_small_or_misaligned_is_an_error( void** state )
{
	fixture* f = *state;
	double scratch[BV_DISTANCE_SCRATCH_LEAST / sizeof( double ) + 1];
	bvb_mesh soup = random_soup( f, 8, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* file = file_of_round( f, &soup, 0 );
	bv_distance_options options = { .scratch = scratch, .scratch_bytes = BV_DISTANCE_SCRATCH_LEAST };
	bv_distance_result result = { .distance = -1 };
	options.scratch_bytes -= 1;
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &result ), bv_error_argument );
	options.scratch_bytes += 1;
	options.scratch = (char*)scratch + 4;
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &result ), bv_error_argument );
	assert_true( result.distance == -1 );
	options.scratch = scratch;
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &result ), bv_ok );
	options = ( bv_distance_options ){ .scratch_bytes = 1 };
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &result ), bv_ok );
}

static void leaves_out_most_pairs( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 16 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 3, 0, 0 } );
	bv_distance_result result;
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
	assert_true( fabs( result.distance - distance_of_all( file, file, &t ) ) < 1e-12 );
	assert_true( result.triangle_tests < ball.triangle_count );
}

// Balls of triangles, one in the other: nearly all pairs are equally near, and more wait than the queue holds. Against the
// distance of all pairs.
static void more_pairs_than_the_queue_holds( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	const bv_file* file = file_of_round( f, &ball, 1 );
	bv_transform t = bv_transform_identity();
	t.scale = 0.75;
	bv_distance_result result;
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
	assert_true( fabs( result.distance - distance_of_all( file, file, &t ) ) < 1e-12 );
}

enum
{
	chain_triangles = 7 * BV_MAX_DEPTH + 1,
};

// The deepest tree there can be with the most children: on each level seven leaves and, as the last child, the rest.
static bvb_node node_of_chain( const void* context, uint32_t index )
{
	(void)context;
	uint32_t level = index == 0 ? 0 : ( index + 7 ) / 8;
	bool inner = index % 8 == 0 && level < BV_MAX_DEPTH;
	bvb_node node = { .volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 8 } } };
	node.first_child = inner ? 8 * level + 1 : 0;
	node.children = inner ? 8 : 0;
	node.first_triangle = inner ? 7 * level : 7 * ( level - 1 ) + ( index - 1 ) % 8;
	node.triangles = inner ? chain_triangles - node.first_triangle : 1;
	return node;
}

// Every volume holds all, so that each pair of leaves is compared once, with as many pairs waiting as there can be.
static void the_deepest_and_widest_trees_are_descended( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, chain_triangles );
	for ( uint32_t i = 0; i < 3 * chain_triangles; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	const bv_file* file = file_of_nodes( f, &mesh, node_of_chain, NULL, 8 * BV_MAX_DEPTH + 1 );
	bv_transform t = bv_transform_identity();
	t.pose.translation.x = 1.5;
	bv_distance_result result;
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
	assert_int_equal( result.triangle_tests, chain_triangles * chain_triangles );
	assert_true( fabs( result.distance - distance_of_all( file, file, &t ) ) < 1e-12 );
}

// A cube of side 1 and itself at x = 3: 2 apart. One of half the size, mirrored, from x = 2.5 to 3: 1.5 apart.
static void distances_of_cubes_in_closed_form( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_transform t = bv_transform_identity();
	t.pose.translation.x = 3;
	assert_distance( file, file, &t, 2, 1e-14 );
	t.scale = 0.5;
	t.mirror = true;
	assert_distance( file, file, &t, 1.5, 1e-14 );
	t.pose.translation.x = 1.5;
	assert_distance( file, file, &t, 0, 1e-14 );
}

static void meshes_that_meet_have_a_common_point( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	for ( int i = 0; i < 20; ++i )
	{
		bv_transform t = random_transform( f, 1, i % 2 == 0, ( bv_vec3 ){ 0.5, 0.5, 0 } );
		bv_distance_result result;
		assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
		assert_true( result.found && result.distance == 0 );
		assert_memory_equal( &result.a.point, &result.b.point, sizeof( bv_vec3 ) );
		assert_true( result.triangle_tests < 500 );
	}
}

static void limits_decide_what_is_found( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 8 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 5, 1, 0 } );
	double distance = distance_of_all( file, file, &t );
	bv_distance_options options = bv_distance_options_default();
	bv_distance_result result;
	options.limit = distance * ( 1 + 1e-12 );
	assert_int_equal( bv_mesh_distance( file, file, &t, &options, &result ), bv_ok );
	assert_true( result.found );
	options.limit = distance * ( 1 - 1e-12 );
	assert_int_equal( bv_mesh_distance( file, file, &t, &options, &result ), bv_ok );
	assert_false( result.found );
	assert_true( isinf( result.distance ) );

	// Far below it a single pair of volumes tells.
	options.limit = 0.1 * distance;
	assert_int_equal( bv_mesh_distance( file, file, &t, &options, &result ), bv_ok );
	assert_false( result.found );
	assert_int_equal( result.volume_tests, 1 );
	assert_int_equal( result.triangle_tests, 0 );
}

static void tolerances_are_kept_and_save_tests( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	uint64_t exact = 0;
	uint64_t loose = 0;
	for ( int i = 0; i < 20; ++i )
	{
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 3, 0, 0 } );
		bv_distance_result result;
		bv_distance_result rough;
		bv_distance_options options = bv_distance_options_default();
		*( i % 2 == 0 ? &options.relative : &options.absolute ) = 0.1;
		assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
		assert_int_equal( bv_mesh_distance( file, file, &t, &options, &rough ), bv_ok );
		double most = i % 2 == 0 ? 1.1 * result.distance : result.distance + 0.1;
		assert_true( result.distance <= rough.distance && rough.distance <= most * ( 1 + 1e-12 ) );
		exact += result.volume_tests;
		loose += rough.volume_tests;
	}
	assert_true( loose < exact );
}

// Two objects near each other and far from the world's origin: in binary64 what is far is subtracted first. Exact in the closed form,
// since all numbers are small multiples of powers of two.
static void worlds_may_be_large( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_transform a = bv_transform_identity();
	bv_transform b = bv_transform_identity();
	a.pose.translation = ( bv_vec3 ){ 0x1p40, -0x1p41, 3 };
	b.pose.translation = ( bv_vec3 ){ 0x1p40 + 1.125, -0x1p41, 3 };
	bv_transform b_in_a = bv_transform_between( &a, &b );
	assert_distance( file, file, &b_in_a, 0.125, 0 );
}

// As few pairs are looked at from any distance, also where binary32 tells nothing of a node from its neighbors.
static void far_meshes_take_no_more_tests( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	for ( int exponent = 2; exponent <= 30; ++exponent )
	{
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 0.3, -0.2, ldexp( 1, exponent ) } );
		bv_distance_result result;
		assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &result ), bv_ok );
		assert_true( result.triangle_tests < ball.triangle_count );
		bv_vec3 point = { 0, 0.1, ldexp( 1, exponent ) };
		bv_closest_result near;
		assert_int_equal( bv_mesh_closest_point( file, NULL, point, NULL, &near ), bv_ok );
		assert_true( near.triangle_tests < ball.triangle_count / 8 );
	}
}

// What is placed by both is where it is placed by one after the other.
static void transforms_between_are_products( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_transform a = random_transform( f, pow( 10, random_unit( f ) ), i % 2 == 0, random_around( f ) );
		bv_transform b = random_transform( f, pow( 10, random_unit( f ) ), i % 3 == 0, random_around( f ) );
		bv_transform b_in_a = bv_transform_between( &a, &b );
		assert_true( bv_transform_is_valid( &b_in_a ) );
		bv_vec3 p = random_around( f );
		bv_vec3 twice = placed( &a, placed( &b_in_a, p ) );
		assert_true( length( minus( twice, placed( &b, p ) ) ) < 1e-12 );
		bv_vec3 once = bv_transform_point( &b, p );
		assert_true( length( minus( once, placed( &b, p ) ) ) < 1e-13 );
	}
}

static void what_makes_no_sense_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_transform t = bv_transform_identity();
	bv_distance_result r;
	bv_distance_options options = bv_distance_options_default();
	assert_int_equal( bv_mesh_distance( file, file, NULL, NULL, &r ), bv_ok );
	assert_int_equal( bv_mesh_distance( NULL, file, &t, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_distance( file, NULL, &t, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, NULL ), bv_error_argument );
	static const double scales[] = { 0, -1, 1e40, 1e-40, NAN, INFINITY };
	for ( int i = 0; i < 6; ++i )
	{
		t.scale = scales[i];
		assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &r ), bv_error_argument );
	}
	t = bv_transform_identity();
	t.pose.rotation[0][0] = -1;
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &r ), bv_error_argument );
	options.limit = NAN;
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &r ), bv_error_argument );
	options.limit = 1;
	options.relative = -1;
	assert_int_equal( bv_mesh_distance( file, file, NULL, &options, &r ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( distances_do_not_depend_on_the_memory_for_pairs ),
		fixture_test( scratch_memory_that_is_too_small_or_misaligned_is_an_error ),
		fixture_test( distances_are_those_of_brute_force ),
		fixture_test( leaves_out_most_pairs ),
		fixture_test( more_pairs_than_the_queue_holds ),
		fixture_test( the_deepest_and_widest_trees_are_descended ),
		fixture_test( distances_of_cubes_in_closed_form ),
		fixture_test( meshes_that_meet_have_a_common_point ),
		fixture_test( limits_decide_what_is_found ),
		fixture_test( tolerances_are_kept_and_save_tests ),
		fixture_test( worlds_may_be_large ),
		fixture_test( far_meshes_take_no_more_tests ),
		fixture_test( transforms_between_are_products ),
		fixture_test( what_makes_no_sense_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
