// Polygons of convex hulls: known solids, rotated and rounded, and the laws that every polyhedron obeys.

#include "bvbuild/hull.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

enum
{
	most_points = 4000,
};

static double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

static double length( bv_vec3 v )
{
	return sqrt( bv_dot( v, v ) );
}

// Turned by a random rotation, scaled and moved.
static void place( bv_vec3* points, uint32_t count, double scale, bv_vec3 offset, uint64_t* state )
{
	bv_vec3 x = random_direction( state );
	bv_vec3 y = bv_cross( x, random_direction( state ) );
	y = bv_scale( 1 / length( y ), y );
	bv_vec3 z = bv_cross( x, y );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = points[i];
		points[i] = bv_add( offset, bv_scale( scale, bv_add( bv_add( bv_scale( p.x, x ), bv_scale( p.y, y ) ),
		                                                     bv_scale( p.z, z ) ) ) );
	}
}

// A hull and its polygons, in an arena of their own.
typedef struct merged
{
	bvb_arena* arena;
	const bv_vec3* points;
	bvb_hull hull;
	bvb_hull_polygons polygons;
} merged;

static merged merge( const bv_vec3* points, uint32_t count, double tolerance )
{
	merged m = { .arena = bvb_arena_create(), .points = points };
	assert_non_null( m.arena );
	bvb_error error = { "" };
	assert_int_equal( bvb_hull_compute( points, count, m.arena, &m.hull, &error ), bv_ok );
	if ( bvb_hull_merge( points, &m.hull, tolerance, m.arena, &m.polygons, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return m;
}

// Twins and loops match, no polygon has an edge or a corner twice, and Euler's formula holds.
static void assert_polyhedron( const merged* m )
{
	const bvb_hull_polygons* p = &m->polygons;
	uint32_t* polygons_at = calloc( p->vertex_count, sizeof *polygons_at );
	uint32_t* seen_by = calloc( p->vertex_count, sizeof *seen_by );
	assert_true( polygons_at && seen_by );
	uint32_t sides = 0;
	for ( uint32_t i = 0; i < p->polygon_count; ++i )
	{
		const bvb_hull_polygon* polygon = &p->polygons[i];
		assert_int_equal( polygon->first_edge, sides );
		assert_true( polygon->edge_count >= 3 );
		uint32_t h = polygon->first_edge;
		for ( uint32_t k = 0; k < polygon->edge_count; ++k )
		{
			const bvb_half_edge* edge = &p->half_edges[h];
			assert_int_equal( h, sides + k );
			assert_int_equal( edge->polygon, i );
			assert_true( edge->origin < p->vertex_count );
			assert_int_not_equal( seen_by[edge->origin], i + 1 );
			seen_by[edge->origin] = i + 1;
			polygons_at[edge->origin] += 1;
			const bvb_half_edge* twin = &p->half_edges[edge->twin];
			assert_int_equal( twin->twin, h );
			assert_int_not_equal( twin->polygon, i );
			assert_int_equal( twin->origin, p->half_edges[edge->next].origin );
			h = edge->next;
		}
		assert_int_equal( h, polygon->first_edge );
		sides += polygon->edge_count;
	}
	assert_int_equal( sides, p->half_edge_count );
	int64_t corners = 0;
	for ( uint32_t v = 0; v < p->vertex_count; ++v )
	{
		corners += polygons_at[v] > 0;
		assert_int_not_equal( polygons_at[v], 1 );
	}
	assert_int_equal( corners - p->half_edge_count / 2 + p->polygon_count, 2 );
	free( polygons_at );
	free( seen_by );
}

// Every vertex is behind every plane, and one is on it; each polygon's corners are within `tolerance` of one plane and
// turn left, but for that much. Brute force.
static void assert_planes( const merged* m, double tolerance )
{
	const bvb_hull_polygons* p = &m->polygons;
	for ( uint32_t i = 0; i < p->polygon_count; ++i )
	{
		const bvb_hull_polygon* polygon = &p->polygons[i];
		assert_float_equal( length( polygon->normal ), 1, 1e-15 );
		double greatest = -INFINITY;
		for ( uint32_t v = 0; v < p->vertex_count; ++v )
		{
			assert_memory_equal( &p->positions[v], &m->points[m->hull.vertices[v]], sizeof *p->positions );
			greatest = fmax( greatest, bv_dot( polygon->normal, p->positions[v] ) );
		}
		assert_true( polygon->offset == greatest );
		double least = INFINITY;
		double most = -INFINITY;
		for ( uint32_t k = 0; k < polygon->edge_count; ++k )
		{
			const bvb_half_edge* edge = &p->half_edges[polygon->first_edge + k];
			const bvb_half_edge* next = &p->half_edges[edge->next];
			bv_vec3 a = p->positions[edge->origin];
			bv_vec3 b = p->positions[next->origin];
			bv_vec3 c = p->positions[p->half_edges[next->next].origin];
			double turn = bv_dot( bv_cross( bv_sub( b, a ), bv_sub( c, a ) ), polygon->normal );
			assert_true( turn >= -4 * tolerance * ( length( bv_sub( c, a ) ) + tolerance ) );
			least = fmin( least, bv_dot( polygon->normal, a ) );
			most = fmax( most, bv_dot( polygon->normal, a ) );
		}
		assert_true( most - least <= 2 * tolerance + 1e-15 * p->reach );
	}
}

// Neighbors are mutual, and each vertex has three or more.
static void assert_neighbors( const bvb_hull_polygons* p )
{
	for ( uint32_t v = 0; v < p->vertex_count; ++v )
	{
		assert_true( p->first_neighbor[v + 1] >= p->first_neighbor[v] + 3 );
		for ( uint32_t i = p->first_neighbor[v]; i < p->first_neighbor[v + 1]; ++i )
		{
			uint32_t w = p->neighbors[i];
			uint32_t back = 0;
			for ( uint32_t k = p->first_neighbor[w]; k < p->first_neighbor[w + 1]; ++k )
			{
				back += p->neighbors[k] == v;
			}
			assert_int_equal( back, 1 );
		}
	}
	assert_int_equal( p->loose_count, 0 );
}

static void finish( merged* m )
{
	bvb_arena_destroy( m->arena );
}

// Euler's formula gives the number of corners.
static void assert_counts( const merged* m, uint32_t polygons, uint32_t edges, uint32_t corners_of_each )
{
	assert_int_equal( m->polygons.polygon_count, polygons );
	assert_int_equal( m->polygons.half_edge_count, 2 * edges );
	for ( uint32_t i = 0; i < polygons && corners_of_each > 0; ++i )
	{
		assert_int_equal( m->polygons.polygons[i].edge_count, corners_of_each );
	}
}

static uint32_t make_cube( bv_vec3* out, int steps )
{
	uint32_t count = 0;
	for ( int i = 0; i <= steps; ++i )
	{
		for ( int j = 0; j <= steps; ++j )
		{
			for ( int k = 0; k <= steps; ++k )
			{
				out[count++] = ( bv_vec3 ){ 2.0 * i / steps - 1, 2.0 * j / steps - 1, 2.0 * k / steps - 1 };
			}
		}
	}
	return count;
}

// ( +-1, +-1, +-1 ) and cyclic permutations of ( 0, +-1/g, +-g ).
static uint32_t make_dodecahedron( bv_vec3* out )
{
	double g = ( 1 + sqrt( 5 ) ) / 2;
	uint32_t count = make_cube( out, 1 );
	for ( int i = 0; i < 4; ++i )
	{
		double a = i & 1 ? -1 / g : 1 / g;
		double b = i & 2 ? -g : g;
		out[count++] = ( bv_vec3 ){ 0, a, b };
		out[count++] = ( bv_vec3 ){ a, b, 0 };
		out[count++] = ( bv_vec3 ){ b, 0, a };
	}
	return count;
}

// Two n-gons; a prism, or an antiprism if the upper one is turned by half a step.
static uint32_t make_prism( bv_vec3* out, uint32_t n, bool anti )
{
	for ( uint32_t i = 0; i < n; ++i )
	{
		double low = 2 * pi * i / n;
		double high = 2 * pi * ( i + ( anti ? 0.5 : 0 ) ) / n;
		out[2 * i] = ( bv_vec3 ){ cos( low ), sin( low ), -0.5 };
		out[2 * i + 1] = ( bv_vec3 ){ cos( high ), sin( high ), 0.5 };
	}
	return 2 * n;
}

static void a_cube_has_six_squares( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint32_t count = make_cube( points, 4 );
	merged m = merge( points, count, 0 );
	assert_polyhedron( &m );
	assert_planes( &m, 0 );
	assert_neighbors( &m.polygons );
	assert_counts( &m, 6, 12, 4 );
	for ( int i = 0; i < 6; ++i )
	{
		bv_vec3 n = m.polygons.polygons[i].normal;
		assert_true( bvmath_norm1( n ) == 1 && m.polygons.polygons[i].offset == 1 );
	}
	finish( &m );
}

// Rounding to binary64 leaves faces flat to some 1e-16 of the coordinates, in whatever position.
static void solids_stay_what_they_are_when_they_are_turned( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 21;
	for ( int i = 0; i < 300; ++i )
	{
		double scale = ldexp( 1, (int)( next_random( &seed ) % 200 ) - 100 );
		bv_vec3 offset = bv_scale( scale * ( i % 3 ), random_direction( &seed ) );
		uint32_t n = 3 + next_random( &seed ) % 60;
		const uint32_t expected[4][3] = {
			{ 6, 12, 4 }, { 12, 30, 5 }, { n + 2, 3 * n, 0 }, { 2 * n + 2, 4 * n, 0 }
		};
		for ( int solid = 0; solid < 4; ++solid )
		{
			uint32_t count = solid == 0   ? make_cube( points, 1 )
			                 : solid == 1 ? make_dodecahedron( points )
			                              : make_prism( points, n, solid == 3 );
			place( points, count, scale, offset, &seed );
			merged m = merge( points, count, 0 );
			assert_polyhedron( &m );
			assert_planes( &m, 1e-13 * m.polygons.reach );
			assert_counts( &m, expected[solid][0], expected[solid][1], expected[solid][2] );
			finish( &m );
		}
	}
}

// A turned grid of floats is flat to 2^-24, and so are its six sides with a tolerance above that.
static void a_turned_grid_of_floats_is_a_box_within_its_rounding( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 22;
	for ( int i = 0; i < 40; ++i )
	{
		uint32_t count = make_cube( points, 9 );
		place( points, count, 0.5, ( bv_vec3 ){ 0 }, &seed );
		for ( uint32_t k = 0; k < count; ++k )
		{
			points[k] =
				( bv_vec3 ){ to_float( points[k].x ), to_float( points[k].y ), to_float( points[k].z ) };
		}
		merged m = merge( points, count, 1e-6 );
		assert_polyhedron( &m );
		assert_planes( &m, 1e-6 );
		assert_counts( &m, 6, 12, 4 );
		finish( &m );
		m = merge( points, count, 0 );
		assert_polyhedron( &m );
		assert_planes( &m, 1e-13 );
		assert_true( m.polygons.polygon_count > 6 );
		finish( &m );
	}
}

// No four of many random points are in one plane.
static void triangles_that_are_not_coplanar_stay_triangles( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 23;
	for ( int i = 0; i < 10; ++i )
	{
		for ( uint32_t k = 0; k < 1000; ++k )
		{
			points[k] = random_direction( &seed );
		}
		merged m = merge( points, 1000, 0 );
		assert_polyhedron( &m );
		assert_planes( &m, 0 );
		assert_neighbors( &m.polygons );
		assert_int_equal( m.polygons.vertex_count, 1000 );
		assert_counts( &m, 1996, 2994, 3 );
		finish( &m );
	}
}

// With tolerances that have nothing to do with the shape there are no faces to be found, but polyhedra all the same.
static void any_tolerance_gives_a_polyhedron( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 24;
	for ( int i = 0; i < 400; ++i )
	{
		uint32_t count = 5 + next_random( &seed ) % 400;
		double flat = i % 4 == 0 ? 1 : ldexp( 1, -(int)( next_random( &seed ) % 24 ) );
		for ( uint32_t k = 0; k < count; ++k )
		{
			bv_vec3 p = random_direction( &seed );
			p = i % 3 == 0 ? p : bv_scale( fabs( random_coordinate( &seed ) ), p );
			points[k] = ( bv_vec3 ){ to_float( p.x ), to_float( p.y ), to_float( flat * p.z ) };
		}
		double tolerance = ldexp( 1, -(int)( next_random( &seed ) % 40 ) );
		merged m = merge( points, count, tolerance );
		assert_polyhedron( &m );
		assert_planes( &m, tolerance );
		finish( &m );
	}
}

// On a grid many points are coplanar, and every one of them that qhull kept must find its polygon.
static void coplanar_points_of_a_grid_are_in_one_polygon( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 25;
	for ( int i = 0; i < 300; ++i )
	{
		int size = 3 + i % 8;
		for ( int k = 0; k < 300; ++k )
		{
			points[k] =
				( bv_vec3 ){ next_random( &seed ) % (uint32_t)size, next_random( &seed ) % (uint32_t)size,
				             next_random( &seed ) % (uint32_t)size };
		}
		merged m = merge( points, 300, 0 );
		assert_polyhedron( &m );
		assert_planes( &m, 1e-14 * size );
		const bvb_hull_polygons* p = &m.polygons;
		for ( uint32_t h = 0; h < p->half_edge_count; ++h )
		{
			// Normals of small integers that differ do so by more than 1e-3.
			bv_vec3 n = p->polygons[p->half_edges[h].polygon].normal;
			bv_vec3 other = p->polygons[p->half_edges[p->half_edges[h].twin].polygon].normal;
			assert_true( length( bv_sub( n, other ) ) > 1e-3 );
		}
		finish( &m );
	}
}

static void slivers_have_normals( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint64_t seed = 26;
	for ( int i = 0; i < 200; ++i )
	{
		double y = i % 2 ? 0x1p-20 : 1;
		for ( int k = 0; k < 200; ++k )
		{
			points[k] = ( bv_vec3 ){ to_float( random_coordinate( &seed ) ),
				                     to_float( y * random_coordinate( &seed ) ),
				                     to_float( 0x1p-20 * random_coordinate( &seed ) ) };
		}
		merged m = merge( points, 200, 0 );
		assert_polyhedron( &m );
		assert_planes( &m, 1e-13 );

		// Of a closed surface the areas, as vectors, add up to nothing (Minkowski).
		bv_vec3 sum = { 0 };
		double total = 0;
		for ( uint32_t f = 0; f < m.polygons.polygon_count; ++f )
		{
			const bvb_hull_polygon* polygon = &m.polygons.polygons[f];
			bv_vec3 a = m.polygons.positions[m.polygons.half_edges[polygon->first_edge].origin];
			bv_vec3 area = { 0 };
			for ( uint32_t k = 1; k + 1 < polygon->edge_count; ++k )
			{
				const bvb_half_edge* e = &m.polygons.half_edges[polygon->first_edge + k];
				bv_vec3 b = m.polygons.positions[e->origin];
				bv_vec3 c = m.polygons.positions[m.polygons.half_edges[e->next].origin];
				area = bv_add( area, bv_cross( bv_sub( b, a ), bv_sub( c, a ) ) );
			}
			sum = bv_add( sum, bv_scale( length( area ), polygon->normal ) );
			total += length( area );
		}
		assert_true( length( sum ) <= 1e-9 * total );
		finish( &m );
	}
}

static void equal_hulls_give_equal_polygons( void** state )
{
	(void)state;
	bv_vec3 points[most_points];
	uint32_t count = make_cube( points, 7 );
	merged a = merge( points, count, 0 );
	merged b = merge( points, count, 0 );
	assert_memory_equal( a.polygons.polygons, b.polygons.polygons,
	                     a.polygons.polygon_count * sizeof *a.polygons.polygons );
	assert_memory_equal( a.polygons.half_edges, b.polygons.half_edges,
	                     a.polygons.half_edge_count * sizeof *a.polygons.half_edges );
	finish( &a );
	finish( &b );
}

static void errors_are_reported( void** state )
{
	(void)state;
	const bv_vec3 flat[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
	const bv_vec3 solid[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bvb_arena* arena = bvb_arena_create();
	bvb_error error;
	bvb_hull hull;
	bvb_hull_polygons polygons;
	for ( uint32_t count = 1; count <= 4; ++count )
	{
		assert_int_equal( bvb_hull_compute( flat, count, arena, &hull, &error ), bv_ok );
		assert_int_equal( bvb_hull_merge( flat, &hull, 0, arena, &polygons, &error ), bv_error_argument );
		assert_string_equal( error.message, "only a hull with volume has polygons" );
		assert_int_equal( polygons.polygon_count, 0 );
	}
	assert_int_equal( bvb_hull_compute( solid, 4, arena, &hull, &error ), bv_ok );
	const double tolerances[] = { -1, NAN, INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bvb_hull_merge( solid, &hull, tolerances[i], arena, &polygons, &error ),
		                  bv_error_argument );
	}

	// Any number of bytes is either enough or too few.
	bv_status status = bv_error_memory;
	for ( size_t bytes = 0; status != bv_ok; bytes += 64 )
	{
		bvb_arena* small = bvb_arena_create_limited( bytes );
		status = bvb_hull_merge( solid, &hull, 0, small, &polygons, &error );
		assert_true( status == bv_ok || ( status == bv_error_memory && polygons.polygon_count == 0 ) );
		bvb_arena_destroy( small );
	}

	bvb_triangle open[4];
	memcpy( open, hull.faces, sizeof open );
	open[2].corner[0] = open[2].corner[1];
	hull.faces = open;
	assert_int_equal( bvb_hull_merge( solid, &hull, 0, arena, &polygons, &error ), bv_error_argument );
	open[2].corner[0] = 4;
	assert_int_equal( bvb_hull_merge( solid, &hull, 0, arena, &polygons, &error ), bv_error_argument );
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_cube_has_six_squares ),
		cmocka_unit_test( solids_stay_what_they_are_when_they_are_turned ),
		cmocka_unit_test( a_turned_grid_of_floats_is_a_box_within_its_rounding ),
		cmocka_unit_test( triangles_that_are_not_coplanar_stay_triangles ),
		cmocka_unit_test( any_tolerance_gives_a_polyhedron ),
		cmocka_unit_test( coplanar_points_of_a_grid_are_in_one_polygon ),
		cmocka_unit_test( slivers_have_normals ),
		cmocka_unit_test( equal_hulls_give_equal_polygons ),
		cmocka_unit_test( errors_are_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
