// Every method of broad phases against a model that compares all boxes: the same pairs begin and end, in the same order, after
// every step of scenes that move in several ways, and after random changes.

#include "worlds.h"

#include <math.h>

typedef struct moving
{
	bv_vec3 place;
	bv_vec3 velocity;
	double half;
} moving;

static double distance_between( bv_vec3 a, bv_vec3 b )
{
	return sqrt( ( a.x - b.x ) * ( a.x - b.x ) + ( a.y - b.y ) * ( a.y - b.y ) +
	             ( a.z - b.z ) * ( a.z - b.z ) );
}

static void step_brownian( moving* o, uint64_t* random, double edge )
{
	bv_vec3 d = draw_point( random, 1 );
	(void)edge;
	o->place = ( bv_vec3 ){ o->place.x + d.x - 0.5, o->place.y + d.y - 0.5, o->place.z + d.z - 0.5 };
}

// Boxes are piled up at the end.
static void step_fall( moving* o, uint64_t* random, double edge )
{
	(void)random;
	(void)edge;
	o->velocity.z -= 0.05;
	o->place.z += o->velocity.z;
	if ( o->place.z < 0 )
	{
		o->place.z = 0;
		o->velocity.z *= -0.3;
	}
}

static void step_gravity( moving* o, uint64_t* random, double edge )
{
	(void)random;
	bv_vec3 center = { edge / 2, edge / 2, edge / 2 };
	double d = distance_between( o->place, center ) + 1;
	double pull = 0.1 * edge / ( d * d );
	o->velocity.x += pull * ( center.x - o->place.x ) / d;
	o->velocity.y += pull * ( center.y - o->place.y ) / d;
	o->velocity.z += pull * ( center.z - o->place.z ) / d;
	o->place.x += o->velocity.x;
	o->place.y += o->velocity.y;
	o->place.z += o->velocity.z;
}

typedef void ( *stepper )( moving*, uint64_t*, double );

// @param percent  of objects that move in a step
// @return how many pairs ended
static uint64_t run_scene( stepper step, uint32_t objects, uint32_t steps, uint32_t percent )
{
	double edge = 1.8 * cbrt( objects );
	uint32_t pairs = objects < 2000 ? objects * ( objects - 1 ) / 2 : 300 * objects;
	fleet f = fleet_of( objects, pairs, 44 + percent );
	moving* all = calloc( objects, sizeof *all );
	for ( uint32_t i = 0; i < objects; ++i )
	{
		all[i] = ( moving ){ draw_point( &f.random, edge ), { 0, 0, 0 }, 0.3 + 0.7 * draw_unit( &f.random ) };
		bvw_object o = { .box = cube_around( all[i].place, all[i].half ) };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	for ( uint32_t s = 0; s < steps; ++s )
	{
		for ( uint32_t i = 0; i < objects; ++i )
		{
			if ( draw_below( &f.random, 100 ) < percent )
			{
				step( all + i, &f.random, edge );
				bv_aabb box = cube_around( all[i].place, all[i].half );
				fleet_move( &f, i, &box );
			}
		}
		fleet_update( &f );
	}
	fleet_check_pairs( &f );
	assert_true( f.begun > objects / 2 );
	uint64_t ended = f.ended;
	fleet_free( &f );
	free( all );
	return ended;
}

// BV_WORLD_OBJECTS is the number of objects of long runs.
static void run_scenes( stepper step )
{
	const char* text = getenv( "BV_WORLD_OBJECTS" );
	uint32_t objects = text ? (uint32_t)atoi( text ) : 500;
	const uint32_t percents[] = { 1, 10, 100 };
	uint64_t ended = 0;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		ended += run_scene( step, 100, 30, percents[i] );
		ended += run_scene( step, objects, 12, percents[i] );
	}
	assert_true( ended > 0 );
}

static void methods_agree_with_the_model_in_brownian_motion( void** state )
{
	(void)state;
	run_scenes( step_brownian );
}

