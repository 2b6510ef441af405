// The fast construction of the mesh of record gives the same result as the general one, which
// test_mesh_record.c checks. An unreferenced vertex with a NaN coordinate forces the general construction and
// changes only the number of unused vertices.

#include "bvbuild/mesh.h"

#include "offline/mesh/distinct.h"
#include "tests/reference/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum
{
	most_vertices = 3000,
	most_triangles = 6000,
};

typedef struct source
{
	bv_vec3 positions[most_vertices + 1];
	bvb_triangle triangles[most_triangles];
	bvb_mesh mesh;
} source;

static uint32_t draw( uint64_t* seed, uint32_t count )
{
	return next_random( seed ) % count;
}

// Vertices on a grid or anywhere, as floats or not; triangles anywhere, some of which repeat others, or are flat, or become
// so when they are snapped.
static void make_source( source* s, uint64_t* seed )
{
	uint32_t vertices = 4 + draw( seed, most_vertices - 4 );
	uint32_t triangles = 1 + draw( seed, most_triangles );
	bool on_grid = draw( seed, 2 );
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bv_vec3 p = { random_coordinate( seed ), random_coordinate( seed ), random_coordinate( seed ) };
		p = on_grid ? ( bv_vec3 ){ i % 16, i / 16 % 16 + ( i % 5 == 0 ? 0x1p-40 : 0 ), i / 256 } : p;
		s->positions[i] = i % 7 == 0 ? ( bv_vec3 ){ p.x, p.y, -0.0 } : p;
		s->positions[i].z += on_grid && i % 7 == 0 ? i / 256 : 0;
	}
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t first = draw( seed, vertices );
		uint32_t kind = draw( seed, 12 );
		bvb_triangle t = { { first, draw( seed, vertices ), draw( seed, vertices ) } };
		t = kind == 0            ? ( bvb_triangle ){ { first, first, t.corner[2] } }
		    : kind == 1 && i > 0 ? s->triangles[draw( seed, i )]
		    : kind < 6 && on_grid
		        ? ( bvb_triangle ){ { first, ( first + 1 ) % vertices, ( first + 2 ) % vertices } }
		        : t;
		uint32_t turn = draw( seed, 3 );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			s->triangles[i].corner[k] = t.corner[( k + turn ) % 3];
		}
	}
	s->mesh = ( bvb_mesh ){ .positions = s->positions,
		                    .vertex_count = vertices,
		                    .triangles = s->triangles,
		                    .triangle_count = triangles };
}

static void assert_same( const bvb_record* a, const bvb_record* b )
{
	assert_int_equal( a->mesh.vertex_count, b->mesh.vertex_count );
	assert_int_equal( a->mesh.triangle_count, b->mesh.triangle_count );
	assert_memory_equal( a->mesh.positions, b->mesh.positions,
	                     a->mesh.vertex_count * sizeof *a->mesh.positions );
	assert_memory_equal( a->mesh.triangles, b->mesh.triangles,
	                     a->mesh.triangle_count * sizeof *a->mesh.triangles );
	assert_memory_equal( a->mesh.origin, b->mesh.origin, a->mesh.triangle_count * sizeof *a->mesh.origin );
	assert_true( a->removed_degenerate == b->removed_degenerate &&
	             a->removed_duplicate == b->removed_duplicate &&
	             a->removed_non_finite == b->removed_non_finite && a->merged_vertices == b->merged_vertices );
	assert_true( a->largest_displacement == b->largest_displacement );
	assert_int_equal( a->form, b->form );
}

