// Support queries by hill climbing, against brute force: a million directions, many of them of the awkward kind.

#include "bvbuild/hull.h"

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

// The first of the farthest vertices.
static uint32_t farthest( const bvb_hull_polygons* hull, bv_vec3 direction )
{
	uint32_t best = 0;
	for ( uint32_t v = 1; v < hull->vertex_count; ++v )
	{
		if ( bv_dot( direction, hull->positions[v] ) > bv_dot( direction, hull->positions[best] ) )
		{
			best = v;
		}
	}
	return best;
}

static void assert_supports( const bvb_hull_polygons* hull, bv_vec3 direction, uint64_t* seed )
{
	uint32_t expected = farthest( hull, direction );
	assert_int_equal( bvb_hull_support( hull, direction, next_random( seed ) % hull->vertex_count ),
	                  expected );
	assert_int_equal( bvb_hull_support( hull, direction, BVB_ANY_VERTEX ), expected );
}

// Normals of all polygons, exact and nearly so; directions normal to two sides of triangles that meet at a vertex;
// directions normal to an edge and anything else.
static void assert_supports_everywhere( const bvb_hull_polygons* hull, uint32_t directions, uint64_t* seed )
{
	for ( uint32_t i = 0; i < directions; ++i )
	{
		bv_vec3 d = random_direction( seed );
		const bvb_hull_polygon* polygon = &hull->polygons[next_random( seed ) % hull->polygon_count];
		uint32_t v = next_random( seed ) % hull->vertex_count;
		uint32_t degree = hull->first_neighbor[v + 1] - hull->first_neighbor[v];
		bv_vec3 edge = d;
		if ( degree > 0 )
		{
			uint32_t w = hull->neighbors[hull->first_neighbor[v] + next_random( seed ) % degree];
			edge = bv_sub( hull->positions[w], hull->positions[v] );
		}
		switch ( i % 8 )
		{
		case 0: d = polygon->normal; break;
		case 1: d = bv_add( polygon->normal, bv_scale( 0x1p-50, d ) ); break;
		case 2: d = bv_scale( -1, polygon->normal ); break;
		case 3: d = bv_cross( edge, d ); break;
		case 4: d = bv_cross( edge, polygon->normal ); break;
		case 5: d = bv_scale( ldexp( 1, (int)( next_random( seed ) % 1200 ) - 600 ), d ); break;
		default: break;
		}
		assert_supports( hull, d, seed );
	}
	static const bv_vec3 special[] = {
		{ 0, 0, 0 },       { 1, 0, 0 },    { 0, -1, 0 },     { 0, 0, 1 },         { 1, 1, 0 },
		{ 1, 1, 1 },       { -1, 1, -1 },  { 0, 0, 5e-324 }, { 0, 1e308, 1e308 }, { 1e308, 1e308, -1e308 },
		{ 1e-320, 0, -1 }, { -0.0, 0, 1 },
	};
	for ( uint32_t i = 0; i < sizeof special / sizeof *special; ++i )
	{
		assert_supports( hull, special[i], seed );
	}
}

static uint32_t check( const bv_vec3* points, uint32_t count, double tolerance, uint32_t directions,
                       uint64_t* seed )
{
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull hull;
	bvb_hull_polygons polygons;
	bvb_error error;
	assert_int_equal( bvb_hull_compute( points, count, arena, &hull, &error ), bv_ok );
	assert_int_equal( bvb_hull_merge( points, &hull, tolerance, arena, &polygons, &error ), bv_ok );
	assert_supports_everywhere( &polygons, directions, seed );
	uint32_t loose = polygons.loose_count;
	bvb_arena_destroy( arena );
	return loose;
}

// Turned by a random rotation and moved.
static void place( bv_vec3* points, uint32_t count, double distance, uint64_t* state )
{
	bv_vec3 x = random_direction( state );
	bv_vec3 y = bv_cross( x, random_direction( state ) );
	y = bv_scale( 1 / length( y ), y );
	bv_vec3 z = bv_cross( x, y );
	bv_vec3 offset = bv_scale( distance, random_direction( state ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = points[i];
		points[i] =
			bv_add( offset, bv_add( bv_add( bv_scale( p.x, x ), bv_scale( p.y, y ) ), bv_scale( p.z, z ) ) );
	}
}

static void round_all( bv_vec3* points, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = ( bv_vec3 ){ to_float( points[i].x ), to_float( points[i].y ), to_float( points[i].z ) };
	}
}

// A grid in a box: six merged faces, with many points in them.
static uint32_t make_grid( bv_vec3* out, uint32_t n, double height )
{
	for ( uint32_t i = 0; i < n * n * n; ++i )
	{
		out[i] = ( bv_vec3 ){ i % n / (double)n, i / n % n / (double)n, height * ( i / n / n ) / n };
	}
	return n * n * n;
}

static uint32_t make_prism( bv_vec3* out, uint32_t n )
{
	for ( uint32_t i = 0; i < 2 * n; ++i )
	{
		double angle = 2 * pi * ( i / 2 ) / n;
		out[i] = ( bv_vec3 ){ cos( angle ), sin( angle ), i % 2 };
	}
	return 2 * n;
}