static void methods_agree_with_the_model_in_free_fall( void** state )
{
	(void)state;
	run_scenes( step_fall );
}

static void methods_agree_with_the_model_where_objects_attract( void** state )
{
	(void)state;
	run_scenes( step_gravity );
}

// One random change: of numbers in use or not.
static void change( fleet* f, scene kind, double edge )
{
	uint32_t number = draw_below( &f->random, f->model.objects );
	switch ( draw_below( &f->random, 8 ) )
	{
	case 0: fleet_remove( f, number ); break;
	case 1:
	case 2:
	{
		bvw_object o = draw_object( &f->random, kind, edge );
		fleet_add( f, number, &o );
		break;
	}
	default:
	{
		bv_aabb box = draw_box( &f->random, kind, edge );
		fleet_move( f, number, &box );
		break;
	}
	}
}

// Numbers are used again, objects change several times between updates, and some updates follow no change.
// @return how many pairs ended
static uint64_t change_at_random( scene kind, uint32_t objects, uint32_t updates, uint32_t seed )
{
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2 + 1, seed );
	double edge = 3 * cbrt( objects );
	for ( uint32_t u = 0; u < updates; ++u )
	{
		uint32_t changes =
			draw_below( &f.random, 4 ) ? draw_below( &f.random, objects ) : draw_below( &f.random, 4 );
		for ( uint32_t i = 0; i < changes; ++i )
		{
			change( &f, kind, edge );
		}
		if ( draw_below( &f.random, 4 ) == 0 )
		{
			fleet_check_pairs( &f );
			bv_aabb box = draw_box( &f.random, kind, edge );
			fleet_check_overlap( &f, &box, NULL );
		}
		fleet_update( &f );
	}
	fleet_check_pairs( &f );
	uint64_t ended = f.ended;
	fleet_free( &f );
	return ended;
}

static void methods_agree_with_the_model_after_random_changes( void** state )
{
	(void)state;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		uint64_t ended = change_at_random( (scene)kind, 5, rounds( 100 ), (uint32_t)kind + 100 );
		ended += change_at_random( (scene)kind, 60, rounds( 60 ), (uint32_t)kind );
		ended += change_at_random( (scene)kind, 250, rounds( 10 ), (uint32_t)kind + 200 );
		assert_true( ended > 0 );
	}
}

// Small steps keep objects within margins, and near the cells and neighbors that they had.
static void methods_agree_with_the_model_after_small_steps( void** state )
{
	(void)state;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		fleet f = fleet_of( 120, 120 * 119 / 2, 7 + (uint32_t)kind );
		for ( uint32_t i = 0; i < 120; ++i )
		{
			bvw_object o = { .box = draw_box( &f.random, (scene)kind, 12 ) };
			fleet_add( &f, i, &o );
		}
		fleet_update( &f );
		for ( uint32_t s = 0; s < rounds( 40 ); ++s )
		{
			for ( uint32_t k = 0; k < 40; ++k )
			{
				bvw_object o;
				uint32_t i = draw_below( &f.random, 120 );
				assert_true( bvw_broadphase_get( f.world[0], i, &o ) );
				bv_vec3 d = draw_point( &f.random, 0.4 );
				double scale = fabs( o.box.lower.x ) < 1e-300 ? 0x1p-1070 : 1;
				bv_aabb b = o.box;
				b.lower.x += scale * ( d.x - 0.2 );
				b.upper.x += scale * ( d.x - 0.2 );
				b.lower.y += scale * ( d.y - 0.2 );
				b.upper.y += scale * ( d.y - 0.2 );
				b.lower.z += scale * ( d.z - 0.2 );
				b.upper.z += scale * ( d.z - 0.2 );
				fleet_move( &f, i, &b );
			}
			fleet_update( &f );
		}
		fleet_check_pairs( &f );
		fleet_free( &f );
	}
}

