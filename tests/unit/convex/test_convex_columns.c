// Points in columns against a comparison one by one.

#include "convex_shapes.h"

#include "runtime/convex/columns.h"
#include "tests/reference/random.h"

enum
{
	most_points = 40,
};

// Coordinates of a few bits make many equal heights; others do not.
static uint32_t random_points( uint64_t* seed, int round, bv_vec3* points )
{
	uint32_t count = 1 + next_random( seed ) % most_points;
	double steps = round % 2 ? 2 : 0x1p30;
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = ( bv_vec3 ){ floor( steps * random_coordinate( seed ) ),
			                     floor( steps * random_coordinate( seed ) ),
			                     floor( steps * random_coordinate( seed ) ) };
	}
	return count;
}

static void columns_find_the_first_of_the_farthest_points( void** state )
{
	(void)state;
	uint64_t seed = 7;
	int compared = 0;
	for ( int round = 0; round < 20000; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_points( &seed, round, points );
		bv_convex shape = bv_convex_points( points, count, 0 );
		bvconvex_prepared prepared;
		bvconvex_columns columns;
		assert_true( bvconvex_shape_read( &shape, &prepared ) );
		bool has_columns = bvconvex_columns_set( &prepared, &columns );
		assert_int_equal( has_columns, count >= bvconvex_columns_least && count <= bvconvex_columns_most );
		if ( !has_columns )
		{
			continue;
		}
		bv_vec3 along = { floor( 4 * random_coordinate( &seed ) ), floor( 4 * random_coordinate( &seed ) ),
			              floor( 4 * random_coordinate( &seed ) ) };
		uint32_t expected = 0;
		for ( uint32_t i = 1; i < count; ++i )
		{
			bool is_farther = bv_dot( along, points[i] ) > bv_dot( along, points[expected] );
			expected = is_farther ? i : expected;
		}
		assert_int_equal( bvconvex_columns_farthest( &columns, &along ), expected );
		assert_int_equal( bvconvex_shape_support( &prepared, &along, BVCONVEX_NO_POINT ).name, expected );
		++compared;
	}
	assert_in_range( compared, 5000, 20000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( columns_find_the_first_of_the_farthest_points ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
