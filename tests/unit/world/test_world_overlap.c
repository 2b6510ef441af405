// Box queries of every method against a model that compares all boxes.

#include "worlds.h"

static bvw_filter draw_filter( uint64_t* random )
{
	bvw_filter f = { 0, 0 };
	uint32_t kind = draw_below( random, 6 );
	f.category = kind == 1 || kind == 2 ? UINT64_C( 1 ) << draw_below( random, 64 )
	             : kind == 3            ? draw( random )
	                                    : 0;
	f.mask = kind == 2 || kind == 4 ? UINT64_C( 1 ) << draw_below( random, 64 ) : kind == 5 ? UINT64_MAX : 0;
	return f;
}

// A query of the size of an object, of none, of a part, or of everything.
static bv_aabb draw_query( uint64_t* random, scene kind, double edge )
{
	bv_aabb a = draw_box( random, kind, edge );
	bv_aabb b = draw_box( random, kind, edge );
	switch ( draw_below( random, 6 ) )
	{
	case 0: return ( bv_aabb ){ a.lower, a.lower };
	case 1: return ( bv_aabb ){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
	case 2:
		return ( bv_aabb ){
			{ fmin( a.lower.x, b.lower.x ), fmin( a.lower.y, b.lower.y ), fmin( a.lower.z, b.lower.z ) },
			{ fmax( a.upper.x, b.upper.x ), fmax( a.upper.y, b.upper.y ), fmax( a.upper.z, b.upper.z ) }
		};
	case 3: return draw_half_space( random, a );
	default: return a;
	}
}

// Where objects are now, whether or not an update took place since.
static void queries_find_what_the_model_finds( void** state )
{
	(void)state;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		enum
		{
			objects = 150
		};
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 11 + (uint32_t)kind );
		for ( uint32_t round = 0; round < rounds( 12 ); ++round )
		{
			for ( uint32_t i = 0; i < 60; ++i )
			{
				uint32_t number = draw_below( &f.random, objects );
				bvw_object o = draw_object( &f.random, (scene)kind, 8 );
				if ( draw_below( &f.random, 8 ) == 0 )
				{
					fleet_remove( &f, number );
				}
				else if ( model_has( &f.model, number ) )
				{
					fleet_move( &f, number, &o.box );
				}
				else
				{
					fleet_add( &f, number, &o );
				}
			}
			for ( uint32_t q = 0; q < 12; ++q )
			{
				bv_aabb box = draw_query( &f.random, (scene)kind, 8 );
				bvw_filter filter = draw_filter( &f.random );
				fleet_check_overlap( &f, &box, q % 2 ? &filter : NULL );
			}
			if ( round % 3 == 0 )
			{
				fleet_update( &f );
			}
		}
		fleet_free( &f );
	}
}

// Whatever does not fit is counted, and nothing behind the array is written.
static void more_objects_than_the_array_holds_are_counted( void** state )
{
	(void)state;
	fleet f = fleet_of( 100, 4950, 1 );
	for ( uint32_t i = 0; i < 100; ++i )
	{
		bvw_object o = { .box = draw_box( &f.random, scene_spot, 5 ) };
		fleet_add( &f, i, &o );
	}
	bv_aabb origin = { { 0, 0, 0 }, { 0, 0, 0 } };
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		const uint32_t lengths[] = { 0, 1, 50, 99, 100, 101 };
		for ( uint32_t k = 0; k < 6; ++k )
		{
			uint32_t numbers[102];
			memset( numbers, 0xee, sizeof numbers );
			bvw_found found = { .count = 7 };
			bv_status status = bvw_broadphase_overlap( f.world[i], &origin, NULL, k > 0 ? numbers : NULL,
			                                           lengths[k], &found );
			assert_int_equal( status, lengths[k] < 100 ? bv_error_memory : bv_ok );
			assert_int_equal( found.count, 100 );
			for ( uint32_t n = lengths[k]; n < 102; ++n )
			{
				assert_int_equal( numbers[n], n < 100 && lengths[k] >= 100 ? n : 0xeeeeeeee );
			}
			for ( uint32_t n = 0; n < 100 && lengths[k] >= 100; ++n )
			{
				assert_int_equal( numbers[n], n );
			}
		}
	}
	fleet_free( &f );
}

// What default members of a filter stand for, with answers that are known.
static void filters_select_categories( void** state )
{
	(void)state;
	fleet f = fleet_of( 4, 6, 1 );
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	const bvw_object all[4] = { { .box = box }, // category 1, mask of all
		                        { .box = box, .category = 2, .mask = 4 },
		                        { .box = box, .category = 4, .mask = 1 },
		                        { .box = box, .category = 6, .mask = 2 } };
	for ( uint32_t i = 0; i < 4; ++i )
	{
		fleet_add( &f, i, all + i );
	}
	const struct
	{
		bvw_filter filter;
		uint32_t expected; // bits of numbers
	} cases[] = {
		{ { 0, 0 }, 15 }, { { 1, 0 }, 5 },  { { 2, 0 }, 9 },  { { 4, 0 }, 3 }, { { 8, 0 }, 1 },
		{ { 0, 1 }, 1 },  { { 0, 2 }, 10 }, { { 0, 4 }, 12 }, { { 2, 4 }, 8 }, { { 1, 4 }, 4 },
		{ { 0, 8 }, 0 },  { { 5, 7 }, 7 },  { { 4, 6 }, 2 },  { { 1, 3 }, 1 },
	};
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		for ( uint32_t k = 0; k < sizeof cases / sizeof *cases; ++k )
		{
			uint32_t numbers[4];
			bvw_found found;
			assert_int_equal(
				bvw_broadphase_overlap( f.world[i], &box, &cases[k].filter, numbers, 4, &found ), bv_ok );
			uint32_t bits = 0;
			for ( uint32_t n = 0; n < found.count; ++n )
			{
				bits |= UINT32_C( 1 ) << numbers[n];
			}
			assert_int_equal( bits, cases[k].expected );
		}
	}
	fleet_free( &f );
}

static void an_empty_broad_phase_has_nothing_to_find( void** state )
{
	(void)state;
	fleet f = fleet_of( 3, 3, 1 );
	bv_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
	fleet_check_overlap( &f, &all, NULL );
	bvw_object o = { .box = all };
	fleet_add( &f, 2, &o );
	fleet_check_overlap( &f, &all, NULL );
	fleet_remove( &f, 2 );
	fleet_check_overlap( &f, &all, NULL );
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( queries_find_what_the_model_finds ),
		cmocka_unit_test( more_objects_than_the_array_holds_are_counted ),
		cmocka_unit_test( filters_select_categories ),
		cmocka_unit_test( an_empty_broad_phase_has_nothing_to_find ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
