// User data of pairs where updates fail because there is no room for a pair, against a table of the test: data are 0 when a pair
// begins, and remain until its end is reported.

#include "tests/unit/world/worlds.h"

enum
{
	most_objects = 40,
	greatest_pairs = most_objects * ( most_objects - 1 ) / 2,
};

static const bv_aabb unit = { { 0, 0, 0 }, { 1, 1, 1 } };
static const bv_aabb away = { { 50, 0, 0 }, { 51, 1, 1 } };

static bool has_data( int way )
{
	return store_of_way( way ) == bvw_pair_store_hash;
}

// Objects 0 and 1 are a pair with data, for which alone there is room. Objects from 2 on touch each other.
static bvw_broadphase* begin_full( int way, const bvw_broadphase_options* options )
{
	bvw_broadphase* world = begin_world( options );
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_add( world, 0, &( bvw_object ){ .box = unit } ), bv_ok );
	assert_int_equal( bvw_broadphase_add( world, 1, &( bvw_object ){ .box = unit } ), bv_ok );
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
	assert_true( has_data( way ) );
	*bvw_broadphase_pair_data( world, 0, 1 ) = 1234;
	for ( uint32_t i = 2; i < options->objects; ++i )
	{
		bvw_object other = { .box = { { 0, 90, 0 }, { 1, 91, 1 } } };
		assert_int_equal( bvw_broadphase_add( world, i, &other ), bv_ok );
	}
	return world;
}

static void move_and_fail( bvw_broadphase* world, uint32_t number, bv_aabb box )
{
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_move( world, number, &box ), bv_ok );
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_error_memory );
}

// @return the events
static bvw_changes remove_others( bvw_broadphase* world, uint32_t objects )
{
	bvw_changes changes;
	for ( uint32_t i = 2; i < objects; ++i )
	{
		assert_int_equal( bvw_broadphase_remove( world, i ), bv_ok );
	}
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
	return changes;
}

// Apart, together and apart in updates that fail. The entry of the pair is taken by others in between.
static void data_remain_if_a_pair_was_apart_only_while_full( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = {
			.objects = 6, .pairs = 1, .method = method_of_way( w ), .store = store_of_way( w )
		};
		for ( int is_copy = 0; is_copy < 2 && has_data( w ); ++is_copy )
		{
			bvw_broadphase* world = begin_full( w, &options );
			for ( int again = 0; again < 2; ++again )
			{
				move_and_fail( world, 0, away );
				assert_null( bvw_broadphase_pair_data( world, 0, 1 ) );
				move_and_fail( world, 0, unit );
				assert_null( bvw_broadphase_pair_data( world, 0, 1 ) );
			}
			move_and_fail( world, 0, away );
			assert_int_equal( bvw_broadphase_move( world, 0, &unit ), bv_ok );
			if ( is_copy )
			{
				bvw_broadphase_options larger = { .objects = 6, .pairs = 20, .method = bvw_method_tree };
				bvw_broadphase* copy = copy_world( world, &larger );
				free( world );
				world = copy;
				bvw_changes changes;
				assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
				assert_true( changes.begun_count == 6 && changes.ended_count == 0 );
				assert_true( *bvw_broadphase_pair_data( world, 2, 3 ) == 0 );
			}
			else
			{
				bvw_changes changes = remove_others( world, 6 );
				assert_true( changes.begun_count == 0 && changes.ended_count == 0 );
			}
			assert_true( *bvw_broadphase_pair_data( world, 0, 1 ) == 1234 );
			free( world );
		}
	}
}

// Data of a pair that ended, or that has a new object, do not come back.
static void a_pair_that_begins_has_no_data( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = {
			.objects = 6, .pairs = 1, .method = method_of_way( w ), .store = store_of_way( w )
		};
		for ( int kind = 0; kind < 3 && has_data( w ); ++kind )
		{
			bvw_broadphase* world = begin_full( w, &options );
			bvw_changes changes;
			if ( kind < 2 )
			{
				move_and_fail( world, 0, away );
			}
			if ( kind > 0 )
			{
				assert_int_equal( bvw_broadphase_remove( world, 0 ), bv_ok );
				assert_int_equal( bvw_broadphase_add( world, 0, &( bvw_object ){ .box = unit } ), bv_ok );
			}
			changes = remove_others( world, 6 );
			assert_int_equal( changes.ended_count, 1 );
			assert_int_equal( changes.begun_count, kind > 0 );
			assert_int_equal( bvw_broadphase_move( world, 0, &unit ), bv_ok );
			assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
			assert_true( *bvw_broadphase_pair_data( world, 0, 1 ) == 0 );
			free( world );
		}
	}
}

// A fleet, and what the data of the pairs of the last update are.
typedef struct game
{
	fleet f;
	uint64_t data[most_objects][most_objects]; // of pairs of the last update that succeeded
	uint32_t apart;                            // pairs with data that were apart only in updates that failed
	uint32_t failures;
} game;

// Of hash tables only, each with room for few pairs.
static void begin_game( game* g, uint32_t objects, uint32_t pairs, uint64_t seed )
{
	*g = ( game ){ .f = fleet_of( objects, greatest_pairs, seed ) };
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < g->f.worlds; ++i )
	{
		bvw_broadphase_options o = g->f.options[i];
		free( g->f.world[i] );
		if ( o.store == bvw_pair_store_hash || o.method == bvw_method_tree )
		{
			o.pairs = pairs;
			g->f.options[kept] = o;
			g->f.world[kept++] = begin_world( &o );
		}
	}
	g->f.worlds = kept;
	assert_true( kept > 5 );
}

