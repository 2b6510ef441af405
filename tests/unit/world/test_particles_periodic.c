// Neighbors in a world that repeats are those of the definition: also where the reach exceeds the period, and where coordinates begin
// anywhere.

#include "clouds.h"

// Brute force over images: pairs of positions that are moved by -1, 0 or 1 periods along each axis. Coordinates are small integers, so
// that all sums are exact.
static void lists_are_those_of_all_images( void** state )
{
	(void)state;
	uint64_t random = 1;
	uint64_t through = 0;
	for ( uint32_t round = 0; round < rounds( 60 ); ++round )
	{
		double period[3], begin[3];
		cloud c = draw_cloud( &random, cloud_lattice, 60 );
		free( c.radii );
		c.radii = NULL;
		for ( int k = 0; k < 3; ++k )
		{
			period[k] = 1 + draw_below( &random, 30 );
			begin[k] = (double)draw_below( &random, 100 ) - 50;
		}
		for ( uint32_t i = 0; i < 3 * c.count; ++i )
		{
			c.at[i] = begin[i % 3] + draw_below( &random, (uint32_t)period[i % 3] + 1 );
		}
		double distance = draw_below( &random, 9 );
		bvw_neighbors_options options = { .distance = distance,
			                              .period = { period[0], period[1], period[2] } };
		lists expected = lists_of( c.count, c.count * c.count );
		for ( uint32_t i = 0; i < c.count; ++i )
		{
			expected.of.begin[i] = expected.of.count;
			for ( uint32_t j = 0; j < c.count; ++j )
			{
				double least = INFINITY;
				double direct = 0;
				for ( int image = 0; image < 27; ++image )
				{
					double sum = 0;
					const int move[3] = { image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1 };
					for ( int k = 0; k < 3; ++k )
					{
						double d =
							c.at[3 * i + (uint32_t)k] - c.at[3 * j + (uint32_t)k] + move[k] * period[k];
						sum += d * d;
					}
					least = sum < least ? sum : least;
					direct = image == 13 ? sum : direct;
				}
				if ( i != j && least <= distance * distance )
				{
					expected.of.neighbors[expected.of.count++] = j;
					through += direct > least;
				}
			}
		}
		expected.of.begin[c.count] = expected.of.count;
		for ( int m = 0; m < bvw_neighbors_methods; ++m )
		{
			options.method = (bvw_neighbors_method)m;
			if ( m == bvw_neighbors_sweep )
			{
				assert_int_equal( bvw_neighbors_bytes( c.count, 0, &options ), 0 );
				continue;
			}
			lists got = lists_of( c.count, expected.of.count );
			assert_int_equal( find( &c, NULL, &options, &got ), bv_ok );
			assert_true( lists_equal( &got, &expected ) );
			lists_free( &got );
		}
		lists_free( &expected );
		cloud_free( &c );
	}
	assert_true( through > 1000 );
}

// Real numbers, some axes without a period, two sets, radii.
static void lists_are_those_of_the_definition( void** state )
{
	(void)state;
	uint64_t random = 2;
	const cloud_kind kinds[] = { cloud_uniform, cloud_lattice, cloud_spot, cloud_far,
		                         cloud_huge,    cloud_tiny,    cloud_plane };
	for ( uint32_t round = 0; round < rounds( 21 ); ++round )
	{
		cloud_kind kind = kinds[round % 7];
		cloud a = draw_cloud( &random, kind, 1 + draw_below( &random, 90 ) );
		cloud b = draw_cloud( &random, kind, 1 + draw_below( &random, 40 ) );
		bvw_neighbors_options options = { .distance = a.distance };
		for ( int k = 0; k < 3; ++k )
		{
			double lower = INFINITY, upper = -INFINITY;
			for ( uint32_t i = 0; i < a.count + b.count; ++i )
			{
				uint32_t place = 3 * ( i < a.count ? i : i - a.count ) + (uint32_t)k;
				double x = i < a.count ? a.at[place] : b.at[place];
				lower = x < lower ? x : lower;
				upper = x > upper ? x : upper;
			}
			double more = cloud_unit( kind ) * draw_unit( &random );
			options.period[k] =
				draw_below( &random, 4 ) ? upper - lower + ( draw_below( &random, 2 ) ? more : 0 ) : 0;
		}
		check_cloud( &a, NULL, options, cloud_names[kind] );
		check_cloud( &a, &b, options, cloud_names[kind] );
		options.half = true;
		check_cloud( &a, NULL, options, cloud_names[kind] );
		cloud_free( &a );
		cloud_free( &b );
	}
}

// Moving all particles along a period changes nothing: 2^-20 are exact.
static void lists_do_not_depend_on_where_the_period_begins( void** state )
{
	(void)state;
	uint64_t random = 3;
	const double period = 16;
	cloud c = { .count = 2000, .distance = 1 };
	c.at = malloc( 3 * c.count * sizeof *c.at );
	for ( uint32_t i = 0; i < 3 * c.count; ++i )
	{
		c.at[i] = floor( draw_unit( &random ) * 0x1p24 ) * 0x1p-20;
	}
	bvw_neighbors_options options = { .distance = 1, .period = { period, period, period } };
	lists first = lists_of( c.count, 100000 );
	lists other = lists_of( c.count, 100000 );
	assert_int_equal( find( &c, NULL, &options, &first ), bv_ok );
	assert_true( first.of.count > 2000 );
	for ( int round = 0; round < 5; ++round )
	{
		for ( uint32_t i = 0; i < 3 * c.count; ++i )
		{
			double moved = c.at[i] + 3.25 + round;
			c.at[i] = moved >= period ? moved - period : moved;
		}
		assert_int_equal( find( &c, NULL, &options, &other ), bv_ok );
		assert_true( lists_equal( &first, &other ) );
	}
	lists_free( &first );
	lists_free( &other );
	cloud_free( &c );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( lists_are_those_of_all_images ),
		cmocka_unit_test( lists_are_those_of_the_definition ),
		cmocka_unit_test( lists_do_not_depend_on_where_the_period_begins ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
