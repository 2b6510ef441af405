// Stands for a game: says what is in the collision files that are named.

#include "bv/bv.h"

#include <stdio.h>
#include <stdlib.h>

int main( int count, char** arguments )
{
	for ( int i = 1; i < count; ++i )
	{
		static uint64_t memory[1 << 16];
		FILE* stream = fopen( arguments[i], "rb" );
		size_t size = stream ? fread( memory, 1, sizeof memory, stream ) : 0;
		const bv_file* file;
		const char* reason;
		if ( bv_file_open_explained( memory, size, &file, &reason ) != bv_ok )
		{
			fprintf( stderr, "game: %s: %s\n", arguments[i], reason );
			return 1;
		}
		fclose( stream );
		printf( "%s: %u triangles, %u parts\n", arguments[i], bv_file_get_mesh( file ).triangles,
		        bv_file_get_decomposition( file ).parts );
	}
	return 0;
}
