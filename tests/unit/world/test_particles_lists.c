// Lists of neighbors, by all methods, are those of the definition in integers of any length.

#include "clouds.h"

// Each kind has pairs that are neighbors and pairs that are not, except one spot.
static void lists_are_those_of_the_definition( void** state )
{
	(void)state;
	uint64_t random = 1;
	uint64_t total[cloud_kinds] = { 0 };
	uint64_t pairs[cloud_kinds] = { 0 };
	for ( uint32_t round = 0; round < rounds( 6 ); ++round )
	{
		for ( int kind = 0; kind < cloud_kinds; ++kind )
		{
			cloud c = draw_cloud( &random, (cloud_kind)kind, 1 + draw_below( &random, 100 ) );
			bvw_neighbors_options options = { .distance = c.distance, .half = round % 2 > 0 };
			total[kind] += check_cloud( &c, NULL, options, cloud_names[kind] );
			pairs[kind] += (uint64_t)c.count * ( c.count - 1 ) / ( options.half ? 2 : 1 );
			cloud_free( &c );
		}
	}
	for ( int kind = 0; kind < cloud_kinds; ++kind )
	{
		assert_true( total[kind] > 20 && ( kind == cloud_spot || total[kind] < pairs[kind] ) );
	}
}

static void two_sets_are_those_of_the_definition( void** state )
{
	(void)state;
	uint64_t random = 2;
	for ( uint32_t round = 0; round < rounds( 4 ); ++round )
	{
		for ( int kind = 0; kind < cloud_kinds; ++kind )
		{
			cloud a = draw_cloud( &random, (cloud_kind)kind, draw_below( &random, 80 ) );
			cloud b = draw_cloud( &random, (cloud_kind)kind, draw_below( &random, 80 ) );
			bvw_neighbors_options options = { .distance = a.distance };
			check_cloud( &a, &b, options, cloud_names[kind] );
			cloud_free( &a );
			cloud_free( &b );
		}
	}
}

// Two and three times as many particles around a cell as are compared at a time, which are 384. The definition takes time for all pairs,
// so that crowds do not grow with the number of rounds.
static void crowds_are_those_of_the_definition( void** state )
{
	(void)state;
	uint64_t random = 3;
	for ( uint32_t round = 0; round < rounds( 2 ); ++round )
	{
		const cloud_kind kinds[] = { cloud_spot, cloud_same, cloud_clusters };
		for ( int i = 0; i < 3; ++i )
		{
			cloud c = draw_cloud( &random, kinds[i], 390 + 100 * ( round % 5 ) + round / 5 );
			bvw_neighbors_options options = { .distance = c.distance, .half = draw_below( &random, 2 ) > 0 };
			check_cloud( &c, NULL, options, "crowd" );
			cloud_free( &c );
		}
	}
}

// The last particles are near a crowd in a cell next to theirs, and not near enough: the first numbers that they are compared with are none of
// their neighbors.
static void crowds_without_neighbors_are_those_of_the_definition( void** state )
{
	(void)state;
	enum
	{
		crowd = 420,
		all = crowd + 8,
	};
	cloud c = { .count = all, .distance = 1, .at = calloc( 3 * all, sizeof *c.at ) };
	for ( int i = crowd; i < all; ++i )
	{
		c.at[3 * i] = 1.5;
	}
	for ( int half = 0; half < 2; ++half )
	{
		bvw_neighbors_options options = { .distance = c.distance, .half = half > 0 };
		uint64_t count = check_cloud( &c, NULL, options, "crowd beside" );
		assert_true( count == ( crowd * ( crowd - 1 ) + 8 * 7 ) / ( half ? 2 : 1 ) );
	}
	cloud_free( &c );
}

// With neither a distance nor radii, particles in the same place are neighbors.
static void without_a_reach_equal_positions_are_neighbors( void** state )
{
	(void)state;
	uint64_t random = 4;
	for ( int kind = 0; kind < cloud_kinds; ++kind )
	{
		cloud c = draw_cloud( &random, (cloud_kind)kind, 60 );
		free( c.radii );
		c.radii = NULL;
		memcpy( c.at, c.at + 30, 15 * sizeof *c.at );
		c.at[0] = c.at[0] == 0 ? -0.0 : c.at[0];
		uint64_t count = check_cloud( &c, NULL, ( bvw_neighbors_options ){ 0 }, cloud_names[kind] );
		assert_true( count >= 10 );
		cloud_free( &c );
	}
}

// Two particles and a reach that is their distance in binary64, or a few units in the last place more or less. Squares in binary64 decide
// some of these wrongly.
static void reaches_next_to_the_distance_are_decided_exactly( void** state )
{
	(void)state;
	uint64_t random = 9;
	uint32_t wrong = 0;
	for ( uint32_t round = 0; round < rounds( 1000 ); ++round )
	{
		double at[6];
		double square = 0;
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = draw_unit( &random );
			at[3 + k] = draw_unit( &random );
			square += ( at[k] - at[3 + k] ) * ( at[k] - at[3 + k] );
		}
		cloud c = { .count = 2, .at = at };
		double distance = next_of( sqrt( square ), (int)draw_below( &random, 5 ) - 2 );
		bvw_neighbors_options options = { .distance = distance };
		uint64_t count = check_cloud( &c, NULL, options, "next to the distance" );
		options.period[0] = 1;
		options.period[1] = draw_below( &random, 2 );
		check_cloud( &c, NULL, options, "next to the distance, periodic" );
		wrong += ( square <= distance * distance ) != ( count > 0 );
	}
	assert_true( wrong > 10 );
}

