// What methods of the grid family promise beside the right pairs: linear memory, few tests, cells that follow the sizes of objects, and
// nothing lost where cells end.

#include "worlds.h"

#include <math.h>

static const bvw_method grids[] = { bvw_method_uniform, bvw_method_levels, bvw_method_hash_grids,
	                                bvw_method_spatial_hash };

enum
{
	grid_methods = sizeof grids / sizeof *grids,
};

// Bytes of an object beside those that all methods need, which all pairs has alone.
static double bytes_by_object( bvw_method method, uint32_t objects )
{
	bvw_broadphase_options own = { .objects = objects, .pairs = 1, .method = method };
	bvw_broadphase_options all = { .objects = objects, .pairs = 1, .method = bvw_method_all_pairs };
	return (double)( bvw_broadphase_bytes( &own ) - bvw_broadphase_bytes( &all ) ) / objects;
}

// Uniform: 40 for the object, 8 entries of 20, up to 8 buckets of 4. Levels: 40, 24 entries of 20, up to 24 buckets of 4. Hash grids: 32
// and up to 64 cells of 4. Spatial hash: 32 and up to 4 slots of 20.
static void memory_of_an_object_is_bounded( void** state )
{
	(void)state;
	const double bars[] = { 40 + 160 + 32, 40 + 480 + 96, 32 + 256, 32 + 80 };
	for ( uint32_t objects = 5000; objects <= BVW_MAX_OBJECTS; objects = objects * 3 + 1 )
	{
		for ( int m = 0; m < grid_methods; ++m )
		{
			assert_true( bytes_by_object( grids[m], objects ) < bars[m] + 10 );
		}
	}
}

static bvw_broadphase* world_of( bvw_method method, uint32_t objects )
{
	bvw_broadphase_options options = { .objects = objects, .pairs = 8 * objects, .method = method };
	return begin_world( &options );
}

// Random cubes, of which each cube of that size has one on average.
static void fill( bvw_broadphase* world, uint32_t objects, double side, uint64_t seed )
{
	double edge = side * cbrt( objects );
	for ( uint32_t i = 0; i < objects; ++i )
	{
		bvw_object o = { .box = cube_around( draw_point( &seed, edge ), side / 4 ) };
		if ( bvw_broadphase_move( world, i, &o.box ) != bv_ok )
		{
			assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
		}
	}
}

static double tests_of_update( bvw_broadphase* world, uint32_t objects )
{
	bvw_changes got;
	assert_int_equal( bvw_broadphase_update( world, &got ), bv_ok );
	return (double)got.tests / objects;
}

// All pairs would be 1500 tests an object. Afterward all objects are a thousand times as large, or as small.
static void tests_of_an_object_do_not_depend_on_sizes( void** state )
{
	(void)state;
	enum
	{
		objects = 3000
	};
	const double sides[] = { 1, 1e3, 1e-3, 1e5, 1 };
	for ( int m = 0; m < grid_methods; ++m )
	{
		bvw_broadphase* world = world_of( grids[m], objects );
		for ( uint32_t i = 0; i < 5; ++i )
		{
			// Cells may be chosen late.
			for ( int late = 0; late < 10; ++late )
			{
				fill( world, objects, sides[i], 7 * i + (uint32_t)late );
				tests_of_update( world, objects );
			}
			fill( world, objects, sides[i], 100 + i );
			assert_true( tests_of_update( world, objects ) < 20 );
		}
		free( world );
	}
}

// With sizes from 1 to 10^4, of which the number above s is as 1 / s. All pairs: 1000 tests an object.
static void tests_are_few_with_sizes_of_all_kinds( void** state )
{
	(void)state;
	enum
	{
		objects = 2000
	};
	const double bars[] = { 400, 60, 400, 400 };
	for ( int m = 0; m < grid_methods; ++m )
	{
		bvw_broadphase* world = world_of( grids[m], objects );
		uint64_t seed = 5;
		for ( uint32_t i = 0; i < objects; ++i )
		{
			double half = 0.5 / ( 1e-4 + ( 1 - 1e-4 ) * draw_unit( &seed ) );
			bvw_object o = { .box = cube_around( draw_point( &seed, 464.2 * cbrt( objects ) ), half ) };
			assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
		}
		assert_true( tests_of_update( world, objects ) < bars[m] );
		free( world );
	}
}

static void queries_look_at_few_objects( void** state )
{
	(void)state;
	enum
	{
		objects = 3000
	};
	for ( int m = 0; m < grid_methods; ++m )
	{
		bvw_broadphase* world = world_of( grids[m], objects );
		uint64_t seed = 1;
		fill( world, objects, 2, 3 );
		tests_of_update( world, objects );
		uint64_t tests = 0;
		bvw_found found;
		for ( int i = 0; i < 100; ++i )
		{
			bv_aabb small = cube_around( draw_point( &seed, 2 * cbrt( objects ) ), 0.5 );
			bvw_broadphase_overlap( world, &small, NULL, NULL, 0, &found );
			tests += found.tests;
		}
		assert_true( tests < 100 * 40 );
		bv_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
		bvw_broadphase_overlap( world, &all, NULL, NULL, 0, &found );
		assert_true( found.count == objects && found.tests == objects );
		free( world );
	}
}

