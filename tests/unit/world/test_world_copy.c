// Copies between all methods and sizes go on where the original is. A copy of the bytes of a broad phase is a save: restored, the
// same operations give the same events and the same bytes.

#include "worlds.h"

// Each of a fleet becomes a copy of any of them, with any method and margin: all are equivalent.
static void copy_all( fleet* f )
{
	bvw_broadphase* copies[most_worlds];
	bvw_broadphase_options options[most_worlds];
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		uint32_t from = draw_below( &f->random, f->worlds );
		options[i] = f->options[draw_below( &f->random, f->worlds )];
		options[i].objects = f->model.objects + draw_below( &f->random, 30 );
		options[i].pairs = options[i].objects * ( options[i].objects - 1 ) / 2 + draw_below( &f->random, 30 );
		size_t bytes = bvw_broadphase_bytes( f->options + from );
		void* before = malloc( bytes );
		memcpy( before, f->world[from], bytes );
		copies[i] = copy_world( f->world[from], options + i );
		assert_memory_equal( f->world[from], before, bytes );
		free( before );
	}
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		free( f->world[i] );
		f->world[i] = copies[i];
		f->options[i] = options[i];
	}
}

// In the middle of changes, before and after updates, again and again.
static void copies_go_on_where_the_original_is( void** state )
{
	(void)state;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		enum
		{
			objects = 40,
			most_pairs = 70 * 69 / 2 + 30
		};
		fleet f = fleet_of( objects, most_pairs, 5 + (uint32_t)kind );
		for ( uint32_t round = 0; round < rounds( 40 ); ++round )
		{
			fleet_change_some( &f, (scene)kind, draw_below( &f.random, objects ), 8 );
			copy_all( &f );
			fleet_check_pairs( &f );
			bv_aabb box = draw_box( &f.random, (scene)kind, 8 );
			fleet_check_overlap( &f, &box, NULL );
			fleet_change_some( &f, (scene)kind, draw_below( &f.random, objects ), 8 );
			fleet_update( &f );
			fleet_check_pairs( &f );
		}
		fleet_free( &f );
	}
}

// Nothing changed, so nothing begins or ends, by each method from each.
static void a_copy_of_what_did_not_change_reports_nothing( void** state )
{
	(void)state;
	for ( int from = next_way( 0 ); from < ways; from = next_way( from ) )
	{
		bvw_broadphase_options options = { .objects = 60,
			                               .pairs = 60 * 59 / 2,
			                               .method = method_of_way( from ),
			                               .store = store_of_way( from ) };
		bvw_broadphase* world = begin_world( &options );
		uint64_t random = 8;
		for ( uint32_t i = 0; i < 60; i += 2 )
		{
			bvw_object o = draw_object( &random, scene_uniform, 5 );
			assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
		}
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		assert_true( changes.begun_count > 50 );
		bvw_pair pairs[60 * 59 / 2];
		uint32_t count = 0;
		assert_int_equal( bvw_broadphase_pairs( world, pairs, options.pairs, &count ), bv_ok );
		for ( int to = 0; to < ways; to = next_way( to ) )
		{
			// As few objects as the greatest number allows.
			bvw_broadphase_options of_copy = { .objects = 59,
				                               .pairs = options.pairs,
				                               .method = method_of_way( to ),
				                               .store = store_of_way( to ) };
			bvw_broadphase* copy = copy_world( world, &of_copy );
			assert_int_equal( bvw_broadphase_update( copy, &changes ), bv_ok );
			assert_int_equal( changes.begun_count, 0 );
			assert_int_equal( changes.ended_count, 0 );
			bvw_pair pairs_of_copy[60 * 59 / 2];
			uint32_t count_of_copy = 0;
			assert_int_equal( bvw_broadphase_pairs( copy, pairs_of_copy, options.pairs, &count_of_copy ),
			                  bv_ok );
			assert_int_equal( count_of_copy, count );
			assert_memory_equal( pairs_of_copy, pairs, count * sizeof *pairs );
			free( copy );
		}
		free( world );
	}
}

