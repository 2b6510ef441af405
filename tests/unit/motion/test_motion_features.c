// When moving features first touch, by closed forms and by what must not change the answer: the order of points, affine
// maps, the direction of time.

#include "moving_features.h"

static bv_feature_time find_until( const query* q, double limit )
{
	bv_feature_options options = { .limit = limit };
	return find_with( q, &options );
}

static bv_feature_time find( const query* q )
{
	return find_until( q, 0 );
}

// @param numerator, denominator  the time at which they touch, as a fraction of small integers
static void assert_touch_at( const query* q, int numerator, int denominator )
{
	bv_feature_time r = find( q );
	assert_true( r.found );
	assert_true( r.certain );
	assert_true( fma( r.lower, denominator, -numerator ) <= 0 ); // one rounding keeps the sign
	assert_true( fma( r.upper, denominator, -numerator ) >= 0 );
	assert_true( r.upper - r.lower <= 2e-11 );
	assert_true( ( r.lower == 0 ) == ( numerator == 0 ) );
}

static void assert_never( const query* q )
{
	bv_feature_time r = find( q );
	assert_false( r.found );
	assert_true( r.certain );
	assert_true( r.lower == 1 );
	assert_true( r.upper == INFINITY );
}

static void vertex_falls_through_a_face( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	assert_touch_at( &q, 3, 4 );
	q.end[0].z = -4; // 3 / 7 is no binary64 number
	assert_touch_at( &q, 3, 7 );
	q.start[0].z = -5;
	assert_never( &q );
}

static void edges_fall_through_each_other( void** state )
{
	(void)state;
	query q = still( true, example_edges );
	q.end[2].z = q.end[3].z = -1;
	assert_touch_at( &q, 2, 3 );
	q.end[2].z = -2; // z at y = 0 is 2 - 3.5 t
	assert_touch_at( &q, 4, 7 );
	q.end[2].z = q.end[3].z = 1;
	assert_never( &q );
}

static void contact_at_the_ends_of_the_range_counts( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = 0;
	assert_touch_at( &q, 1, 1 );
	q.start[0].z = 0;
	q.end[0].z = 7;
	assert_touch_at( &q, 0, 1 );
	query p = still( true, example_edges );
	p.end[2].z = p.end[3].z = 0;
	assert_touch_at( &p, 1, 1 );
	p.start[2].z = p.start[3].z = 0;
	p.end[2].z = p.end[3].z = 7;
	assert_touch_at( &p, 0, 1 );
}

static void limit_ends_the_range( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	bv_feature_time at = find_until( &q, 0.75 );
	assert_true( at.found && at.certain && at.lower <= 0.75 && at.upper == 0.75 );
	bv_feature_time before = find_until( &q, nextafter( 0.75, 0 ) );
	assert_true( !before.found && before.certain );
	assert_true( before.lower == nextafter( 0.75, 0 ) );
	bv_feature_time after = find_until( &q, 0.8 );
	assert_true( after.found && after.lower <= 0.75 && after.upper >= 0.75 );
}

static void contact_right_after_the_start_is_not_at_the_start( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.end[0].z = -1;
	for ( int k = -10; k >= -100; --k )
	{
		q.start[0].z = ldexp( 1, k );
		bv_feature_time r = find( &q );
		assert_true( r.found && r.certain );
		assert_true( r.lower > 0 );
		assert_true( r.lower <= q.start[0].z );
		assert_true( r.upper >= q.start[0].z / ( 1 + q.start[0].z ) );
	}
}