// Cells of some grids repeat themselves: a long box comes around to cells again.
static void long_queries_find_each_object_once( void** state )
{
	(void)state;
	fleet f = fleet_of( 800, 8 * 800, 3 );
	for ( uint32_t i = 0; i < 800; ++i )
	{
		bvw_object o = { .box = cube_around( draw_point( &f.random, 40 ), 0.5 ) };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	for ( int i = 0; i < 60; ++i )
	{
		bv_vec3 half = { 1, 1, 1 };
		*( i % 3 == 0 ? &half.x : i % 3 == 1 ? &half.y : &half.z ) = 5 + i;
		bv_aabb box = box_around( draw_point( &f.random, 40 ), half );
		fleet_check_overlap( &f, &box, NULL );
	}
	fleet_free( &f );
}

// A grid of 16^3 cells would have five objects in each, and 70 tests an object.
static void grids_grow_with_the_number_of_objects( void** state )
{
	(void)state;
	enum
	{
		objects = 20000
	};
	for ( int m = 0; m < grid_methods; ++m )
	{
		bvw_broadphase* world = world_of( grids[m], objects );
		fill( world, 50, 1, 1 );
		tests_of_update( world, 50 );
		fill( world, objects, 1, 2 );
		tests_of_update( world, objects );
		fill( world, objects, 1, 3 );
		assert_true( tests_of_update( world, objects ) < 20 );
		free( world );
	}
}

// Sides a little shorter than cells of hash grids, which are sqrt( 2 ) times as long as the first object, or than powers of two and
// 1.25 times those, far from the origin, where cells are rounded.
static void boxes_as_long_as_cells_lose_no_neighbors( void** state )
{
	(void)state;
	const double cells[] = { 1.4142135623730951, 1, 1.25, 1.5 };
	for ( int c = 0; c < 4; ++c )
	{
		fleet f = fleet_of( 400, 400 * 399 / 2, (uint32_t)c );
		bvw_object first = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } };
		fleet_add( &f, 0, &first );
		for ( uint32_t i = 1; i + 2 < 400; i += 3 )
		{
			double far = cells[c] * ( 3e8 + 4 * i );
			double side = cells[c] * ( 1 - 0x1p-40 );
			// One that begins just below a cell, and one at each end of it.
			double low = far - 0x1p-24;
			bvw_object o = { .box = { { low, 0, 0 }, { low + side, 1, 1 } } };
			fleet_add( &f, i, &o );
			o.box = ( bv_aabb ){ { low + side, 0, 0 }, { low + 2 * side, 1, 1 } };
			fleet_add( &f, i + 1, &o );
			o.box = ( bv_aabb ){ { low - side, 0, 0 }, { low, 1, 1 } };
			fleet_add( &f, i + 2, &o );
		}
		fleet_update( &f );
		assert_true( f.begun >= 2 * 133 );
		for ( uint32_t i = 1; i < 400; i += 2 )
		{
			bvw_object o;
			if ( bvw_broadphase_get( f.world[0], i, &o ) )
			{
				o.box.upper.y = 1.125;
				fleet_move( &f, i, &o.box );
			}
		}
		fleet_update( &f );
		fleet_free( &f );
	}
}

// Large objects are in more cells than there is room for: those without any are found all the same.
static void objects_without_room_for_cells_are_found( void** state )
{
	(void)state;
	enum
	{
		objects = 400
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 9 );
	for ( int step = 0; step < 6; ++step )
	{
		for ( uint32_t i = 0; i < objects; ++i )
		{
			// Half of the objects determine the length of cells. Then the others become large, and small again.
			double half = i % 2 == 0 ? 0.5 : step % 3 == 1 ? 1.6 : step % 3 == 2 ? 20 : 0.01;
			bvw_object o = { .box = cube_around( draw_point( &f.random, 30 ), half ) };
			if ( step == 0 )
			{
				fleet_add( &f, i, &o );
			}
			else
			{
				fleet_move( &f, i, &o.box );
			}
		}
		bv_aabb box = cube_around( draw_point( &f.random, 30 ), 3 );
		fleet_check_overlap( &f, &box, NULL );
		fleet_update( &f );
	}
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( memory_of_an_object_is_bounded ),
		cmocka_unit_test( tests_of_an_object_do_not_depend_on_sizes ),
		cmocka_unit_test( tests_are_few_with_sizes_of_all_kinds ),
		cmocka_unit_test( queries_look_at_few_objects ),
		cmocka_unit_test( long_queries_find_each_object_once ),
		cmocka_unit_test( grids_grow_with_the_number_of_objects ),
		cmocka_unit_test( boxes_as_long_as_cells_lose_no_neighbors ),
		cmocka_unit_test( objects_without_room_for_cells_are_found ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
