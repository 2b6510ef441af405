// When moving features come as near as a separation, by closed forms and by distances in arithmetic of 113 bits at many
// times.

#include "moving_features.h"

#include "tests/reference/gaps.h"

static bv_feature_time find_near( const query* q, double separation )
{
	bv_feature_options options = { .separation = separation };
	return find_with( q, &options );
}

static void assert_near_at( const query* q, double separation, double time )
{
	bv_feature_time r = find_near( q, separation );
	assert_true( r.found );
	assert_true( r.certain );
	assert_true( r.lower <= time + 0x1p-50 ); // the closed form is rounded
	assert_true( r.upper >= time - 0x1p-50 );
	assert_true( r.upper - r.lower <= 1e-6 );
}

static void assert_never_near( const query* q, double separation )
{
	bv_feature_time r = find_near( q, separation );
	assert_false( r.found );
	assert_true( r.certain );
	assert_true( r.lower == 1 );
}

static void falling_features_come_near_at_known_times( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1; // 3 - 4 t
	assert_near_at( &q, 0.25, 2.75 / 4 );
	assert_near_at( &q, 1e-3, 2.999 / 4 );
	query p = still( true, example_edges );
	p.end[2].z = p.end[3].z = -1; // 2 - 3 t
	assert_near_at( &p, 0.5, 0.5 );
	p.end[2].z = p.end[3].z = 0.5;
	assert_near_at( &p, 0.75, 1.25 / 1.5 );
	assert_never_near( &p, 0.5 - 1e-9 );
}

// A vertex passes a corner: the distance is that of two points, and its square is ( 10 t - 5 )^2 + 0.36.
static void passing_features_come_near_at_known_times( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.start[0] = ( bv_vec3 ){ 5, -0.6, -5 };
	q.end[0] = ( bv_vec3 ){ 5, -0.6, 5 };
	q.start[2].x = q.end[2].x = 5;
	assert_near_at( &q, 1, 0.42 );
	assert_near_at( &q, 0.6 + 1e-9, 0.5 - sqrt( 1.2e-9 ) / 10 );
	assert_never_near( &q, 0.6 - 1e-9 );
}

static void features_that_are_near_at_the_start_touch_at_0( void** state )
{
	(void)state;
	query q = still( true, example_edges );
	bv_feature_time r = find_near( &q, 2.5 );
	assert_true( r.found && r.certain && r.lower == 0 && r.upper == 0 );
}

static void limit_ends_the_range( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	bv_feature_options options = { .separation = 0.25, .limit = 0.6875 + 1e-9 };
	assert_true( find_with( &q, &options ).found );
	options.limit = 0.6875 - 1e-9;
	bv_feature_time r = find_with( &q, &options );
	assert_true( !r.found && r.certain && r.lower == options.limit );
}

// Corners of a face that turns quickly come near along a fixed direction, while the vertex comes near slowly.
static void face_that_turns_is_decided( void** state )
{
	(void)state;
	query q = { false,
		        { { -2, 2, 2 }, { -2, 0, 1 }, { 1, 1, 0 }, { 0, -2, 1 } },
		        { { 2, 0, -1 }, { 2, 0, 1 }, { 2, 0, -2 }, { -1, 2, -2 } } };
	bv_feature_time r = find_near( &q, 0.000398107 );
	assert_true( r.found );
	assert_true( r.certain );
	assert_in_range( r.tests, 1, 120 );
}

// Half of them fill all bits: grids alone have many pairs that touch at exactly the separation.
static void random_features( uint64_t* seed, query* out )
{
	random_query( seed, out );
	bool fills = next_random( seed ) % 2;
	for ( int i = 0; i < 8 && fills; ++i )
	{
		bv_vec3* p = i < 4 ? &out->start[i] : &out->end[i - 4];
		*p = ( bv_vec3 ){ random_coordinate( seed ), random_coordinate( seed ), random_coordinate( seed ) };
	}
}

static double distance_at( const query* q, double t )
{
	bv_vec3 p[4];
	for ( int i = 0; i < 4; ++i )
	{
		p[i] = bv_add( bv_scale( 1 - t, q->start[i] ), bv_scale( t, q->end[i] ) );
	}
	const bv_vec3 a[3] = { p[0], q->edges ? p[1] : p[0], q->edges ? p[1] : p[0] };
	const bv_vec3 b[3] = { p[q->edges ? 2 : 1], p[q->edges ? 3 : 2], p[3] };
	return gap_of_triangles( a, b );
}

static void distances_at_many_times_agree( void** state )
{
	(void)state;
	uint64_t seed = 1;
	int found = 0;
	int uncertain = 0;
	const int rounds = is_thorough() ? 20000 : 1000;
	for ( int round = 0; round < rounds; ++round )
	{
		query q;
		random_features( &seed, &q );
		double separation = pow( 10, -6.0 * next_random( &seed ) * 0x1p-31 );
		bv_feature_time r = find_near( &q, separation );
		const double rounding = 1e-14;
		for ( int i = 0; i < 16 && r.lower > 0; ++i )
		{
			double t = r.lower * ( i + 0.5 ) / 16;
			assert_true( distance_at( &q, t ) > separation - rounding );
		}
		assert_true( r.found || distance_at( &q, 1 ) > separation - rounding );
		found += r.found;
		uncertain += !r.certain;
		if ( r.found && r.certain )
		{
			assert_true( distance_at( &q, r.upper ) <= separation + rounding );
			assert_true( r.upper - r.lower <= 1e-6 );
		}
	}
	assert_in_range( found, rounds / 10, rounds * 9 / 10 );
	assert_in_range( uncertain, 0, rounds / 200 );
}

// Features without a separation touch later, if at all.
static void exact_contacts_are_not_earlier( void** state )
{
	(void)state;
	uint64_t seed = 2;
	int found = 0;
	for ( int round = 0; round < 10000; ++round )
	{
		query q;
		random_features( &seed, &q );
		bv_feature_time exact = find_with( &q, NULL );
		bv_feature_time near = find_near( &q, 1e-3 );
		assert_true( !exact.found || ( near.found && near.lower <= exact.upper ) );
		found += exact.found;
	}
	assert_in_range( found, 1000, 9000 );
}

static void interval_is_as_narrow_as_asked( void** state )
{
	(void)state;
	query q = { true,
		        { { 0, 0, 0 }, { 3, 0, 0 }, { 1, -1, 2 }, { 2, 1, 3 } },
		        { { 0, 1, 0 }, { 3, 0, 2 }, { 1, -2, 0 }, { 2, 1, -1 } } };
	static const double tolerances[] = { 1e-3, 1e-6, 1e-9, 1e-12 };
	for ( int i = 0; i < 4; ++i )
	{
		bv_feature_options options = { .separation = 0.1, .tolerance = tolerances[i] };
		bv_feature_time r = find_with( &q, &options );
		assert_true( r.found && r.certain && r.upper - r.lower <= tolerances[i] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( falling_features_come_near_at_known_times ),
		cmocka_unit_test( passing_features_come_near_at_known_times ),
		cmocka_unit_test( features_that_are_near_at_the_start_touch_at_0 ),
		cmocka_unit_test( limit_ends_the_range ),
		cmocka_unit_test( face_that_turns_is_decided ),
		cmocka_unit_test( distances_at_many_times_agree ),
		cmocka_unit_test( exact_contacts_are_not_earlier ),
		cmocka_unit_test( interval_is_as_narrow_as_asked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
