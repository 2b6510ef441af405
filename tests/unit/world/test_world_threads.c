// Updates by several threads give the same bytes as those by one.

#include "tests/unit/world/worlds.h"

#include <pthread.h>

// Tasks of a start, and how they are run.
typedef struct pool
{
	bool has_threads; // one for each task; otherwise the caller runs them, the last one first
	void ( *task )( void* data, uint32_t k );
	void* data;
	uint32_t count;
	uint32_t started; // starts that were not finished
	uint32_t starts;
	pthread_t thread[BVW_MAX_WORKERS];
} pool;

typedef struct pool_task
{
	pool* of;
	uint32_t k;
} pool_task;

static void* run_task( void* data )
{
	pool_task t = *(pool_task*)data;
	free( data );
	t.of->task( t.of->data, t.k );
	return NULL;
}

static void* start( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count )
{
	pool* p = context;
	assert_true( p->started == 0 && count > 0 && count <= BVW_MAX_WORKERS );
	p->task = task;
	p->data = data;
	p->count = count;
	++p->started;
	++p->starts;
	for ( uint32_t k = count; k > 0; --k )
	{
		if ( p->has_threads )
		{
			pool_task* t = malloc( sizeof *t );
			*t = ( pool_task ){ p, k - 1 };
			assert_int_equal( pthread_create( p->thread + k - 1, NULL, run_task, t ), 0 );
		}
		else
		{
			task( data, k - 1 );
		}
	}
	return p->thread + 1;
}

static void finish( void* context, void* started )
{
	pool* p = context;
	assert_true( p->started == 1 && started == p->thread + 1 );
	for ( uint32_t k = 0; k < p->count && p->has_threads; ++k )
	{
		assert_int_equal( pthread_join( p->thread[k], NULL ), 0 );
	}
	p->started = 0;
}

enum
{
	worlds = 5,
	most = 300,
};

// One broad phase by the caller alone, and others by teams, with the same operations.
static void check_scene( scene kind, uint32_t pairs, uint64_t seed, uint32_t* failures )
{
	const uint32_t workers[worlds] = { 1, 2, 3, 8, BVW_MAX_WORKERS };
	bvw_broadphase_options o = {
		.objects = most, .pairs = pairs, .method = bvw_method_rows, .workers = BVW_MAX_WORKERS
	};
	size_t bytes = bvw_broadphase_bytes( &o );
	bvw_broadphase* world[worlds];
	for ( int i = 0; i < worlds; ++i )
	{
		world[i] = begin_world( &o );
	}
	uint32_t live = kind == scene_spot ? 40 : most;
	for ( int step = 0; step < 6; ++step )
	{
		for ( uint32_t k = 0; k < 2 * live; ++k )
		{
			uint32_t number = draw_below( &seed, live );
			bvw_object object = draw_object( &seed, kind, 12 );
			bool removes = draw_below( &seed, 8 ) == 0;
			for ( int i = 0; i < worlds; ++i )
			{
				if ( removes )
				{
					bvw_broadphase_remove( world[i], number );
				}
				else if ( bvw_broadphase_move( world[i], number, &object.box ) != bv_ok )
				{
					bvw_broadphase_add( world[i], number, &object );
				}
			}
		}
		bvw_changes first = { 0 };
		bv_status expected = bvw_broadphase_update( world[0], &first );
		*failures += expected != bv_ok;
		for ( int i = 1; i < worlds; ++i )
		{
			pool p = { .has_threads = step == 0 && i < 4 };
			bvw_tasks tasks = { &p, workers[i], start, finish };
			bvw_changes changes = { 0 };
			assert_int_equal( bvw_broadphase_update_on( world[i], &tasks, &changes ), expected );
			assert_true( changes.begun_count == first.begun_count &&
			             changes.ended_count == first.ended_count );
			assert_true( changes.tests == first.tests || expected != bv_ok );
			assert_true( p.started == 0 && p.starts > 0 );
			assert_true( memcmp( world[i], world[0], bytes ) == 0 );
		}
	}
	for ( int i = 0; i < worlds; ++i )
	{
		free( world[i] );
	}
}

static void any_number_of_threads_gives_the_same_bytes( void** state )
{
	(void)state;
	uint32_t failures = 0;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		check_scene( (scene)kind, most * ( most - 1 ) / 2, 3 + (uint64_t)kind, &failures );
	}
	assert_int_equal( failures, 0 );
}

// With little room: shares of it are too small first, then all of it is.
static void little_room_is_divided_differently( void** state )
{
	(void)state;
	uint32_t failures = 0;
	const uint32_t pairs[] = { 500, 3000, 5000, 9000 };
	for ( uint32_t p = 0; p < 4; ++p )
	{
		check_scene( scene_uniform, pairs[p], 50 + p, &failures );
		check_scene( scene_half_spaces, pairs[p], 60 + p, &failures );
	}
	assert_true( failures > 8 && failures < 40 );
}

static void tasks_are_checked( void** state )
{
	(void)state;
	bvw_broadphase_options o = { .objects = 10, .method = bvw_method_rows, .workers = 3 };
	bvw_broadphase* world = begin_world( &o );
	pool p = { .has_threads = false };
	bvw_changes changes;
	const bvw_tasks invalid[] = {
		{ &p, 0, start, finish },
		{ &p, 4, start, finish },
		{ &p, 2, NULL, finish },
		{ &p, 2, start, NULL },
	};
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvw_broadphase_update_on( world, invalid + i, &changes ), bv_error_argument );
	}
	assert_int_equal( bvw_broadphase_update_on( NULL, NULL, &changes ), bv_error_argument );
	assert_int_equal( bvw_broadphase_update_on( world, NULL, NULL ), bv_error_argument );
	assert_int_equal( bvw_broadphase_update_on( world, NULL, &changes ), bv_ok );
	assert_int_equal( p.starts, 0 );
	free( world );
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		o.method = method_of_way( w );
		o.store = store_of_way( w );
		bool has_threads = o.method == bvw_method_rows && o.store == bvw_pair_store_list;
		assert_true( ( bvw_broadphase_bytes( &o ) > 0 ) == has_threads );
	}
	o = ( bvw_broadphase_options ){ .objects = 10,
		                            .method = bvw_method_rows,
		                            .workers = BVW_MAX_WORKERS + 1 };
	assert_int_equal( bvw_broadphase_bytes( &o ), 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( any_number_of_threads_gives_the_same_bytes ),
		cmocka_unit_test( little_room_is_divided_differently ),
		cmocka_unit_test( tasks_are_checked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
