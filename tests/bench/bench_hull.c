// Convex hulls through bvb_hull_compute against qhull called directly, in the same process and run; merging; and
// support queries by climbing against brute force.
//
//   bench_hull [FILE...]
//
// Point sets are made here, and read from the meshes named. qhull gets "qhull Qt" and the same binary64 points, and
// is timed from qh_new_qhull to qh_freeqhull; its sums of volume are not. Medians of repeats, taken in turn.
//
// Exit codes: 1 something failed, 2 a file could not be read.

#include "base/core/vec.h"
#include "bvbuild/bvbuild.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	most_repeats = 1001,
	directions = 4096,
};

static double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles( const void* left, const void* right )
{
	const double* a = left;
	const double* b = right;
	return ( *a > *b ) - ( *a < *b );
}

static double median( double* seconds, int count )
{
	qsort( seconds, (size_t)count, sizeof *seconds, compare_doubles );
	return seconds[count / 2];
}

// Numerical Recipes' 64-bit generator.
static double random_coordinate( uint64_t* state )
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)( *state >> 33 ) * 0x1p-30 - 1;
}

static bv_vec3 random_direction( uint64_t* state )
{
	for ( ;; )
	{
		bv_vec3 d = { random_coordinate( state ), random_coordinate( state ), random_coordinate( state ) };
		double square = bv_dot( d, d );
		if ( square > 0.01 && square <= 1 )
		{
			return bv_scale( 1 / sqrt( square ), d );
		}
	}
}

static double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

typedef enum point_set
{
	in_ball,
	on_sphere,
	on_grid,
	point_sets,
} point_set;

static const char* const set_name[point_sets] = { "in a ball", "on a sphere", "on a grid's surface" };

static bv_vec3* make_points( point_set set, uint32_t count )
{
	bv_vec3* points = calloc( count, sizeof *points );
	uint64_t seed = 1;
	uint32_t side = (uint32_t)sqrt( count / 6.0 ) + 1;
	for ( uint32_t i = 0; points && i < count; ++i )
	{
		bv_vec3 p = random_direction( &seed );
		if ( set == in_ball )
		{
			p = bv_scale( cbrt( fabs( random_coordinate( &seed ) ) ), p );
		}
		if ( set == on_grid )
		{
			uint32_t face = i % 6;
			double u = i / 6 % side / (double)( side - 1 );
			double v = i / 6 / side / (double)( side - 1 );
			double w = face % 2;
			p = face < 2   ? ( bv_vec3 ){ u, v, w }
			    : face < 4 ? ( bv_vec3 ){ v, w, u }
			               : ( bv_vec3 ){ w, u, v };
			p = ( bv_vec3 ){ 0.6 * p.x - 0.8 * p.y, 0.8 * p.x + 0.6 * p.y, p.z };
		}
		points[i] = ( bv_vec3 ){ to_float( p.x ), to_float( p.y ), to_float( p.z ) };
	}
	return points;
}

static double time_qhull( const bv_vec3* points, uint32_t count, double* volume )
{
	double start = now();
	qhT qh;
	char command[] = "qhull Qt";
	qh_zero( &qh, stderr );
	int status = qh_new_qhull( &qh, 3, (int)count, (coordT*)(void*)points, False, command, NULL, stderr );
	double seconds = now() - start;
	*volume = NAN;
	if ( status == 0 )
	{
		qh_getarea( &qh, qh.facet_list );
		*volume = qh.totvol;
	}
	start = now();
	int current;
	int total;
	qh_freeqhull( &qh, !qh_ALL );
	qh_memfreeshort( &qh, &current, &total );
	return seconds + now() - start;
}

static double time_ours( const bv_vec3* points, uint32_t count, double* volume, uint32_t* vertices )
{
	double start = now();
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_error error = { "out of memory" };
	if ( !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_hull: %s\n", error.message );
		exit( 1 );
	}
	*volume = hull.volume;
	*vertices = hull.vertex_count;
	bvb_arena_destroy( arena );
	return now() - start;
}

static double time_merge( const bv_vec3* points, uint32_t count )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_hull_polygons polygons;
	bvb_error error = { "out of memory" };
	if ( !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_hull: %s\n", error.message );
		exit( 1 );
	}
	double start = now();
	if ( hull.kind == bv_hull_polyhedron &&
	     bvb_hull_merge( points, &hull, 0, arena, &polygons, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_hull: %s\n", error.message );
		exit( 1 );
	}
	double seconds = now() - start;
	bvb_arena_destroy( arena );
	return seconds;
}