// Pairs that ended and were not reported yet count as those that touched at the last update.
static void pairs_that_ended_need_room( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options o = {
			.objects = 5, .pairs = 10, .method = method_of_way( w ), .store = store_of_way( w )
		};
		bvw_broadphase* world = begin_world( &o );
		for ( uint32_t i = 0; i < 5; ++i )
		{
			bvw_object cube = { .box = cube_around( ( bv_vec3 ){ 0, 0, 0 }, 1 ) };
			assert_int_equal( bvw_broadphase_add( world, i, &cube ), bv_ok );
		}
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		assert_int_equal( changes.begun_count, 10 );
		assert_int_equal( bvw_broadphase_remove( world, 2 ), bv_ok );
		o.pairs = 9;
		size_t bytes = bvw_broadphase_bytes( &o );
		void* memory = malloc( bytes );
		bvw_broadphase* copy = NULL;
		assert_int_equal( bvw_broadphase_copy( world, memory, bytes, &o, &copy ), bv_error_limit );
		assert_null( copy );
		free( memory );
		o.pairs = 10;
		copy = copy_world( world, &o );
		assert_int_equal( bvw_broadphase_update( copy, &changes ), bv_ok );
		assert_int_equal( changes.begun_count, 0 );
		assert_int_equal( changes.ended_count, 4 );
		free( copy );
		free( world );
	}
}

// Numbers of events in order, by FNV-1a.
static void digest( uint64_t* sum, const void* data, size_t bytes )
{
	const uint8_t* at = data;
	for ( size_t i = 0; i < bytes; ++i )
	{
		*sum = ( *sum ^ at[i] ) * UINT64_C( 0x100000001b3 );
	}
}

// The same operations for the same seed, whatever the broad phase.
// @return a digest of all that it answered
static uint64_t play( bvw_broadphase* world, uint32_t objects, scene kind, uint64_t seed, uint32_t steps )
{
	uint64_t sum = UINT64_C( 0xcbf29ce484222325 );
	for ( uint32_t s = 0; s < steps; ++s )
	{
		for ( uint32_t k = 0; k < objects; ++k )
		{
			uint32_t number = draw_below( &seed, objects );
			bvw_object o = draw_object( &seed, kind, 10 );
			uint32_t way = draw_below( &seed, 6 );
			bv_status status = way == 0  ? bvw_broadphase_remove( world, number )
			                   : way < 3 ? bvw_broadphase_add( world, number, &o )
			                             : bvw_broadphase_move( world, number, &o.box );
			digest( &sum, &status, sizeof status );
		}
		bvw_changes got = { .begun_count = 0 };
		bv_status status = bvw_broadphase_update( world, &got );
		digest( &sum, &status, sizeof status );
		digest( &sum, got.begun, got.begun_count * sizeof *got.begun );
		digest( &sum, got.ended, got.ended_count * sizeof *got.ended );
		digest( &sum, &got.tests, sizeof got.tests );
		bv_aabb box = draw_box( &seed, kind, 10 );
		uint32_t numbers[128];
		bvw_found found;
		status = bvw_broadphase_overlap( world, &box, NULL, numbers, 128, &found );
		digest( &sum, &status, sizeof status );
		digest( &sum, &found.tests, sizeof found.tests );
		digest( &sum, numbers, status == bv_ok ? found.count * sizeof *numbers : 0 );
	}
	return sum;
}

static bvw_broadphase* begin_in( void* memory, const bvw_broadphase_options* options, int garbage )
{
	size_t bytes = bvw_broadphase_bytes( options );
	memset( memory, garbage, bytes );
	bvw_broadphase* world = NULL;
	assert_int_equal( bvw_broadphase_begin( memory, bytes, options, &world ), bv_ok );
	return world;
}