// Boxes of a row share faces. One step to either side of a number, and they touch or do not.
static void touching_counts_to_the_last_bit( void** state )
{
	(void)state;
	const double places[] = { 0, 1, 1.0 / 3, -1e7 / 3, 1e30, -0.1 };
	for ( uint32_t k = 0; k < 6; ++k )
	{
		double at = places[k];
		double beyond = nextafter( at, (double)INFINITY );
		for ( int axis = 0; axis < 3; ++axis )
		{
			fleet f = fleet_of( 2, 4, k );
			bvw_object o[2] = { { .box = { { at - 1, at - 1, at - 1 }, { at, at, at } } },
				                { .box = { { at, at, at }, { at + 1, at + 1, at + 1 } } } };
			fleet_add( &f, 0, o );
			fleet_add( &f, 1, o + 1 );
			fleet_update( &f );
			assert_int_equal( f.begun, 1 );
			double* side[] = { &o[1].box.lower.x, &o[1].box.lower.y, &o[1].box.lower.z };
			double* far_side[] = { &o[1].box.upper.x, &o[1].box.upper.y, &o[1].box.upper.z };
			*side[axis] = beyond;
			*far_side[axis] = fmax( *far_side[axis], beyond );
			fleet_move( &f, 1, &o[1].box );
			fleet_update( &f );
			assert_int_equal( f.ended, 1 );
			*side[axis] = at;
			fleet_move( &f, 1, &o[1].box );
			fleet_update( &f );
			assert_int_equal( f.begun, 2 );
			fleet_free( &f );
		}
	}
}

// Of 200 objects in one spot: 200 * 199 / 2 pairs, which masks or groups prevent.
static void masks_and_groups_prevent_pairs( void** state )
{
	(void)state;
	enum
	{
		objects = 200
	};
	for ( uint32_t kind = 0; kind < 5; ++kind )
	{
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, kind );
		for ( uint32_t i = 0; i < objects; ++i )
		{
			bvw_object o = { .box = draw_box( &f.random, scene_spot, 5 ) };
			o.category = kind == 1 ? 2 : kind == 2 ? UINT64_C( 1 ) << i % 64 : kind == 4 ? 1 + i % 2 : 0;
			o.mask = kind == 1 ? 1 : kind == 2 ? UINT64_C( 1 ) << i % 64 : kind == 4 && i % 2 ? 1 : 0;
			o.group = kind == 3 ? 1 + i % 2 : 0;
			fleet_add( &f, i, &o );
		}
		fleet_update( &f );
		// 64 categories: objects of the same; 200 = 8 * 4 + 56 * 3. Two groups: pairs of one of each. Categories 1 with all masks
		// and 2 with mask 1: 100 * 99 / 2 among the former, and 100 * 100 between both.
		const uint64_t expected[] = { 19900, 0, 8 * 6 + 56 * 3, 10000, 4950 + 10000 };
		assert_int_equal( f.begun, expected[kind] );
		fleet_free( &f );
	}
}

// Boxes in a row share faces: each touches the next one.
static void pairs_of_a_row_are_those_of_neighbors( void** state )
{
	(void)state;
	enum
	{
		objects = 2000
	};
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = { .objects = objects,
			                               .method = method_of_way( w ),
			                               .store = store_of_way( w ) };
		bvw_broadphase* world = begin_world( &options );
		for ( uint32_t i = 0; i < objects; ++i )
		{
			// Numbers in no order: 7 has no factor in common with 2000.
			uint32_t place = 7 * i % objects;
			bvw_object o = { .box = { { place, 0, 0 }, { place + 1, 1, 1 } } };
			assert_int_equal( bvw_broadphase_add( world, place, &o ), bv_ok );
		}
		bvw_changes got;
		assert_int_equal( bvw_broadphase_update( world, &got ), bv_ok );
		assert_int_equal( got.begun_count, objects - 1 );
		for ( uint32_t i = 0; i + 1 < objects; ++i )
		{
			assert_true( got.begun[i].a == i && got.begun[i].b == i + 1 );
		}
		free( world );
	}
}

