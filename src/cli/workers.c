// Several inputs at once. See workers.h.
//
// Each process is given the number of an input after the other. The result of an input stands in memory
// that it shares, and what it prints goes to a file that is its standard error. So nothing that a process leaves
// half done when it dies can be taken for something else.

#include "cli/workers.h"

#include "cli/fatal.h"
#include "cli/progress.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/base/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	nothing = -1,
};

// What a process shares.
typedef struct shared_result
{
	uint64_t plan; // what the inputs are, in a number
	asset_result result;
} shared_result;

// Of an input that is done, until all before it are told of.
typedef struct told_later
{
	bool done;
	asset_result* result;
	char* text; // what was printed about it
	size_t size;
} told_later;

typedef struct team
{
	const work* w;
	bvbase_crew crew;
	uint64_t plan;
	int* inputs_of; // input of each process, or nothing
	bool* heard;    // of each process
	told_later* inputs;
	int next;   // input to be begun
	int told;   // inputs that were told of
	int done;   // inputs that are done
	int failed; // of these
} team;

// A process may have made a plan of its own, from settings that have changed since.
static uint64_t sum_up( const plan* p )
{
	uint64_t hash = 14695981039346656037u;
	for ( int i = 0; i < p->count; ++i )
	{
		const char* const texts[] = { p->assets[i].input, p->assets[i].output ? p->assets[i].output : "" };
		for ( size_t k = 0; k < sizeof texts / sizeof *texts; ++k )
		{
			for ( const char* c = texts[k]; *c; ++c )
			{
				hash = ( hash ^ (unsigned char)*c ) * 1099511628211u;
			}
			hash = ( hash ^ 0x100 ) * 1099511628211u;
		}
	}
	return hash;
}

static asset_result* result_of( team* t, int worker )
{
	return &( (shared_result*)t->crew.workers[worker].shared )->result;
}

static void serve( void* context, bvbase_post* post )
{
	const work* w = context;
	shared_result* shared = post->shared;
	run_state own = { .plan = w->run->plan, .arena = w->run->arena };
	uint64_t sum = sum_up( own.plan );
	int index;
	bvbase_limit_threads( w->threads );
	end_without_words();
	while ( bvbase_post_next( post, &index ) )
	{
		if ( sum == shared->plan )
		{
			build_input( &own, index, &shared->result );
		}
		else
		{
			shared->result.code = exit_input;
			bvbase_fail( &shared->result.error, bv_error_input, "the settings changed while they were read" );
			fprintf( stderr, "%s: %s\n", bvbase_program_name(), shared->result.error.message );
		}
		fflush( NULL );
		if ( !bvbase_post_answer( post ) )
		{
			break;
		}
	}
}

bool serve_in_process( const work* w )
{
	bvbase_post* post = bvbase_post_of_this_process();
	if ( post )
	{
		serve( (void*)w, post );
	}
	return post;
}

// Takes over what a process printed about its input.
static void take_text( const bvbase_worker* v, told_later* input )
{
	bvbase_file_state state = { 0 };
	bool any = bvbase_file_get_state( v->printed, &state ) && state.size > 0;
	input->text = any ? malloc( (size_t)state.size ) : NULL;
	int64_t count = input->text ? bvbase_file_read_at( v->printed, input->text, (size_t)state.size, 0 ) : 0;
	input->size = count > 0 ? (size_t)count : 0;
	bool emptied = bvbase_file_resize( v->printed, 0 );
	(void)emptied; // files in memory can be made shorter
}

static void tell_in_order( team* t )
{
	const work* w = t->w;
	while ( t->told < w->run->plan->count && t->inputs[t->told].done )
	{
		told_later* input = t->inputs + t->told;
		if ( input->size > 0 )
		{
			hide_progress( w->run->told );
			fwrite( input->text, 1, input->size, stderr );
		}
		w->done( w->context, t->told, input->result );
		free( input->text );
		free( input->result );
		*input = ( told_later ){ .done = true };
		t->told += 1;
	}
}

static void finish_input( team* t, int worker )
{
	told_later* input = t->inputs + t->inputs_of[worker];
	*input->result = *result_of( t, worker );
	take_text( t->crew.workers + worker, input );
	input->done = true;
	t->done += 1;
	t->failed += input->result->code != exit_done;
	t->inputs_of[worker] = nothing;
}

