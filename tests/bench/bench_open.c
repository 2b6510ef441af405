// Time to open a .bvh file with all checks: minimum CPU time of many repeats, file in memory.

#include "bvbuild/bvbuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_seconds( void )
{
	struct timespec now;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double least_seconds( const bvb_mapping* mapping, int repeats )
{
	double least = 1e9;
	for ( int i = 0; i < repeats; ++i )
	{
		const bv_file* file;
		double start = processor_seconds();
		bv_status status = bv_file_open( mapping->data, mapping->size, &file );
		double seconds = processor_seconds() - start;
		if ( status != bv_ok )
		{
			abort();
		}
		least = seconds < least ? seconds : least;
	}
	return least;
}

int main( int count, char** arguments )
{
	printf( "file\ttriangles\tbytes\tmilliseconds\n" );
	for ( int i = 1; i < count; ++i )
	{
		bvb_mapping mapping;
		bvb_error error;
		if ( bvb_file_map( arguments[i], &mapping, &error ) != bv_ok )
		{
			fprintf( stderr, "bench_open: %s\n", error.message );
			return 2;
		}
		printf( "%s\t%u\t%zu\t%.3f\n", arguments[i], bv_file_get_mesh( mapping.file ).triangles, mapping.size,
		        1e3 * least_seconds( &mapping, 50 ) );
		bvb_file_unmap( &mapping );
	}
	return 0;
}
