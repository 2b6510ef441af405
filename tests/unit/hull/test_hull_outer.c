// Points left out before a hull is made: each must be strictly inside of the hull of all, which bvb_hull_compute makes
// and test_hull.c checks. Insideness is decided exactly.

#include "bvbuild/hull.h"

#include "offline/base/exact.h"
#include "offline/hull/outer.h"
#include "offline/hull/scale.h"
#include "runtime/math/vec.h"
#include "tests/reference/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
	most = 6000,
};

static double uniform( uint64_t* seed )
{
	return 2 * ( (double)next_random( seed ) / 0x1p32 ) - 1;
}

// What a set looks like.
typedef enum kind
{
	kind_ball,
	kind_sphere,
	kind_cube,
	kind_grid,
	kind_plate,
	kind_slanted_plate,
	kind_rod,
	kind_cone,
	kinds,
} kind;

static bv_vec3 take( kind of, uint64_t* seed )
{
	bv_vec3 p = { uniform( seed ), uniform( seed ), uniform( seed ) };
	double square = bv_dot( p, p );
	switch ( of )
	{
	case kind_ball: return square <= 1 ? p : take( of, seed );
	case kind_sphere: return square <= 1 ? bv_scale( 1 / sqrt( square ), p ) : take( of, seed );
	case kind_grid: return ( bv_vec3 ){ rint( 4 * p.x ), rint( 4 * p.y ), rint( 4 * p.z ) };
	case kind_plate: return ( bv_vec3 ){ p.x, p.y, 1e-7 * p.z };
	case kind_slanted_plate: return ( bv_vec3 ){ p.x, p.y, p.x + p.y + 1e-7 * p.z };
	case kind_rod: return ( bv_vec3 ){ p.x, p.x + 1e-5 * p.y, 1e-5 * p.z };
	case kind_cone: return bv_scale( p.z, ( bv_vec3 ){ p.x, p.y, 1 } );
	default: return p;
	}
}

// @return how many points were left out
static uint32_t check( const bv_vec3* points, uint32_t count, int team )
{
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvhull_outer outer;
	assert_int_equal( bvhull_outer_points( points, count, team, arena, &outer ), bv_ok );
	bvb_hull hull;
	bvb_hull fewer;
	bvb_error error;
	assert_int_equal( bvb_hull_compute( points, count, arena, &hull, &error ), bv_ok );
	assert_int_equal( bvb_hull_compute( outer.points, outer.count, arena, &fewer, &error ), bv_ok );
	bvhull_outer_map( &outer, &fewer );
	assert_int_equal( fewer.kind, hull.kind );
	assert_int_equal( fewer.vertex_count, hull.vertex_count );
	assert_memory_equal( fewer.vertices, hull.vertices, hull.vertex_count * sizeof *hull.vertices );
	assert_int_equal( fewer.face_count, hull.face_count );
	assert_memory_equal( fewer.faces, hull.faces, hull.face_count * sizeof *hull.faces );
	assert_true( fewer.volume == hull.volume );

	// Predicates want coordinates of about 1.
	double largest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		largest = bvmath_max( largest, bvmath_largest( points[i] ) );
	}
	int exponent;
	frexp( largest, &exponent );
	bv_vec3* scaled = malloc( count * sizeof *scaled );
	assert_non_null( scaled );
	bvhull_scale_points( points, count, exponent, scaled );
	uint32_t next = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !outer.index || ( next < outer.count && outer.index[next] == i ) )
		{
			assert_memory_equal( &outer.points[next], &points[i], sizeof *points );
			next += 1;
			continue;
		}
		for ( uint32_t f = 0; f < hull.face_count; ++f )
		{
			const uint32_t* c = hull.faces[f].corner;
			assert_true( bvbase_orient3d( scaled[hull.vertices[c[0]]], scaled[hull.vertices[c[1]]],
			                              scaled[hull.vertices[c[2]]], scaled[i] ) < 0 );
		}
	}
	assert_int_equal( next, outer.count );
	assert_true( !outer.index || outer.index[0] == 0 );
	free( scaled );
	bvb_arena_destroy( arena );
	return count - next;
}

static void what_is_left_out_is_inside( void** state )
{
	(void)state;
	static bv_vec3 points[most];
	uint64_t seed = 11;
	uint32_t out[kinds] = { 0 };
	for ( int round = 0; round < 4; ++round )
	{
		for ( kind of = 0; of < kinds; ++of )
		{
			for ( uint32_t i = 0; i < most; ++i )
			{
				points[i] = take( of, &seed );
			}
			out[of] = check( points, most, 1 + round % 2 );
		}
	}

	// Solid sets lose most of their points; those on a sphere, none of which is inside, nothing.
	assert_true( out[kind_ball] > most / 2 && out[kind_cube] > most / 2 && out[kind_plate] > most / 2 );
	assert_int_equal( out[kind_sphere], 0 );
}

static void nothing_depends_on_place_and_size_but_rounding( void** state )
{
	(void)state;
	static bv_vec3 points[most];
	static const double sizes[] = { 0x1p-120, 0x1p-30, 1, 0x1p30, 0x1p120 };
	static const double shifts[] = { 0, 10, 1e6, 1e12 };
	uint64_t seed = 12;
	for ( size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s )
	{
		for ( size_t k = 0; k < sizeof shifts / sizeof *shifts; ++k )
		{
			for ( uint32_t i = 0; i < most; ++i )
			{
				bv_vec3 p = take( kind_ball, &seed );
				points[i] = bv_scale( sizes[s], bv_add( p, ( bv_vec3 ){ shifts[k], -shifts[k], 0 } ) );
			}
			check( points, most, 1 );
		}
	}
}

static void flat_and_straight_sets_stay_as_they_are( void** state )
{
	(void)state;
	static bv_vec3 points[most];
	uint64_t seed = 13;
	for ( int axes = 0; axes < 3; ++axes )
	{
		for ( uint32_t i = 0; i < most; ++i )
		{
			bv_vec3 p = take( kind_cube, &seed );
			points[i] = axes == 0   ? ( bv_vec3 ){ 1, 2, 3 }
			            : axes == 1 ? ( bv_vec3 ){ p.x, p.x, p.x }
			                        : ( bv_vec3 ){ p.x, p.y, p.x };
		}
		assert_int_equal( check( points, most, 1 ), 0 );
	}
}

static void few_points_are_the_callers_own( void** state )
{
	(void)state;
	bv_vec3 points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvhull_outer outer;
	assert_int_equal( bvhull_outer_points( points, 4, 1, arena, &outer ), bv_ok );
	assert_true( outer.points == points && !outer.index && outer.count == 4 );
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( what_is_left_out_is_inside ),
		cmocka_unit_test( nothing_depends_on_place_and_size_but_rounding ),
		cmocka_unit_test( flat_and_straight_sets_stay_as_they_are ),
		cmocka_unit_test( few_points_are_the_callers_own ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