// The process has died: by itself, or something has killed it.
static void bury( team* t, int worker )
{
	int code;
	char text[80];
	bvbase_ending end = bvbase_crew_bury( &t->crew, worker, &code );
	int index = t->inputs_of[worker];
	if ( index == nothing || bvbase_crew_is_ended( &t->crew ) )
	{
		t->inputs_of[worker] = nothing;
		return;
	}
	const char* input = t->w->run->plan->assets[index].input;
	asset_result* r = result_of( t, worker );
	*r = ( asset_result ){ .what = outcome_failed, .code = exit_bug };
	if ( end == bvbase_ending_memory )
	{
		r->code = exit_memory;
		bvbase_fail( &r->error, bv_error_memory,
		             "%s: the worker process was killed, probably because memory ran out", input );
	}
	else if ( end == bvbase_ending_exit && code == exit_memory )
	{
		r->code = exit_memory;
		bvbase_fail( &r->error, bv_error_memory, "%s: out of memory or threads", input );
	}
	else if ( end == bvbase_ending_crash )
	{
		bvbase_fail( &r->error, bv_error_internal, "%s: the worker process died of %s (%s)", input,
		             bvbase_ending_describe( code, text ), bvbase_ending_name( code ) );
	}
	else
	{
		bvbase_fail( &r->error, bv_error_internal, "%s: the worker process ended early, with code %d", input,
		             code );
	}
	char line[sizeof r->error.message + 64];
	int length = snprintf( line, sizeof line, "%s: %s\n", t->w->run->plan->assets[index].s->tool->name,
	                       r->error.message );
	int64_t written = bvbase_file_write( t->crew.workers[worker].printed, line, (size_t)length );
	(void)written; // the result says it too
	finish_input( t, worker );
}

static bool may_begin( const team* t )
{
	return t->next < t->w->run->plan->count && ( t->w->keep_going || t->failed == 0 );
}

// @return false when there is no process, and can be none
static bool begin_inputs( team* t )
{
	bool any = false;
	for ( int i = 0; i < t->crew.count; ++i )
	{
		if ( may_begin( t ) && t->inputs_of[i] == nothing &&
		     ( t->crew.workers[i].process || bvbase_crew_start( &t->crew, i, serve, (void*)t->w ) ) )
		{
			t->inputs[t->next].result = calloc( 1, sizeof( asset_result ) );
			if ( !t->inputs[t->next].result )
			{
				return false;
			}
			t->inputs_of[i] = t->next++;
			*(shared_result*)t->crew.workers[i].shared =
				( shared_result ){ .plan = t->plan, .result = { .what = outcome_failed } };
			if ( !bvbase_crew_order( &t->crew, i, t->inputs_of[i] ) )
			{
				bury( t, i );
			}
		}
		any = any || t->inputs_of[i] != nothing;
	}
	return any || !may_begin( t );
}

static bool is_working( const team* t )
{
	for ( int i = 0; i < t->crew.count; ++i )
	{
		if ( t->inputs_of[i] != nothing )
		{
			return true;
		}
	}
	return false;
}

// Waits for one of the processes, or for a signal.
static void wait_for_some( team* t )
{
	bvbase_crew_wait( &t->crew, t->heard );
	for ( int i = 0; i < t->crew.count; ++i )
	{
		if ( t->heard[i] && bvbase_crew_take_answer( &t->crew, i ) )
		{
			finish_input( t, i );
		}
		else if ( t->heard[i] )
		{
			bury( t, i );
		}
	}
}

static bv_status run_team( team* t, bvb_error* error )
{
	bv_status status = bv_ok;
	while ( !bvbase_crew_is_ended( &t->crew ) && status == bv_ok && ( may_begin( t ) || is_working( t ) ) )
	{
		if ( !begin_inputs( t ) )
		{
			status = bvbase_fail( error, bv_error_limit, "cannot start a process: %s (try --jobs 1)",
			                      strerror( errno ) );
		}
		else if ( is_working( t ) )
		{
			tell_count( t->w->run->told, t->done, t->failed );
			wait_for_some( t );
		}
		tell_in_order( t );
	}
	return status;
}

static bool make_team( team* t, bvb_arena* arena )
{
	size_t jobs = (size_t)t->w->jobs;
	t->plan = sum_up( t->w->run->plan );
	t->inputs_of = bvb_arena_allocate( arena, jobs, sizeof *t->inputs_of );
	t->heard = bvb_arena_allocate( arena, jobs, sizeof *t->heard );
	t->inputs = bvb_arena_allocate( arena, (size_t)t->w->run->plan->count, sizeof *t->inputs );
	for ( size_t i = 0; t->inputs_of && i < jobs; ++i )
	{
		t->inputs_of[i] = nothing;
	}
	return t->inputs_of && t->heard && t->inputs &&
	       bvbase_crew_begin( &t->crew, t->w->jobs, sizeof( shared_result ) );
}

bv_status work_in_processes( const work* w, bvb_error* error )
{
	team t = { .w = w };
	if ( !make_team( &t, w->run->arena ) )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = run_team( &t, error );
	bvbase_crew_dismiss( &t.crew, bvbase_crew_is_ended( &t.crew ) || status != bv_ok );
	hide_progress( w->run->told );
	bvbase_crew_end( &t.crew );
	bvbase_crew_free( &t.crew );
	for ( int i = t.told; status == bv_ok && i < w->run->plan->count; ++i )
	{
		static const asset_result not_begun = { .what = outcome_not_begun };
		w->done( w->context, i, t.inputs[i].done ? t.inputs[i].result : &not_begun );
	}
	return status;
}
