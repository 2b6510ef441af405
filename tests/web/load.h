// Opens a .bvh file for the native programs beside the tests of the npm package.

#pragma once

#include "bv/bv.h"

#include <stdio.h>
#include <stdlib.h>

/// @return the file, which is never freed; ends the program with a message if it cannot be read
static inline const bv_file* load( const char* path )
{
	FILE* stream = fopen( path, "rb" );
	long size = stream && fseek( stream, 0, SEEK_END ) == 0 ? ftell( stream ) : -1;
	char* memory = size > 0 ? malloc( (size_t)size ) : NULL;
	const bv_file* file;
	if ( !memory || fseek( stream, 0, SEEK_SET ) != 0 || fread( memory, (size_t)size, 1, stream ) != 1 ||
	     bv_file_open( memory, (size_t)size, &file ) != bv_ok )
	{
		fprintf( stderr, "%s: cannot be read\n", path );
		exit( 1 );
	}
	fclose( stream );
	return file;
}
