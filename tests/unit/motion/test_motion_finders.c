// The five finders of 1998: what each finds, what each misses, and what is wrong in print and right here.

#include "moving_features.h"

static bv_feature_time find_by( const query* q, bv_finder finder, bv_inside_test inside )
{
	bv_feature_options options = { .finder = finder, .inside = inside };
	return find_with( q, &options );
}

static void assert_found( const query* q, bv_finder finder, double time )
{
	bv_feature_time r = find_by( q, finder, bv_inside_exact );
	assert_true( r.found );
	assert_false( r.certain );
	assert_true( fabs( r.lower - time ) <= 1.01e-6 );
	assert_true( r.upper == INFINITY );
}

static void assert_not_found( const query* q, bv_finder finder )
{
	bv_feature_time r = find_by( q, finder, bv_inside_exact );
	assert_false( r.found );
	assert_false( r.certain );
	assert_true( r.lower == 1 );
}

static void all_find_a_translation( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	query p = still( true, example_edges );
	p.end[2].z = p.end[3].z = -1;
	for ( bv_finder finder = bv_finder_linear; finder < bv_finders; ++finder )
	{
		assert_found( &q, finder, 0.75 );
		assert_found( &p, finder, 2.0 / 3 );
	}
}

// Contact at the very beginning or end; a product of both values below 0 would be required in print.
static void all_find_contact_at_an_end( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = 0;
	query p = still( true, example_edges );
	p.start[2].z = p.start[3].z = 0;
	for ( bv_finder finder = bv_finder_linear; finder < bv_finders; ++finder )
	{
		assert_found( &q, finder, 1 );
		assert_found( &p, finder, 0 );
	}
}

// A root that is outside of the triangle, and none at all.
static void none_finds_what_passes_by( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.start[0].x = q.end[0].x = 4.5;
	q.end[0].z = -1;
	query p = still( true, example_edges );
	p.end[2].z = p.end[3].z = 1;
	for ( bv_finder finder = bv_finder_linear; finder < bv_finders; ++finder )
	{
		assert_not_found( &q, finder );
		assert_not_found( &p, finder );
	}
}

// The function of the plane is a multiple of ( 3 t - 1 ) ( 2 - 3 t ), with the same sign at both ends. The vertex is above
// the inside of the face until 2 / 3. The parabola of the printed listings has the wrong roots.
static void dip_is_found_by_the_parabola_and_between_samples( void** state )
{
	(void)state;
	query q = { false,
		        { { 2, 2, 0 }, { 0, 0, 0 }, { 8, 0, -1 }, { 0, 8, -1 } },
		        { { -1, -1, 0 }, { 0, 0, 0 }, { 8, 0, 2 }, { 0, 8, 2 } } };
	assert_not_found( &q, bv_finder_linear );
	assert_not_found( &q, bv_finder_regula_falsi );
	assert_found( &q, bv_finder_quadratic, 1.0 / 3 );
	assert_found( &q, bv_finder_sampled_regula_falsi, 1.0 / 3 );

	// The line from -0.3125 at 0.25 to 0.25 at 0.5.
	bv_feature_time five = find_by( &q, bv_finder_sampling, bv_inside_exact );
	assert_true( five.found && fabs( five.lower - 7.0 / 18 ) < 1e-12 );
	bv_feature_options options = { .finder = bv_finder_sampling, .samples = 2 };
	assert_false( find_with( &q, &options ).found );
	options.samples = 1000;
	bv_feature_time many = find_with( &q, &options );
	assert_true( many.found && fabs( many.lower - 1.0 / 3 ) < 1e-5 );
}

// ( t + 0.02 )^3 - 0.3^3 as the height of an edge over another one that shrinks at the same rates: regula falsi without
// Illinois' rule keeps one end and comes near in hundreds of steps. Here both edges and their distance grow with t.
static void steep_functions_take_few_steps( void** state )
{
	(void)state;
	query q = still( true, example_edges );
	for ( int i = 0; i < 4; ++i )
	{
		const double grown[2] = { 0.02, 1.02 };
		bv_vec3* p[2] = { &q.start[i], &q.end[i] };
		for ( int end = 0; end < 2; ++end )
		{
			p[end]->x *= grown[end];
			p[end]->y *= grown[end];
			p[end]->z = i < 2 ? 0 : grown[end] - 0.3;
		}
	}
	for ( bv_finder finder = bv_finder_regula_falsi; finder < bv_finders;
	      finder += bv_finder_sampled_regula_falsi - bv_finder_regula_falsi )
	{
		assert_found( &q, finder, 0.28 );
		assert_in_range( find_by( &q, finder, bv_inside_exact ).tests, 3, 40 );
	}
}

