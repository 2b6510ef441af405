// Stand-off of simplified hulls, and the time to compute them.
//
//   bench_simplify [-n REPEATS] [-p PARTS] [FILE...]
//
// The shapes are round bodies, and hulls of parts of mesh files: PARTS (16) sets of triangles, halved
// repeatedly at the median of their midpoints along the longest side of their box. All are rotated, so that
// no vertex is a 32-bit float, and have a box with a diagonal of 1. Distances are from the surface of the
// result to the exact hull, at samples spread evenly over its area, in % of that diagonal; the largest is
// the certified one. The mean over the parts of a file is shown. Times are CPU times, the median of REPEATS
// (5); those of hulls alone are shown for comparison.
//
// Exit codes: 1 usage, 2 a hull could not be simplified.

#include "tests/bench/measure.h"

#include "offline/hull/nearest.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <math.h>

enum
{
	samples = 8000,
	most_repeats = 101,
	most_parts = 256,
	most_points = 4000,
	cap_count = 5,
};

static const uint32_t caps[cap_count] = { 8, 16, 32, 64, 128 };

typedef struct figures
{
	double mean;
	double high; // the 95th percentile
	double most;
	double corners;
	double seconds;
} figures;

static void fail( const char* message )
{
	fprintf( stderr, "bench_simplify: %s\n", message );
	exit( 2 );
}

