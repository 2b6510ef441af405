// bvbuild: mesh files in, .bvh files out.

#include "cli/build.h"
#include "cli/depfile.h"
#include "cli/explain.h"
#include "cli/log.h"
#include "cli/ninja.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/workers.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/base/threads.h"

#include <stdlib.h>

enum
{
	first_memory = 1 << 23, // what an asset of 30,000 triangles takes
};

// What is done with each input once it is done with.
typedef struct listener
{
	const plan* plan;
	run_log* log;
	bool* made; // whether each output is there
} listener;

static void take_note( void* context, int index, const asset_result* result )
{
	listener* l = context;
	log_input( l->log, l->plan->assets + index, result );
	l->made[index] = result->code == exit_done && result->what != outcome_not_begun;
}

static void work_here( run_state* run, bool keep_going, listener* l )
{
	bool going = true;
	for ( int i = 0; i < run->plan->count; ++i )
	{
		asset_result result = { .what = outcome_not_begun };
		if ( going )
		{
			build_input( run, i, &result );
		}
		take_note( l, i, &result );
		going = going && ( keep_going || result.code == exit_done );
	}
}

// As many as there are processors; no more than there are inputs.
static int count_jobs( const settings* s, const plan* p )
{
	int wanted = s->list_objects || p->one_by_one ? 1 : s->jobs ? (int)s->jobs : bvbase_processor_count();
	return wanted < p->count ? wanted : p->count;
}

static work divide( const settings* s, run_state* run, listener* l )
{
	int jobs = count_jobs( s, run->plan );
	int threads = bvbase_processor_count() / ( jobs > 0 ? jobs : 1 );
	return ( work ){ run, jobs, threads > 1 ? threads : 1, s->keep_going, take_note, l };
}

static bv_status build_all( const settings* s, run_state* run, listener* l, bvb_error* error )
{
	work w = divide( s, run, l );
	bv_status status = bv_ok;
	run->told = s->list_objects ? NULL : begin_progress( s, run->plan->count );
	if ( w.jobs > 1 )
	{
		status = work_in_processes( &w, error );
	}
	else
	{
		work_here( run, s->keep_going || s->list_objects, l );
	}
	end_progress( run->told );
	return status;
}

// Names that a dep-file cannot have are known before anything is built.
static bv_status check_names( const settings* s, const plan* p, bvb_arena* arena, bvb_error* error )
{
	const char* path = s->depfile ? s->depfile : s->ninja;
	bv_status status = bv_ok;
	for ( int i = 0; path && i < p->count && status == bv_ok && !s->list_objects; ++i )
	{
		status = check_depfile_rule( path, p->assets + i, arena, error );
	}
	return status;
}

// Once all outputs are there, for they say what they depend on.
static bv_status tell_dependencies( const settings* s, const listener* l, bvb_arena* arena, bvb_error* error )
{
	return s->depfile && !s->list_objects ? write_depfile_of( s->depfile, l->plan, l->made, arena, error )
	                                      : bv_ok;
}

// Everything that can be known to be wrong before is, and then nothing is done.
static int run_plan( settings* s, const invocation* call, bvb_arena* arena )
{
	bvb_error error;
	plan p;
	run_log* log = NULL;
	s->responses = &call->responses;
	bv_status status = make_plan( s, &call->all, arena, &p, &error );
	if ( status == bv_ok && s->explain )
	{
		status = explain_plan( &p, &call->all, arena, &error );
		return status == bv_ok ? exit_done : complain( s->tool, &error, exit_code( status ) );
	}
	status = status == bv_ok ? check_names( s, &p, arena, &error ) : status;
	if ( status == bv_ok && s->ninja )
	{
		status = write_ninja( s, &p, call, arena, &error );
		return status == bv_ok ? exit_done : complain( s->tool, &error, exit_code( status ) );
	}
	run_state run = { .plan = &p, .arena = arena };
	if ( status == bv_ok )
	{
		work own = divide( s, &run, NULL );
		if ( serve_in_process( &own ) )
		{
			return exit_done;
		}
	}
	status = status == bv_ok ? begin_log( s, arena, &log, &error ) : status;
	if ( status == bv_ok )
	{
		listener l = { &p, log, bvb_arena_allocate( arena, (size_t)p.count, sizeof *l.made ) };
		status = l.made ? build_all( s, &run, &l, &error ) : bvbase_fail_memory( &error );

		// After a failure the dep-file of before counts: without what it says of an old output, Make would
		// take that for up to date.
		status = status == bv_ok && log_code( log ) == exit_done ? tell_dependencies( s, &l, arena, &error )
		                                                         : status;
	}
	if ( status != bv_ok )
	{
		abandon_log( log );
		return complain( s->tool, &error, exit_code( status ) );
	}
	int code = log_code( log );
	status = end_log( log, &error );
	int last = status == bv_ok ? exit_done : complain( s->tool, &error, exit_code( status ) );
	return last > code ? last : code;
}

static int run( void* context, const invocation* call )
{
	settings* s = context;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	bvbase_fail_memory( &error );
	int code = arena ? run_plan( s, call, arena ) : complain( s->tool, &error, exit_memory );
	bvb_arena_destroy( arena );
	return code;
}

int main( int count, char** arguments )
{
	begin_tool( &count, &arguments );
	bvbase_memory_keep();
	bvbase_memory_ahead( first_memory );

	settings s;
	tool t = { "bvbuild", build_line, &s, &s.help, &s.topic, &s.version, &build_help, run };
	s = settings_default( &t );
	int code = run_tool( &t, count, arguments );
	free( s.inputs.names );
	return code;
}
