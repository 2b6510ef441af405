// Convex hulls by bvb_hull_compute, compared with qhull called directly in the same run.
//
//   bench_hulls [-n REPEATS] [FILE...]
//
// qhull gets "qhull Qt" and the same 64-bit points. The time includes what a caller needs: triangles as
// triples of indices, the volume, and freeing everything. The column "bare" is qhull without reading them.
// The time of this project includes the arena. Medians of REPEATS (9), 3 for large sets, taken in turn. Flat
// sets and unreadable files are skipped.
//
// Exit codes: 1 usage, 2 a hull could not be made.

#include "tests/bench/measure.h"

#include "tests/reference/random.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>

enum
{
	most_repeats = 1001,
	most_results = 4096,
	large = 200000,
};

typedef struct hull_time
{
	double seconds;
	double bare;
	double volume;
} hull_time;

typedef struct result
{
	char name[64];
	double to_qhull;
	double to_bare;
	double volume_error;
} result;

typedef struct results
{
	result at[most_results];
	uint32_t count;
} results;

static void fail( const char* message )
{
	fprintf( stderr, "bench_hulls: %s\n", message );
	exit( 2 );
}

static void read_triangles( qhT* qh, bvb_triangle* triangles, int count )
{
	facetT* facet;
	vertexT* vertex;
	vertexT** vertexp;
	int at = 0;
	FORALLfacets
	{
		int k = 0;
		FOREACHvertex_( facet->vertices )
		{
			if ( at < count && k < 3 )
			{
				triangles[at].corner[facet->toporient ? k : 2 - k] =
					(uint32_t)qh_pointid( qh, vertex->point );
			}
			++k;
		}
		++at;
	}
}

// @return false when qhull finds no solid
static bool by_qhull( const bv_vec3* points, uint32_t count, FILE* nowhere, hull_time* out )
{
	qhT qh;
	char command[] = "qhull Qt";
	double start = now();
	qh_zero( &qh, nowhere );
	bool good =
		qh_new_qhull( &qh, 3, (int)count, (coordT*)(void*)points, False, command, NULL, nowhere ) == 0;
	double reading = now();
	if ( good )
	{
		bvb_triangle* triangles = malloc( (size_t)qh.num_facets * sizeof *triangles );
		if ( !triangles )
		{
			fail( "out of memory" );
		}
		read_triangles( &qh, triangles, qh.num_facets );
		qh_getarea( &qh, qh.facet_list );
		out->volume = qh.totvol;
		free( triangles );
	}
	reading = now() - reading;
	int kept;
	int total;
	qh_freeqhull( &qh, !qh_ALL );
	qh_memfreeshort( &qh, &kept, &total );
	out->seconds = now() - start;
	out->bare = out->seconds - reading;
	return good;
}

static hull_time by_ours( const bv_vec3* points, uint32_t count, bool* solid, uint32_t* corners )
{
	bvb_hull hull;
	bvb_error error;
	double start = now();
	bvb_arena* arena = bvb_arena_create();
	if ( !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		fail( arena ? error.message : "out of memory" );
	}
	bvb_arena_destroy( arena );
	*solid = hull.kind == bv_hull_polyhedron;
	*corners = hull.vertex_count;
	return ( hull_time ){ .seconds = now() - start, .volume = hull.volume };
}

static void bench( const char* name, const bv_vec3* points, uint32_t count, int repeats, FILE* nowhere,
                   results* all )
{
	static double ours[most_repeats];
	static double qhull[most_repeats];
	static double bare[most_repeats];
	hull_time own;
	hull_time peer = { 0 };
	bool solid;
	uint32_t corners;
	if ( count < 4 || !by_qhull( points, count, nowhere, &peer ) )
	{
		return;
	}
	own = by_ours( points, count, &solid, &corners );
	if ( !solid || all->count == most_results )
	{
		return;
	}
	repeats = count > large && repeats > 3 ? 3 : repeats;
	for ( int i = 0; i < repeats; ++i )
	{
		by_qhull( points, count, nowhere, &peer );
		own = by_ours( points, count, &solid, &corners );
		ours[i] = own.seconds;
		qhull[i] = peer.seconds;
		bare[i] = peer.bare;
	}
	double seconds = median( ours, repeats );
	double theirs = median( qhull, repeats );
	double least = median( bare, repeats );
	result* r = all->at + all->count++;
	*r = ( result ){ .to_qhull = seconds / theirs,
		             .to_bare = seconds / least,
		             .volume_error = fabs( own.volume / peer.volume - 1 ) };
	snprintf( r->name, sizeof r->name, "%s", name );
	printf( "%-29s %8u %8u %11.3f %11.3f %11.3f %8.3f %8.3f %10.1e\n", name, count, corners, 1e3 * seconds,
	        1e3 * theirs, 1e3 * least, r->to_qhull, r->to_bare, r->volume_error );
	fflush( stdout );
}

