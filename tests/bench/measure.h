// Shared by the programs that compare with other libraries, in C and in C++: time, medians, samples for
// bench.py, and the points of a mesh file.

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

// What a line of a file of samples is of.
typedef struct sample
{
	const char* mesh;    // or what else is measured on
	size_t triangles;    // of it
	const char* entrant; // which takes part under this name
	int threads;
	int repeat; // in which round, from 0: what others did in the same one is compared with it
} sample;

// Opens a file of samples, to which lines are added.
// @return null when the path is, or when it can't be written
static inline FILE* open_samples( const char* path )
{
	FILE* file = path ? fopen( path, "a" ) : NULL;
	if ( file && fseek( file, 0, SEEK_END ) == 0 && ftell( file ) == 0 )
	{
		fputs( "mesh,triangles,entrant,threads,repeat,what,unit,value\n", file );
	}
	return file;
}

// Nothing is done without a file.
static inline void write_sample( FILE* file, const sample* of, const char* what, const char* unit,
                                 double value )
{
	if ( file )
	{
		fprintf( file, "\"%s\",%zu,\"%s\",%d,%d,%s,%s,%.9g\n", of->mesh, of->triangles, of->entrant,
		         of->threads, of->repeat, what, unit, value );
	}
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
