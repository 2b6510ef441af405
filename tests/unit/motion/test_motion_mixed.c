// The mixed mode of sweeps: closed forms, all pairs of features one by one, and the default mode, which is proven elsewhere.

#include "queries.h"
#include "shapes.h"
#include "sliding.h"

#include "runtime/triangle/crossing.h"

static bv_motion random_motion( fixture* f, int kind, double far )
{
	bv_motion out;
	bv_vec3 from = random_around( f );
	bv_vec3 to = random_around( f );
	bv_transform start =
		random_transform( f, 1, false, ( bv_vec3 ){ 2 * far * from.x, 2 * far * from.y, 2 * far * from.z } );
	bv_transform end = random_transform( f, 1, false, ( bv_vec3 ){ far * to.x, far * to.y, far * to.z } );
	bv_status status = kind % 2 ? bv_motion_slerp( &start, &end, random_around( f ), &out )
	                            : bv_motion_screw_between( &start, &end, &out );
	assert_int_equal( status, bv_ok );
	return out;
}

static bv_sweep_result sweep_with( bv_sweep_options options, const bv_file* a, const bv_motion* m,
                                   const bv_file* b, const bv_motion* n )
{
	bv_sweep_result r;
	assert_int_equal( bv_sweep_meshes( a, m, b, n, &options, &r ), bv_ok );
	return r;
}

static const bv_sweep_options mixed = { .mode = bv_sweep_mode_mixed };
static const bv_sweep_options dynamic = { .mode = bv_sweep_mode_dynamic };

static void assert_time( const bv_sweep_result* r, double truth )
{
	assert_true( r->found && !r->certain && r->complete && !r->at_start );
	assert_true( r->lower <= truth * ( 1 + 1e-12 ) && truth <= r->upper && r->upper - r->lower <= 1e-6 );
}

// A box of side 1 falls from the height 4 onto a plate whose sides are at the heights -0.25 and 0.25, and ends in both.
static void a_box_that_ends_in_a_plate_has_touched_it_with_its_corners( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.3, 0.2, 4 }, ( bv_vec3 ){ 0.3, 0.2, -0.5 } );
	const double truth = 3.75 / 4.5;
	bv_sweep_result r = sweep_with( mixed, plate, &still, box, &fall );
	assert_time( &r, truth );
	assert_true( fabs( r.normal.z - 1 ) < 1e-9 && fabs( r.point[0].z - 0.25 ) < 1e-5 );
	bool is_corner = r.feature[1] == bv_feature_corner_0 || r.feature[1] == bv_feature_corner_1 ||
	                 r.feature[1] == bv_feature_corner_2;
	assert_true( is_corner && r.triangle[0] < 12 && r.triangle[1] < 12 );

	r = sweep_with( mixed, box, &fall, plate, &still );
	assert_time( &r, truth );
	assert_true( fabs( r.normal.z + 1 ) < 1e-9 );

	// The end of the range is where the search begins.
	bv_sweep_options limited = { .mode = bv_sweep_mode_mixed, .limit = 0.99 * truth };
	assert_false( sweep_with( limited, plate, &still, box, &fall ).found );
	limited.limit = 1.05 * truth;
	r = sweep_with( limited, plate, &still, box, &fall );
	assert_time( &r, truth );
}

// If it falls further, so that its upper side ends in the plate, its edges cross only the lower side of the plate. They have
// touched that late.
static void what_has_crossed_a_face_and_left_it_is_late( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.3, 0.2, 4 }, ( bv_vec3 ){ 0.3, 0.2, -1 } );
	bv_sweep_result r = sweep_with( mixed, plate, &still, box, &fall );
	assert_time( &r, 0.85 );
	r = sweep_with( dynamic, plate, &still, box, &fall );
	assert_true( r.certain && r.lower <= 0.75 && 0.75 <= r.upper );
}

static void what_is_free_at_the_end_is_missed( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0, 0, 4 }, ( bv_vec3 ){ 0, 0, -4 } );
	bv_sweep_result r = sweep_with( mixed, plate, &still, box, &fall );
	assert_true( !r.found && !r.certain );
	assert_true( sweep_with( dynamic, plate, &still, box, &fall ).found );
}

static void what_overlaps_at_the_start_touches_then( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* box = file_of_round( f, &mesh, 0 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < 2; ++i )
	{
		bv_motion away = slide( ( bv_vec3 ){ 0.5, 0.4, 0.3 }, ( bv_vec3 ){ i ? 5 : 0.6, 0.1, 0.2 } );
		bv_sweep_result r = sweep_with( mixed, box, &still, box, &away );
		assert_true( r.found && r.certain && r.at_start && r.lower == 0 && r.upper == 0 );
	}
}