// Also where updates fail.
static void the_same_operations_give_the_same_bytes( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		for ( int kind = 0; kind < scenes; ++kind )
		{
			const uint32_t pairs[] = { 40, 100 * 99 / 2 };
			for ( int p = 0; p < 2; ++p )
			{
				bvw_broadphase_options options = { .objects = 100,
					                               .pairs = pairs[p],
					                               .method = method_of_way( w ),
					                               .store = store_of_way( w ) };
				size_t bytes = bvw_broadphase_bytes( &options );
				uint64_t seed = (uint64_t)kind + 31;
				void* first = malloc( bytes );
				void* second = malloc( bytes );
				bvw_broadphase* a = begin_in( first, &options, 0x00 );
				bvw_broadphase* b = begin_in( second, &options, 0xff );
				assert_memory_equal( a, b, bytes );
				uint64_t of_a = play( a, 100, (scene)kind, seed, 5 );
				uint64_t of_b = play( b, 100, (scene)kind, seed, 5 );
				assert_true( of_a == of_b );
				assert_memory_equal( a, b, bytes );
				// Copies of both, over other garbage.
				options.pairs = 5000;
				size_t more = bvw_broadphase_bytes( &options );
				void* third = malloc( more );
				void* fourth = malloc( more );
				memset( third, 0x11, more );
				memset( fourth, 0xee, more );
				bvw_broadphase* c = NULL;
				bvw_broadphase* d = NULL;
				assert_int_equal( bvw_broadphase_copy( a, third, more, &options, &c ), bv_ok );
				assert_int_equal( bvw_broadphase_copy( b, fourth, more, &options, &d ), bv_ok );
				assert_memory_equal( c, d, more );
				assert_true( play( c, 100, (scene)kind, seed + 1, 3 ) ==
				             play( d, 100, (scene)kind, seed + 1, 3 ) );
				assert_memory_equal( c, d, more );
				free( first );
				free( second );
				free( third );
				free( fourth );
			}
		}
	}
}

// Saved by memcpy in the middle, played to the end, restored at another address, and played again.
static void a_save_is_a_copy_of_the_bytes( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		for ( int kind = 0; kind < scenes; ++kind )
		{
			bvw_broadphase_options options = {
				.objects = 80, .pairs = 80 * 79 / 2, .method = method_of_way( w ), .store = store_of_way( w )
			};
			size_t bytes = bvw_broadphase_bytes( &options );
			bvw_broadphase* world = begin_world( &options );
			uint64_t seed = (uint64_t)kind + 57;
			play( world, 80, (scene)kind, seed, 3 );
			// Between two updates.
			bv_aabb box = draw_box( &seed, (scene)kind, 10 );
			for ( uint32_t i = 0; i < 80; i += 3 )
			{
				(void)bvw_broadphase_move( world, i, &box );
			}
			bvw_broadphase* save = malloc( bytes );
			memcpy( save, world, bytes );
			uint64_t first = play( world, 80, (scene)kind, seed, 6 );
			bvw_broadphase* elsewhere = malloc( bytes );
			memcpy( elsewhere, save, bytes );
			assert_true( play( elsewhere, 80, (scene)kind, seed, 6 ) == first );
			assert_memory_equal( elsewhere, world, bytes );
			memcpy( world, save, bytes );
			assert_true( play( world, 80, (scene)kind, seed, 6 ) == first );
			assert_memory_equal( elsewhere, world, bytes );
			// Another game has other answers.
			memcpy( world, save, bytes );
			assert_true( play( world, 80, (scene)kind, seed + 1, 6 ) != first );
			free( world );
			free( save );
			free( elsewhere );
		}
	}
}

// Queries are of const: no byte changes.
static void queries_change_no_byte( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = {
			.objects = 80, .pairs = 80 * 79 / 2, .method = method_of_way( w ), .store = store_of_way( w )
		};
		size_t bytes = bvw_broadphase_bytes( &options );
		bvw_broadphase* world = begin_world( &options );
		void* before = malloc( bytes );
		uint64_t seed = 5;
		for ( int round = 0; round < 5; ++round )
		{
			play( world, 80, scene_mixed, seed + (uint64_t)round, 1 );
			bv_aabb box = draw_box( &seed, scene_mixed, 10 );
			(void)bvw_broadphase_move( world, 5, &box );
			memcpy( before, world, bytes );
			uint32_t numbers[80];
			bvw_found found;
			bvw_pair pairs[80];
			uint32_t count = 0;
			bvw_object o;
			(void)bvw_broadphase_overlap( world, &box, NULL, numbers, 80, &found );
			(void)bvw_broadphase_pairs( world, pairs, 80, &count );
			(void)bvw_broadphase_has_pair( world, 3, 4 );
			(void)bvw_broadphase_get( world, 5, &o );
			assert_memory_equal( world, before, bytes );
		}
		free( before );
		free( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( copies_go_on_where_the_original_is ),
		cmocka_unit_test( a_copy_of_what_did_not_change_reports_nothing ),
		cmocka_unit_test( pairs_that_ended_need_room ),
		cmocka_unit_test( the_same_operations_give_the_same_bytes ),
		cmocka_unit_test( a_save_is_a_copy_of_the_bytes ),
		cmocka_unit_test( queries_change_no_byte ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