static void an_update_without_changes_reports_nothing( void** state )
{
	(void)state;
	fleet f = fleet_of( 50, 50 * 49 / 2, 1 );
	fleet_update( &f );
	assert_int_equal( f.begun, 0 );
	for ( uint32_t i = 0; i < 50; ++i )
	{
		bvw_object o = { .box = draw_box( &f.random, scene_spot, 5 ) };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	assert_int_equal( f.begun, 50 * 49 / 2 );
	fleet_update( &f );
	// Moved to where they are.
	for ( uint32_t i = 0; i < 50; ++i )
	{
		bvw_object o;
		assert_true( bvw_broadphase_get( f.world[0], i, &o ) );
		fleet_move( &f, i, &o.box );
	}
	fleet_update( &f );
	assert_int_equal( f.begun, 50 * 49 / 2 );
	assert_int_equal( f.ended, 0 );
	fleet_free( &f );
}

// The number of a removed object is used at once by an object in the same place: its pairs end and begin.
static void pairs_of_a_number_used_again_are_new( void** state )
{
	(void)state;
	fleet f = fleet_of( 3, 3, 1 );
	bvw_object o = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } };
	for ( uint32_t i = 0; i < 3; ++i )
	{
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	fleet_remove( &f, 1 );
	fleet_add( &f, 1, &o );
	fleet_update( &f );
	assert_true( f.begun == 5 && f.ended == 2 );
	// Added and removed between two updates: nothing is reported.
	fleet_remove( &f, 1 );
	fleet_update( &f );
	assert_true( f.begun == 5 && f.ended == 4 );
	fleet_add( &f, 1, &o );
	fleet_remove( &f, 1 );
	fleet_update( &f );
	assert_true( f.begun == 5 && f.ended == 4 );
	// There and back.
	bv_aabb away = { { 5, 5, 5 }, { 6, 6, 6 } };
	fleet_move( &f, 0, &away );
	fleet_move( &f, 0, &o.box );
	fleet_update( &f );
	assert_true( f.begun == 5 && f.ended == 4 );
	fleet_free( &f );
}

// The largest objects overlap all others, so that each new one would be compared with all, while some were removed.
static void new_objects_are_found_beside_removed_ones( void** state )
{
	(void)state;
	enum
	{
		objects = 300,
		fresh = 20,
		gone = 6
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 3 );
	for ( uint32_t i = 0; i < objects - fresh; ++i )
	{
		bvw_object o = { .box = draw_box( &f.random, scene_sizes, 20 ) };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	for ( uint32_t round = 0; round < rounds( 5 ); ++round )
	{
		for ( uint32_t i = 0; i < gone; ++i )
		{
			fleet_remove( &f, draw_below( &f.random, objects - fresh ) );
		}
		for ( uint32_t i = objects - fresh; i < objects; ++i )
		{
			bvw_object o = { .box = draw_box( &f.random, scene_sizes, 20 ) };
			fleet_add( &f, i, &o );
		}
		fleet_update( &f );
		for ( uint32_t i = objects - fresh; i < objects; ++i )
		{
			fleet_remove( &f, i );
		}
		fleet_update( &f );
	}
	fleet_check_pairs( &f );
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( methods_agree_with_the_model_in_brownian_motion ),
		cmocka_unit_test( methods_agree_with_the_model_in_free_fall ),
		cmocka_unit_test( methods_agree_with_the_model_where_objects_attract ),
		cmocka_unit_test( methods_agree_with_the_model_after_random_changes ),
		cmocka_unit_test( methods_agree_with_the_model_after_small_steps ),
		cmocka_unit_test( touching_counts_to_the_last_bit ),
		cmocka_unit_test( masks_and_groups_prevent_pairs ),
		cmocka_unit_test( pairs_of_a_row_are_those_of_neighbors ),
		cmocka_unit_test( an_update_without_changes_reports_nothing ),
		cmocka_unit_test( pairs_of_a_number_used_again_are_new ),
		cmocka_unit_test( new_objects_are_found_beside_removed_ones ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