// The border of a face belongs to it, and what is 2^-150 outside does not.
static void border_counts_and_what_is_next_to_it_does_not( void** state )
{
	(void)state;
	static const bv_vec3 inside[] = { { 2, 0, 0 }, { 0, 2, 0 }, { 2, 2, 0 },
		                              { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
	static const bv_vec3 outside[] = { { 2, -0x1p-150, 0 },   { -0x1p-150, 2, 0 },
		                               { 2 + 0x1p-51, 2, 0 }, { -0x1p-150, -0x1p-150, 0 },
		                               { 4 + 0x1p-50, 0, 0 }, { -0x1p-150, 4, 0 } };
	for ( int i = 0; i < 6; ++i )
	{
		query q = still( false, example_face );
		q.start[0] = q.end[0] = inside[i];
		q.start[0].z = 1;
		q.end[0].z = -2;
		assert_touch_at( &q, 1, 3 );
		q.start[0] = q.end[0] = outside[i];
		q.start[0].z = 1;
		q.end[0].z = -2;
		assert_never( &q );
	}
}

static void ends_of_edges_count_and_what_is_next_to_them_does_not( void** state )
{
	(void)state;
	query q = still( true, example_edges );
	q.end[2].z = q.end[3].z = -1;
	q.start[2].y = q.end[2].y = 0;
	assert_touch_at( &q, 2, 3 );
	q.start[2].y = q.end[2].y = 0x1p-150;
	assert_never( &q );
	for ( int i = 2; i < 4; ++i )
	{
		q.start[i] = example_edges[i];
		q.end[i] = example_edges[i];
		q.start[i].x = q.end[i].x = 1;
		q.end[i].z = -1;
	}
	assert_touch_at( &q, 2, 3 );
	q.start[2].x = q.end[2].x = 1 + 0x1p-51; // at y = 0 by half as much beyond the end
	assert_never( &q );
}

// An edge turns about a line that it touches at one time only: its height above the other edge is (3 t - 1)^2 where they
// cross. The cubic has a double root at 1 / 3.
static void grazing_contact_is_found( void** state )
{
	(void)state;
	query q = { true,
		        { { -1, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 2, -1 } },
		        { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -2, 0 }, { 0, -1, 2 } } };
	assert_touch_at( &q, 1, 3 );
	q.start[0].z = q.start[1].z = q.end[0].z = q.end[1].z = -0x1p-150;
	assert_never( &q );
}

// The corners are on the three axes and pass the origin at 1 / 3: a triple root of the cubic, at which the face is a point.
static void face_that_shrinks_to_the_vertex_is_met( void** state )
{
	(void)state;
	query q = { false,
		        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		        { { 0, 0, 0 }, { -2, 0, 0 }, { 0, -2, 0 }, { 0, 0, -2 } } };
	assert_touch_at( &q, 1, 3 );
	q.start[0].x = q.end[0].x = -0x1p-150; // in the plane at 1 / 3 only, and next to the point
	q.start[0].y = q.end[0].y = 0x1p-150;
	assert_never( &q );
}

static void motion_in_one_plane_meets_sides( void** state )
{
	(void)state;
	query q = still( false, example_face );
	q.start[0] = ( bv_vec3 ){ -2, 1, 0 };
	q.end[0] = ( bv_vec3 ){ 5, 1, 0 };
	assert_touch_at( &q, 2, 7 ); // the side x = 0
	q.end[0] = ( bv_vec3 ){ -2, 9, 0 };
	assert_never( &q );
	q.start[0] = q.end[0] = ( bv_vec3 ){ 1, 1, 0 }; // inside all the time
	assert_touch_at( &q, 0, 1 );

	// The vertex passes the corner (4, 0, 0) exactly, or next to it.
	q.start[0] = ( bv_vec3 ){ 4, -1, 0 };
	q.end[0] = ( bv_vec3 ){ 4, 2, 0 };
	assert_touch_at( &q, 1, 3 );
	q.start[0].x = q.end[0].x = 4 + 0x1p-50;
	assert_never( &q );
}

static void edges_in_one_plane_meet_ends( void** state )
{
	(void)state;
	query q = { true,
		        { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 2, 0 }, { 1, 5, 0 } },
		        { { 0, 0, 0 }, { 4, 0, 0 }, { 1, -5, 0 }, { 1, -2, 0 } } };
	assert_touch_at( &q, 2, 7 );
	q.start[2].x = q.start[3].x = q.end[2].x = q.end[3].x = 5;
	assert_never( &q );
	q.start[2] = q.end[2] = ( bv_vec3 ){ 1, -1, 0 }; // they cross all the time
	q.start[3] = q.end[3] = ( bv_vec3 ){ 1, 1, 0 };
	assert_touch_at( &q, 0, 1 );
}

