// Contacts that are full lose nothing, a copy of their bytes goes on as they do, and threads do not matter.

#include "pushes.h"

#include <pthread.h>

static void a_larger_copy_does_what_the_full_one_would_have( void** state )
{
	(void)state;
	uint32_t failures = 0;
	for ( uint32_t scene = 0; scene < rounds( 6 ); ++scene )
	{
		pushes* p = pushes_begin( 10 + scene % 6 * 5, 900 + scene );
		kept_model model = kept_model_of( most_bodies * most_bodies );
		uint32_t pairs = 1;
		bvw_contacts* contacts = begin_contacts( pairs, 0xa5 );
		double next = 0;
		for ( int i = 0; i < 30; ++i )
		{
			bvw_changes changes;
			assert_int_equal( bvw_broadphase_update( p->world, &changes ), bv_ok );
			bvw_contacts_step_input input = input_of( p, &changes );
			bvw_contacts_report report = { .step = 12345 };
			const bvw_contacts_options options = { .pairs = pairs, .workers = BVW_MAX_WORKERS };
			size_t bytes = bvw_contacts_bytes( &options );
			char* before = malloc( bytes );
			memcpy( before, contacts, bytes );
			uint32_t needed = kept_count_after( &model, &changes );
			bv_status status = bvw_contacts_step( contacts, &input, &report );
			assert_int_equal( status, needed > pairs ? bv_error_memory : bv_ok );
			if ( status != bv_ok )
			{
				assert_true( report.step == 12345 );
				assert_memory_equal( before, contacts, bytes );
				++failures;
				pairs = needed;
				bvw_contacts* larger = copy_contacts( contacts, pairs );
				free( contacts );
				contacts = larger;
				assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_ok );
			}
			free( before );
			kept_step( &model, &input );
			require_same( kept_compare_report( &model, contacts, &report ) );
			require_same( kept_compare_all( &model, contacts ) );
			kept_mark_new( &model, contacts, &next );
			// As small as possible, now and then.
			if ( i % 3 == 0 && model.count > 0 )
			{
				pairs = model.count;
				bvw_contacts* smaller = copy_contacts( contacts, pairs );
				free( contacts );
				contacts = smaller;
			}
			push( p );
		}
		free( contacts );
		kept_model_free( &model );
		pushes_end( p );
	}
	assert_true( failures > 20 );
}

// All that a replay needs: the changes and the bodies of each step.
typedef struct recorded
{
	bvw_pair begun[most_bodies * most_bodies];
	bvw_pair ended[most_bodies * most_bodies];
	bvw_changes changes;
	pushes bodies;
} recorded;

static void record( recorded* r, pushes* p )
{
	assert_int_equal( bvw_broadphase_update( p->world, &r->changes ), bv_ok );
	memcpy( r->begun, r->changes.begun, r->changes.begun_count * sizeof *r->begun );
	memcpy( r->ended, r->changes.ended, r->changes.ended_count * sizeof *r->ended );
	r->changes.begun = r->begun;
	r->changes.ended = r->ended;
	r->bodies = *p;
	for ( uint32_t i = 0; i < p->bodies; ++i )
	{
		r->bodies.body[i].shape = p->body[i].shape ? r->bodies.shape + i : NULL;
		r->bodies.shape[i].points = r->bodies.points[i];
	}
	push( p );
}

enum
{
	steps = 40,
	pairs = most_bodies * most_bodies,
};

static recorded* record_all( uint64_t seed )
{
	recorded* all = malloc( steps * sizeof *all );
	pushes* p = pushes_begin( most_bodies, seed );
	for ( int i = 0; i < steps; ++i )
	{
		record( all + i, p );
	}
	pushes_end( p );
	return all;
}

static void play( bvw_contacts* contacts, const recorded* r, const bvw_tasks* tasks )
{
	bvw_contacts_step_input input = input_of( &r->bodies, &r->changes );
	bvw_contacts_report report;
	assert_int_equal( bvw_contacts_step_on( contacts, &input, tasks, &report ), bv_ok );
	for ( uint32_t i = 0; i < report.begun_count; ++i )
	{
		bvw_contacts_at( contacts, report.begun[i] )->data[0][0] = (double)report.step;
	}
}

static const bvw_contacts_options keeping = { .pairs = pairs, .workers = BVW_MAX_WORKERS, .keep = true };

static bvw_contacts* begin_keeping( int fill )
{
	size_t bytes = bvw_contacts_bytes( &keeping );
	void* memory = malloc( bytes );
	bvw_contacts* out = NULL;
	memset( memory, fill, bytes );
	assert_int_equal( bvw_contacts_begin( memory, bytes, &keeping, &out ), bv_ok );
	return out;
}

