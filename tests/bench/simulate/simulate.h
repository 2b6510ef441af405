// Parts of the bench simulator's program. Each prints tables in Markdown and adds verdicts.

#pragma once

#include "bv/file.h"

#include "tests/bench/simulate/world.h"
#include "tests/bench/verdict.h"
#include "tests/reference/random.h"

#include <time.h>

typedef struct simulation
{
	verdicts v;
	bool quick;
	const char* folder; // where scenes and incidents are written
	char** files;       // .bvh files
	int file_count;
} simulation;

void run_gas( simulation* s );
void run_packing( simulation* s );
void run_brute_force( simulation* s );
void run_piles( simulation* s );
void run_mesh_piles( simulation* s );

// Maps a file, which remains mapped.
const bv_file* open_file( const char* path );

// Writes the bodies that move.
// @param shapes  those of the bodies, which point to them
void write_scene( const simulation* s, const char* name, const sim_shape* shapes, uint32_t count,
                  const sim_world* w );

// Compares recorded pairs again.
// @return the exit code
int replay_incidents( const char* path );

static inline const char* met_if( bool met )
{
	return met ? "met" : "**not met**";
}

// Processor time of this thread.
static inline double sim_seconds( void )
{
	struct timespec t;
	clock_gettime( CLOCK_THREAD_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// For qsort.
static inline int compare_numbers( const void* left, const void* right )
{
	double a = *(const double*)left;
	double b = *(const double*)right;
	return ( a > b ) - ( a < b );
}

// In [0, 1).
static inline double sim_draw( uint64_t* random )
{
	return 0.5 + 0.5 * random_coordinate( random );
}

static inline bv_quaternion sim_draw_turn( uint64_t* random )
{
	double q[4];
	double sum = 0;
	do
	{
		sum = 0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = random_coordinate( random );
			sum += q[i] * q[i];
		}
	} while ( sum > 1 || sum < 0.01 );
	double scale = 1 / sqrt( sum );
	return ( bv_quaternion ){ scale * q[0], scale * q[1], scale * q[2], scale * q[3] };
}

// Writes a file in the folder for scenes.
static inline FILE* sim_open( const simulation* s, const char* name )
{
	char path[4096];
	snprintf( path, sizeof path, "%s/%s", s->folder, name );
	FILE* file = fopen( path, "w" );
	sim_require( file != NULL, "a file cannot be written" );
	return file;
}
