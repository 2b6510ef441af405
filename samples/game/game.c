// A game in small, with libbv alone: maps a level's collision file and walks through it. game LEVEL.bvh

#include "bv/bv.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

// The file is read in place: no parsing, no copy. Where that cannot be, null and a line that says why.
static const bv_file* map( const char* path )
{
	const bv_file* file = NULL;
	const char* reason = "cannot be mapped";
	struct stat info = { .st_size = 0 };
	int handle = open( path, O_RDONLY );
	fstat( handle, &info );
	void* memory = mmap( NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, handle, 0 );
	if ( memory == MAP_FAILED || bv_file_open_explained( memory, (size_t)info.st_size, &file, &reason ) )
	{
		fprintf( stderr, "game: %s: %s\n", path, reason );
	}
	return file;
}

// A figure of 1.8 m goes until something is in its way, then slides on along that, a millimeter off. z is up.
static bv_vec3 walk( const bv_file* level, bv_vec3 feet, bv_vec3 way )
{
	bv_cast_result hit = { .found = true };
	for ( int tries = 0; tries < 4 && hit.found; ++tries )
	{
		bv_vec3 low = bv_add( feet, ( bv_vec3 ){ 0, 0, 0.3 } ),
				high = bv_add( feet, ( bv_vec3 ){ 0, 0, 1.5 } );
		bv_convex body = bv_convex_capsule( low, high, 0.3 );
		bv_mesh_cast_convex( level, NULL, &body, way, NULL, &hit );
		feet = bv_add( feet, bv_scale( hit.found ? hit.time : 1, way ) );
		feet = bv_add( feet, bv_scale( hit.found ? 0.001 : 0, hit.normal ) );
		way = bv_sub( way, bv_scale( hit.time, way ) );
		way = bv_sub( way, bv_scale( bv_dot( way, hit.normal ), hit.normal ) );
	}
	return feet;
}

int main( int count, char** arguments )
{
	const bv_file* level = map( count == 2 ? arguments[1] : "LEVEL.bvh" );
	bv_vec3 feet = { 0, 0, 1 };
	for ( int frame = 1; level && frame <= 600; ++frame )
	{
		feet = walk( level, feet, ( bv_vec3 ){ 2.0 / 60, 0, -4.0 / 60 } );
		if ( frame % 60 == 0 )
		{
			printf( "%2d s: x %.2f m, z %.2f m\n", frame / 60, feet.x, feet.z );
		}
	}
	return level ? 0 : 1;
}
