// Hulls from several threads at once are those of one thread, bit for bit.

#include "bvbuild/hull.h"

#include "tests/reference/random.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
	threads = 6,
	sets = 24,
	most_points = 600,
	rounds = 4,
};

// Everything that was made of one set of points.
typedef struct outcome
{
	bvb_arena* arena;
	bvb_hull hull;
	bvb_hull_polygons polygons;
	bvb_simple_hull simple;
	uint32_t support[16];
	bool good;
} outcome;

// What a thread works on: all sets, beginning with another one than its neighbors.
typedef struct task
{
	uint32_t first;
	uint32_t differences;
} task;

static bv_vec3 points[sets][most_points];
static uint32_t counts[sets];
static outcome expected[sets];

// Clouds, grids, nearly flat and flat sets, sets with duplicates.
static void make_points( void )
{
	uint64_t seed = 51;
	for ( uint32_t set = 0; set < sets; ++set )
	{
		counts[set] = 8 + 24 * set;
		for ( uint32_t i = 0; i < counts[set]; ++i )
		{
			bv_vec3 p = { random_coordinate( &seed ), random_coordinate( &seed ),
				          random_coordinate( &seed ) };
			switch ( set % 5 )
			{
			case 1: p = ( bv_vec3 ){ rint( 4 * p.x ), rint( 4 * p.y ), rint( 4 * p.z ) }; break;
			case 2: p.z *= 0x1p-40; break;
			case 3: p.z = set % 2 ? p.x + p.y : 0; break;
			case 4: p = i % 2 ? points[set][i / 2] : p; break;
			default: break;
			}
			points[set][i] = p;
		}
	}
}

static void work_out( uint32_t set, outcome* out )
{
	bvb_error error;
	*out = ( outcome ){ .arena = bvb_arena_create() };
	out->good =
		out->arena && bvb_hull_compute( points[set], counts[set], out->arena, &out->hull, &error ) == bv_ok;
	if ( out->good && out->hull.kind == bv_hull_polyhedron )
	{
		out->good =
			bvb_hull_merge( points[set], &out->hull, 0, out->arena, &out->polygons, &error ) == bv_ok &&
			bvb_hull_simplify( points[set], &out->hull, 10, out->arena, &out->simple, &error ) == bv_ok;
		for ( uint32_t i = 0; i < 16 && out->good; ++i )
		{
			bv_vec3 d = { i % 3 - 1.0, i % 5 - 2.0, i % 7 - 3.0 };
			out->support[i] = bvb_hull_support( &out->polygons, d, BVB_ANY_VERTEX );
		}
	}
}

static bool same_bytes( const void* a, const void* b, size_t count, size_t size )
{
	return count == 0 || memcmp( a, b, count * size ) == 0;
}

static bool are_same( const outcome* a, const outcome* b )
{
	const bvb_hull_polygons* p = &a->polygons;
	const bvb_hull_polygons* q = &b->polygons;
	return a->good && b->good && a->hull.kind == b->hull.kind &&
	       a->hull.vertex_count == b->hull.vertex_count && a->hull.face_count == b->hull.face_count &&
	       a->hull.volume == b->hull.volume && a->hull.area == b->hull.area &&
	       p->polygon_count == q->polygon_count && p->half_edge_count == q->half_edge_count &&
	       a->simple.error == b->simple.error && a->simple.hull.vertex_count == b->simple.hull.vertex_count &&
	       same_bytes( a->hull.vertices, b->hull.vertices, a->hull.vertex_count, sizeof *a->hull.vertices ) &&
	       same_bytes( a->hull.faces, b->hull.faces, a->hull.face_count, sizeof *a->hull.faces ) &&
	       same_bytes( p->polygons, q->polygons, p->polygon_count, sizeof *p->polygons ) &&
	       same_bytes( p->half_edges, q->half_edges, p->half_edge_count, sizeof *p->half_edges ) &&
	       same_bytes( a->simple.points, b->simple.points, a->simple.hull.vertex_count, sizeof( bv_vec3 ) ) &&
	       memcmp( a->support, b->support, sizeof a->support ) == 0;
}

static void* run( void* argument )
{
	task* t = argument;
	for ( uint32_t i = 0; i < rounds * sets; ++i )
	{
		uint32_t set = ( t->first + i ) % sets;
		outcome o;
		work_out( set, &o );
		t->differences += !are_same( &o, &expected[set] );
		bvb_arena_destroy( o.arena );
	}
	return NULL;
}

static void several_threads_find_what_one_finds( void** state )
{
	(void)state;
	make_points();
	uint32_t solids = 0;
	for ( uint32_t set = 0; set < sets; ++set )
	{
		work_out( set, &expected[set] );
		assert_true( expected[set].good );
		solids += expected[set].hull.kind == bv_hull_polyhedron;
	}
	assert_true( solids >= sets / 2 && solids < sets );

	pthread_t thread[threads];
	task tasks[threads];
	for ( uint32_t i = 0; i < threads; ++i )
	{
		tasks[i] = ( task ){ .first = i * sets / threads };
		assert_int_equal( pthread_create( &thread[i], NULL, run, &tasks[i] ), 0 );
	}
	for ( uint32_t i = 0; i < threads; ++i )
	{
		assert_int_equal( pthread_join( thread[i], NULL ), 0 );
		assert_int_equal( tasks[i].differences, 0 );
	}
	for ( uint32_t set = 0; set < sets; ++set )
	{
		bvb_arena_destroy( expected[set].arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( several_threads_find_what_one_finds ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
