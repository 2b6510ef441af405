// Whole text files. See text_file.h.

#include "offline/base/text_file.h"

#include "offline/base/error.h"
#include "offline/base/lfs.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_bytes = 1 << 30,
};

// Reads as far as there is something, since pipes do not know their size.
static bv_status read_all( FILE* file, const char* path, bvb_arena* arena, char** out, size_t* size,
                           bvb_error* error )
{
	size_t capacity = 1 << 14;
	*size = 0;
	*out = bvb_arena_allocate( arena, capacity, 1 );
	while ( *out )
	{
		*size += fread( *out + *size, 1, capacity - 1 - *size, file );
		if ( ferror( file ) )
		{
			return bvbase_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
		}
		if ( *size < capacity - 1 )
		{
			return bv_ok;
		}
		if ( capacity >= most_bytes )
		{
			return bvbase_fail( error, bv_error_limit, "%s: is larger than %d MiB", path, most_bytes >> 20 );
		}
		char* grown = bvb_arena_allocate( arena, 4 * capacity, 1 );
		if ( grown )
		{
			memcpy( grown, *out, *size );
		}
		*out = grown;
		capacity *= 4;
	}
	return bvbase_fail_memory( error );
}

// What a file is instead of text of UTF-8; null if it may be that.
static const char* find_fault( const char* text, size_t size )
{
	return strncmp( text, BVBASE_LFS_POINTER, strlen( BVBASE_LFS_POINTER ) ) == 0
	           ? "a Git LFS pointer, not the file (run: git lfs pull)"
	       : size >= 2 && ( memcmp( text, "\xff\xfe", 2 ) == 0 || memcmp( text, "\xfe\xff", 2 ) == 0 )
	           ? "is UTF-16 text (convert it: iconv -f UTF-16 -t UTF-8)"
	       : memchr( text, 0, size ) ? "binary data, not text"
	                                 : NULL;
}

bv_status bvbase_read_text_file( const char* path, bvb_arena* arena, char** out, bvb_error* error )
{
	size_t size = 0;
	bvbase_file_state state;
	FILE* file = bvbase_stream_open( path, "r" );
	if ( !file )
	{
		return bvbase_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	bool folder = bvbase_file_get_state( fileno( file ), &state ) && state.kind == bvbase_file_folder;
	bv_status status = folder ? bvbase_fail( error, bv_error_input, "%s: is a directory", path )
	                          : read_all( file, path, arena, out, &size, error );
	fclose( file );
	const char* fault = status == bv_ok ? find_fault( *out, size ) : NULL;
	if ( fault )
	{
		status = bvbase_fail( error, bv_error_input, "%s: %s", path, fault );
	}
	if ( status == bv_ok && strncmp( *out, "\xef\xbb\xbf", 3 ) == 0 )
	{
		*out += 3;
	}
	return status;
}
