// A Ninja file. See ninja.h. The syntax is that of the Ninja manual, "Ninja file reference": $ before $,
// blank, colon and line end.

#include "cli/ninja.h"

#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/base/text_file.h"
#include "offline/export/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file on its way.
typedef struct emission
{
	const settings* s;
	bvexport_output out;
	bool line_break; // a name had one
	bool threads;    // the options say how many
} emission;

// A path among others.
static void put_path( emission* e, const char* path )
{
	for ( const char* c = path; *c; ++c )
	{
		e->line_break = e->line_break || *c == '\n';
		bvexport_output_text( &e->out, *c == '$' || *c == ' ' || *c == ':' ? "$" : "" );
		bvexport_output_bytes( &e->out, c, 1 );
	}
}

// A word of a command: quoted for the shell, and then for Ninja.
static void put_word( emission* e, const char* before, const char* word )
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
	bool quoted = !*word || word[strspn( word, plain )];
	bvexport_output_text( &e->out, " " );
	bvexport_output_text( &e->out, before );
	const char* quote = bvbase_shell_get_quote();
	bvexport_output_text( &e->out, quoted ? quote : "" );
	for ( const char* c = word; *c; ++c )
	{
		e->line_break = e->line_break || *c == '\n';
		if ( *c == *quote )
		{
			bvexport_output_text( &e->out, bvbase_shell_get_quoted_quote() );
		}
		else
		{
			bvexport_output_text( &e->out, *c == '$' ? "$" : "" );
			bvexport_output_bytes( &e->out, c, 1 );
		}
	}
	bvexport_output_text( &e->out, quoted ? quote : "" );
}

static bv_status put_option( void* context, const option* o, const char* value, bvb_error* error )
{
	(void)error;
	emission* e = context;
	char name[80];
	if ( !is_run_option( &build_line, o ) || o->kept_by_ninja )
	{
		e->threads = e->threads || strcmp( o->name, "threads" ) == 0;
		snprintf( name, sizeof name, "--%s%s", o->name, value ? "=" : "" );
		put_word( e, value ? name : "", value ? value : name );
	}
	return bv_ok;
}

// This program, as a path where it is one: what it made is looked at again when it changes.
static const char* find_program( const settings* s, char path[bvbase_path_bytes] )
{
	return bvbase_path_get_program( path ) ? path : s->tool->name;
}

enum
{
	longest_command =
		100000, // Linux takes a word of 128 KiB, and Ninja gives the whole command to a shell as one
};

static bv_status put_rules( emission* e, const char* program, const invocation* call, bvb_error* error )
{
	bvexport_output_text(
		&e->out,
		"# Made by bvbuild --emit-ninja, for the folder it was called in: each input is built by itself.\n"
		"ninja_required_version = 1.5\n\nrule bvh\n  command =" );
	put_word( e, "", program );
	bvexport_output_text( &e->out, " -q --no-touch" );
	bv_status status = visit_options( &build_line, &call->all, put_option, e, error );
	bvexport_output_text( &e->out, e->threads ? "" : " --threads=1" );

	// Whether entries match is seen here, of all inputs; files of theirs may be made by Ninja, too.
	bvexport_output_text( &e->out, e->s->config ? " --allow-unmatched" : "" );
	bvexport_output_text( &e->out,
	                      " --depfile $out.d -o $out -- $in\n  depfile = $out.d\n  deps = gcc\n  restat = 1\n"
	                      "  description = bvbuild $out\n\nrule list\n  command =" );
	put_word( e, "", program );
	size_t before = e->out.length;
	for ( int i = 0; i < call->given.count; ++i )
	{
		put_word( e, "", call->given.arguments[i] );
	}
	if ( status == bv_ok && e->out.length - before > longest_command )
	{
		status = bvbase_fail(
			error, bv_error_argument,
			"%s: the command is too long for Ninja: list the inputs in a file and pass @FILE", e->s->ninja );
	}
	bvexport_output_text( &e->out,
	                      "\n  generator = 1\n  restat = 1\n  description = bvbuild --emit-ninja\n\n" );
	return status;
}

static void put_list( emission* e, const char* program, const invocation* call )
{
	bvexport_output_text( &e->out, "build " );
	put_path( e, e->s->ninja );
	bvexport_output_text( &e->out, ": list |" );
	for ( int i = 0; i < call->responses.count; ++i )
	{
		bvexport_output_text( &e->out, " " );
		put_path( e, call->responses.names[i] );
	}
	if ( e->s->config )
	{
		bvexport_output_text( &e->out, " " );
		put_path( e, e->s->config );
	}
	bvexport_output_text( &e->out, " " );
	put_path( e, program );
	bvexport_output_text( &e->out, "\n\n" );
}

static void put_asset( emission* e, const planned* asset, const char* program )
{
	bvexport_output_text( &e->out, "build " );
	put_path( e, asset->output );
	bvexport_output_text( &e->out, ": bvh " );
	put_path( e, asset->input );
	bvexport_output_text( &e->out, " | " );
	put_path( e, program );
	bvexport_output_text( &e->out, "\n" );
}

// Whether a file has this text already. Then its time may stay as it is, which tells Ninja so.
static bool is_same_text( const char* path, const char* text, bvb_arena* arena )
{
	char* before;
	bvb_error ignored;
	return bvbase_read_text_file( path, arena, &before, &ignored ) == bv_ok && strcmp( before, text ) == 0;
}

bv_status write_ninja( const settings* s, const plan* p, const invocation* call, bvb_arena* arena,
                       bvb_error* error )
{
	char path[bvbase_path_bytes];
	emission e = { .s = s };
	const char* program = find_program( s, path );
	const void* data;
	size_t size;
	bv_status status = put_rules( &e, program, call, error );
	put_list( &e, program, call );
	for ( int i = 0; i < p->count; ++i )
	{
		put_asset( &e, p->assets + i, program );
	}
	bvexport_output_bytes( &e.out, "", 1 );
	bv_status made = bvexport_output_finish( &e.out, arena, &data, &size, error );
	status = status == bv_ok ? made : status;
	if ( status == bv_ok && e.line_break )
	{
		status = bvbase_fail( error, bv_error_argument,
		                      "%s: a Ninja file cannot contain a path with a line break", s->ninja );
	}
	if ( status == bv_ok && !is_same_text( s->ninja, data, arena ) )
	{
		status = bvb_write_file( s->ninja, data, size - 1, error );
	}
	return status;
}