// The box jumps into the plate: its edges have never touched those of the plate, nor its corners the faces.
static void the_end_counts_as_time_0_if_no_features_touched( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	static const double ends[2] = { 0.5, 1 };
	const bv_motion parts[2] = { stay( ( bv_vec3 ){ 0, 0, 4 } ), stay( ( bv_vec3 ){ 0.3, 0.2, -0.4 } ) };
	bv_motion jump = bv_motion_sequence( parts, ends, 2 );
	bv_sweep_result r = sweep_with( mixed, plate, &still, box, &jump );
	assert_true( r.found && !r.certain && r.complete && !r.at_start );
	assert_true( r.lower == 0 && r.upper == 1 );
	assert_true( r.steps > 8 );
}

static bv_convex feature_of( const bv_file* file, uint32_t triangle, uint32_t first, int count )
{
	uint32_t vertex[3];
	bv_file_get_triangle( file, triangle, vertex );
	bv_vec3 corner[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		corner[k] = bv_file_get_vertex( file, vertex[( first + k ) % 3] );
	}
	return count == 1   ? bv_convex_point( corner[0] )
	       : count == 2 ? bv_convex_segment( corner[0], corner[1] )
	                    : bv_convex_triangle( corner[0], corner[1], corner[2] );
}

static double time_of( const bv_convex* a, const bv_motion* m, const bv_convex* b, const bv_motion* n )
{
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( a, m, b, n, NULL, &r ), bv_ok );
	return r.found ? r.lower : INFINITY;
}

// Of the features of figure 5.24, for an edge of the triangle i of a that crosses the triangle k of b.
static double time_of_edge( const bv_file* a, const bv_motion* m, uint32_t i, uint32_t edge, const bv_file* b,
                            const bv_motion* n, uint32_t k )
{
	double least = INFINITY;
	bv_convex face = feature_of( b, k, 0, 3 );
	bv_convex line = feature_of( a, i, edge, 2 );
	for ( uint32_t j = 0; j < 3; ++j )
	{
		bv_convex corner = feature_of( a, i, edge + j, 1 );
		bv_convex side = feature_of( b, k, j, 2 );
		least = fmin( least, j < 2 ? time_of( &corner, m, &face, n ) : INFINITY );
		least = fmin( least, time_of( &line, m, &side, n ) );
	}
	return least;
}

// All pairs of triangles, each feature as often as triangles have it, and no pruning.
static double time_by_brute_force( const bv_file* a, const bv_motion* m, const bv_file* b,
                                   const bv_motion* n )
{
	double least = INFINITY;
	bv_transform end[2];
	assert_int_equal( bv_motion_at( m, 1, end ), bv_ok );
	assert_int_equal( bv_motion_at( n, 1, end + 1 ), bv_ok );
	for ( uint32_t i = 0; i < bv_file_get_mesh( a ).triangles; ++i )
	{
		for ( uint32_t k = 0; k < bv_file_get_mesh( b ).triangles; ++k )
		{
			bv_vec3 corners[2][3];
			bvtri_crossing crossing;
			get_placed( a, i, end, corners[0] );
			get_placed( b, k, end + 1, corners[1] );
			bvtri_triangles_cross( corners[0], corners[1], &crossing );
			for ( uint32_t e = 0; e < 3; ++e )
			{
				least =
					crossing.edges[0] >> e & 1 ? fmin( least, time_of_edge( a, m, i, e, b, n, k ) ) : least;
				least =
					crossing.edges[1] >> e & 1 ? fmin( least, time_of_edge( b, n, k, e, a, m, i ) ) : least;
			}
		}
	}
	return least;
}

static void the_time_is_that_of_all_crossing_features( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 30; ++round )
	{
		bvb_mesh meshes[2] = { round % 2 ? bumpy_ball( f, 4 ) : random_soup( f, 40, ( bv_vec3 ){ 0, 0, 0 } ),
			                   bumpy_ball( f, 5 ) };
		const bv_file* a = file_of_round( f, meshes, round );
		const bv_file* b = file_of_round( f, meshes + 1, round / 3 );
		bv_motion m = random_motion( f, round, 1 );
		bv_motion n = random_motion( f, round / 2, 1 );
		bv_sweep_result r = sweep_with( mixed, a, &m, b, &n );
		if ( r.found && !r.at_start )
		{
			double least = time_by_brute_force( a, &m, b, &n );
			assert_true( fabs( r.lower - least ) <= 1e-6 && least <= r.upper );
			++hits;
		}
	}
	assert_true( hits > 5 );
}

