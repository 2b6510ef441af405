// .bvh files of benchmarks. For C and C++.

#pragma once

#include "bv/file.h"

#include <stdio.h>
#include <stdlib.h>

// @return the file in memory that remains until the program ends; null if it cannot be read or is no such file
static inline const bv_file* open_bvh( const char* path )
{
	FILE* stream = fopen( path, "rb" );
	const bv_file* out = NULL;
	if ( !stream )
	{
		return NULL;
	}
	if ( fseek( stream, 0, SEEK_END ) == 0 )
	{
		size_t bytes = (size_t)ftell( stream );
		void* memory = malloc( bytes > 0 ? bytes : 1 );
		rewind( stream );
		bool is_open = memory && fread( memory, 1, bytes, stream ) == bytes &&
		               bv_file_open( memory, bytes, &out ) == bv_ok;
		if ( !is_open )
		{
			free( memory );
			out = NULL;
		}
	}
	fclose( stream );
	return out;
}