// Turns points and makes the diagonal of their box 1.
static void turn( bv_vec3* points, uint32_t count )
{
	static const double row[3][3] = { { 0.36, 0.48, -0.8 }, { -0.8, 0.6, 0 }, { 0.48, 0.64, 0.6 } };
	bv_aabb box = bvmath_box_of_points( points, count );
	bv_vec3 extent = bv_sub( box.upper, box.lower );
	double scale = 1 / sqrt( bv_dot( extent, extent ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_scale( scale, bv_sub( points[i], box.lower ) );
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = row[k][0] * p.x + row[k][1] * p.y + row[k][2] * p.z;
		}
		points[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
	}
}

// Distances at samples of equal areas: the triangles one after the other, each by a low-discrepancy sequence.
static void measure( const bvb_simple_hull* simple, const bvb_hull_polygons* exact, figures* out )
{
	static double distance[samples];
	double step = simple->hull.area / samples;
	double sum = 0;
	double area = 0;
	int count = 0;
	for ( uint32_t f = 0; f < simple->hull.face_count; ++f )
	{
		bv_vec3 t[3];
		for ( int k = 0; k < 3; ++k )
		{
			t[k] = simple->points[simple->hull.vertices[simple->hull.faces[f].corner[k]]];
		}
		bv_vec3 normal = bv_cross( bv_sub( t[1], t[0] ), bv_sub( t[2], t[0] ) );
		area += sqrt( bv_dot( normal, normal ) ) / 2;
		for ( ; count < samples && ( count + 0.5 ) * step <= area; ++count )
		{
			double u = fmod( count * 0.754877666246692760, 1 );
			double v = fmod( count * 0.569840290998053265, 1 );
			double root = sqrt( u );
			bv_vec3 p = bv_add( bv_add( bv_scale( 1 - root, t[0] ), bv_scale( root * ( 1 - v ), t[1] ) ),
			                    bv_scale( root * v, t[2] ) );
			distance[count] = bvhull_find_nearest( exact, p, BVB_ANY_VERTEX ).distance;
			sum += distance[count];
		}
	}
	qsort( distance, (size_t)count, sizeof *distance, compare_doubles );
	out->mean += sum / count;
	out->high += distance[(int)( 0.95 * count )];
	out->most += simple->error;
	out->corners += simple->hull.vertex_count;
}

// Adds to the figures of each cap, and to the time of the hull alone. Flat sets are left out.
static bool bench_set( const bv_vec3* points, uint32_t count, int repeats, figures sum[cap_count],
                       double* hull_seconds, double* corners )
{
	static double seconds[most_repeats];
	bvb_arena* arena = bvb_arena_create();
	bvb_error error;
	bvb_hull hull;
	bvb_hull_polygons exact;
	if ( !arena )
	{
		fail( "out of memory" );
	}
	for ( int i = 0; i < repeats; ++i )
	{
		double start = core_now();
		if ( bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
		{
			fail( error.message );
		}
		seconds[i] = core_now() - start;
	}
	bool solid = hull.kind == bv_hull_polyhedron;
	if ( solid && bvb_hull_merge( points, &hull, 0, arena, &exact, &error ) != bv_ok )
	{
		fail( error.message );
	}
	for ( int c = 0; c < cap_count && solid; ++c )
	{
		bvb_simple_hull simple;
		for ( int i = 0; i < repeats; ++i )
		{
			double start = core_now();
			if ( bvb_hull_simplify( points, &hull, caps[c], arena, &simple, &error ) != bv_ok )
			{
				fail( error.message );
			}
			seconds[i] = core_now() - start;
		}
		sum[c].seconds += median( seconds, repeats );
		measure( &simple, &exact, &sum[c] );
	}
	*hull_seconds += solid ? median( seconds, repeats ) : 0;
	*corners += solid ? hull.vertex_count : 0;
	bvb_arena_destroy( arena );
	return solid;
}

static void print( const char* name, double corners, const figures sum[cap_count], int sets )
{
	for ( int c = 0; c < cap_count; ++c )
	{
		const figures* f = &sum[c];
		printf( "%-22s %7.1f %5u %8.1f %10.4f %10.4f %10.4f %10.3f\n", name, corners / sets, caps[c],
		        f->corners / sets, 100 * f->mean / sets, 100 * f->high / sets, 100 * f->most / sets,
		        1e3 * f->seconds / sets );
	}
	fflush( stdout );
}

static void bench_body( const char* name, bv_vec3* points, uint32_t count, int repeats )
{
	figures sum[cap_count] = { { 0 } };
	double corners = 0;
	double hull_seconds = 0;
	turn( points, count );
	if ( bench_set( points, count, repeats, sum, &hull_seconds, &corners ) )
	{
		print( name, corners, sum, 1 );
	}
}

// An ellipsoid, or a box whose edges are rounded.
typedef struct body
{
	const char* name;
	uint32_t count;
	bv_vec3 size;
	double radius; // of a box's edges, 0 for an ellipsoid
} body;

static void bench_bodies( int repeats )
{
	static const body bodies[] = {
		{ "sphere", 100, { 1, 1, 1 }, 0 },
		{ "sphere", 300, { 1, 1, 1 }, 0 },
		{ "sphere", 1000, { 1, 1, 1 }, 0 },
		{ "ellipsoid 3 2 1", 300, { 3, 2, 1 }, 0 },
		{ "ellipsoid 20 5 1", 300, { 20, 5, 1 }, 0 },
		{ "rounded box", 300, { 3, 2, 1 }, 0.2 },
		{ "rounded box", 800, { 3, 2, 1 }, 0.05 },
		{ "rounded plate", 300, { 3, 3, 0.1 }, 0.05 },
	};
	static bv_vec3 points[most_points];
	for ( size_t b = 0; b < sizeof bodies / sizeof *bodies; ++b )
	{
		uint64_t seed = 1;
		const body* of = &bodies[b];
		for ( uint32_t i = 0; i < of->count; ++i )
		{
			bv_vec3 d = random_direction( &seed );
			double r = of->radius;
			double at[3];
			for ( int k = 0; k < 3; ++k )
			{
				double x = bvmath_component( d, k );
				double size = bvmath_component( of->size, k );
				at[k] = r > 0 ? r * x + ( x < 0 ? r - size : size - r ) : size * x;
			}
			points[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
		}
		bench_body( of->name, points, of->count, repeats );
	}
}

// A triangle's midpoint along the axis that is looked at.
typedef struct place
{
	double at;
	uint32_t triangle;
} place;

static int compare_places( const void* left, const void* right )
{
	const place* a = left;
	const place* b = right;
	return a->at != b->at ? ( a->at > b->at ) - ( a->at < b->at )
	                      : ( a->triangle > b->triangle ) - ( a->triangle < b->triangle );
}

static void halve( const bvb_mesh* mesh, place* places, uint32_t count )
{
	bv_vec3 low = { INFINITY, INFINITY, INFINITY };
	bv_vec3 high = bv_scale( -1, low );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[places[i / 3].triangle].corner[i % 3]];
		low = bvmath_least( low, p );
		high = bvmath_greatest( high, p );
	}
	bv_vec3 extent = bv_sub( high, low );
	int axis = extent.x > extent.y ? extent.x > extent.z ? 0 : 2 : extent.y > extent.z ? 1 : 2;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* corner = mesh->triangles[places[i].triangle].corner;
		places[i].at = 0;
		for ( int k = 0; k < 3; ++k )
		{
			places[i].at += bvmath_component( mesh->positions[corner[k]], axis );
		}
	}
	qsort( places, count, sizeof *places, compare_places );
}

