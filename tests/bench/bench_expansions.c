// The cost of each order of expanding two hierarchies: all pairs of two files in the poses of a file.
// Counts, and the minimum CPU time of several repeats. Hybrid expansion uses the section `node-quality` if
// both files have it.
//
//   bench_expansions A.bvh B.bvh A__B.csv

#include "tests/bench/judge.h"

#include <inttypes.h>

enum
{
	repeats = 15,
};

static bv_collide_result collide_all( const bv_file* a, const bv_file* b, const judge_poses* poses,
                                      bv_expansion expansion, bv_test_counts* counts )
{
	bv_collide_options options = bv_collide_options_default();
	bv_collide_result sum = { 0 };
	options.expansion = expansion;
	options.counts = counts;
	for ( uint32_t i = 0; i < poses->count; ++i )
	{
		bv_collide_result result;
		bv_transform b_in_a = bv_transform_of_pose( &poses->poses[i].pose );
		if ( bv_mesh_collide( a, b, &b_in_a, &options, &result ) != bv_ok )
		{
			fprintf( stderr, "bench_expansions: a file has no hierarchy\n" );
			exit( 2 );
		}
		sum.pairs += result.pairs;
		sum.volume_tests += result.volume_tests;
		sum.triangle_tests += result.triangle_tests;
	}
	return sum;
}

static void report( const bv_file* a, const bv_file* b, const judge_poses* poses, bv_expansion expansion )
{
	static const char* const names[] = { "larger", "both", "hybrid" };
	bv_test_counts counts = { .openings = 0 };
	bv_collide_result sum = collide_all( a, b, poses, expansion, &counts );
	double least = INFINITY;
	for ( int i = 0; i < repeats; ++i )
	{
		double start = core_now();
		collide_all( a, b, poses, expansion, NULL );
		least = fmin( least, core_now() - start );
	}
	printf( "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.1f\n", names[expansion], sum.pairs,
	        sum.volume_tests, counts.openings, sum.triangle_tests, 1e6 * least / poses->count );
}

int main( int count, char** arguments )
{
	bvb_mapping a;
	bvb_mapping b;
	judge_poses poses;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	if ( count != 4 || !arena )
	{
		fprintf( stderr, "usage: bench_expansions A.bvh B.bvh A__B.csv\n" );
		return 1;
	}
	if ( bvb_file_map( arguments[1], &a, &error ) != bv_ok ||
	     bvb_file_map( arguments[2], &b, &error ) != bv_ok ||
	     judge_read_poses( arguments[3], arena, &poses, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_expansions: %s\n", error.message );
		return 2;
	}
	printf( "expansion\tpairs\tvolume tests\topenings\ttriangle tests\tmicroseconds\n" );
	for ( int i = 0; i < bv_expansions; ++i )
	{
		report( a.file, b.file, &poses, (bv_expansion)i );
	}
	bvb_file_unmap( &b );
	bvb_file_unmap( &a );
	bvb_arena_destroy( arena );
	return 0;
}
