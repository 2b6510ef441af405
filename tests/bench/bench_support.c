// Support queries on hulls by hill climbing, compared with brute force over all vertices, and the cost of
// merging a hull's triangles into polygons, compared with computing the hull.
//
//   bench_support
//
// Hulls of random points on a sphere. Answers are compared. Exit code 1: one differs, or there is no memory.

#include "tests/bench/measure.h"

#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <math.h>

enum
{
	directions = 4096,
};

static uint32_t support_brute( const bvb_hull_polygons* hull, bv_vec3 d )
{
	uint32_t best = 0;
	double height = bv_dot( d, hull->positions[0] );
	for ( uint32_t v = 1; v < hull->vertex_count; ++v )
	{
		double other = bv_dot( d, hull->positions[v] );
		best = other > height ? v : best;
		height = other > height ? other : height;
	}
	return best;
}

// Nanoseconds per query: brute force, climbing from vertex 0, from the default vertex (BVB_ANY_VERTEX), and
// from the answer for a direction 0.02 away.
static void time_supports( uint32_t count )
{
	bv_vec3* points = malloc( count * sizeof *points );
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_hull_polygons polygons;
	bvb_error error;
	static bv_vec3 d[directions];
	static bv_vec3 near_d[directions];
	uint64_t seed = 2;
	for ( uint32_t i = 0; points && i < count; ++i )
	{
		points[i] = random_direction( &seed );
	}
	double start_hull = now();
	if ( !points || !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		exit( 1 );
	}
	double start_merge = now();
	if ( bvb_hull_merge( points, &hull, 0, arena, &polygons, &error ) != bv_ok )
	{
		exit( 1 );
	}
	double merge = now() - start_merge;
	for ( int i = 0; i < directions; ++i )
	{
		d[i] = random_direction( &seed );
		near_d[i] = bv_add( d[i], bv_scale( 0.02, random_direction( &seed ) ) );
	}
	static uint32_t answer[directions];
	double nanoseconds[4];
	for ( int method = 0; method < 4; ++method )
	{
		double start = now();
		uint64_t queries = 0;
		while ( now() - start < 0.3 )
		{
			for ( int i = 0; i < directions; ++i, ++queries )
			{
				uint32_t from = method == 1 ? 0 : method == 2 ? BVB_ANY_VERTEX : answer[i];
				uint32_t v = method == 0
				                 ? support_brute( &polygons, d[i] )
				                 : bvb_hull_support( &polygons, method == 3 ? near_d[i] : d[i], from );
				if ( method == 0 )
				{
					answer[i] = v;
				}
				else if ( method < 3 && v != answer[i] )
				{
					fprintf( stderr, "bench_support: climbing ends at %u instead of %u\n", v, answer[i] );
					exit( 1 );
				}
			}
		}
		nanoseconds[method] = 1e9 * ( now() - start ) / (double)queries;
	}
	printf( "%8u %10.1f %10.1f %10.1f %10.1f %10.3f %10.3f\n", count, nanoseconds[0], nanoseconds[1],
	        nanoseconds[2], nanoseconds[3], 1e3 * ( start_merge - start_hull ), 1e3 * merge );
	bvb_arena_destroy( arena );
	free( points );
}

int main( void )
{
	printf( "ns per query, and ms\n%8s %10s %10s %10s %10s %10s %10s\n", "corners", "brute", "from 0",
	        "from any", "from near", "hull", "merging" );
	static const uint32_t counts[] = { 8, 20, 64, 200, 2000, 20000 };
	for ( int i = 0; i < 6; ++i )
	{
		time_supports( counts[i] );
	}
	return 0;
}