typedef enum point_set
{
	in_ball,
	on_sphere,
	on_grid,
	point_sets,
} point_set;

static const char* const set_name[point_sets] = { "in a ball", "on a sphere", "on a grid" };

static bv_vec3 random_point( point_set set, uint32_t count, uint64_t* state )
{
	// Half of the grid's places are used, so that there are equal points too.
	double side = set == on_grid ? ceil( cbrt( 2.0 * count ) ) : 1;
	for ( ;; )
	{
		double x = random_coordinate( state );
		double y = random_coordinate( state );
		double z = random_coordinate( state );
		double square = x * x + y * y + z * z;
		if ( set == on_grid )
		{
			return ( bv_vec3 ){ floor( side * x ), floor( side * y ), floor( side * z ) };
		}
		if ( square <= 1 && ( set == in_ball || square > 0.01 ) )
		{
			double scale = set == on_sphere ? 1 / sqrt( square ) : 1;
			return ( bv_vec3 ){ scale * x, scale * y, scale * z };
		}
	}
}

static void bench_random( int repeats, FILE* nowhere, results* all )
{
	static const uint32_t counts[] = { 8, 30, 100, 300, 1000, 10000, 100000, 1000000 };
	for ( point_set set = 0; set < point_sets; ++set )
	{
		for ( size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i )
		{
			// All of a million points on a sphere are corners, which takes either of them half a minute.
			if ( set == on_sphere && counts[i] > large )
			{
				continue;
			}
			bv_vec3* points = malloc( counts[i] * sizeof *points );
			uint64_t state = 1;
			if ( !points )
			{
				fail( "out of memory" );
			}
			for ( uint32_t k = 0; k < counts[i]; ++k )
			{
				points[k] = random_point( set, counts[i], &state );
			}
			bench( set_name[set], points, counts[i], repeats, nowhere, all );
			free( points );
		}
	}
}

static void summarize( const char* what, const results* all )
{
	static double ratio[most_results];
	if ( all->count == 0 )
	{
		return;
	}
	const result* slowest = all->at;
	const result* worst = all->at;
	uint32_t above = 0;
	for ( uint32_t i = 0; i < all->count; ++i )
	{
		const result* r = all->at + i;
		slowest = r->to_qhull > slowest->to_qhull ? r : slowest;
		worst = r->volume_error > worst->volume_error ? r : worst;
		above += r->to_qhull > 1.3;
		ratio[i] = r->to_qhull;
	}
	printf( "%s: our time to qhull's: median %.3f, worst %.3f (%s), above 1.3 on %u of %u; ", what,
	        median( ratio, (int)all->count ), slowest->to_qhull, slowest->name, above, all->count );
	above = 0;
	slowest = all->at;
	for ( uint32_t i = 0; i < all->count; ++i )
	{
		slowest = all->at[i].to_bare > slowest->to_bare ? all->at + i : slowest;
		above += all->at[i].to_bare > 1.3;
		ratio[i] = all->at[i].to_bare;
	}
	printf( "to bare qhull's: median %.3f, worst %.3f (%s), above 1.3 on %u; volumes differ by %.1e at most "
	        "(%s)\n",
	        median( ratio, (int)all->count ), slowest->to_bare, slowest->name, above, worst->volume_error,
	        worst->name );
}

int main( int count, char** arguments )
{
	static results sets;
	static results meshes;
	int repeats = 9;
	int first = 1;
	if ( count > 2 && strcmp( arguments[1], "-n" ) == 0 )
	{
		repeats = atoi( arguments[2] );
		first = 3;
	}
	if ( repeats < 1 || repeats > most_repeats || ( first < count && arguments[first][0] == '-' ) )
	{
		fprintf( stderr, "usage: bench_hulls [-n REPEATS] [FILE...]\n" );
		return 1;
	}
	FILE* nowhere = fopen( "/dev/null", "w" );
	if ( !nowhere )
	{
		fail( "/dev/null can't be opened" );
	}
	printf( "%-29s %8s %8s %11s %11s %11s %17s %10s\n", "", "", "", "ours", "qhull", "bare", "ours to", "" );
	printf( "%-29s %8s %8s %11s %11s %11s %8s %8s %10s\n", "points", "count", "corners", "ms", "ms", "ms",
	        "qhull", "bare", "volumes" );
	bench_random( repeats, nowhere, &sets );
	for ( int i = first; i < count; ++i )
	{
		bvb_arena* arena = bvb_arena_create();
		const bv_vec3* points;
		uint32_t n;
		if ( read_points( arguments[i], arena, &points, &n ) )
		{
			bench( name_of( arguments[i] ), points, n, repeats, nowhere, &meshes );
		}
		bvb_arena_destroy( arena );
	}
	fclose( nowhere );
	summarize( "random sets", &sets );
	summarize( "meshes", &meshes );
	return 0;
}
