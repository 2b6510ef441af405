// What programs that measure against others share, in C and in C++: time, medians, and the points of a mesh
// file.

#pragma once

#include "bvbuild/bvbuild.h"
#include "tests/box_trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of this thread: what others do meanwhile does not count.
static inline double core_now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_THREAD_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_doubles( const void* left, const void* right )
{
	double a = *(const double*)left;
	double b = *(const double*)right;
	return ( a > b ) - ( a < b );
}

// Of an even number the greater one of the two in the middle. Sorts them.
static inline double median( double* values, int count )
{
	qsort( values, (size_t)count, sizeof *values, compare_doubles );
	return values[count / 2];
}

static inline const char* name_of( const char* path )
{
	const char* slash = strrchr( path, '/' );
	return slash ? slash + 1 : path;
}

// All vertices of a mesh file, as the file has them.
// @return false, with a line on stderr, when it can't be read
static inline bool read_points( const char* path, bvb_arena* arena, const bv_vec3** points, uint32_t* count )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_error error;
	if ( !arena || bvb_import_file( path, &options, arena, &import, &error ) != bv_ok )
	{
		fprintf( stderr, "left out: %s\n", arena ? error.message : "out of memory" );
		return false;
	}
	*points = import.scene.mesh.positions;
	*count = import.scene.mesh.vertex_count;
	return true;
}
