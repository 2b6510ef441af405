// Which triangles a place has. See triangles.h.

#include "cli/triangles.h"

#include "offline/base/error.h"

#include <stdio.h>

// Quoted as RFC 4180 says.
static void print_text( bv_text text )
{
	putchar( '"' );
	for ( size_t i = 0; i < text.length; ++i )
	{
		if ( text.data[i] == '"' )
		{
			putchar( '"' );
		}
		putchar( text.data[i] );
	}
	putchar( '"' );
}

bv_status print_triangles( const char* path, const bv_file* file, const char* place, bvb_arena* arena,
                           bvb_error* error )
{
	const uint32_t* triangles;
	uint32_t count = 0;
	bv_status status = bvb_find_triangles( file, place, arena, &triangles, &count, error );
	if ( status != bv_ok )
	{
		bvb_error inner = *error;
		return status == bv_error_argument ? bvbase_fail( error, status, "--triangles: %s", inner.message )
		                                   : bvbase_fail( error, status, "%s: %s", path, inner.message );
	}
	printf( "triangle,face,object\n" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_triangle_source source;
		printf( "%u,", triangles[i] );
		if ( bv_file_get_source( file, triangles[i], &source ) )
		{
			printf( "%u,", source.face );
			print_text( source.object );
		}
		else
		{
			printf( "," );
		}
		printf( "\n" );
	}
	return bv_ok;
}