// The base of the face grows fourfold while the vertex leaves the prism at 1 / 2, after it met the plane at 2 / 5. Values
// of the sides at both ends make it leave much earlier.
static void interpolated_sides_reject_a_contact( void** state )
{
	(void)state;
	query q = { false,
		        { { 0, 0.5, 2 }, { -1, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
		        { { 0, -0.5, -3 }, { -4, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };
	assert_found( &q, bv_finder_regula_falsi, 0.4 );
	assert_false( find_by( &q, bv_finder_regula_falsi, bv_inside_interpolated ).found );
	bv_feature_time certified = find_by( &q, bv_finder_certified, bv_inside_interpolated );
	assert_true( certified.found && certified.certain && certified.lower <= 0.4 && certified.upper >= 0.4 );
}

// The same of parameters of two edges that are exact where nothing turns, and not where an edge grows.
static void interpolated_parameters_are_exact_for_translations( void** state )
{
	(void)state;
	uint64_t seed = 1;
	int found = 0;
	for ( int round = 0; round < 2000; ++round )
	{
		query q = { .edges = round % 2 };
		bv_vec3 way = { random_coordinate( &seed ), random_coordinate( &seed ), random_coordinate( &seed ) };
		for ( int i = 0; i < 4; ++i )
		{
			q.start[i] = ( bv_vec3 ){ random_coordinate( &seed ), random_coordinate( &seed ),
				                      random_coordinate( &seed ) };
			q.end[i] = i < ( q.edges ? 2 : 1 ) ? bv_add( q.start[i], bv_scale( 2, way ) ) : q.start[i];
		}
		bv_feature_time certified = find_by( &q, bv_finder_certified, bv_inside_exact );
		for ( int inside = 0; inside < bv_inside_tests; ++inside )
		{
			bv_feature_time linear = find_by( &q, bv_finder_linear, (bv_inside_test)inside );
			assert_int_equal( linear.found, certified.found );
			assert_true( !linear.found || fabs( linear.lower - certified.lower ) < 1e-9 );
		}
		found += certified.found;
	}
	assert_in_range( found, 50, 1950 );
}

// What has no normal is a segment or a point.
static void degenerate_features_are_found( void** state )
{
	(void)state;
	query q = { false,
		        { { 2, 4, 6 }, { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 0 } },
		        { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 0 } } };
	bv_feature_options options = { .finder = bv_finder_sampling, .inside = bv_inside_interpolated };
	bv_feature_time r = find_with( &q, &options );
	assert_true( r.found && r.lower == 1 );
	q.end[0].x = 0.5;
	assert_false( find_with( &q, &options ).found );
}

static void limit_ends_the_range( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	for ( bv_finder finder = bv_finder_linear; finder < bv_finders; ++finder )
	{
		bv_feature_options options = { .finder = finder, .limit = 0.76 };
		bv_feature_time r = find_with( &q, &options );
		assert_true( r.found && fabs( r.lower - 0.75 ) <= 1.01e-6 );
		options.limit = 0.74;
		r = find_with( &q, &options );
		assert_true( !r.found && r.lower == 0.74 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( all_find_a_translation ),
		cmocka_unit_test( all_find_contact_at_an_end ),
		cmocka_unit_test( none_finds_what_passes_by ),
		cmocka_unit_test( dip_is_found_by_the_parabola_and_between_samples ),
		cmocka_unit_test( steep_functions_take_few_steps ),
		cmocka_unit_test( interpolated_sides_reject_a_contact ),
		cmocka_unit_test( interpolated_parameters_are_exact_for_translations ),
		cmocka_unit_test( degenerate_features_are_found ),
		cmocka_unit_test( limit_ends_the_range ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
