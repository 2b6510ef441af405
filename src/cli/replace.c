// Existing files are recognized by marks near their beginning. See replace.h.

#include "cli/replace.h"

#include "offline/base/error.h"
#include "offline/base/system.h"
#include "runtime/file/layout.h"

#include <stdio.h>
#include <string.h>

enum
{
	head_bytes = 4096, // that are looked at
};

static bool begins( const char* head, const char* text )
{
	return strncmp( head, text, strlen( text ) ) == 0;
}

static bool line_has( const char* line, const char* text )
{
	const char* found = strstr( line, text );
	return found && found < line + strcspn( line, "\n" );
}

// After "bvbuild ": the number of a version, and the end of the note.
static bool has_version( const char* at, const char* end )
{
	size_t length = strspn( at, "0123456789." );
	return length > 0 && begins( at + length, end );
}

static bool has_mark( const char* head, const char* before, const char* end )
{
	const char* mark = strstr( head, before );
	return mark && has_version( mark + strlen( before ), end );
}

// A dependency file has no commands and no variables, and doubles each $ of a name. What people write in a
// Makefile is not so.
static bool has_commands( const char* head )
{
	for ( const char* c = head; ( c = strchr( c, '$' ) ) != NULL && c[1]; c += 2 )
	{
		if ( c[1] != '$' )
		{
			return true;
		}
	}
	return strchr( head, '\t' ) || strchr( head, ';' ) || strstr( head, ":=" );
}

// Rules for Make, the first of which has a .bvh file as its target.
static bool is_depfile( const char* head )
{
	if ( has_commands( head ) )
	{
		return false;
	}
	const char* end = head;
	while ( *end && *end != ':' && *end != ' ' && *end != '\n' )
	{
		end += *end == '\\' && end[1] ? 2 : 1;
	}
	return end - head > 4 && ( *end == ':' || *end == ' ' ) && strncmp( end - 4, ".bvh", 4 ) == 0;
}

// One object of JSON per line.
static bool is_log( const char* head )
{
	return ( begins( head, "{\"input\":" ) && line_has( head, ",\"result\":" ) &&
	         line_has( head, ",\"code\":" ) ) ||
	       begins( head, "{\"summary\":{\"inputs\":" );
}

static bool is_page( const char* head )
{
	return begins( head, "<!DOCTYPE html>" ) && strstr( head, "content=\"bvbuild " );
}

static bool is_export( const char* head )
{
	static const char obj[] = "# bvbuild ";
	static const char urdf[] = "<?xml version=\"1.0\"?>\n<!-- bvbuild ";
	return ( begins( head, obj ) && has_version( head + strlen( obj ), "\n" ) ) ||
	       ( begins( head, "ply\n" ) && has_mark( head, "\ncomment bvbuild ", "\n" ) ) ||
	       ( begins( head, "glTF" ) && has_mark( head, "\"generator\":\"bvbuild ", "\"" ) ) ||
	       ( begins( head, urdf ) && has_version( head + strlen( urdf ), " -->\n" ) );
}

// Also a damaged one: the name in its magic.
static bool is_bvh( const char* head )
{
	return memcmp( head, BVFILE_MAGIC, 4 ) == 0;
}

static bool is_json_report( const char* head )
{
	return begins( head, "{\n\t\"schema\":\t\"bvbuild-report/" ) ||
	       begins( head, "{\"schema\":\"bvbuild-report/" );
}

static bool is_ninja( const char* head )
{
	return begins( head, "# Made by bvbuild --emit-ninja" );
}

static const struct
{
	const char* name;
	bool ( *is )( const char* head );
} kinds[] = {
	[written_bvh] = { "a .bvh file", is_bvh },
	[written_page] = { "a page of bvbuild", is_page },
	[written_json_report] = { "a report of bvbuild", is_json_report },
	[written_log] = { "a log of bvbuild", is_log },
	[written_depfile] = { "a dependency file", is_depfile },
	[written_ninja] = { "a Ninja file of bvbuild", is_ninja },
	[written_export] = { "an export of bvinspect", is_export },
};

bv_status check_replaced( const char* path, written_kind kind, bool forced, bvb_error* error )
{
	bvbase_file_state state;
	if ( forced || !bvbase_path_get_state( path, &state ) || state.kind != bvbase_file_regular ||
	     state.size == 0 )
	{
		return bv_ok;
	}
	char head[head_bytes] = { 0 };
	FILE* file = bvbase_stream_open( path, "r" );
	size_t size = file ? fread( head, 1, sizeof head - 1, file ) : 0;
	if ( file )
	{
		fclose( file );
	}
	for ( size_t i = 0; i < size; ++i )
	{
		head[i] = head[i] ? head[i] : ' '; // so that all of it is one string
	}
	return kinds[kind].is( head )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument,
	                          "%s: exists and is not %s, so it is not replaced (--force-output replaces it)",
	                          path, kinds[kind].name );
}
