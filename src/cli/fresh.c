// Whether an output is what a build would write. See fresh.h.

#include "cli/fresh.h"

#include "cli/outputs.h"
#include "offline/base/path.h"
#include "offline/base/system.h"
#include "runtime/file/utf8.h"

#include <string.h>
#include <time.h>

// Whether a text stands in a file as it is, where control characters and what is no UTF-8 do not.
static bool is_plain( const char* text )
{
	size_t size = strlen( text );
	for ( size_t i = 0; i < size; )
	{
		size_t length = bvfile_utf8_character( text + i, size - i );
		if ( length == 0 || bvfile_utf8_is_control( text + i ) )
		{
			return false;
		}
		i += length;
	}
	return true;
}

bv_status describe_build( const char* input, const bvb_asset_options* options, bvb_arena* arena, recipe* out,
                          bvb_error* error )
{
	*out = ( recipe ){ .input = input, .name = bvbase_path_name( input ) };
	out->plain = is_plain( out->name ) && ( !options->objects || is_plain( options->objects ) );
	bv_status status = bvb_hash_file( input, out->hash, &out->format, arena, error );
	return status == bv_ok ? bvb_asset_parameters( options, arena, &out->parameters ) : status;
}

static bool is_text( bv_text a, const char* b )
{
	return a.length == strlen( b ) && memcmp( a.data, b, a.length ) == 0;
}

static bool begins_with( bv_text a, bv_text b )
{
	return a.length >= b.length && memcmp( a.data, b.data, b.length ) == 0;
}

// Where a side file is.
static char* find_side_file( const char* input, const char* name, bvb_arena* arena )
{
	size_t folder = bvbase_path_is_absolute( name ) ? 0 : (size_t)( bvbase_path_name( input ) - input );
	size_t length = strlen( name );
	char* path = bvb_arena_allocate( arena, folder + length + 1, 1 );
	if ( path )
	{
		memcpy( path, input, folder );
		memcpy( path + folder, name, length );
	}
	return path;
}

static bool is_regular( const char* path )
{
	bvbase_file_state state;
	return bvbase_path_get_state( path, &state ) && state.kind == bvbase_file_regular;
}

bv_status look_at_side_files( const char* input, const bvb_side_files* before, bvb_arena* arena,
                              bvb_side_files* out )
{
	bvb_side_file* files = bvb_arena_allocate( arena, before->count, sizeof *files );
	*out = ( bvb_side_files ){ files, before->count };
	for ( uint32_t i = 0; files && i < before->count; ++i )
	{
		files[i] = before->files[i];
		if ( files[i].use == bvb_side_file_named )
		{
			continue;
		}
		char* path = find_side_file( input, files[i].name, arena );
		if ( !path )
		{
			return bv_error_memory;
		}
		memset( files[i].hash, 0, sizeof files[i].hash );
		files[i].use = is_regular( path ) ? bvb_side_file_read : bvb_side_file_missing;
		if ( files[i].use == bvb_side_file_read &&
		     bvb_hash_file( path, files[i].hash, NULL, NULL, NULL ) != bv_ok )
		{
			return bv_error_input;
		}
	}
	return files ? bv_ok : bv_error_memory;
}

static bool is_unchanged( const bvb_side_files* before, const bvb_side_files* now )
{
	for ( uint32_t i = 0; i < before->count; ++i )
	{
		if ( before->files[i].use != now->files[i].use ||
		     memcmp( before->files[i].hash, now->files[i].hash, sizeof before->files[i].hash ) != 0 )
		{
			return false;
		}
	}
	return true;
}

// What the import skipped is no cause of the file.
static void skip_losses( bv_text* rest )
{
	bv_text after = *rest;
	bv_text name;
	bv_text value;
	if ( bvb_next_parameter( &after, &name, &value ) && is_text( name, BVB_SKIPPED_PARAMETER ) )
	{
		*rest = after;
	}
}