// Where the reach is much less than distances of cells that can be told apart.
static void reaches_of_any_size_are_those_of_the_definition( void** state )
{
	(void)state;
	uint64_t random = 5;
	for ( uint32_t round = 0; round < rounds( 30 ); ++round )
	{
		cloud c = draw_cloud( &random, (cloud_kind)( round % cloud_kinds ), 50 );
		bvw_neighbors_options options = { .distance = ldexp( draw_unit( &random ),
			                                                 (int)draw_below( &random, 1270 ) - 1070 ) };
		check_cloud( &c, NULL, options, "any reach" );
		cloud_free( &c );
	}
}

// Lists of particles with other numbers are the same, with these numbers.
static void lists_do_not_depend_on_the_order_of_the_input( void** state )
{
	(void)state;
	uint64_t random = 6;
	cloud c = draw_cloud( &random, cloud_uniform, 3000 );
	cloud other = { .count = c.count, .distance = c.distance };
	uint32_t* to = malloc( c.count * sizeof *to );
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		uint32_t k = draw_below( &random, i + 1 );
		to[i] = to[k];
		to[k] = i;
	}
	other.at = malloc( 3 * c.count * sizeof *other.at );
	other.radii = c.radii ? malloc( c.count * sizeof *other.radii ) : NULL;
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		memcpy( other.at + 3 * to[i], c.at + 3 * i, 3 * sizeof *c.at );
		if ( c.radii )
		{
			other.radii[to[i]] = c.radii[i];
		}
	}
	bvw_neighbors_options options = { .distance = c.distance };
	lists a = lists_of( c.count, 200000 );
	lists b = lists_of( c.count, 200000 );
	assert_int_equal( find( &c, NULL, &options, &a ), bv_ok );
	assert_int_equal( find( &other, NULL, &options, &b ), bv_ok );
	assert_true( a.of.count == b.of.count && a.of.count > 3000 );
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		const uint32_t* row = b.of.neighbors + b.of.begin[to[i]];
		uint64_t length = a.of.begin[i + 1] - a.of.begin[i];
		assert_true( b.of.begin[to[i] + 1] - b.of.begin[to[i]] == length );
		for ( uint64_t k = 0; k < length; ++k )
		{
			assert_true( k == 0 || row[k - 1] < row[k] );
			bool is_there = false;
			for ( uint64_t m = 0; m < length; ++m )
			{
				is_there = is_there || row[m] == to[a.of.neighbors[a.of.begin[i] + k]];
			}
			assert_true( is_there );
		}
	}
	lists_free( &a );
	lists_free( &b );
	cloud_free( &c );
	cloud_free( &other );
	free( to );
}

// All tests of pairs of 100,000 particles, of which hardly any are neighbors, would be 5 * 10^9.
static void scenes_without_neighbors_are_not_quadratic( void** state )
{
	(void)state;
	uint64_t random = 7;
	const cloud_kind kinds[] = { cloud_line,     cloud_plane, cloud_clusters,
		                         cloud_outliers, cloud_huge,  cloud_far };
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		for ( int m = bvw_neighbors_sweep; m <= bvw_neighbors_grid; ++m )
		{
			cloud c = draw_cloud( &random, kinds[i], 20000 );
			free( c.radii );
			c.radii = NULL;
			bvw_neighbors_options options = { .distance = 0.02 * cloud_unit( kinds[i] ),
				                              .method = (bvw_neighbors_method)m };
			lists l = lists_of( c.count, 20000000 );
			assert_int_equal( find( &c, NULL, &options, &l ), bv_ok );
			assert_true( l.of.tests >= l.of.count / 2 && l.of.tests < 60 * c.count + 40 * l.of.count );
			lists_free( &l );
			cloud_free( &c );
		}
	}
}

// The grid and the sweep share no code that finds pairs.
static void many_particles_have_the_same_lists_by_both_methods( void** state )
{
	(void)state;
	uint64_t random = 8;
	for ( uint32_t round = 0; round < rounds( 3 ); ++round )
	{
		cloud c = draw_cloud( &random, round == 0 ? cloud_uniform : cloud_outliers, 5000 );
		bvw_neighbors_options options = { .distance = 2 * c.distance };
		lists a = lists_of( c.count, 5000000 );
		lists b = lists_of( c.count, 5000000 );
		assert_int_equal( find( &c, NULL, &options, &a ), bv_ok );
		options.method = bvw_neighbors_sweep;
		assert_int_equal( find( &c, NULL, &options, &b ), bv_ok );
		assert_true( lists_equal( &a, &b ) );
		assert_true( a.of.count > 1000 );
		lists_free( &a );
		lists_free( &b );
		cloud_free( &c );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( lists_are_those_of_the_definition ),
		cmocka_unit_test( two_sets_are_those_of_the_definition ),
		cmocka_unit_test( crowds_are_those_of_the_definition ),
		cmocka_unit_test( crowds_without_neighbors_are_those_of_the_definition ),
		cmocka_unit_test( without_a_reach_equal_positions_are_neighbors ),
		cmocka_unit_test( reaches_of_any_size_are_those_of_the_definition ),
		cmocka_unit_test( reaches_next_to_the_distance_are_decided_exactly ),
		cmocka_unit_test( lists_do_not_depend_on_the_order_of_the_input ),
		cmocka_unit_test( scenes_without_neighbors_are_not_quadratic ),
		cmocka_unit_test( many_particles_have_the_same_lists_by_both_methods ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
