// Times rays in libbv as bench.mjs does in WebAssembly: nanoseconds per ray of bv_mesh_cast_ray in a loop and of bv_mesh_cast_rays.
//
//   bench FILE.bvh RAYS

#include "bv/bv.h"
#include "tests/web/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t state = 1;

static double unit( void )
{
	state = state * 1664525u + 1013904223u;
	return ( state >> 8 ) / 16777216.0;
}

static double seconds( void )
{
	return (double)clock() / CLOCKS_PER_SEC; // Of the processor: others may be working.
}

int main( int count, char** arguments )
{
	if ( count != 3 )
	{
		fprintf( stderr, "usage: bench FILE.bvh RAYS\n" );
		return 1;
	}
	const bv_file* file = load( arguments[1] );
	size_t rays = (size_t)strtoul( arguments[2], NULL, 10 );
	double* of = malloc( sizeof *of * 6 * rays );
	bv_ray_result* results = malloc( sizeof *results * rays );
	bv_file_bounds b;
	if ( rays == 0 || !of || !results || !bv_file_get_bounds( file, &b ) )
	{
		return 1;
	}
	// From points around the mesh to points in its box.
	bv_vec3 size = bv_sub( b.aabb.upper, b.aabb.lower );
	for ( size_t i = 0; i < rays; ++i )
	{
		double* r = of + 6 * i;
		const double lower[3] = { b.aabb.lower.x, b.aabb.lower.y, b.aabb.lower.z };
		const double extent[3] = { size.x, size.y, size.z };
		for ( int k = 0; k < 3; ++k )
		{
			r[k] = lower[k] + extent[k] * ( 4 * unit() - 1.5 );
		}
		for ( int k = 0; k < 3; ++k )
		{
			r[3 + k] = lower[k] + extent[k] * unit() - r[k];
		}
	}
	double sum = 0;
	for ( int warm = 1; warm >= 0; --warm )
	{
		double start = seconds();
		size_t found = 0;
		for ( size_t i = 0; i < rays; ++i )
		{
			const double* r = of + 6 * i;
			bv_ray ray = { { r[0], r[1], r[2] }, { r[3], r[4], r[5] }, 0, 0 };
			bv_ray_result result;
			bv_mesh_cast_ray( file, NULL, &ray, NULL, &result );
			found += result.found;
			sum += result.found ? result.time : 0;
		}
		double middle = seconds();
		bv_rays batch = { rays,
			              { of, 48, bv_number_double },
			              { of + 3, 48, bv_number_double },
			              { NULL, 0, bv_number_double },
			              { NULL, 0, bv_number_double } };
		bv_mesh_cast_rays( file, NULL, &batch, NULL, results, NULL );
		double last = seconds();
		if ( !warm )
		{
			printf( "%g %g %zu\n", 1e9 * ( middle - start ) / (double)rays,
			        1e9 * ( last - middle ) / (double)rays, found );
		}
	}
	free( results );
	free( of );
	return sum < 0;
}
