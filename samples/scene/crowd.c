// Writes a scene in which many objects of equal size fly between random places in a cube. They begin on a grid, without contact.

#include "scene.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_meshes = 64,
	keys = 5,
};

static const double seconds_per_key = 2;
static const double spacing = 3.2; // of the grid; objects have the radius 1

typedef struct crowd_mesh
{
	char* path;
	bv_sphere ball;
} crowd_mesh;

static int by_path( const void* a, const void* b )
{
	return strcmp( ( (const crowd_mesh*)a )->path, ( (const crowd_mesh*)b )->path );
}

// S. Vigna's splitmix64; from -1 to 1.
static double draw( uint64_t* state )
{
	uint64_t z = ( *state += UINT64_C( 0x9e3779b97f4a7c15 ) );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-52 - 1;
}

static bv_sphere ball_of( const char* path )
{
	const char* reason = "cannot be read";
	const bv_file* file = NULL;
	bv_file_bounds bounds;
	size_t size = 0;
	char* memory = read_file( path, &size );
	if ( !memory || bv_file_open_explained( memory, size, &file, &reason ) != bv_ok )
	{
		fail( exit_input, "%s: %s", path, reason );
	}
	if ( !bv_file_get_bounds( file, &bounds ) || !( bounds.sphere.radius > 0 ) )
	{
		fail( exit_input, "%s: it has no extent", path );
	}
	free( memory );
	return bounds.sphere;
}

static uint32_t find_meshes( const char* folder, crowd_mesh* out )
{
	uint32_t count = 0;
	DIR* entries = opendir( folder );
	if ( !entries )
	{
		fail( exit_input, "%s: cannot be read", folder );
	}
	for ( const struct dirent* e = readdir( entries ); e && count < most_meshes; e = readdir( entries ) )
	{
		size_t length = strlen( e->d_name );
		if ( length > 4 && !strcmp( e->d_name + length - 4, ".bvh" ) )
		{
			size_t bytes = strlen( folder ) + length + 2;
			out[count].path = allocate( bytes, 1 );
			snprintf( out[count].path, bytes, "%s/%s", folder, e->d_name );
			out[count].ball = ball_of( out[count].path );
			++count;
		}
	}
	closedir( entries );
	if ( count == 0 )
	{
		fail( exit_input, "%s: no .bvh files", folder );
	}
	qsort( out, count, sizeof *out, by_path );
	return count;
}

static void put_object( FILE* out, uint32_t i, const crowd_mesh* m, double side, bv_vec3 start,
                        uint64_t* random )
{
	double scale = 1 / m->ball.radius;
	bv_vec3 c = m->ball.center;
	fprintf( out,
	         "    { \"name\": \"%u\", \"file\": \"%s\", \"scale\": %.9g, \"pivot\": [%.9g, %.9g, %.9g],\n"
	         "      \"at-contact\": \"turn\", \"repeat\": \"swing\", \"keys\": [",
	         i, m->path, scale, c.x, c.y, c.z );
	for ( int k = 0; k < keys; ++k )
	{
		bv_quaternion q = { draw( random ), draw( random ), draw( random ), draw( random ) };
		double length = sqrt( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
		q = ( bv_quaternion ){ q.x / length, q.y / length, q.z / length, q.w / length };
		bv_vec3 p = { draw( random ), draw( random ), draw( random ) };
		p = bv_sub( k == 0 ? start : bv_scale( 0.5 * side, p ),
		            bv_scale( scale, bv_quaternion_rotate( q, c ) ) );
		fprintf( out,
		         "%s\n        { \"time\": %g, \"position\": [%.9g, %.9g, %.9g], \"rotation\": [%.9g, %.9g, "
		         "%.9g, %.9g] }",
		         k ? "," : "", k * seconds_per_key, p.x, p.y, p.z, q.x, q.y, q.z, q.w );
	}
	fprintf( out, " ] }" );
}

void crowd( uint32_t count, const char* folder, const char* path )
{
	crowd_mesh meshes[most_meshes];
	uint32_t mesh_count = find_meshes( folder, meshes );
	uint32_t across = (uint32_t)ceil( cbrt( count ) - 1e-9 );
	double side = spacing * ( across - 1 );
	uint64_t random = 1;
	FILE* out = fopen( path, "w" );
	if ( !out )
	{
		fail( exit_output, "%s: cannot be written", path );
	}
	fprintf( out, "{\n  \"frames\": 480,\n  \"rate\": 60,\n  \"budget\": { \"ms\": 8 },\n  \"objects\": [" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 cell = { i % across, i / across % across, i / across / across };
		bv_vec3 start =
			bv_sub( bv_scale( spacing, cell ), bv_vec3_make( 0.5 * side, 0.5 * side, 0.5 * side ) );
		fprintf( out, i ? ",\n" : "\n" );
		put_object( out, i, meshes + i % mesh_count, side, start, &random );
	}
	fprintf( out, " ]\n}\n" );
	bool is_written = !ferror( out );
	if ( fclose( out ) || !is_written )
	{
		remove( path );
		fail( exit_output, "%s: cannot be written", path );
	}
	for ( uint32_t i = 0; i < mesh_count; ++i )
	{
		free( meshes[i].path );
	}
}
