// From a mesh file to a .bvh file on disk, against Assimp's import of the same file alone, in the same run.
//
//   bench_end_to_end BVBUILD MESH FOLDER [REPEATS]
//
// Assimp's import is aiImportFile with Triangulate | JoinIdenticalVertices | PreTransformVertices, in a warm
// process. bvbuild is timed from the start of its process to its end, with two threads, writing into FOLDER
// (give a tmpfs). Both are run in turn; medians are printed, and their ratio.

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum
{
	max_repeats = 1000,
};

static double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare( const void* a, const void* b )
{
	double x = *(const double*)a;
	double y = *(const double*)b;
	return ( x > y ) - ( x < y );
}

static double median( double* times, int count )
{
	qsort( times, (size_t)count, sizeof *times, compare );
	return times[count / 2];
}

static double time_assimp( const char* mesh )
{
	double start = now();
	const struct aiScene* scene = aiImportFile(
		mesh, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices );
	double seconds = now() - start;
	if ( !scene )
	{
		fprintf( stderr, "bench_end_to_end: %s: %s\n", mesh, aiGetErrorString() );
		exit( 2 );
	}
	aiReleaseImport( scene );
	return seconds;
}

static double time_bvbuild( char* bvbuild, char* mesh, char* output )
{
	extern char** environ;
	char* arguments[] = { bvbuild, "-q", "--force", "--preset", "fast", "--threads",
		                  "2",     mesh, "-o",      output,     NULL };
	pid_t child;
	int status;
	double start = now();
	if ( posix_spawn( &child, bvbuild, NULL, NULL, arguments, environ ) != 0 ||
	     waitpid( child, &status, 0 ) < 0 || status != 0 )
	{
		fprintf( stderr, "bench_end_to_end: %s failed\n", bvbuild );
		exit( 2 );
	}
	return now() - start;
}

int main( int count, char** arguments )
{
	int repeats = count > 4 ? atoi( arguments[4] ) : 21;
	if ( count < 4 || repeats < 1 || repeats > max_repeats )
	{
		fprintf( stderr, "usage: bench_end_to_end BVBUILD MESH FOLDER [REPEATS]\n" );
		return 1;
	}
	static double assimp[max_repeats];
	static double ours[max_repeats];
	char output[4096];
	snprintf( output, sizeof output, "%s/bench_end_to_end.bvh", arguments[3] );

	// Once each for the caches.
	time_assimp( arguments[2] );
	time_bvbuild( arguments[1], arguments[2], output );
	for ( int i = 0; i < repeats; ++i )
	{
		assimp[i] = time_assimp( arguments[2] );
		ours[i] = time_bvbuild( arguments[1], arguments[2], output );
	}
	remove( output );
	double peer = median( assimp, repeats );
	double own = median( ours, repeats );
	const char* slash = strrchr( arguments[2], '/' );
	printf( "%s: Assimp's import %.1f ms, bvbuild start to finish %.1f ms (2 threads), ratio %.2f\n",
	        slash ? slash + 1 : arguments[2], 1e3 * peer, 1e3 * own, own / peer );
	return 0;
}