static void compare_hulls( const char* name, const bv_vec3* points, uint32_t count )
{
	static double ours[most_repeats];
	static double peers[most_repeats];
	static double merges[most_repeats];
	double our_volume = 0;
	double their_volume = 0;
	uint32_t vertices = 0;
	int repeats = 0;
	double start = now();
	while ( repeats < 5 || ( repeats < most_repeats && now() - start < 1 ) )
	{
		peers[repeats] = time_qhull( points, count, &their_volume );
		ours[repeats] = time_ours( points, count, &our_volume, &vertices );
		merges[repeats] = time_merge( points, count );
		++repeats;
	}
	double our_time = median( ours, repeats );
	double their_time = median( peers, repeats );
	printf( "%-28s %8u %8u %10.1f %10.1f %7.3f %9.1f %10.1e\n", name, count, vertices, 1e6 * their_time,
	        1e6 * our_time, our_time / their_time, 1e6 * median( merges, repeats ),
	        fabs( our_volume - their_volume ) / their_volume );
}

static void compare_made( void )
{
	printf( "%-28s %8s %8s %10s %10s %7s %9s %10s\n", "points", "count", "corners", "qhull us", "ours us",
	        "ratio", "merge us", "volumes" );
	static const uint32_t counts[] = { 8, 20, 64, 200, 1000, 10000, 100000, 1000000 };
	for ( int set = 0; set < point_sets; ++set )
	{
		for ( int i = 0; i < 8 && ( set != on_sphere || counts[i] <= 100000 ); ++i )
		{
			bv_vec3* points = make_points( set, counts[i] );
			if ( !points )
			{
				exit( 1 );
			}
			compare_hulls( set_name[set], points, counts[i] );
			free( points );
		}
	}
}

static void compare_read( int count, char** paths )
{
	for ( int i = 0; i < count; ++i )
	{
		bvb_arena* arena = bvb_arena_create();
		bvb_import_options options = bvb_import_options_default();
		bvb_import import;
		bvb_mesh mesh;
		bvb_error error = { "out of memory" };
		if ( !arena || bvb_import_file( paths[i], &options, arena, &import, &error ) != bv_ok ||
		     bvb_mesh_weld( &import.scene.mesh, 0, arena, &mesh, &error ) != bv_ok )
		{
			fprintf( stderr, "bench_hull: %s\n", error.message );
			exit( 2 );
		}
		if ( mesh.vertex_count < 4 )
		{
			fprintf( stderr, "bench_hull: %s: qhull wants 4 points at least\n", paths[i] );
			exit( 2 );
		}
		const char* slash = strrchr( paths[i], '/' );
		compare_hulls( slash ? slash + 1 : paths[i], mesh.positions, mesh.vertex_count );
		bvb_arena_destroy( arena );
	}
}

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

// Nanoseconds a query: brute force, climbing from vertex 0, from anywhere, and from the answer for a direction that was
// 0.02 away.
static void time_supports( uint32_t count )
{
	bv_vec3* points = make_points( on_sphere, count );
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_hull_polygons polygons;
	bvb_error error;
	static bv_vec3 d[directions];
	static bv_vec3 near_d[directions];
	uint64_t seed = 2;
	if ( !points || !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok ||
	     bvb_hull_merge( points, &hull, 0, arena, &polygons, &error ) != bv_ok )
	{
		exit( 1 );
	}
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
					fprintf( stderr, "bench_hull: climbing ends at %u instead of %u\n", v, answer[i] );
					exit( 1 );
				}
			}
		}
		nanoseconds[method] = 1e9 * ( now() - start ) / (double)queries;
	}
	printf( "%8u %10.1f %10.1f %10.1f %10.1f\n", count, nanoseconds[0], nanoseconds[1], nanoseconds[2],
	        nanoseconds[3] );
	bvb_arena_destroy( arena );
	free( points );
}

int main( int argc, char** argv )
{
	printf( "%8s %10s %10s %10s %10s\n", "corners", "brute ns", "from 0", "from any", "from near" );
	static const uint32_t counts[] = { 8, 20, 64, 200, 2000, 20000 };
	for ( int i = 0; i < 6; ++i )
	{
		time_supports( counts[i] );
	}
	compare_made();
	compare_read( argc - 1, argv + 1 );
	return 0;
}
