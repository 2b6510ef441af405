// Linear programs against all triples of their constraints; rough hulls of few points; shells stay closed, convex and around
// what they enclose.

#include "offline/hull/shell.h"

#include "offline/hull/rough.h"
#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum
{
	most_constraints = 24,
	ball_points = 400,
};

static bool holds( const bvhull_constraint* c, uint32_t count, bv_vec3 x, double tolerance )
{
	bool all = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		all = all && bv_dot( c[i].normal, x ) >= c[i].least - tolerance;
	}
	return all;
}

// The least cost at points where three of the constraints meet and all hold: one of them is best.
static double best_of_triples( const bvhull_constraint* c, uint32_t count, bv_vec3 cost )
{
	double best = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t j = 0; j < i; ++j )
		{
			for ( uint32_t k = 0; k < j; ++k )
			{
				bv_vec3 across = bv_cross( c[i].normal, c[j].normal );
				double volume = bv_dot( across, c[k].normal );
				bv_vec3 x = bv_scale( c[k].least, across );
				x = bv_add( x, bv_scale( c[i].least, bv_cross( c[j].normal, c[k].normal ) ) );
				x = bv_add( x, bv_scale( c[j].least, bv_cross( c[k].normal, c[i].normal ) ) );
				x = bv_scale( 1 / volume, x );
				if ( fabs( volume ) > 1e-6 && holds( c, count, x, 1e-9 ) )
				{
					best = fmin( best, bv_dot( cost, x ) );
				}
			}
		}
	}
	return best;
}

static void programs_end_where_the_best_three_constraints_meet( void** state )
{
	(void)state;
	uint64_t seed = 61;
	int impossible = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		// The last six are the cube, for the triples.
		bvhull_constraint c[most_constraints + 6];
		uint32_t count = 1 + (uint32_t)i % most_constraints;
		double depth = i % 3 == 0 ? 0.3 : 1;
		for ( uint32_t k = 0; k < count; ++k )
		{
			c[k] =
				( bvhull_constraint ){ random_direction( &seed ), depth * random_coordinate( &seed ) - 0.2 };
		}
		for ( uint32_t k = 0; k < 6; ++k )
		{
			double sign = k % 2 ? 1 : -1;
			c[count + k] = ( bvhull_constraint ){
				{ k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0 }, -2
			};
		}
		bv_vec3 cost = random_direction( &seed );
		bv_vec3 x;
		double expected = best_of_triples( c, count + 6, cost );
		bool found = bvhull_solve_linear( cost, c, count, 2, &x );
		assert_true( found == ( expected < INFINITY ) );
		impossible += !found;
		if ( found )
		{
			assert_true( holds( c, count + 6, x, 1e-9 ) );
			assert_float_equal( bv_dot( cost, x ), expected, 1e-8 );
		}
	}
	assert_true( impossible > 100 && impossible < 2900 );
}

// A ball's points as a core in a frame of its own size.
typedef struct ball
{
	bv_vec3 point[ball_points];
	bvb_hull_polygons polygons;
	bvhull_round_frame frame;
	bvhull_core core;
	bvb_arena* arena;
} ball;

static void begin_ball( ball* b, bv_vec3 size, uint64_t seed )
{
	bvb_hull hull;
	bvb_error error;
	b->arena = bvb_arena_create();
	assert_non_null( b->arena );
	for ( int i = 0; i < ball_points; ++i )
	{
		bv_vec3 d = random_direction( &seed );
		b->point[i] = ( bv_vec3 ){ size.x * d.x, size.y * d.y, size.z * d.z };
	}
	assert_int_equal( bvb_hull_compute( b->point, ball_points, b->arena, &hull, &error ), bv_ok );
	assert_int_equal( bvb_hull_merge( b->point, &hull, 0, b->arena, &b->polygons, &error ), bv_ok );
	b->frame = ( bvhull_round_frame ){ .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		                               .scale = { size.x, size.y, size.z } };
	assert_int_equal( bvhull_core_create( &b->polygons, &b->frame, hull.volume, b->arena, &b->core ), bv_ok );
}

