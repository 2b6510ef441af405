// From a mesh file to a .bvh file on disk, compared with Assimp's import of the same file in the same run.
//
//   bench_end_to_end [-n REPEATS] [-p PRESET] [-t THREADS] [-a TRIANGLES] [-o SAMPLES.csv] BVBUILD FOLDER MESH...
//
// Assimp's import is aiImportFile with Triangulate | JoinIdenticalVertices | PreTransformVertices, in a warm
// process. -a skips it and gives the number of triangles of the meshes. bvbuild is timed from the start of
// its process to its end, with THREADS (2) and PRESET (fast), writing into FOLDER (give a tmpfs). Both take
// turns, REPEATS (21) times. Prints medians and their ratio, and with -a the peak memory of bvbuild. Without
// -a the peak is unknown, because the kernel counts the memory of the parent process as the child's. -o
// appends all values to a file of samples (measure.h), with the size of the .bvh file.
//
// Exit codes: 1 usage, 2 a mesh can't be read, or bvbuild fails.

#include "tests/bench/measure.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
	max_repeats = 1000,
};

typedef struct settings
{
	int repeats;
	char* preset;
	char* threads;
	size_t alone; // triangles of the meshes, without Assimp; 0 with it
	FILE* samples;
	char* bvbuild;
	const char* folder;
} settings;

// What one run took.
typedef struct cost
{
	double seconds;
	double core_seconds;
	double bytes; // of memory at the peak, 0 where it is not known
} cost;

static double core_seconds_of( const struct rusage* usage )
{
	return (double)( usage->ru_utime.tv_sec + usage->ru_stime.tv_sec ) +
	       1e-6 * (double)( usage->ru_utime.tv_usec + usage->ru_stime.tv_usec );
}

// @param triangles  receives how many there are
static bool run_assimp( const char* mesh, cost* out, size_t* triangles )
{
	double start = now();
	double core_start = core_now();
	const struct aiScene* scene = aiImportFile(
		mesh, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices );
	*out = ( cost ){ .seconds = now() - start, .core_seconds = core_now() - core_start };
	if ( !scene )
	{
		fprintf( stderr, "bench_end_to_end: %s: %s\n", mesh, aiGetErrorString() );
		return false;
	}
	*triangles = 0;
	for ( unsigned i = 0; i < scene->mNumMeshes; ++i )
	{
		*triangles += scene->mMeshes[i]->mNumFaces;
	}
	aiReleaseImport( scene );
	return true;
}

static bool run_bvbuild( const settings* with, char* mesh, char* output, cost* out )
{
	extern char** environ;
	char* arguments[] = { with->bvbuild, "-q", "--preset", with->preset, "--threads",
		                  with->threads, mesh, "-o",       output,       NULL };
	pid_t child;
	int status;
	struct rusage usage;
	remove( output ); // bvbuild has nothing to do where it is up to date
	double start = now();
	if ( posix_spawn( &child, with->bvbuild, NULL, NULL, arguments, environ ) != 0 ||
	     wait4( child, &status, 0, &usage ) < 0 || status != 0 )
	{
		fprintf( stderr, "bench_end_to_end: %s failed on %s\n", with->bvbuild, mesh );
		return false;
	}
	*out = ( cost ){ now() - start, core_seconds_of( &usage ),
		             with->alone ? 1024.0 * (double)usage.ru_maxrss : 0 };
	return true;
}

static void write_cost( const settings* with, const sample* of, const cost* c )
{
	write_sample( with->samples, of, "clock", "s", c->seconds );
	write_sample( with->samples, of, "processor", "s", c->core_seconds );
	if ( c->bytes > 0 )
	{
		write_sample( with->samples, of, "peak", "bytes", c->bytes );
	}
}

static void print( const settings* with, const char* name, size_t triangles, double* ours, double* assimp,
                   double most_bytes )
{
	double own = median( ours, with->repeats );
	printf( "%s, %zu triangles: bvbuild start to finish %.1f ms (%s threads)", name, triangles, 1e3 * own,
	        with->threads );
	if ( with->alone )
	{
		printf( ", %.0f bytes per triangle at the peak", most_bytes / (double)triangles );
	}
	else
	{
		double peer = median( assimp, with->repeats );
		printf( ", Assimp's import %.1f ms, ratio %.2f", 1e3 * peer, own / peer );
	}
	printf( "\n" );
	fflush( stdout );
}

static bool bench( const settings* with, char* mesh )
{
	static double ours[max_repeats];
	static double assimp[max_repeats];
	cost own;
	cost peer = { .seconds = 0 };
	size_t triangles = with->alone;
	double most_bytes = 0;
	char output[4096];
	char entrant[64];
	snprintf( output, sizeof output, "%s/bench_end_to_end.bvh", with->folder );
	snprintf( entrant, sizeof entrant, "bvbuild %s", with->preset );

	// Once each for the caches.
	bool done =
		( with->alone || run_assimp( mesh, &peer, &triangles ) ) && run_bvbuild( with, mesh, output, &own );
	char* name = strdup( name_of( mesh ) );
	done = done && name;
	if ( done && strrchr( name, '.' ) )
	{
		*strrchr( name, '.' ) = '\0';
	}
	for ( int i = 0; done && i < with->repeats; ++i )
	{
		done = ( with->alone || run_assimp( mesh, &peer, &triangles ) ) &&
		       run_bvbuild( with, mesh, output, &own );
		assimp[i] = peer.seconds;
		ours[i] = own.seconds;
		most_bytes = own.bytes > most_bytes ? own.bytes : most_bytes;
		sample of = { name, triangles, entrant, atoi( with->threads ), i };
		write_cost( with, &of, &own );
		if ( !with->alone )
		{
			of.entrant = "assimp";
			of.threads = 1;
			write_cost( with, &of, &peer );
		}
	}
	if ( done )
	{
		struct stat file;
		sample of = { name, triangles, entrant, atoi( with->threads ), 0 };
		if ( stat( output, &file ) == 0 )
		{
			write_sample( with->samples, &of, "file", "bytes", (double)file.st_size );
		}
		print( with, name, triangles, ours, assimp, most_bytes );
	}
	remove( output );
	free( name );
	return done;
}

int main( int count, char** arguments )
{
	settings with = { .repeats = 21, .preset = "fast", .threads = "2" };
	bool known = true;
	for ( int option; ( option = getopt( count, arguments, "n:p:t:a:o:" ) ) != -1; )
	{
		switch ( option )
		{
		case 'n': with.repeats = atoi( optarg ); break;
		case 'p': with.preset = optarg; break;
		case 't': with.threads = optarg; break;
		case 'a': with.alone = (size_t)atol( optarg ); break;
		case 'o':
			with.samples = open_samples( optarg );
			if ( !with.samples )
			{
				fprintf( stderr, "bench_end_to_end: %s: %s\n", optarg, strerror( errno ) );
				return 2;
			}
			break;
		default: known = false; break;
		}
	}
	if ( !known || count < optind + 3 || with.repeats < 1 || with.repeats > max_repeats )
	{
		fprintf(
			stderr,
			"usage: bench_end_to_end [-n REPEATS] [-p PRESET] [-t THREADS] [-a TRIANGLES] [-o SAMPLES.csv] "
			"BVBUILD FOLDER MESH...\n" );
		return 1;
	}
	with.bvbuild = arguments[optind];
	with.folder = arguments[optind + 1];
	bool done = true;
	for ( int i = optind + 2; i < count; ++i )
	{
		done = bench( &with, arguments[i] ) && done;
	}
	return ( with.samples && fclose( with.samples ) != 0 ) || !done ? 2 : 0;
}
