// How a game uses the runtime: map two .bvh files, turn one about the z axis in steps, and print how many
// pairs of triangles intersect.
//
//   query_pair A.bvh B.bvh

#include "bv/bv.h"
#include "bvbuild/asset.h"

#include <math.h>
#include <stdio.h>

static bool print_first_pairs( void* context, uint32_t a, uint32_t b )
{
	int* left = context;
	if ( *left > 0 )
	{
		*left -= 1;
		printf( " %u-%u", a, b );
	}
	return true;
}

int main( int count, char** arguments )
{
	bvb_mapping a = { 0 };
	bvb_mapping b = { 0 };
	bvb_error error = { "usage: query_pair A.bvh B.bvh" };

	// bvb_file_map is a convenience: a game with a file system of its own calls bv_file_open on its memory
	// instead.
	if ( count != 3 || bvb_file_map( arguments[1], &a, &error ) != bv_ok ||
	     bvb_file_map( arguments[2], &b, &error ) != bv_ok )
	{
		fprintf( stderr, "%s\n", error.message );
		bvb_file_unmap( &a );
		return 1;
	}

	for ( int degrees = 0; degrees < 360; degrees += 45 )
	{
		double angle = degrees * 3.14159265358979323846 / 180;
		bv_pose pose = bv_pose_identity();
		pose.rotation[0][0] = pose.rotation[1][1] = cos( angle );
		pose.rotation[1][0] = sin( angle );
		pose.rotation[0][1] = -sin( angle );
		pose.translation.x = bv_file_get_bounds( a.file ).sphere.radius;

		int left = 3;
		bv_collide_result result;
		bv_collide_options options = { .callback = print_first_pairs, .context = &left };
		printf( "%3d degrees:", degrees );
		bv_collide( a.file, b.file, &pose, &options, &result );
		printf( "%s %llu pairs, %llu boxes and %llu triangles tested\n", result.pairs > 3 ? " ..." : "",
		        (unsigned long long)result.pairs, (unsigned long long)result.volume_tests,
		        (unsigned long long)result.triangle_tests );
	}
	bvb_file_unmap( &a );
	bvb_file_unmap( &b );
	return 0;
}