// A contact that it reports is one, so that it is never before the first one. It misses what is free at the end, and some of
// its contacts are late.
static void it_is_never_earlier_than_the_first_contact( void** state )
{
	fixture* f = *state;
	static uint64_t memory[BV_SWEEP_SCRATCH_AMPLE / 8];
	const bv_sweep_options with_memory = { .mode = bv_sweep_mode_mixed,
		                                   .scratch = memory,
		                                   .scratch_bytes = sizeof memory };
	int equal = 0;
	int late = 0;
	int missed = 0;
	int starts = 0;
	int wide = 0;
	int over = 0;
	uint64_t steps[2] = { 0, 0 };
	int rounds = is_thorough() ? 2000 : 200;
	for ( int round = 0; round < rounds; ++round )
	{
		bvb_mesh balls[2] = { bumpy_ball( f, 6 ), bumpy_ball( f, 5 ) };
		const bv_file* a = file_of_round( f, balls, round );
		const bv_file* b = file_of_round( f, balls + 1, round / 3 );
		bv_motion m = random_motion( f, round, 1.5 );
		bv_motion n = random_motion( f, round / 4, 1.5 );
		m.scale = round % 5 == 0 ? 0.5 + random_unit( f ) : 0;
		n.mirror = round % 7 == 0;
		bv_sweep_result first = sweep_with( dynamic, a, &m, b, &n );
		bv_sweep_result r = sweep_with( mixed, a, &m, b, &n );
		assert_true( r.complete && first.certain );
		assert_true( first.found || !r.found );
		assert_true( first.at_start == r.at_start && r.certain == r.at_start );
		assert_true( !r.found || ( r.lower >= first.lower - 1e-6 && r.upper >= first.lower ) );
		assert_true( !r.found || r.upper <= 1 );
		// Of contacts next to the border of a feature there is no proof, and another one proves one a little later.
		wide += r.found && r.upper - r.lower > 1e-6;
		starts += r.at_start;
		// Of a range that ends soon after the first contact, it finds that or one a little later, unless it is over already.
		if ( first.found && !first.at_start && first.upper < 0.99 )
		{
			bv_sweep_options soon = { .mode = bv_sweep_mode_mixed, .limit = first.upper + 0.001 };
			bv_sweep_result near = sweep_with( soon, a, &m, b, &n );
			assert_true( !near.found || ( near.lower >= first.lower - 1e-6 && near.upper <= soon.limit ) );
			equal += near.found && near.lower <= first.upper;
			over += !near.found;
		}
		missed += first.found && !r.found;
		equal += r.found && !r.at_start && r.lower <= first.upper;
		late += r.found && r.lower > first.upper;

		// With memory, fewer features are followed twice. Those that are can have another interval around the same time.
		bv_sweep_result same = sweep_with( with_memory, a, &m, b, &n );
		assert_true( same.found == r.found && fabs( same.lower - r.lower ) <= 1e-6 );
		assert_true( same.upper >= r.lower && same.lower <= r.upper );
		steps[0] += r.steps;
		steps[1] += same.steps;
	}
	assert_true( steps[1] < steps[0] && wide <= rounds / 200 && over <= rounds / 200 );
	assert_true( equal > 100 && late > 50 && missed > 10 && starts > 3 );
}