// All on the x axis, or on the line ( s, 2 s, 3 s ): only ends can meet.
static void motion_along_one_line_meets_ends( void** state )
{
	(void)state;
	static const bv_vec3 ways[] = { { 1, 0, 0 }, { 0, 0, 1 }, { 1, 2, 3 } };
	for ( int i = 0; i < 3; ++i )
	{
		query q = { .edges = true };
		static const double start[4] = { 0, 1, 5, 3 };
		static const double end[4] = { 0, 1, -2, -4 };
		for ( int k = 0; k < 4; ++k )
		{
			q.start[k] = bv_scale( start[k], ways[i] );
			q.end[k] = bv_scale( end[k], ways[i] );
		}
		assert_touch_at( &q, 2, 7 ); // 3 - 7 t is 1
		q.edges = false;             // the vertex 0, and the face 1, 5, 3 to 1, -2, -4
		assert_touch_at( &q, 3, 7 );
		q.end[2] = bv_scale( 5, ways[i] );
		q.end[3] = bv_scale( 3, ways[i] );
		assert_never( &q );
	}
}

static void edges_and_faces_may_be_points( void** state )
{
	(void)state;
	query q = { true,
		        { { 0, 0, 0 }, { 0, 0, 0 }, { 2, 4, 6 }, { 2, 4, 6 } },
		        { { 0, 0, 0 }, { 0, 0, 0 }, { -1, -2, -3 }, { -1, -2, -3 } } };
	assert_touch_at( &q, 2, 3 );
	q.start[2].z = q.start[3].z = 6 + 0x1p-50;
	assert_never( &q );
	query p = { false,
		        { { 2, 4, 6 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } },
		        { { -1, -2, -3 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } };
	assert_touch_at( &p, 2, 3 );
	p.start[0].z = 6 + 0x1p-50;
	assert_never( &p );
	p.start[2] = p.end[2] = ( bv_vec3 ){ 0, 0, 1 }; // a segment
	assert_touch_at( &p, 2, 3 );
	p.start[2] = p.end[2] = ( bv_vec3 ){ 0, 0, -1 }; // one that the vertex passes on the other side
	p.start[0].z = 6 + 0x1p-49;
	assert_never( &p );
}

static void first_of_several_contacts_is_reported( void** state )
{
	(void)state;

	// The plane is z = ( 3 t - 1 ) ( x + y ) / 8, and the vertex has x = y = 2 - 3 t: contact at 1 / 3 and at 2 / 3.
	query q = { false,
		        { { 2, 2, 0 }, { 0, 0, 0 }, { 8, 0, -1 }, { 0, 8, -1 } },
		        { { -1, -1, 0 }, { 0, 0, 0 }, { 8, 0, 2 }, { 0, 8, 2 } } };
	assert_touch_at( &q, 1, 3 );
	query later = { false,
		            { { 2, 2, 0 }, { 0, 0, 0 }, { 1, 0, -1 }, { 0, 1, -1 } },
		            { { -1, -1, 0 }, { 0, 0, 0 }, { 1, 0, 2 }, { 0, 1, 2 } } };
	assert_touch_at( &later, 2, 3 ); // at 1 / 3 the vertex is outside of the smaller face
}

static void assert_same_answer( const query* a, const query* b )
{
	bv_feature_time x = find( a );
	bv_feature_time y = find( b );
	assert_true( x.certain && y.certain );
	assert_int_equal( x.found, y.found );
	assert_true( !x.found || ( x.lower <= y.upper && y.lower <= x.upper ) );
}

static query in_order( const query* q, const int order[4] )
{
	query out = { .edges = q->edges };
	for ( int i = 0; i < 4; ++i )
	{
		out.start[i] = q->start[order[i]];
		out.end[i] = q->end[order[i]];
	}
	return out;
}

static int rounds( void )
{
	return is_thorough() ? 200000 : 10000;
}

static void order_of_points_does_not_matter( void** state )
{
	(void)state;
	static const int orders[2][3][4] = { { { 0, 2, 3, 1 }, { 0, 1, 3, 2 }, { 0, 3, 2, 1 } },
		                                 { { 1, 0, 2, 3 }, { 0, 1, 3, 2 }, { 2, 3, 0, 1 } } };
	uint64_t seed = 1;
	int found = 0;
	for ( int round = 0; round < rounds(); ++round )
	{
		query q;
		random_query( &seed, &q );
		found += find( &q ).found;
		for ( int i = 0; i < 3; ++i )
		{
			query other = in_order( &q, orders[q.edges][i] );
			assert_same_answer( &q, &other );
		}
	}
	assert_in_range( found, rounds() / 10, rounds() ); // both answers come
}

static void direction_of_time_does_not_matter_for_whether_they_touch( void** state )
{
	(void)state;
	uint64_t seed = 2;
	for ( int round = 0; round < rounds(); ++round )
	{
		query q;
		query back;
		random_query( &seed, &q );
		back.edges = q.edges;
		memcpy( back.start, q.end, sizeof back.start );
		memcpy( back.end, q.start, sizeof back.end );
		assert_int_equal( find( &q ).found, find( &back ).found );
	}
}

// Affine maps keep times of contact. These shears are exact, but nothing that is computed of their results in binary64 is.
static void sheared_features_touch_at_the_same_time( void** state )
{
	(void)state;
	uint64_t seed = 3;
	for ( int round = 0; round < rounds(); ++round )
	{
		query q;
		random_query( &seed, &q );
		query other = q;
		double by = 1 + 2 * (double)( next_random( &seed ) % 0x4000 );
		double across = 1 + 2 * (double)( next_random( &seed ) % 0x4000 );
		double scale = ldexp( 1, (int)( next_random( &seed ) % 200 ) - 100 );
		for ( int i = 0; i < 8; ++i )
		{
			bv_vec3* p = i < 4 ? &other.start[i] : &other.end[i - 4];
			p->y += by * p->x;
			p->z += across * p->y;
			p->x += across * p->z + 5;
			*p = bv_scale( scale, *p );
		}
		assert_same_answer( &q, &other );
	}
}

// Points that all move by the same amounts touch at the same time. The sums are exact: small integers are added to numbers
// that have some bits to spare.
static void moved_features_touch_at_the_same_time( void** state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int round = 0; round < rounds(); ++round )
	{
		query q;
		random_query( &seed, &q );
		query other = q;
		bv_vec3 first = { 0x1.23456789abcp0, -0x1.fedcba98765p1, 0x1.13579bdf02p-1 };
		bv_vec3 last = { 0x1.02468ace135p2, 0x1.deadbeef1p0, -0x1.cafebabe12p1 };
		for ( int i = 0; i < 4; ++i )
		{
			other.start[i] = bv_add( other.start[i], first );
			other.end[i] = bv_add( other.end[i], last );
		}
		assert_same_answer( &q, &other );
	}
}