static void a_step_that_is_played_again_gives_the_same_bytes( void** state )
{
	(void)state;
	recorded* all = record_all( 77 );
	size_t bytes = bvw_contacts_bytes( &keeping );
	// What the memory held before does not matter.
	bvw_contacts* first = begin_keeping( 0 );
	bvw_contacts* other = begin_keeping( 0xff );
	for ( int i = 0; i < steps; ++i )
	{
		play( first, all + i, NULL );
		play( other, all + i, NULL );
		assert_memory_equal( first, other, bytes );
	}
	bvw_contacts* saved = malloc( bytes );
	free( first );
	first = begin_keeping( 0 );
	for ( int i = 0; i < steps; ++i )
	{
		if ( i == steps / 2 )
		{
			memcpy( saved, first, bytes );
		}
		play( first, all + i, NULL );
	}
	assert_memory_equal( first, other, bytes );
	for ( int i = steps / 2; i < steps; ++i )
	{
		play( saved, all + i, NULL );
	}
	assert_memory_equal( saved, other, bytes );
	free( saved );
	free( first );
	free( other );
	free( all );
}

// Threads of a start, or one that runs the last task first.
typedef struct pool
{
	bool has_threads;
	void ( *task )( void* data, uint32_t k );
	void* data;
	uint32_t count;
	pthread_t thread[BVW_MAX_WORKERS];
	struct pool_task
	{
		struct pool* of;
		uint32_t k;
	} tasks[BVW_MAX_WORKERS];
} pool;

static void* run_task( void* data )
{
	const struct pool_task* t = data;
	t->of->task( t->of->data, t->k );
	return NULL;
}

static void* start( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count )
{
	pool* p = context;
	p->task = task;
	p->data = data;
	p->count = count;
	for ( uint32_t k = count; k > 0; --k )
	{
		p->tasks[k - 1] = ( struct pool_task ){ p, k - 1 };
		if ( p->has_threads )
		{
			assert_int_equal( pthread_create( p->thread + k - 1, NULL, run_task, p->tasks + k - 1 ), 0 );
		}
		else
		{
			task( data, k - 1 );
		}
	}
	return p->tasks;
}

static void finish( void* context, void* started )
{
	pool* p = context;
	assert_ptr_equal( started, p->tasks );
	for ( uint32_t k = 0; k < p->count && p->has_threads; ++k )
	{
		assert_int_equal( pthread_join( p->thread[k], NULL ), 0 );
	}
}

static void any_number_of_threads_gives_the_same_bytes( void** state )
{
	(void)state;
	recorded* all = record_all( 99 );
	size_t bytes = bvw_contacts_bytes( &keeping );
	bvw_contacts* alone = begin_keeping( 0 );
	bvw_contacts* shared = begin_keeping( 0 );
	for ( int i = 0; i < steps; ++i )
	{
		const uint32_t workers[] = { 1, 2, 3, 8, BVW_MAX_WORKERS };
		pool p = { .has_threads = i % 3 == 0 };
		bvw_tasks tasks = { &p, workers[i % 5], start, finish };
		play( alone, all + i, NULL );
		play( shared, all + i, &tasks );
		assert_memory_equal( alone, shared, bytes );
	}
	free( alone );
	free( shared );
	free( all );
}

static void invalid_arguments_change_nothing( void** state )
{
	(void)state;
	bvw_contacts_options options = { .pairs = 2, .workers = BVW_MAX_WORKERS };
	size_t bytes = bvw_contacts_bytes( &options );
	bvw_contacts* contacts = begin_contacts( 2, 0 );
	char* before = malloc( bytes );
	memcpy( before, contacts, bytes );
	bvw_contacts_report report;
	const bvw_pair sorted[] = { { 0, 1 }, { 0, 2 } };
	const bvw_pair unsorted[] = { { 0, 2 }, { 0, 1 } };
	const bvw_pair twice[] = { { 0, 2 }, { 0, 2 } };
	const bvw_pair exchanged[] = { { 2, 0 }, { 3, 4 } };
	const bvw_pair* bad[] = { unsorted, twice, exchanged, NULL };
	for ( int i = 0; i < 4; ++i )
	{
		bvw_changes changes = { .begun = sorted, .begun_count = 2, .ended = bad[i], .ended_count = 2 };
		bvw_contacts_step_input input = { .changes = &changes };
		assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
		bvw_changes other = { .begun = bad[i], .begun_count = 2 };
		input.changes = &other;
		assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
	}
	bvw_contacts_step_input input = { .speculative = NAN };
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
	input.speculative = -1;
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
	input.speculative = 2 * BV_MAX_LENGTH;
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
	input = ( bvw_contacts_step_input ){ .body_count = 1 };
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_error_argument );
	input.body_count = 0;
	assert_int_equal( bvw_contacts_step( NULL, &input, &report ), bv_error_argument );
	assert_int_equal( bvw_contacts_step( contacts, NULL, &report ), bv_error_argument );
	assert_int_equal( bvw_contacts_step( contacts, &input, NULL ), bv_error_argument );
	const bvw_tasks wrong[] = { { NULL, 0, start, finish },
		                        { NULL, BVW_MAX_WORKERS + 1, start, finish },
		                        { NULL, 1, NULL, finish },
		                        { NULL, 1, start, NULL } };
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvw_contacts_step_on( contacts, &input, wrong + i, &report ), bv_error_argument );
	}
	assert_memory_equal( before, contacts, bytes );
	free( before );
	free( contacts );
}

