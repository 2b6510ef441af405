// A tool from its arguments to its exit code. See options.h.

#include "bvbuild/features.h"
#include "cli/help.h"
#include "cli/responses.h"
#include "cli/stack.h"
#include "formats/assimp/assimp.h"
#include "offline/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void begin_tool( int* count, char*** arguments )
{
	static const bvbase_task* const tasks[] = { &bvassimp_task };
	bvbase_program_begin( count, arguments );
	bvbase_task_serve( *count, *arguments, tasks, sizeof tasks / sizeof *tasks );
}

int complain( const tool* t, const bvb_error* error, int code )
{
	fprintf( stderr, "%s: %s\n", t->name, error->message );
	return code;
}

static void print_version( const tool* t )
{
	bvb_feature feature;
	printf( "%s %s\n", t->name, BV_VERSION );
	for ( uint32_t i = 0; bvb_get_feature( i, &feature ); ++i )
	{
		printf( "  %-10s %s\n", feature.name, feature.value );
	}
}

// `--help NAME`: what follows --help elsewhere is an argument of its own.
static const char* get_topic( const argument_list* given )
{
	bool asks = given->count == 2 &&
	            ( strcmp( given->arguments[0], "--help" ) == 0 || strcmp( given->arguments[0], "-h" ) == 0 );
	return asks ? given->arguments[1] : NULL;
}

static int run_with( const tool* t, const invocation* call )
{
	bvb_error error;
	const char* topic = get_topic( &call->given );
	bv_status status = topic ? print_help( &t->line, t->text, topic, &error )
	                         : apply_arguments( &t->line, &call->all, 1, t->settings, &error );
	if ( status == bv_ok && topic )
	{
		return exit_done;
	}
	if ( status != bv_ok )
	{
		return complain( t, &error, exit_code( status ) );
	}
	if ( *t->help )
	{
		status = print_help( &t->line, t->text, *t->topic, &error );
		return status == bv_ok ? exit_done : complain( t, &error, exit_code( status ) );
	}
	if ( *t->version )
	{
		print_version( t );
		return exit_done;
	}
	return t->run( t->settings, call );
}

typedef struct tool_call
{
	const tool* t;
	argument_list given;
} tool_call;

static int run_call( void* context )
{
	const tool_call* c = context;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	invocation call = { .given = c->given };
	bv_status status = arena ? expand_responses( &call, arena, &error ) : bvbase_fail_memory( &error );
	int code = status == bv_ok ? run_with( c->t, &call ) : complain( c->t, &error, exit_code( status ) );
	free( call.responses.names );
	bvb_arena_destroy( arena );
	return code;
}

int run_tool( const tool* t, int count, char** arguments )
{
	bvb_error error;
	tool_call call = { t, { arguments + ( count > 0 ), count > 0 ? count - 1 : 0, NULL } };
	int code = run_on_large_stack( t->name, run_call, &call );
	if ( fflush( stdout ) != 0 || ferror( stdout ) )
	{
		bvbase_fail( &error, bv_error_output, "standard output: %s", strerror( errno ) );
		code = complain( t, &error, code > exit_output ? code : exit_output );
	}
	return code;
}
