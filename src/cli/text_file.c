// Whole text files. See text_file.h.

#include "cli/text_file.h"

#include "offline/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_bytes = 1 << 28,
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

bv_status read_text_file( const char* path, bvb_arena* arena, char** out, bvb_error* error )
{
	size_t size;
	FILE* file = fopen( path, "re" );
	if ( !file )
	{
		return bvbase_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	bv_status status = read_all( file, path, arena, out, &size, error );
	fclose( file );
	if ( status == bv_ok && memchr( *out, 0, size ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: binary data, not text", path );
	}
	if ( status == bv_ok && strncmp( *out, "\xef\xbb\xbf", 3 ) == 0 )
	{
		*out += 3;
	}
	return status;
}
