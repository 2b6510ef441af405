// bvbase_thread_team_in: threads are tried once for each caller and number, and scratch knows what its owner does.

#include "support.h"

#include "offline/base/arena.h"

#include <pthread.h>

static void what_was_tried_is_taken( void** state )
{
	fixture* f = *state;
	assert_int_equal( bvbase_thread_team_in( f->arena, 3 ), bvbase_thread_team( 3 ) );
	assert_int_equal( bvbase_arena_team( f->arena )->wanted, 3 );

	// Another number than can have been found, so that one sees where it comes from.
	bvbase_arena_team( f->arena )->threads = 77;
	assert_int_equal( bvbase_thread_team_in( f->arena, 3 ), 77 );
	bvb_arena* scratch = bvbase_arena_create_scratch( f->arena );
	assert_int_equal( bvbase_thread_team_in( scratch, 3 ), 77 );
	assert_int_equal( bvbase_thread_team_in( scratch, 2 ), bvbase_thread_team( 2 ) );
	assert_int_equal( bvbase_thread_team_in( f->arena, 3 ), 77 );
	bvb_arena_destroy( scratch );
}

static void* ask( void* arena )
{
	assert_int_equal( bvbase_thread_team_in( arena, 3 ), bvbase_thread_team( 3 ) );
	return NULL;
}

// OpenMP keeps threads for each that asks.
static void another_thread_tries_again( void** state )
{
	fixture* f = *state;
	*bvbase_arena_team( f->arena ) = ( bvbase_team ){ 3, 77, pthread_self() };
	pthread_t other;
	assert_int_equal( pthread_create( &other, NULL, ask, f->arena ), 0 );
	assert_int_equal( pthread_join( other, NULL ), 0 );
	assert_int_not_equal( bvbase_thread_team_in( f->arena, 3 ), 77 );
}

static void little_work_is_done_alone( void** state )
{
	fixture* f = *state;
	assert_int_equal( bvbase_thread_team_for( f->arena, 0, 99, 100 ), 1 );
	assert_int_equal( bvbase_thread_team_for( f->arena, 0, 100, 100 ), bvbase_thread_team( 0 ) );
	assert_int_equal( bvbase_thread_team_for( f->arena, 2, 99, 100 ), bvbase_thread_team( 2 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_was_tried_is_taken ),
		fixture_test( another_thread_tries_again ),
		fixture_test( little_work_is_done_alone ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
