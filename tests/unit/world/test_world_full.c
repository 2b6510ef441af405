// An update with too many pairs reports nothing, and what it would have reported is reported by the first update of a larger copy.

#include "worlds.h"

static const bv_aabb unit = { { 0, 0, 0 }, { 1, 1, 1 } };

// Those of the last update that succeeded, except pairs that an update that failed found apart, and pairs of removed objects.
static void check_listed( fleet* f, uint32_t i )
{
	model_list( &f->model );
	uint32_t count = 0;
	assert_int_equal( bvw_broadphase_pairs( f->world[i], f->room, f->options[i].pairs, &count ), bv_ok );
	if ( !model_equals( &f->model.listed, f->room, count ) )
	{
		fleet_fail( f, i, "bvw_broadphase_pairs after an update that failed" );
	}
}

// Updates until one succeeds: in a larger copy, or because objects have moved apart. Trees can be full of pairs that are near, other
// methods are full only if more pairs touch than there is room for.
static void update_or_grow( fleet* f, uint32_t i, uint32_t* failures )
{
	bvw_changes got = { .begun_count = 12345, .ended_count = 54321 };
	bv_status status = bvw_broadphase_update( f->world[i], &got );
	while ( status != bv_ok )
	{
		assert_int_equal( status, bv_error_memory );
		assert_true( got.begun_count == 12345 && got.ended_count == 54321 );
		assert_true( f->options[i].method == bvw_method_tree || f->model.now.count > f->options[i].pairs );
		++*failures;
		// As few as necessary, so that the next pair is too many.
		f->options[i].pairs = f->options[i].pairs < f->model.now.count
		                          ? f->model.now.count
		                          : f->options[i].pairs + f->options[i].pairs / 2 + 1;
		bvw_broadphase* larger = copy_world( f->world[i], f->options + i );
		free( f->world[i] );
		f->world[i] = larger;
		status = bvw_broadphase_update( f->world[i], &got );
	}
	assert_true( f->model.now.count <= f->options[i].pairs );
	if ( !model_equals( &f->model.begun, got.begun, got.begun_count ) )
	{
		fleet_fail( f, i, "pairs that began after an update that failed" );
	}
	if ( !model_equals( &f->model.ended, got.ended, got.ended_count ) )
	{
		fleet_fail( f, i, "pairs that ended after an update that failed" );
	}
}

static void make_small( fleet* f, uint32_t pairs )
{
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		f->options[i].pairs = pairs;
		free( f->world[i] );
		f->world[i] = begin_world( f->options + i );
	}
}

// Each broad phase has room for one to three pairs at first. All are full at the same time, so that the model does what they do.
static void a_larger_copy_reports_what_the_full_one_would_have( void** state )
{
	(void)state;
	uint32_t failures[most_worlds] = { 0 };
	uint32_t apart = 0;
	uint32_t worlds = 0;
	for ( uint32_t round = 0; round < rounds( 150 ); ++round )
	{
		// Of many objects, few change at a time.
		bool is_large = round % 10 == 9;
		uint32_t objects = is_large ? 250 : 4 + draw_below( &( uint64_t ){ round }, 40 );
		double edge = 2 + 3 * cbrt( objects );
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 1000 + round );
		make_small( &f, 1 + round % 3 );
		worlds = f.worlds;
		for ( uint32_t u = 0; u < 12; ++u )
		{
			uint32_t changes = is_large && u % 4 ? 5 : 1 + draw_below( &f.random, 2 * objects );
			fleet_change_some( &f, scene_uniform, changes, edge * ( u % 3 == 2 ? 2 : 1 ) );
			uint32_t most = 0;
			for ( uint32_t i = 0; i < f.worlds; ++i )
			{
				most = f.options[i].pairs > most ? f.options[i].pairs : most;
			}
			// Updates that fail, with changes in between.
			model_compare( &f.model );
			for ( uint32_t again = 0; again < 3 && f.model.now.count > most; ++again )
			{
				model_fail( &f.model );
				for ( uint32_t i = 0; i < f.worlds; ++i )
				{
					bvw_changes got;
					assert_int_equal( bvw_broadphase_update( f.world[i], &got ), bv_error_memory );
					check_listed( &f, i );
					++failures[i];
				}
				apart += f.model.listed.count < f.model.last.count;
				fleet_change_some( &f, scene_uniform, is_large ? 5 : 1 + draw_below( &f.random, objects ),
				                   edge );
				model_compare( &f.model );
			}
			for ( uint32_t i = 0; i < f.worlds; ++i )
			{
				update_or_grow( &f, i, failures + i );
			}
			model_commit( &f.model );
			fleet_check_pairs( &f );
		}
		fleet_free( &f );
	}
	assert_true( apart > 20 );
	for ( uint32_t i = 0; i < worlds; ++i )
	{
		assert_true( failures[i] > 20 );
	}
}