// Every side has a twin, no corner is above a face, and nothing of the core is. The plane of a triangle that has become a sliver,
// since a corner was moved to another, is made of rounding: some 1e-12 for one 1e-6 high.
static void check_shell( const bvhull_shell* s, const bvhull_core* core )
{
	assert_int_equal( s->face_count, 2 * s->corner_count - 4 );
	for ( uint32_t side = 0; side < 3 * s->face_count; ++side )
	{
		uint32_t twin = s->twin[side];
		uint32_t next = side % 3 == 2 ? side - 2 : side + 1;
		assert_true( s->twin[twin] == side );
		assert_int_equal( s->faces[twin / 3].corner[twin % 3], s->faces[next / 3].corner[next % 3] );
	}
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		bv_vec3 a = s->at[s->faces[f].corner[0]];
		bv_vec3 normal =
			bv_cross( bv_sub( s->at[s->faces[f].corner[1]], a ), bv_sub( s->at[s->faces[f].corner[2]], a ) );
		double tolerance = 1e-8 * sqrt( bv_dot( normal, normal ) ) + 2e-12;
		for ( uint32_t c = 0; c < s->corner_count; ++c )
		{
			assert_true( bv_dot( normal, bv_sub( s->at[c], a ) ) <= tolerance );
		}
		for ( uint32_t v = 0; v < core->vertex_count; ++v )
		{
			assert_true( bv_dot( normal, bv_sub( core->at[v], a ) ) <= tolerance );
		}
	}
}

static void shells_stay_convex_and_around( void** state )
{
	(void)state;
	static ball b;
	for ( uint64_t seed = 70; seed < 80; ++seed )
	{
		begin_ball( &b, ( bv_vec3 ){ 1, seed % 2 ? 1 : 0.2, seed % 3 ? 0.7 : 0.01 }, seed );
		bv_vec3 around[60];
		uint64_t state_of_corners = seed;
		for ( int i = 0; i < 60; ++i )
		{
			around[i] = bv_scale( 2, random_direction( &state_of_corners ) );
		}
		bvhull_shell shell;
		assert_int_equal( bvhull_shell_create( around, 60, b.arena, &shell ), bv_ok );
		assert_int_equal( shell.corner_count, 60 );
		check_shell( &shell, &b.core );
		double before = bvhull_shell_volume( &shell );
		bvhull_shell_tighten( &shell, &b.core, 10 );
		check_shell( &shell, &b.core );

		double tight = bvhull_shell_volume( &shell );
		assert_true( tight < before );
		assert_true( bvhull_shell_collapse( &shell, &b.core, 20, b.arena ) );
		assert_int_equal( shell.corner_count, 20 );
		check_shell( &shell, &b.core );
		double few = bvhull_shell_volume( &shell );
		bvhull_shell_tighten( &shell, &b.core, 10 );
		check_shell( &shell, &b.core );
		assert_true( bvhull_shell_volume( &shell ) < few );
		bvb_arena_destroy( b.arena );
	}
}

// The hull of few misses no point by more than the next one that was to come: of a ball's 400 points, 100 miss less than 50.
static void rough_hulls_of_few_take_the_farthest( void** state )
{
	(void)state;
	static ball b;
	begin_ball( &b, ( bv_vec3 ){ 1, 1, 1 }, 81 );
	double missed = INFINITY;
	for ( uint32_t most = 4; most <= 200; most *= 2 )
	{
		bvhull_rough rough = { .arena = b.arena };
		for ( int i = 0; i < ball_points; ++i )
		{
			bvhull_rough_add( &rough, b.point[i] );
		}
		bvhull_rough_hull_of_few( &rough, 1e-9, most );
		uint32_t count;
		assert_non_null( bvhull_rough_corners( &rough, b.arena, &count ) );
		assert_int_equal( count, most );
		double farthest = 0;
		for ( uint32_t f = 0; f < rough.face_count; ++f )
		{
			for ( int i = 0; i < ball_points && !rough.faces[f].dead; ++i )
			{
				farthest =
					fmax( farthest, bv_dot( rough.faces[f].normal, b.point[i] ) - rough.faces[f].offset );
			}
		}
		assert_true( farthest < missed );
		missed = farthest;
	}
	bvb_arena_destroy( b.arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( programs_end_where_the_best_three_constraints_meet ),
		cmocka_unit_test( shells_stay_convex_and_around ),
		cmocka_unit_test( rough_hulls_of_few_take_the_farthest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