static void numbers_of_256_places_are_decided( void** state )
{
	(void)state;
	uint64_t seed = 5;
	for ( int round = 0; round < rounds(); ++round )
	{
		query q = { .edges = round % 2 };
		double* x[2] = { &q.start[0].x, &q.end[0].x };
		uint32_t shape = next_random( &seed ) % 3;
		for ( int i = 0; i < 24; ++i )
		{
			// All of 53 bits, with the first one at one of the places from -203 to 0.
			uint64_t bits =
				UINT64_C( 1 ) << 52 | (uint64_t)next_random( &seed ) << 21 | next_random( &seed ) >> 10 | 1;
			double size = ldexp( (double)bits, -52 - (int)( next_random( &seed ) % 204 ) );
			x[i / 12][i % 12] = next_random( &seed ) % 2 ? size : -size;
		}
		for ( int i = 0; i < 4 && shape > 0; ++i )
		{
			q.start[i].y = q.start[i].x;
			q.end[i].y = q.end[i].x;
			q.start[i].z = shape > 1 ? q.start[i].x : q.start[i].z;
			q.end[i].z = shape > 1 ? q.end[i].x : q.end[i].z;
		}
		assert_true( find( &q ).certain );
	}
}

// Where exact numbers have no room the answer is that they may touch.
static void what_is_not_decided_counts_as_contact( void** state )
{
	(void)state;
	query q = {
		true,
		{ { -0x1p199, 0x1p-1074, 0x1p-500 },
		  { 0x1p199, 0, 1 },
		  { 3, -0x1p150, 2 },
		  { 0, 0x1p-1000, 0x1p-3 } },
		{ { -0x1p199, 3, 0x1p-1074 }, { 0x1p199, 1, 1 }, { 3, 0x1p150, -2 }, { 1, 0x1p-999, -0x1p-1000 } }
	};
	bv_feature_time r = find( &q );
	assert_false( r.certain );
	assert_true( r.found );
	assert_true( r.lower == 0 );
	assert_true( r.upper == INFINITY );

	// Features that are clearly apart are decided nevertheless.
	for ( int i = 0; i < 2; ++i )
	{
		q.start[i].z = q.end[i].z = 100;
	}
	assert_never( &q );
}

