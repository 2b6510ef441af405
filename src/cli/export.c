// The option --export. See export.h.

#include "cli/export.h"

#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/paths.h"
#include "cli/replace.h"
#include "offline/base/error.h"

#include <stdio.h>
#include <string.h>

// Rejects content that is not in the table, with the nearest name. In the table, level=N stands for any
// level.
static bv_status check_content( const char* what, bvb_error* error )
{
	enum
	{
		most_names = 32,
	};
	char names[most_names][max_export_name];
	size_t length = strcspn( what, "=" );
	bvbase_suggestion near = bvbase_suggestion_for( what, length );
	for ( uint32_t i = 0; i < most_names && bvb_export_name( i, NULL ); ++i )
	{
		const char* name = bvb_export_name( i, NULL );
		size_t whole = strcspn( name, "=" );
		if ( whole == length && memcmp( name, what, length ) == 0 && ( name[whole] || !what[length] ) )
		{
			return bvb_export_check( what, error );
		}
		snprintf( names[i], sizeof names[i], "%.*s", (int)whole, name );
		bvbase_suggest( &near, names[i] );
	}
	return bvopt_fail_unknown( error, "content for --export", what, (int)strlen( what ), &near );
}

bv_status add_export( export_settings* s, const char* value, bvb_error* error )
{
	size_t length = strcspn( value, "," );
	const char* path = value[length] ? value + length + 1 : "";
	char what[max_export_name];
	if ( *path == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "--export takes WHAT,PATH, not '%s'", value );
	}
	if ( length >= sizeof what )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "unknown content for --export '%.*s' (--help=all lists all)", (int)length,
		                    value );
	}
	memcpy( what, value, length );
	what[length] = 0;
	bv_status status = check_content( what, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( !bvb_export_knows( path ) )
	{
		return bvbase_fail( error, bv_error_unsupported,
		                    "%s: the extension is not that of a supported format (--help=all lists them)",
		                    path );
	}
	if ( s->count == max_exports )
	{
		return bvbase_fail( error, bv_error_argument, "--export can be given %d times", max_exports );
	}
	memcpy( s->what[s->count], what, length + 1 );
	s->paths[s->count++] = path;
	return bv_ok;
}

static bv_status encode( const export_settings* s, int index, const char* path, const bv_file* file,
                         bvb_arena* arena, bvb_export_files* out, bvb_error* error )
{
	bvb_export objects;
	bvb_error inner;
	const char* to = s->paths[index];
	if ( s->naming > 0 && has_extension( to, ".urdf" ) )
	{
		return bvbase_fail( error, bv_error_argument, "--naming does not apply to URDF" );
	}
	if ( is_same_file( path, to ) )
	{
		return bvbase_fail( error, bv_error_argument, "%s: is both the input and the output", path );
	}
	bv_status status = bvb_export_gather( file, s->what[index], arena, &objects, &inner );
	if ( status != bv_ok )
	{
		return bvbase_fail( error, status, "%s: %s", path, inner.message );
	}
	status = bvb_export_rename( file, bvb_export_naming( s->naming, NULL ), arena, &objects, &inner );
	status = status == bv_ok ? bvb_export_encode( &objects, to, arena, out, &inner ) : status;
	// What is wrong with an argument is wrong for any file.
	return status == bv_ok               ? bv_ok
	       : status == bv_error_argument ? bvbase_fail( error, status, "%s", inner.message )
	                                     : bvbase_fail( error, status, "%s: %s", path, inner.message );
}

// @param count  exports that are written before the file
static bv_status check_once( const char* path, const bvb_export_files* all, int count, bvb_error* error )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < all[i].count; ++k )
		{
			if ( is_same_place( path, all[i].files[k].path ) )
			{
				return bvbase_fail( error, bv_error_argument, "%s: two exports are written to it", path );
			}
		}
	}
	return bv_ok;
}

bv_status write_exports( const export_settings* s, bool forced, const char* path, const bv_file* file,
                         bvb_arena* arena, bvb_error* error )
{
	bvb_export_files all[max_exports];
	bv_status status = bv_ok;
	for ( int i = 0; i < s->count && status == bv_ok; ++i )
	{
		status = encode( s, i, path, file, arena, all + i, error );
	}
	for ( int i = 0; i < s->count && status == bv_ok; ++i )
	{
		for ( uint32_t k = 0; k < all[i].count && status == bv_ok; ++k )
		{
			const char* to = all[i].files[k].path;
			status = check_replaced( to, written_export, forced, error );
			status = status == bv_ok ? check_once( to, all, i, error ) : status;
		}
	}
	for ( int i = 0; i < s->count && status == bv_ok; ++i )
	{
		status = bvb_write_files( all[i].files, all[i].count, error );
	}
	return status;
}