// Rings of points at equal heights, an equal number in each: faces are trapezoids, all flat up to rounding.
static uint32_t make_globe( bv_vec3* out, uint32_t rings, uint32_t n )
{
	uint32_t count = 0;
	for ( uint32_t r = 1; r < rings; ++r )
	{
		for ( uint32_t i = 0; i < n; ++i )
		{
			double latitude = pi * r / rings;
			double angle = 2 * pi * i / n;
			out[count++] = ( bv_vec3 ){ sin( latitude ) * cos( angle ), sin( latitude ) * sin( angle ),
				                        cos( latitude ) };
		}
	}
	return count;
}

static uint32_t make_ball( bv_vec3* out, uint32_t count, double height, uint64_t* seed )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = random_direction( seed );
		out[i].z *= height;
	}
	return count;
}

static void climbing_agrees_with_brute_force( void** state )
{
	(void)state;
	static bv_vec3 points[most_points];
	uint64_t seed = 31;
	for ( uint32_t i = 0; i < 280; ++i )
	{
		double height = i % 4 ? 1 : ldexp( 1, -(int)( next_random( &seed ) % 24 ) );
		uint32_t n = 4 + next_random( &seed ) % 60;
		uint32_t count = i % 5 == 0   ? make_grid( points, 2 + n % 6, height )
		                 : i % 5 == 1 ? make_prism( points, n )
		                 : i % 5 == 2 ? make_globe( points, 3 + n % 8, n )
		                 : i % 5 == 3 ? make_ball( points, n, height, &seed )
		                              : make_ball( points, 10 * n, height, &seed );
		if ( i % 3 )
		{
			place( points, count, i % 7 ? 0 : 1000, &seed );
		}
		if ( i % 2 )
		{
			round_all( points, count );
		}
		check( points, count, i % 11 ? 0 : 0.05, 4000, &seed );
	}
}

// So far from the origin that heights of neighbors are often the same number.
static void far_away_from_the_origin_the_first_of_equals_is_found( void** state )
{
	(void)state;
	static bv_vec3 points[most_points];
	uint64_t seed = 32;
	for ( int i = 0; i < 20; ++i )
	{
		uint32_t count = make_ball( points, 500, 1, &seed );
		place( points, count, ldexp( 1, 30 + i % 20 ), &seed );
		check( points, count, 0, 2000, &seed );
	}
}

// A polygon of more corners than a query remembers: its normal is answered all the same.
static void a_prism_of_a_thousand_sides( void** state )
{
	(void)state;
	static bv_vec3 points[most_points];
	uint64_t seed = 33;
	for ( int i = 0; i < 4; ++i )
	{
		uint32_t count = make_prism( points, 1000 );
		place( points, count, 0, &seed );
		check( points, count, 0, 5000, &seed );
	}
}

// Triangulated by qhull, facets that rounding has made not quite flat are not quite convex.
static void dents_of_rounding_leave_no_vertex_loose( void** state )
{
	(void)state;
	static bv_vec3 points[most_points];
	uint64_t seed = 34;
	for ( int i = 0; i < 30; ++i )
	{
		uint32_t count = i % 2 ? make_prism( points, 300 ) : make_grid( points, 10, 1 );
		place( points, count, 1, &seed );
		assert_int_equal( check( points, count, 0, 500, &seed ), 0 );
	}
}

// A vertex that climbing can't reach is found all the same: one outside of a ball's hull without neighbors, or with no
// neighbors that are to be trusted at all.
static void loose_vertices_are_found( void** state )
{
	(void)state;
	enum
	{
		count = 100,
	};
	bv_vec3 points[count];
	bv_vec3 positions[count + 1];
	uint32_t first[count + 2];
	uint32_t loose[count + 1] = { count };
	uint64_t seed = 35;
	make_ball( points, count, 1, &seed );
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull ball;
	bvb_hull_polygons hull;
	bvb_error error;
	assert_int_equal( bvb_hull_compute( points, count, arena, &ball, &error ), bv_ok );
	assert_int_equal( bvb_hull_merge( points, &ball, 0, arena, &hull, &error ), bv_ok );
	assert_int_equal( hull.vertex_count, count );
	memcpy( positions, hull.positions, sizeof points );
	memcpy( first, hull.first_neighbor, ( count + 1 ) * sizeof *first );
	positions[count] = ( bv_vec3 ){ 0.7, 0.8, 0.1 };
	first[count + 1] = first[count];
	hull.positions = positions;
	hull.first_neighbor = first;
	hull.vertex_count = count + 1;
	hull.loose = loose;
	hull.loose_count = 1;
	uint32_t found = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		bv_vec3 d = random_direction( &seed );
		assert_supports( &hull, d, &seed );
		found += farthest( &hull, d ) == count;
	}
	assert_true( found > 20 );

	for ( uint32_t k = 0; k <= count; ++k )
	{
		loose[k] = k;
	}
	hull.loose_count = count + 1;
	hull.neighbors = loose;
	for ( int i = 0; i < 200; ++i )
	{
		assert_supports( &hull, random_direction( &seed ), &seed );
	}
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( climbing_agrees_with_brute_force ),
		cmocka_unit_test( far_away_from_the_origin_the_first_of_equals_is_found ),
		cmocka_unit_test( a_prism_of_a_thousand_sides ),
		cmocka_unit_test( dents_of_rounding_leave_no_vertex_loose ),
		cmocka_unit_test( loose_vertices_are_found ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