static void bench_file( const char* path, uint32_t parts, int repeats )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_error error;
	if ( !arena || bvb_import_file( path, &options, arena, &import, &error ) != bv_ok )
	{
		fprintf( stderr, "left out: %s\n", arena ? error.message : "out of memory" );
		bvb_arena_destroy( arena );
		return;
	}
	const bvb_mesh* mesh = &import.scene.mesh;
	turn( mesh->positions, mesh->vertex_count );
	place* places = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *places );
	bv_vec3* points = bvb_arena_allocate( arena, 3 * (size_t)mesh->triangle_count, sizeof *points );
	if ( !places || !points )
	{
		fail( "out of memory" );
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		places[t].triangle = t;
	}
	for ( uint32_t pieces = 1; pieces < parts; pieces *= 2 )
	{
		for ( uint32_t i = 0; i < pieces; ++i )
		{
			uint32_t from = (uint32_t)( (uint64_t)mesh->triangle_count * i / pieces );
			uint32_t to = (uint32_t)( (uint64_t)mesh->triangle_count * ( i + 1 ) / pieces );
			halve( mesh, places + from, to - from );
		}
	}
	figures sum[cap_count] = { { 0 } };
	double hull_seconds = 0;
	double corners = 0;
	int solid = 0;
	for ( uint32_t i = 0; i < parts; ++i )
	{
		uint32_t from = (uint32_t)( (uint64_t)mesh->triangle_count * i / parts );
		uint32_t to = (uint32_t)( (uint64_t)mesh->triangle_count * ( i + 1 ) / parts );
		uint32_t count = 0;
		for ( uint32_t t = from; t < to; ++t )
		{
			for ( int k = 0; k < 3; ++k )
			{
				points[count++] = mesh->positions[mesh->triangles[places[t].triangle].corner[k]];
			}
		}
		if ( count > 0 )
		{
			turn( points, count );
			solid += bench_set( points, count, repeats, sum, &hull_seconds, &corners );
		}
	}
	if ( solid > 0 )
	{
		print( name_of( path ), corners, sum, solid );
	}
	bvb_arena_destroy( arena );
}

int main( int count, char** arguments )
{
	int repeats = 5;
	int parts = 16;
	int first = 1;
	while ( first + 1 < count && arguments[first][0] == '-' )
	{
		int* value = strcmp( arguments[first], "-n" ) == 0   ? &repeats
		             : strcmp( arguments[first], "-p" ) == 0 ? &parts
		                                                     : NULL;
		if ( !value )
		{
			break;
		}
		*value = atoi( arguments[first + 1] );
		first += 2;
	}
	if ( repeats < 1 || repeats > most_repeats || parts < 1 || parts > most_parts ||
	     ( first < count && arguments[first][0] == '-' ) )
	{
		fprintf( stderr, "usage: bench_simplify [-n REPEATS] [-p PARTS] [FILE...]\n" );
		return 1;
	}
	printf( "%-22s %7s %5s %8s %10s %10s %10s %10s\n", "", "corners", "cap", "corners", "mean, %", "p95, %",
	        "most, %", "ms" );
	bench_bodies( repeats );
	for ( int i = first; i < count; ++i )
	{
		bench_file( arguments[i], (uint32_t)parts, repeats );
	}
	return 0;
}