static void a_limit_of_tests_ends_the_search( void** state )
{
	fixture* f = *state;
	bvb_mesh balls[2] = { bumpy_ball( f, 8 ), bumpy_ball( f, 8 ) };
	const bv_file* a = file_of_round( f, balls, 0 );
	const bv_file* b = file_of_round( f, balls + 1, 1 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion fly = slide( ( bv_vec3 ){ 0, 0, 6 }, ( bv_vec3 ){ 0.5, 0.25, 1 } );
	bv_sweep_result first = sweep_with( dynamic, a, &still, b, &fly );
	bv_sweep_result whole = sweep_with( mixed, a, &still, b, &fly );
	assert_true( first.found && whole.found && whole.complete );
	uint64_t tests = whole.volume_tests + whole.triangle_tests;
	int incomplete = 0;
	int found = 0;
	for ( uint64_t most = 1; most < tests + 1000; most += 1 + most / 20 )
	{
		bv_sweep_options options = { .mode = bv_sweep_mode_mixed, .most_tests = most };
		bv_sweep_result r = sweep_with( options, a, &still, b, &fly );
		assert_true( r.complete || !r.certain );
		assert_true( !r.found || r.upper >= first.lower );
		assert_true( r.volume_tests + r.triangle_tests < most + 5000 );
		assert_true( !r.complete || ( r.lower == whole.lower && r.upper == whole.upper ) );
		incomplete += !r.complete;
		found += !r.complete && r.found;
	}
	assert_true( incomplete > 0 && found > 0 );
}

// Files of meshes far from 0 store positions relative to an offset.
static void meshes_far_from_0_touch_at_the_same_time( void** state )
{
	fixture* f = *state;
	const bv_vec3 away = { 1e6, -2e6, 3e6 };
	bvb_mesh near[2] = { box_mesh( f, 4, 4, 0.5 ), bumpy_ball( f, 5 ) };
	bvb_mesh far[2] = { moved( f, near, away ), moved( f, near + 1, away ) };
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.3, 0.2, 4 }, ( bv_vec3 ){ 0.3, 0.2, 0.6 } );
	bv_motion still_far = stay( minus( ( bv_vec3 ){ -2, -2, -0.25 }, away ) );
	bv_motion fall_far =
		slide( minus( ( bv_vec3 ){ 0.3, 0.2, 4 }, away ), minus( ( bv_vec3 ){ 0.3, 0.2, 0.6 }, away ) );
	for ( int round = 0; round < 4; ++round )
	{
		bv_sweep_result r = sweep_with( mixed, file_of_round( f, near, round ), &still,
		                                file_of_round( f, near + 1, round ), &fall );
		bv_sweep_result s = sweep_with( mixed, file_of_round( f, far, round ), &still_far,
		                                file_of_round( f, far + 1, round ), &fall_far );
		assert_true( r.found && s.found && r.lower > 0 && s.complete && fabs( r.lower - s.lower ) < 1e-5 );
		assert_true( s.upper - s.lower <= 1e-6 );
	}
}

// Poses are valid at both ends of the range only.
static void break_in_between( const void* context, double time, bv_pose* out )
{
	const double* height = context;
	*out = bv_pose_identity();
	out->translation = ( bv_vec3 ){ 0, 0, *height * ( 1 - time ) };
	out->rotation[0][0] = time > 0 && time < 1 ? NAN : 1;
}

static void an_invalid_pose_leaves_the_result( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &mesh, 0 );
	bv_motion still = stay( ( bv_vec3 ){ 0.3, 0.2, 0.1 } );
	double height = 4;
	bv_motion broken = bv_motion_callback( break_in_between, &height, ( bv_vec3 ){ 0, 0, 0 }, 4, 0 );
	bv_sweep_result r = { .lower = 17 };
	assert_int_equal( bv_sweep_meshes( file, &still, file, &broken, &mixed, &r ), bv_error_argument );
	assert_true( r.lower == 17 );
	bv_sweep_options end = { .mode = bv_sweep_mode_end };
	assert_int_equal( bv_sweep_meshes( file, &still, file, &broken, &end, &r ), bv_ok );
	assert_true( r.found );
}

static void it_is_for_meshes_without_separation( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &mesh, 0 );
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 0.5 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_sweep_options apart = { .mode = bv_sweep_mode_mixed, .separation = 0.1 };
	bv_sweep_result r = { .lower = 17 };
	assert_int_equal( bv_sweep_meshes( file, &still, file, &still, &apart, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convexes( &ball, &still, &ball, &still, &mixed, &r ), bv_error_unsupported );
	assert_int_equal( bv_sweep_convex_mesh( &ball, &still, file, &still, &mixed, &r ), bv_error_unsupported );
	assert_true( r.lower == 17 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( a_box_that_ends_in_a_plate_has_touched_it_with_its_corners,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_has_crossed_a_face_and_left_it_is_late, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_is_free_at_the_end_is_missed, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_overlaps_at_the_start_touches_then, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( the_end_counts_as_time_0_if_no_features_touched, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( the_time_is_that_of_all_crossing_features, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( it_is_never_earlier_than_the_first_contact, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( a_limit_of_tests_ends_the_search, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( meshes_far_from_0_touch_at_the_same_time, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( an_invalid_pose_leaves_the_result, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( it_is_for_meshes_without_separation, fixture_setup,
		                                 fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