static void blocks_are_refused_that_are_too_small_or_of_invalid_options( void** state )
{
	(void)state;
	bvw_contacts_options options = bvw_contacts_options_default();
	assert_true( options.pairs == 0 && bvw_contacts_bytes( &options ) == 0 &&
	             bvw_contacts_bytes( NULL ) == 0 );
	options.pairs = BVW_MAX_PAIRS + 1;
	assert_true( bvw_contacts_bytes( &options ) == 0 );
	options = ( bvw_contacts_options ){ .pairs = 3, .tolerance = NAN };
	assert_true( bvw_contacts_bytes( &options ) == 0 );
	options.tolerance = -1;
	assert_true( bvw_contacts_bytes( &options ) == 0 );
	options.tolerance = 1;
	options.workers = BVW_MAX_WORKERS + 1;
	assert_true( bvw_contacts_bytes( &options ) == 0 );
	options.workers = 0;
	size_t bytes = bvw_contacts_bytes( &options );
	assert_true( bytes > 0 );
	char* memory = malloc( bytes + 8 );
	bvw_contacts* out = NULL;
	assert_int_equal( bvw_contacts_begin( memory, bytes - 1, &options, &out ), bv_error_memory );
	assert_int_equal( bvw_contacts_begin( memory + 4, bytes, &options, &out ), bv_error_argument );
	assert_int_equal( bvw_contacts_begin( NULL, bytes, &options, &out ), bv_error_argument );
	assert_int_equal( bvw_contacts_begin( memory, bytes, &options, NULL ), bv_error_argument );
	assert_int_equal( bvw_contacts_begin( memory, bytes, NULL, &out ), bv_error_argument );
	assert_null( out );
	assert_int_equal( bvw_contacts_begin( memory, bytes, &options, &out ), bv_ok );
	const bvw_pair two[] = { { 0, 1 }, { 0, 2 } };
	bvw_changes changes = { .begun = two, .begun_count = 2 };
	bvw_contacts_step_input input = { .changes = &changes };
	bvw_contacts_report report;
	assert_int_equal( bvw_contacts_step( out, &input, &report ), bv_ok );
	bvw_contacts_options small = { .pairs = 1 };
	uint64_t room[4096];
	bvw_contacts* copied = NULL;
	assert_int_equal( bvw_contacts_copy( out, room, sizeof room, &small, &copied ), bv_error_limit );
	small.pairs = 2;
	assert_int_equal( bvw_contacts_copy( out, room, 8, &small, &copied ), bv_error_memory );
	assert_int_equal( bvw_contacts_copy( NULL, room, sizeof room, &small, &copied ), bv_error_argument );
	assert_null( copied );
	assert_int_equal( bvw_contacts_copy( out, room, sizeof room, &small, &copied ), bv_ok );
	uint32_t count = 1;
	assert_int_equal( bvw_contacts_list( copied, NULL, 0, &count ), bv_ok );
	assert_int_equal( count, 0 );
	assert_int_equal( bvw_contacts_list( copied, NULL, 1, &count ), bv_error_argument );
	assert_null( bvw_contacts_at( copied, 2 ) );
	assert_null( bvw_contacts_at( NULL, 0 ) );
	assert_null( bvw_contacts_find( copied, &( bvw_contact_key ){ 0, 3, { 0, 0 } } ) );
	assert_non_null( bvw_contacts_find( copied, &( bvw_contact_key ){ 0, 2, { 0, 0 } } ) );
	free( memory );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_larger_copy_does_what_the_full_one_would_have ),
		cmocka_unit_test( a_step_that_is_played_again_gives_the_same_bytes ),
		cmocka_unit_test( any_number_of_threads_gives_the_same_bytes ),
		cmocka_unit_test( invalid_arguments_change_nothing ),
		cmocka_unit_test( blocks_are_refused_that_are_too_small_or_of_invalid_options ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
