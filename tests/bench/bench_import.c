// Reading a mesh up to indexed and welded triangles, compared with Assimp's import of the same file in the
// same process.
//
//   bench_import [-n REPEATS] FILE...
//
// This project runs bvb_import_file and then bvb_mesh_weld at distance 0, each time into a new arena. Assimp
// runs aiImportFile with Triangulate | JoinIdenticalVertices | PreTransformVertices. Both take turns with a
// warm cache; medians are printed. Freeing memory is not timed. The numbers of vertices differ, because
// Assimp welds within a distance, never across its meshes, and not where normals differ.
//
// Exit codes: 1 usage, 2 a file could not be read.

#include "bvbuild/bvbuild.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum
{
	max_repeats = 1000,
};

typedef struct sample
{
	double seconds;
	uint64_t vertices;
	uint64_t triangles;
} sample;

static double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare( const void* a, const void* b )
{
	double x = ( (const sample*)a )->seconds;
	double y = ( (const sample*)b )->seconds;
	return ( x > y ) - ( x < y );
}

static sample median( sample* samples, int count )
{
	qsort( samples, (size_t)count, sizeof *samples, compare );
	return samples[count / 2];
}

static sample run_assimp( const char* path )
{
	double start = now();
	const struct aiScene* scene = aiImportFile(
		path, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices );
	sample s = { .seconds = now() - start };
	if ( !scene )
	{
		fprintf( stderr, "bench_import: %s: %s\n", path, aiGetErrorString() );
		exit( 2 );
	}
	for ( unsigned i = 0; i < scene->mNumMeshes; ++i )
	{
		s.vertices += scene->mMeshes[i]->mNumVertices;
		s.triangles += scene->mMeshes[i]->mNumFaces;
	}
	aiReleaseImport( scene );
	return s;
}

static sample run_ours( const char* path )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_mesh welded;
	bvb_error error = { .message = "out of memory" };
	double start = now();
	bvb_arena* arena = bvb_arena_create();
	bv_status status = arena ? bvb_import_file( path, &options, arena, &import, &error ) : bv_error_memory;
	status = status == bv_ok ? bvb_mesh_weld( &import.scene.mesh, 0, arena, &welded, &error ) : status;
	sample s = { .seconds = now() - start };
	if ( status != bv_ok )
	{
		fprintf( stderr, "bench_import: %s\n", error.message );
		exit( 2 );
	}
	s.vertices = welded.vertex_count;
	s.triangles = welded.triangle_count;
	bvb_arena_destroy( arena );
	return s;
}

static void bench( const char* path, int repeats )
{
	static sample ours[max_repeats];
	static sample assimp[max_repeats];

	// Once each for the caches.
	run_ours( path );
	run_assimp( path );
	for ( int i = 0; i < repeats; ++i )
	{
		ours[i] = run_ours( path );
		assimp[i] = run_assimp( path );
	}
	sample own = median( ours, repeats );
	sample peer = median( assimp, repeats );
	struct stat info = { 0 };
	stat( path, &info );
	const char* slash = strrchr( path, '/' );
	printf( "%-24s %12lld %10llu %9.1f %9.1f %6.3f %10llu %10llu\n", slash ? slash + 1 : path,
	        (long long)info.st_size, (unsigned long long)own.triangles, 1e3 * own.seconds, 1e3 * peer.seconds,
	        own.seconds / peer.seconds, (unsigned long long)own.vertices, (unsigned long long)peer.vertices );
	fflush( stdout );
}

int main( int count, char** arguments )
{
	int repeats = 7;
	int first = 1;
	if ( count > 2 && strcmp( arguments[1], "-n" ) == 0 )
	{
		repeats = atoi( arguments[2] );
		first = 3;
	}
	if ( first >= count || repeats < 1 || repeats > max_repeats )
	{
		fprintf( stderr, "usage: bench_import [-n REPEATS] FILE...\n" );
		return 1;
	}
	printf( "%-24s %12s %10s %9s %9s %6s %10s %10s\n", "", "", "", "ours", "Assimp", "", "ours", "Assimp" );
	printf( "%-24s %12s %10s %9s %9s %6s %10s %10s\n", "file", "bytes", "triangles", "ms", "ms", "ratio",
	        "vertices", "vertices" );
	for ( int i = first; i < count; ++i )
	{
		bench( arguments[i], repeats );
	}
	return 0;
}
