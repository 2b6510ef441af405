// A C program that uses only files installed by `make install`: casts a ray at a .bvh file and prints when it
// hits.
//
//   cast FILE.bvh
//
// The ray runs along the x axis from x = 5, a little off the other axes. Exit codes: 1 the file cannot be
// used, 2 the ray misses.

#include <bv/bv.h>

#include <stdio.h>
#include <stdlib.h>

int main( int count, char** arguments )
{
	FILE* stream = count == 2 ? fopen( arguments[1], "rb" ) : NULL;
	size_t most = 1 << 20;
	void* memory = malloc( most );
	size_t size = stream && memory ? fread( memory, 1, most, stream ) : 0;
	const bv_file* file;
	if ( bv_file_open( memory, size, &file ) != bv_ok )
	{
		return 1;
	}
	bv_ray ray = { .origin = { 5, 0.1, 0.2 }, .direction = { -1, 0, 0 } };
	bv_ray_result hit;
	if ( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ) != bv_ok || !hit.found )
	{
		return 2;
	}
	printf( "hit at %g\n", hit.time );
	fclose( stream );
	free( memory );
	return 0;
}
