// bvbuild: mesh files in, .bvh files out.

#include "base/offline/error.h"
#include "cli/build.h"
#include "cli/progress.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_input( void* context, char* argument )
{
	settings* s = context;
	s->inputs[s->input_count++] = argument;
}

// The folder that a path's last part is in. Returns `folder`.
static const char* get_folder( const char* path, char folder[PATH_MAX] )
{
	int length = (int)( base_name( path ) - path );
	snprintf( folder, PATH_MAX, "%.*s", length ? length : 1, length ? path : "." );
	return folder;
}

static bool is_folder( const char* path )
{
	struct stat info;
	return stat( path, &info ) == 0 && S_ISDIR( info.st_mode );
}

// Whether two paths are one, also when nothing is there yet.
static bool is_same_place( const char* a, const char* b )
{
	char folder_a[PATH_MAX];
	char folder_b[PATH_MAX];
	return is_same_file( a, b ) || ( strcmp( base_name( a ), base_name( b ) ) == 0 &&
	                                 is_same_file( get_folder( a, folder_a ), get_folder( b, folder_b ) ) );
}

// No file that is written may be one that is read, or another one that is written.
static bv_status check_reports( const settings* s, const char* output, bvb_error* error )
{
	for ( int i = 0; i < s->report_count; ++i )
	{
		const char* report = s->reports[i];
		char folder[PATH_MAX];
		if ( is_same_place( report, output ) || is_same_place( report, s->inputs[0] ) )
		{
			return bvb_fail( error, bv_error_argument, "%s: is the report and the %s", report,
			                 is_same_place( report, output ) ? "output" : "input" );
		}
		for ( int k = 0; k < i; ++k )
		{
			if ( is_same_place( report, s->reports[k] ) )
			{
				return bvb_fail( error, bv_error_argument, "%s: is given as a report twice", report );
			}
		}

		// Known to fail later, it is better to fail now, with nothing written.
		if ( access( get_folder( report, folder ), W_OK ) != 0 || is_folder( report ) )
		{
			int reason = is_folder( report ) ? EISDIR : errno;
			return bvb_fail( error, bv_error_output, "%s: cannot be written: %s", report,
			                 strerror( reason ) );
		}
	}
	return bv_ok;
}

static bv_status check_outputs( const settings* s, const char** outputs, bvb_error* error )
{
	for ( int i = 0; i < s->input_count; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			if ( strcmp( outputs[i], outputs[k] ) == 0 )
			{
				return bvb_fail( error, bv_error_argument, "%s and %s would both become %s", s->inputs[k],
				                 s->inputs[i], outputs[i] );
			}
		}
	}
	return check_reports( s, outputs[0], error );
}

// Converts all inputs whatever becomes of the others; the highest exit code counts.
static int convert_all( const settings* s, const char** outputs, run_state* run )
{
	bvb_error error;
	bv_status wrong = check_outputs( s, outputs, &error );
	if ( wrong != bv_ok )
	{
		return complain( s->tool, &error, exit_code( wrong ) );
	}
	int code = exit_done;
	run->told = begin_progress( s );
	for ( int i = 0; i < s->input_count; ++i )
	{
		int result = build_input( s, i, s->split ? s->output : outputs[i], run );
		code = result > code ? result : code;
	}
	end_progress( run->told );
	return code;
}

static bv_status check_usage( settings* s, bool folder, bvb_error* error )
{
	bv_status status = settle_settings( s, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( s->input_count == 0 )
	{
		return bvb_fail( error, bv_error_argument, "no input (--help says more)" );
	}
	if ( s->list_objects )
	{
		return !s->output
		           ? bv_ok
		           : bvb_fail( error, bv_error_argument, "--list-objects builds nothing: no --output" );
	}
	if ( !s->output )
	{
		return bvb_fail( error, bv_error_argument, "no output: -o PATH is missing" );
	}
	if ( s->input_count > 1 && !folder )
	{
		return bvb_fail( error, bv_error_argument, "%s: is no folder, and there are several inputs",
		                 s->output );
	}
	if ( s->split && !folder )
	{
		return bvb_fail( error, bv_error_argument, "%s: is no folder, which --split needs", s->output );
	}
	if ( s->report_count > 0 && ( s->input_count > 1 || s->split ) )
	{
		return bvb_fail( error, bv_error_argument, "--report goes with one output only" );
	}
	return bv_ok;
}

static int list_all( const settings* s, run_state* run )
{
	int code = exit_done;
	for ( int i = 0; i < s->input_count; ++i )
	{
		int result = build_input( s, i, "", run );
		code = result > code ? result : code;
	}
	return code;
}

static int build_all( const settings* s, bool folder, run_state* run )
{
	const char** outputs = bvb_arena_allocate( run->arena, (size_t)s->input_count, sizeof *outputs );
	for ( int i = 0; outputs && i < s->input_count; ++i )
	{
		outputs[i] = folder ? output_in_folder( s->output, s->inputs[i], NULL, run->arena ) : s->output;
		if ( !outputs[i] )
		{
			outputs = NULL;
		}
	}
	bvb_error error;
	bvb_fail_memory( &error );
	return outputs ? convert_all( s, outputs, run ) : complain( s->tool, &error, exit_memory );
}

static int run( void* context )
{
	settings* s = context;
	bvb_error error;
	bool folder = s->output && is_folder( s->output );
	if ( check_usage( s, folder, &error ) != bv_ok )
	{
		return complain( s->tool, &error, exit_usage );
	}
	run_state state = { .arena = bvb_arena_create() };
	bvb_fail_memory( &error );
	int code = !state.arena      ? complain( s->tool, &error, exit_memory )
	           : s->list_objects ? list_all( s, &state )
	                             : build_all( s, folder, &state );
	bvb_arena_destroy( state.arena );
	return code;
}

int main( int count, char** arguments )
{
	// The memory that one stage returns is the next one's. Given back to the system, each of its pages would cost
	// a fault and a clearing once more.
	mallopt( M_MMAP_MAX, 0 );
	mallopt( M_TRIM_THRESHOLD, -1 );

	int option_count;
	const option* options = build_options( &option_count );
	settings s = {
		.inputs = calloc( (size_t)count + 1, sizeof *s.inputs ),
		.asset = bvb_asset_options_default(),
		.import = bvb_import_options_default(),
	};
	tool t = { "bvbuild",        { options, option_count, &s, add_input, "preset" },
		       &s.help,          &s.version,
		       print_build_help, run };
	s.tool = &t;
	if ( !s.inputs )
	{
		bvb_error error;
		bvb_fail_memory( &error );
		return complain( &t, &error, exit_memory );
	}
	int code = run_tool( &t, count, arguments );
	free( s.inputs );
	return code;
}