// @return whether the short way was taken
static bool check( source* s, const bvb_record_options* options )
{
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_record way;
	bvb_record by_short;
	bvb_record by_long;
	bvb_error error = { "" };
	bvb_error other = { "" };
	bool done;
	memset( &way, 0, sizeof way );
	assert_int_equal( bvmesh_record_distinct( &s->mesh, options, arena, &way, &done, &error ), bv_ok );
	bv_status status = bvb_mesh_record( &s->mesh, options, arena, &by_short, &error );
	s->positions[s->mesh.vertex_count++] = ( bv_vec3 ){ NAN, 0, 0 };
	assert_int_equal( bvb_mesh_record( &s->mesh, options, arena, &by_long, &other ), status );
	s->mesh.vertex_count -= 1;
	assert_string_equal( error.message, other.message );
	if ( status == bv_ok )
	{
		assert_same( &by_short, &by_long );
		assert_int_equal( by_short.unused_vertices + 1, by_long.unused_vertices );
	}
	bvb_arena_destroy( arena );
	return done;
}

static void the_short_way_makes_the_same_record( void** state )
{
	(void)state;
	static source s;
	uint64_t seed = 71;
	int taken = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bvb_record_options options = bvb_record_options_default();
		make_source( &s, &seed );
		options.threads = 1 + draw( &seed, 5 );
		options.up = (bvb_up)draw( &seed, 3 );
		options.scale = draw( &seed, 2 ) ? 1 : 0.37;
		taken += check( &s, &options );
	}
	assert_int_equal( taken, 300 );
}

static void what_it_is_not_for_is_left_alone( void** state )
{
	(void)state;
	static source s;
	uint64_t seed = 72;
	for ( int i = 0; i < 60; ++i )
	{
		bvb_record_options options = bvb_record_options_default();
		make_source( &s, &seed );
		options.threads = 1 + draw( &seed, 3 );
		uint32_t vertex = draw( &seed, s.mesh.vertex_count - 1 );
		switch ( i % 10 )
		{
		case 0: s.positions[vertex] = s.positions[vertex + 1]; break;
		case 1:
			s.positions[vertex].x = nextafter( s.positions[vertex].x, 9 );
			s.positions[vertex + 1] = s.positions[vertex];
			s.positions[vertex + 1].x = nextafter( s.positions[vertex].x, -9 );
			break;
		case 2: s.positions[vertex].y = INFINITY; break;
		case 3: s.positions[vertex].y = 1e37; break;
		case 4: s.triangles[0].corner[1] = s.mesh.vertex_count; break;
		case 5: options.weld = 0.01; break;
		case 6: options.normalize = true; break;
		case 7: options.positions = bvb_positions_quantized; break;
		case 8: options.scale = 1e-38; break;
		default:
			s.mesh.triangle_count = 1;
			s.triangles[0] = ( bvb_triangle ){ { 1, 1, 2 } };
			break;
		}
		if ( i % 10 == 4 )
		{
			// The long way's own vertex would be the one that is missing.
			bvb_arena* arena = bvb_arena_create();
			bvb_record record;
			bvb_error error;
			assert_int_equal( bvb_mesh_record( &s.mesh, &options, arena, &record, &error ), bv_error_input );
			bvb_arena_destroy( arena );
			continue;
		}
		assert_false( check( &s, &options ) );
	}
}

// Keys that share their last bits, as those of coordinates that are small whole numbers do.
static void whole_numbers_are_told_apart( void** state )
{
	(void)state;
	static source s;
	bvb_record_options options = bvb_record_options_default();
	for ( uint32_t i = 0; i < 2744; ++i )
	{
		s.positions[i] = ( bv_vec3 ){ ldexp( i % 14, 20 ), ldexp( i / 14 % 14, -20 ), i / 196 };
		s.triangles[i] = ( bvb_triangle ){ { i, ( i + 1 ) % 2744, ( i + 400 ) % 2744 } };
	}
	s.mesh = ( bvb_mesh ){
		.positions = s.positions, .vertex_count = 2744, .triangles = s.triangles, .triangle_count = 2744
	};
	assert_true( check( &s, &options ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( the_short_way_makes_the_same_record ),
		cmocka_unit_test( what_it_is_not_for_is_left_alone ),
		cmocka_unit_test( whole_numbers_are_told_apart ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
