// Paths. See paths.h.

#include "cli/paths.h"

#include "cli/outputs.h"
#include "offline/base/error.h"
#include "offline/base/match.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes out what does not change where an absolute path leads, in place.
static void normalize( char* path )
{
	path += bvbase_path_root( path );
	char* to = path;
	for ( char* from = path; *from; )
	{
		from += strspn( from, "/" );
		size_t length = strcspn( from, "/" );
		if ( length == 2 && from[0] == '.' && from[1] == '.' )
		{
			while ( to > path && *--to != '/' )
			{
			}
		}
		else if ( length > 0 && !( length == 1 && from[0] == '.' ) )
		{
			*to++ = '/';
			memmove( to, from, length );
			to += length;
		}
		from += length;
	}
	if ( to == path )
	{
		*to++ = '/';
	}
	*to = 0;
}

// "FOLDER/PATH", or the path alone where that is absolute.
static char* join( const char* folder, const char* path, bvb_arena* arena )
{
	size_t size = strlen( folder ) + strlen( path ) + 2;
	char* out = bvb_arena_allocate( arena, size, 1 );
	if ( out )
	{
		bool alone = bvbase_path_is_absolute( path );
		snprintf( out, size, "%s%s%s", alone ? "" : folder, alone ? "" : "/", path );
	}
	return out;
}

static bv_status join_working_directory( const char* path, bvb_arena* arena, char** out, bvb_error* error )
{
	char here[bvbase_path_bytes];
	if ( !bvbase_path_get_working_folder( here ) )
	{
		return bvbase_fail( error, bv_error_input, "the working directory: %s", strerror( errno ) );
	}
	*out = join( here, path, arena );
	return *out ? bv_ok : bvbase_fail_memory( error );
}

bv_status make_absolute_as_written( const char* path, bvb_arena* arena, char** out, bvb_error* error )
{
	bv_status status = join_working_directory( path, arena, out, error );
	if ( status == bv_ok )
	{
		normalize( *out );
	}
	return status;
}

void cut_last_part( char* path )
{
	char* slash = strrchr( path, '/' );
	slash[slash == path + bvbase_path_root( path )] = 0;
}

bv_status make_absolute( const char* path, bvb_arena* arena, char** out, bvb_error* error )
{
	char real[bvbase_path_bytes];
	char folder[bvbase_path_bytes];
	char* whole;
	bv_status status = join_working_directory( path, arena, &whole, error );
	if ( status != bv_ok )
	{
		return status;
	}

	// What stands before ".." may be a link, so that only the system knows where that leads, if there is such
	// a folder.
	const char* name = bvbase_path_name( whole );
	bool known = strlen( whole ) < sizeof folder && bvbase_path_get_real( get_folder( whole, folder ), real );
	*out = known ? join( real, name, arena ) : whole;
	if ( *out )
	{
		normalize( *out );
	}
	return *out ? bv_ok : bvbase_fail_memory( error );
}

const char* path_below( const char* folder, const char* path )
{
	size_t length = strlen( folder );
	length -= length > 0 && folder[length - 1] == '/'; // the root ends in its slash
	return strncmp( folder, path, length ) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1
	                                                                                       : NULL;
}

char* make_relative( const char* folder, const char* path, bvb_arena* arena )
{
	// Up to the last slash that both have at the same place, the end of the folder standing for one.
	size_t common = 0;
	for ( size_t i = 0; path[i] && ( folder[i] == path[i] || folder[i] == 0 ); ++i )
	{
		common = path[i] == '/' ? i : common;
		if ( folder[i] == 0 )
		{
			break;
		}
	}
	size_t up = 0;
	for ( const char* c = folder + common; *c; ++c )
	{
		up += *c == '/' && c[1];
	}
	char* out = bvb_arena_allocate( arena, 3 * up + strlen( path + common ) + 1, 1 );
	for ( size_t i = 0; out && i < up; ++i )
	{
		memcpy( out + 3 * i, "../", 3 );
	}
	return out ? strcat( out, path + common + 1 ) : NULL;
}

static bool part_matches( const char* pattern, size_t pattern_length, const char* part, size_t part_length )
{
	char p[bvbase_path_bytes];
	char s[bvbase_path_bytes];
	if ( pattern_length >= sizeof p || part_length >= sizeof s )
	{
		return false;
	}
	memcpy( p, pattern, pattern_length );
	memcpy( s, part, part_length );
	p[pattern_length] = s[part_length] = 0;
	return bvbase_match( p, s, true );
}

// Part by part. Of several ** only the last one needs to be tried at other places: what those before it took
// can stay.
bool path_matches( const char* pattern, const char* path )
{
	if ( !strchr( pattern, '/' ) )
	{
		path = bvbase_path_name( path );
	}
	pattern += *pattern == '/';
	const char* retry_pattern = NULL;
	const char* retry_path = NULL;
	while ( *path )
	{
		size_t pattern_length = strcspn( pattern, "/" );
		size_t path_length = strcspn( path, "/" );
		if ( pattern_length == 2 && pattern[0] == '*' && pattern[1] == '*' )
		{
			pattern += pattern_length + ( pattern[pattern_length] == '/' );
			retry_pattern = pattern;
			retry_path = path;
			if ( *pattern == 0 )
			{
				return true;
			}
		}
		else if ( pattern_length > 0 && part_matches( pattern, pattern_length, path, path_length ) &&
		          ( pattern[pattern_length] == 0 ) == ( path[path_length] == 0 ) )
		{
			pattern += pattern_length + ( pattern[pattern_length] == '/' );
			path += path_length + ( path[path_length] == '/' );
		}
		else if ( retry_path )
		{
			retry_path += strcspn( retry_path, "/" );
			retry_path += *retry_path == '/';
			path = retry_path;
			pattern = retry_pattern;
		}
		else
		{
			return false;
		}
	}
	return *pattern == 0;
}

bv_status make_folder_of( const char* path, bvb_error* error )
{
	char* folder = strdup( path );
	if ( !folder )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bv_ok;
	char* first = folder + bvbase_path_root( folder );
	for ( char* slash = *first ? strchr( first + 1, '/' ) : NULL; slash && status == bv_ok;
	      slash = strchr( slash + 1, '/' ) )
	{
		*slash = 0;
		if ( !bvbase_path_make_folder( folder ) && errno != EEXIST )
		{
			// Where it cannot be made since that is not allowed, it may be there all the same.
			int reason = errno;
			status = bvbase_path_exists( folder )
			             ? bv_ok
			             : bvbase_fail( error, bv_error_output, "%s: cannot be created: %s", folder,
			                            strerror( reason ) );
		}
		*slash = '/';
	}
	free( folder );
	return status;
}

bool is_folder( const char* path )
{
	bvbase_file_state state;
	return bvbase_path_get_state( path, &state ) && state.kind == bvbase_file_folder;
}

const char* get_folder( const char* path, char* folder )
{
	int length = (int)( bvbase_path_name( path ) - path );
	snprintf( folder, bvbase_path_bytes, "%.*s", length ? length : 1, length ? path : "." );
	return folder;
}

bool is_same_place( const char* a, const char* b )
{
	char folder_a[bvbase_path_bytes];
	char folder_b[bvbase_path_bytes];
	return is_same_file( a, b ) || ( strcmp( bvbase_path_name( a ), bvbase_path_name( b ) ) == 0 &&
	                                 is_same_file( get_folder( a, folder_a ), get_folder( b, folder_b ) ) );
}