static void bad_arguments_are_errors( void** state )
{
	(void)state;
	query good = still( false, example_face );
	static const bv_feature_options bad[] = { { .finder = bv_finders },
		                                      { .inside = bv_inside_tests },
		                                      { .limit = -1 },
		                                      { .limit = 1.5 },
		                                      { .limit = NAN },
		                                      { .separation = -1 },
		                                      { .separation = NAN },
		                                      { .separation = INFINITY },
		                                      { .tolerance = -1e-9 },
		                                      { .tolerance = NAN },
		                                      { .tolerance = 2 },
		                                      { .samples = 1 },
		                                      { .finder = (bv_finder)-1 } };
	bv_feature_time r = { .tests = 77, .lower = -3 };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		assert_int_equal( bv_moving_vertex_face( good.start, good.end, &bad[i], &r ), bv_error_argument );
		assert_int_equal( bv_moving_edge_edge( good.start, good.end, &bad[i], &r ), bv_error_argument );
	}
	assert_int_equal( bv_moving_vertex_face( NULL, good.end, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_moving_vertex_face( good.start, NULL, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_moving_edge_edge( good.start, good.end, NULL, NULL ), bv_error_argument );
	static const double numbers[] = { NAN, INFINITY, -INFINITY, 1.01 * BV_MAX_LENGTH };
	for ( int i = 0; i < 24; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			double x[24];
			memcpy( x, good.start, sizeof good.start );
			memcpy( x + 12, good.end, sizeof good.end );
			x[i] = numbers[k];
			query q = { .edges = false };
			memcpy( q.start, x, sizeof q.start );
			memcpy( q.end, x + 12, sizeof q.end );
			assert_int_equal( bv_moving_vertex_face( q.start, q.end, NULL, &r ), bv_error_argument );
			assert_int_equal( bv_moving_edge_edge( q.start, q.end, NULL, &r ), bv_error_argument );
		}
	}
	assert_int_equal( r.tests, 77 );
	assert_true( r.lower == -3 );
}

static void defaults_are_zeros( void** state )
{
	(void)state;
	bv_feature_options options = bv_feature_options_default();
	bv_feature_options zeros;
	memset( &zeros, 0, sizeof zeros );
	assert_true( options.finder == zeros.finder && options.inside == zeros.inside && options.limit == 0 &&
	             options.separation == 0 && options.tolerance == 0 && options.samples == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( vertex_falls_through_a_face ),
		cmocka_unit_test( edges_fall_through_each_other ),
		cmocka_unit_test( contact_at_the_ends_of_the_range_counts ),
		cmocka_unit_test( limit_ends_the_range ),
		cmocka_unit_test( contact_right_after_the_start_is_not_at_the_start ),
		cmocka_unit_test( border_counts_and_what_is_next_to_it_does_not ),
		cmocka_unit_test( ends_of_edges_count_and_what_is_next_to_them_does_not ),
		cmocka_unit_test( grazing_contact_is_found ),
		cmocka_unit_test( face_that_shrinks_to_the_vertex_is_met ),
		cmocka_unit_test( motion_in_one_plane_meets_sides ),
		cmocka_unit_test( edges_in_one_plane_meet_ends ),
		cmocka_unit_test( motion_along_one_line_meets_ends ),
		cmocka_unit_test( edges_and_faces_may_be_points ),
		cmocka_unit_test( first_of_several_contacts_is_reported ),
		cmocka_unit_test( order_of_points_does_not_matter ),
		cmocka_unit_test( direction_of_time_does_not_matter_for_whether_they_touch ),
		cmocka_unit_test( sheared_features_touch_at_the_same_time ),
		cmocka_unit_test( moved_features_touch_at_the_same_time ),
		cmocka_unit_test( numbers_of_256_places_are_decided ),
		cmocka_unit_test( what_is_not_decided_counts_as_contact ),
		cmocka_unit_test( bad_arguments_are_errors ),
		cmocka_unit_test( defaults_are_zeros ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
