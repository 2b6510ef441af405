// Rough hulls: brute force over points and faces, and the same hulls with and without vector instructions.

#include "offline/hull/rough.h"

#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
	most_points = 300,
	sets = 200,
};

static const double tolerance = 1e-3;

// Points in a box, some of them on a grid, so that several are in a plane and some are equal. Every eighth set
// is flat.
static uint32_t make_set( uint64_t* seed, uint32_t set, bv_vec3* points )
{
	uint32_t count = 1 + set * most_points / sets;
	bv_vec3 size = { 1, 0.6, set % 8 == 0 ? 0 : 0.3 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = random_coordinate( seed );
			at[k] = set % 3 == 0 ? 0.25 * (int)( 4 * at[k] ) : at[k];
		}
		points[i] = ( bv_vec3 ){ size.x * at[0], size.y * at[1], size.z * at[2] };
	}
	return count;
}

static void make_hull( bvhull_rough* r, const bv_vec3* points, uint32_t count )
{
	bvhull_rough_clear( r );
	bvhull_rough_add_all( r, points, count );
	bvhull_rough_hull( r, tolerance );
	assert_false( r->failed );
	assert_true( r->face_count > 0 );
}

// The path without vector instructions is the reference.
static void four_faces_at_a_time_make_the_same_hull( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	bvhull_rough wide = { .arena = arena };
	bvhull_rough narrow = { .arena = arena, .one_by_one = true };
	uint64_t seed = 1;
	for ( uint32_t set = 0; set < sets; ++set )
	{
		bv_vec3 points[most_points];
		uint32_t count = make_set( &seed, set, points );
		make_hull( &wide, points, count );
		make_hull( &narrow, points, count );
		assert_int_equal( wide.face_count, narrow.face_count );
		for ( uint32_t f = 0; f < wide.face_count; ++f )
		{
			const bvhull_rough_face* a = wide.faces + f;
			const bvhull_rough_face* b = narrow.faces + f;
			assert_memory_equal( a->corner, b->corner, sizeof a->corner );
			assert_memory_equal( a->neighbor, b->neighbor, sizeof a->neighbor );
			assert_memory_equal( &a->normal, &b->normal, sizeof a->normal );
			assert_int_equal( a->dead, b->dead );
		}
	}
	bvb_arena_destroy( arena );
}

// By trying every point with every face. Flat sets are made thicker by twice the tolerance.
static void no_point_is_far_outside( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	bvhull_rough r = { .arena = arena };
	uint64_t seed = 2;
	for ( uint32_t set = 0; set < sets; ++set )
	{
		bv_vec3 points[most_points];
		uint32_t count = make_set( &seed, set, points );
		make_hull( &r, points, count );
		for ( uint32_t f = 0; f < r.face_count; ++f )
		{
			const bvhull_rough_face* face = r.faces + f;
			for ( uint32_t i = 0; i < count && !face->dead; ++i )
			{
				assert_true( bv_dot( face->normal, points[i] ) - face->offset < 2 * tolerance );
			}
		}
	}
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( four_faces_at_a_time_make_the_same_hull ),
		cmocka_unit_test( no_point_is_far_outside ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