// Objects go back to one of few places, so that pairs come back.
static void change_objects( fleet* f, uint32_t changes, double edge )
{
	for ( uint32_t i = 0; i < changes; ++i )
	{
		uint32_t number = draw_below( &f->random, f->model.objects );
		bvw_object o = draw_object( &f->random, scene_uniform, edge );
		switch ( draw_below( &f->random, 8 ) )
		{
		case 0: fleet_remove( f, number ); break;
		case 1: fleet_add( f, number, &o ); break;
		case 2:
			fleet_remove( f, number );
			fleet_add( f, number, &o );
			break;
		case 3: fleet_move( f, number, &o.box ); break;
		default:
			o.box = cube_around( draw_point( &( uint64_t ){ number }, 4 ), 1 );
			fleet_move( f, number, &o.box );
			break;
		}
	}
}

// Compares the data of all pairs that are listed, and changes some.
static void check_data( game* g )
{
	model_list( &g->f.model );
	for ( uint32_t k = 0; k < g->f.model.listed.count; ++k )
	{
		const uint32_t* p = g->f.model.listed.at[k].number;
		uint64_t next = draw_below( &g->f.random, 3 ) ? draw( &g->f.random ) : g->data[p[0]][p[1]];
		for ( uint32_t i = 0; i < g->f.worlds; ++i )
		{
			uint64_t* data = bvw_broadphase_pair_data( g->f.world[i], p[1], p[0] );
			if ( !data || *data != g->data[p[0]][p[1]] )
			{
				fleet_fail( &g->f, i, "bvw_broadphase_pair_data" );
			}
			*data = next;
		}
		g->data[p[0]][p[1]] = next;
	}
}

static void copy_one( game* g, uint32_t i, uint32_t pairs )
{
	bvw_broadphase_options* o = g->f.options + i;
	o->pairs = pairs;
	bvw_broadphase* copy = copy_world( g->f.world[i], o );
	free( g->f.world[i] );
	g->f.world[i] = copy;
}

// All are full at the same time, so that they all do what the model does.
static void fail_all( game* g )
{
	model_fail( &g->f.model );
	for ( uint32_t i = 0; i < g->f.worlds; ++i )
	{
		bvw_changes got;
		assert_int_equal( bvw_broadphase_update( g->f.world[i], &got ), bv_error_memory );
	}
	++g->failures;
}

// Each updates, in a larger copy if it is full.
static void update_all( game* g )
{
	model* m = &g->f.model;
	model_compare( m );
	for ( uint32_t i = 0; i < m->last.count; ++i )
	{
		const uint32_t* p = m->last.at[i].number;
		bool remains = false;
		for ( uint32_t k = 0; k < m->now.count; ++k )
		{
			remains = remains || model_same( m->now.at + k, m->last.at + i );
		}
		g->apart += remains && m->last.at[i].is_apart && g->data[p[0]][p[1]] != 0;
	}
	for ( uint32_t i = 0; i < g->f.worlds; ++i )
	{
		bvw_changes got;
		while ( bvw_broadphase_update( g->f.world[i], &got ) != bv_ok )
		{
			uint32_t pairs = g->f.options[i].pairs;
			copy_one( g, i, m->now.count > pairs ? m->now.count : pairs + pairs / 2 + 1 );
		}
		assert_true( model_equals( &m->begun, got.begun, got.begun_count ) );
		assert_true( model_equals( &m->ended, got.ended, got.ended_count ) );
	}
	for ( uint32_t i = 0; i < m->begun.count; ++i )
	{
		g->data[m->begun.at[i].number[0]][m->begun.at[i].number[1]] = 0;
	}
	model_commit( m );
}

static uint32_t most_pairs( const fleet* f )
{
	uint32_t most = 0;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		most = f->options[i].pairs > most ? f->options[i].pairs : most;
	}
	return most;
}

static void data_are_those_of_a_table_whatever_failed( void** state )
{
	(void)state;
	uint32_t apart = 0;
	uint32_t failures = 0;
	for ( uint32_t round = 0; round < rounds( 250 ); ++round )
	{
		game g;
		uint32_t objects = 6 + draw_below( &( uint64_t ){ round }, most_objects - 6 );
		begin_game( &g, objects, 1 + round % 4, 77 + round );
		double edge = 2 + 2 * cbrt( objects );
		for ( uint32_t u = 0; u < 10; ++u )
		{
			change_objects( &g.f, 1 + draw_below( &g.f.random, objects ), u % 3 == 2 ? 3 * edge : edge );
			model_compare( &g.f.model );
			for ( uint32_t again = 0; again < 8 && g.f.model.now.count > most_pairs( &g.f ); ++again )
			{
				fail_all( &g );
				check_data( &g );
				// A copy of the same size, by another method.
				uint32_t i = draw_below( &g.f.random, g.f.worlds );
				if ( g.f.options[i].margin == 0 )
				{
					g.f.options[i].method = g.f.options[draw_below( &g.f.random, g.f.worlds )].method;
					copy_one( &g, i, g.f.options[i].pairs );
				}
				change_objects( &g.f, 1 + draw_below( &g.f.random, objects ), edge );
				model_compare( &g.f.model );
			}
			update_all( &g );
			check_data( &g );
			// Full again.
			for ( uint32_t i = 0; i < g.f.worlds; ++i )
			{
				copy_one( &g, i, g.f.model.last.count + draw_below( &g.f.random, 3 ) + 1 );
			}
		}
		apart += g.apart;
		failures += g.failures;
		fleet_free( &g.f );
	}
	assert_true( apart > 20 && failures > 200 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( data_remain_if_a_pair_was_apart_only_while_full ),
		cmocka_unit_test( a_pair_that_begins_has_no_data ),
		cmocka_unit_test( data_are_those_of_a_table_whatever_failed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