bool is_made_by( const bv_file* file, const recipe* r, bvb_arena* arena )
{
	bv_file_origin o = bv_file_get_origin( file );
	if ( !r->plain || !is_text( o.tool, "bvbuild " BV_VERSION ) || !is_text( o.source_name, r->name ) ||
	     !is_text( o.source_format, r->format ) ||
	     memcmp( o.source_hash, r->hash, sizeof o.source_hash ) != 0 ||
	     !begins_with( o.parameters, r->parameters ) )
	{
		return false;
	}
	bvb_side_files before;
	bvb_side_files now;
	bv_text text;
	bv_text rest = { o.parameters.data + r->parameters.length, o.parameters.length - r->parameters.length };
	skip_losses( &rest );
	return bvb_side_files_find( rest, arena, &before ) == bv_ok &&
	       bvb_side_files_text( &before, arena, &text ) == bv_ok && text.length == rest.length &&
	       memcmp( text.data, rest.data, text.length ) == 0 &&
	       look_at_side_files( r->input, &before, arena, &now ) == bv_ok && is_unchanged( &before, &now );
}

// Those of one use, as far as they are there.
static bool add_files( const char* input, const bvb_side_files* files, bvb_side_file_use use,
                       bvb_arena* arena, dependencies* out )
{
	for ( uint32_t i = 0; i < files->count; ++i )
	{
		if ( files->files[i].use != use )
		{
			continue;
		}
		char* path = find_side_file( input, files->files[i].name, arena );
		if ( !path )
		{
			return false;
		}
		if ( is_regular( path ) )
		{
			out->paths[out->count++] = path;
		}
	}
	return true;
}

bv_status list_dependencies( const char* input, bv_text parameters, bvb_arena* arena, dependencies* out )
{
	bvb_side_files files;
	bv_status status = bvb_side_files_find( parameters, arena, &files );
	if ( status != bv_ok )
	{
		return status;
	}
	*out =
		( dependencies ){ .paths = bvb_arena_allocate( arena, files.count + (size_t)3, sizeof *out->paths ) };
	if ( !out->paths )
	{
		return bv_error_memory;
	}
	out->paths[out->count++] = input;
	bool good = add_files( input, &files, bvb_side_file_read, arena, out );
	out->needed = out->count;
	return good && add_files( input, &files, bvb_side_file_named, arena, out ) ? bv_ok : bv_error_memory;
}

static bool is_before( struct timespec a, struct timespec b )
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

void take_newer( const char* path, struct timespec* newest )
{
	bvbase_file_state state;
	if ( bvbase_path_get_state( path, &state ) && is_before( *newest, state.modified ) )
	{
		*newest = state.modified;
	}
}

static bool find_newest( const bv_file* file, const recipe* r, bvb_arena* arena, struct timespec* newest )
{
	dependencies d;
	if ( list_dependencies( r->input, bv_file_get_origin( file ).parameters, arena, &d ) != bv_ok )
	{
		return false;
	}
	for ( uint32_t i = 0; i < d.count; ++i )
	{
		take_newer( d.paths[i], newest );
	}
	return true;
}

// Read, not mapped: whoever truncates it meanwhile must not end this program.
bool is_up_to_date( const char* output, const recipe* r, struct timespec* newest )
{
	bvb_error error;
	const bv_file* file;
	*newest = ( struct timespec ){ 0 };
	bvb_arena* arena = r->plain ? bvb_arena_create() : NULL;
	bool fresh = arena && bvb_file_read( output, arena, &file, &error ) == bv_ok &&
	             is_made_by( file, r, arena ) && find_newest( file, r, arena, newest );
	bvb_arena_destroy( arena );
	return fresh;
}

void touch_output( const char* output, struct timespec newest, bool always )
{
	bvbase_file_state state;
	if ( bvbase_path_get_state( output, &state ) && ( always || is_before( state.modified, newest ) ) )
	{
		struct timespec now = bvbase_time();
		bvbase_path_touch( output, is_before( now, newest ) ? &newest : &now );
	}
}
