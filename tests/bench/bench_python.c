// What a program in C takes for the calls that tests/bench/bench_python.py makes from Python: bench_python FILE.bvh RAYS.
//
// RAYS has the number of rays as a double, then the origins, then the directions, three doubles each. A line `rays`, `points` or `contains` on
// standard input is answered with the status, the processor time of one call in seconds, and with a sum by which both can see that they have the same results.
// Points are the origins.

#include "tests/bench/measure.h"

#include "bv/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct inputs
{
	size_t count;
	double* origins; // and directions behind them
} inputs;

static inputs read_rays( const char* path )
{
	inputs in = { 0, NULL };
	double count = 0;
	FILE* file = fopen( path, "rb" );
	if ( file && fread( &count, sizeof count, 1, file ) == 1 )
	{
		in.count = (size_t)count;
		in.origins = malloc( in.count * 6 * sizeof( double ) + 1 );
		if ( in.origins && fread( in.origins, 6 * sizeof( double ), in.count, file ) != in.count )
		{
			in.count = 0;
		}
	}
	if ( file )
	{
		fclose( file );
	}
	return in;
}

int main( int argc, char** argv )
{
	bvb_mapping mapping = { 0 };
	inputs in = argc == 3 ? read_rays( argv[2] ) : ( inputs ){ 0, NULL };
	if ( in.count == 0 || bvb_file_map( argv[1], &mapping, NULL ) != bv_ok )
	{
		return fprintf( stderr, "usage: bench_python FILE.bvh RAYS\n" ), 1;
	}
	const bv_array origins = { in.origins, 3 * sizeof( double ), bv_number_double };
	const bv_array directions = { in.origins + 3 * in.count, 3 * sizeof( double ), bv_number_double };
	const bv_rays rays = { .count = in.count, .origin = origins, .direction = directions };
	const bv_points points = { .count = in.count, .point = origins };
	bv_ray_result* hits = calloc( in.count, sizeof *hits );
	bv_closest_result* nearest = calloc( in.count, sizeof *nearest );
	bv_contains_result* sides = calloc( in.count, sizeof *sides );
	char line[32];
	while ( hits && nearest && sides && fgets( line, sizeof line, stdin ) )
	{
		double sum = 0;
		bv_status status;
		double begin = core_now();
		if ( strcmp( line, "rays\n" ) == 0 )
		{
			status = bv_mesh_cast_rays( mapping.file, NULL, &rays, NULL, hits, NULL );
		}
		else if ( strcmp( line, "points\n" ) == 0 )
		{
			status = bv_mesh_closest_points( mapping.file, NULL, &points, NULL, nearest, NULL );
		}
		else
		{
			status = bv_mesh_contains_points( mapping.file, NULL, &points, NULL, sides, NULL );
		}
		double end = core_now();
		for ( size_t i = 0; i < in.count; ++i )
		{
			sum += line[0] == 'r'   ? hits[i].found
			       : line[0] == 'p' ? nearest[i].at.triangle
			                        : (double)sides[i].side;
		}
		printf( "%d %.9f %.17g\n", (int)status, end - begin, sum );
		fflush( stdout );
	}
	free( hits );
	free( nearest );
	free( sides );
	free( in.origins );
	bvb_file_unmap( &mapping );
	return 0;
}
