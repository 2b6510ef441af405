// The cost of a single distance: making a target from a run of triangles, or giving other triangles to a
// target, and measuring the surface of their axis-aligned box, loosely, for the first time and again. One
// thread.
//
//   bench_targets MESH...
//
// Minimum time of many runs, in microseconds. Reading the CPU clock takes as long as the smallest of them.
//
// Exit codes: 1 usage, 2 a mesh can't be read.

#include "measure.h"

#include <math.h>

static const uint32_t counts[] = { 1, 10, 32, 100, 1000, 10000, 70000 };
static const double relative = 0.3;

// Of both steps together, after one run that counts for nothing.
static const double least_seconds = 0.2;

typedef struct figures
{
	double create;
	double reset;
	double first; // measurement
	double again;
} figures;

static void check( bv_status status )
{
	if ( status != bv_ok )
	{
		fprintf( stderr, "bench_targets: %s\n", bv_status_text( status ) );
		exit( 2 );
	}
}

static bv_aabb box_of( const bvb_mesh* mesh, const uint32_t* which, uint32_t count )
{
	bv_vec3* points = malloc( 3 * (size_t)count * sizeof *points );
	check( points ? bv_ok : bv_error_memory );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		points[i] = mesh->positions[mesh->triangles[which[i / 3]].corner[i % 3]];
	}
	bv_aabb box = bvb_fit_aabb( points, 3 * count );
	free( points );
	return box;
}

static double measure( bvb_hausdorff_target* target, const bv_aabb* box )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = relative;
	bvb_hausdorff out;
	double start = now();
	check( bvb_hausdorff_aabb( target, box, &options, &out ) );
	return now() - start;
}

static figures figures_of( const bvb_mesh* mesh, const uint32_t* which, uint32_t count )
{
	figures least = { INFINITY, INFINITY, INFINITY, INFINITY };
	bv_aabb box = box_of( mesh, which, count );
	double begin = now();
	do
	{
		bvb_hausdorff_target* target;
		double start = now();
		bvb_arena* arena = bvb_arena_create();
		check( arena ? bv_ok : bv_error_memory );
		check( bvb_hausdorff_target_create( mesh, which, count, arena, &target, NULL ) );
		double made = now();
		least.first = fmin( least.first, measure( target, &box ) );
		least.again = fmin( least.again, measure( target, &box ) );
		double middle = now();
		check( bvb_hausdorff_target_reset( target, mesh, which, count, NULL ) );
		double reset = now();
		bvb_arena_destroy( arena );
		least.reset = fmin( least.reset, reset - middle );
		least.create = fmin( least.create, made - start + ( now() - reset ) );
	} while ( now() - begin < least_seconds );
	return least;
}

static void print_mesh( const char* path )
{
	bvb_arena* arena = bvb_arena_create();
	check( arena ? bv_ok : bv_error_memory );
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_import import;
	bvb_record record;
	bvb_error error = { "" };
	if ( bvb_import_file( path, &import_options, arena, &import, &error ) != bv_ok ||
	     bvb_mesh_record( &import.scene.mesh, &record_options, arena, &record, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_targets: %s\n", error.message );
		exit( 2 );
	}
	uint32_t* which = malloc( record.mesh.triangle_count * sizeof *which );
	check( which ? bv_ok : bv_error_memory );
	for ( uint32_t i = 0; i < record.mesh.triangle_count; ++i )
	{
		which[i] = i;
	}
	printf( "%-24s %9s %9s %9s %9s %9s\n", name_of( path ), "triangles", "create", "reset", "first",
	        "again" );
	bool whole = false;
	for ( size_t i = 0; i < sizeof counts / sizeof *counts && !whole; ++i )
	{
		whole = counts[i] >= record.mesh.triangle_count;
		uint32_t count = whole ? record.mesh.triangle_count : counts[i];
		figures f = figures_of( &record.mesh, which, count );
		printf( "%-24s %9u %9.2f %9.2f %9.2f %9.2f\n", "", count, 1e6 * f.create, 1e6 * f.reset,
		        1e6 * f.first, 1e6 * f.again );
	}
	free( which );
	bvb_arena_destroy( arena );
}

int main( int count, char** arguments )
{
	if ( count < 2 )
	{
		fprintf( stderr, "usage: bench_targets MESH...\n" );
		return 1;
	}
	for ( int i = 1; i < count; ++i )
	{
		print_mesh( arguments[i] );
	}
	return 0;
}