// What is full becomes usable again, without a copy, when objects have moved apart.
static void a_full_one_goes_on_when_objects_move_apart( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = {
			.objects = 5, .pairs = 3, .method = method_of_way( w ), .store = store_of_way( w )
		};
		bvw_broadphase* world = begin_world( &options );
		bvw_changes changes;
		for ( uint32_t i = 0; i < 3; ++i )
		{
			bvw_object o = { .box = unit };
			assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
		}
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		assert_int_equal( changes.begun_count, 3 );
		bvw_object o = { .box = unit };
		assert_int_equal( bvw_broadphase_add( world, 3, &o ), bv_ok );
		for ( int again = 0; again < 3; ++again )
		{
			assert_int_equal( bvw_broadphase_update( world, &changes ), bv_error_memory );
		}
		bv_aabb away = { { 50, 50, 50 }, { 51, 51, 51 } };
		assert_int_equal( bvw_broadphase_move( world, 3, &away ), bv_ok );
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		assert_true( changes.begun_count == 0 && changes.ended_count == 0 );
		assert_int_equal( bvw_broadphase_move( world, 3, &unit ), bv_ok );
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_error_memory );
		assert_int_equal( bvw_broadphase_remove( world, 1 ), bv_ok );
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		// (0, 3) and (2, 3) began; (0, 1) and (1, 2) ended; (0, 2) remained.
		assert_true( changes.begun_count == 2 && changes.ended_count == 2 );
		assert_true( changes.begun[0].a == 0 && changes.begun[0].b == 3 && changes.begun[1].a == 2 );
		assert_true( changes.ended[0].b == 1 && changes.ended[1].a == 1 && changes.ended[1].b == 2 );
		free( world );
	}
}

// A pair that an update that failed found apart, and that touches again at the next one, has neither ended nor begun. With a new
// object in its place it has done both.
static void a_pair_that_was_apart_only_while_full_remains( void** state )
{
	(void)state;
	const bv_aabb away = { { 50, 0, 0 }, { 51, 1, 1 } };
	const bv_aabb elsewhere = { { 0, 90, 0 }, { 1, 91, 1 } };
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		for ( int is_new = 0; is_new < 2; ++is_new )
		{
			bvw_broadphase_options options = {
				.objects = 5, .pairs = 1, .method = method_of_way( w ), .store = store_of_way( w )
			};
			bvw_broadphase* world = begin_world( &options );
			bvw_changes changes;
			bvw_object o = { .box = unit };
			assert_int_equal( bvw_broadphase_add( world, 0, &o ), bv_ok );
			assert_int_equal( bvw_broadphase_add( world, 1, &o ), bv_ok );
			assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
			assert_int_equal( changes.begun_count, 1 );
			assert_int_equal( bvw_broadphase_move( world, 0, &away ), bv_ok );
			bvw_object other = { .box = elsewhere };
			for ( uint32_t i = 2; i < 5; ++i )
			{
				assert_int_equal( bvw_broadphase_add( world, i, &other ), bv_ok );
			}
			assert_int_equal( bvw_broadphase_update( world, &changes ), bv_error_memory );
			assert_false( bvw_broadphase_has_pair( world, 0, 1 ) );
			assert_int_equal( bvw_broadphase_remove( world, 2 ), bv_ok );
			assert_int_equal( bvw_broadphase_remove( world, 3 ), bv_ok );
			if ( is_new )
			{
				assert_int_equal( bvw_broadphase_remove( world, 0 ), bv_ok );
				assert_int_equal( bvw_broadphase_add( world, 0, &o ), bv_ok );
			}
			else
			{
				assert_int_equal( bvw_broadphase_move( world, 0, &unit ), bv_ok );
			}
			// The same of a copy.
			bvw_broadphase* copy = copy_world( world, &options );
			bvw_broadphase* both[] = { world, copy };
			for ( int i = 0; i < 2; ++i )
			{
				assert_int_equal( bvw_broadphase_update( both[i], &changes ), bv_ok );
				assert_int_equal( changes.begun_count, is_new );
				assert_int_equal( changes.ended_count, is_new );
				assert_true( bvw_broadphase_has_pair( both[i], 0, 1 ) );
				free( both[i] );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_larger_copy_reports_what_the_full_one_would_have ),
		cmocka_unit_test( a_full_one_goes_on_when_objects_move_apart ),
		cmocka_unit_test( a_pair_that_was_apart_only_while_full_remains ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
