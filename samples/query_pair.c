// How a game uses the runtime, libbv alone: read two .bvh files, turn one about the z axis in steps, and print
// how many pairs of triangles intersect.
//
//   query_pair A.bvh B.bvh

#include "bv/bv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Memory of malloc is aligned as bv_file_open wants it. A game would rather map the file, or have it in an
// archive.
static const bv_file* load( const char* path )
{
	const bv_file* file = NULL;
	const char* reason = "cannot be read";
	FILE* stream = fopen( path, "rb" );
	long size = stream && fseek( stream, 0, SEEK_END ) == 0 ? ftell( stream ) : -1;
	void* memory = size > 0 ? malloc( (size_t)size ) : NULL;
	if ( memory && fseek( stream, 0, SEEK_SET ) == 0 && fread( memory, (size_t)size, 1, stream ) == 1 )
	{
		bv_file_open_explained( memory, (size_t)size, &file, &reason );
	}
	if ( !file )
	{
		fprintf( stderr, "%s: %s\n", path, reason );
		exit( 1 );
	}
	fclose( stream );
	return file;
}

int main( int count, char** arguments )
{
	if ( count != 3 )
	{
		fprintf( stderr, "usage: query_pair A.bvh B.bvh\n" );
		return 1;
	}
	const bv_file* a = load( arguments[1] );
	const bv_file* b = load( arguments[2] );
	for ( int degrees = 0; degrees < 360; degrees += 45 )
	{
		double angle = degrees * 3.14159265358979323846 / 180;
		bv_transform b_in_a = bv_transform_identity();
		bv_pose* pose = &b_in_a.pose;
		pose->rotation[0][0] = pose->rotation[1][1] = cos( angle );
		pose->rotation[1][0] = sin( angle );
		pose->rotation[0][1] = -sin( angle );
		bv_file_bounds bounds;
		pose->translation.x = bv_file_get_bounds( a, &bounds ) ? bounds.sphere.radius : 0;

		bv_collide_result result;
		bv_collide( a, b, &b_in_a, NULL, &result );
		printf( "%3d degrees: %llu pairs of triangles\n", degrees, (unsigned long long)result.pairs );
	}
	free( (void*)a ); // a bv_file is the memory that it was opened in
	free( (void*)b );
	return 0;
}
