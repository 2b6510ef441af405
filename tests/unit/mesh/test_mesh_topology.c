// Edges, components, closedness, manifoldness and double-sided pairs of meshes whose answers are known.

#include "bvbuild/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// Positions decide only which edges are convex, concave or flat; here they are scattered.
static bvb_topology topology_of( const bvb_triangle* triangles, uint32_t count, uint32_t vertices )
{
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_mesh mesh = { .positions = bvb_arena_allocate( arena, vertices, sizeof *mesh.positions ),
		              .triangles = (bvb_triangle*)triangles,
		              .triangle_count = count,
		              .vertex_count = vertices };
	assert_non_null( mesh.positions );
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		mesh.positions[v] = ( bv_vec3 ){ v % 7, v % 11, v % 13 + v };
	}
	bvb_topology result;
	assert_int_equal( bvb_mesh_topology( &mesh, arena, &result, NULL, NULL ), bv_ok );
	bvb_arena_destroy( arena );
	return result;
}

static void assert_topology( bvb_topology t, uint32_t edges, uint32_t components, bool closed, bool manifold,
                             uint32_t double_sided )
{
	assert_int_equal( t.edges, edges );
	assert_int_equal( t.components, components );
	assert_int_equal( t.closed, closed );
	assert_int_equal( t.manifold, manifold );
	assert_int_equal( t.double_sided, double_sided );
	uint32_t of_all_kinds = 0;
	for ( int kind = 0; kind < bv_edge_kinds; ++kind )
	{
		of_all_kinds += t.edges_of_kind[kind];
	}
	assert_int_equal( of_all_kinds, edges );
}

static const bvb_triangle cube[12] = {
	{ { 0, 2, 1 } }, { { 1, 2, 3 } }, { { 4, 5, 6 } }, { { 5, 7, 6 } }, { { 0, 1, 4 } }, { { 1, 5, 4 } },
	{ { 2, 6, 3 } }, { { 3, 6, 7 } }, { { 0, 4, 2 } }, { { 2, 4, 6 } }, { { 1, 3, 5 } }, { { 3, 7, 5 } },
};

// A second cube whose corners are those of the first, renumbered by `vertex`.
static void append_cube( bvb_triangle* out, const uint32_t vertex[8] )
{
	for ( int t = 0; t < 12; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out[t].corner[k] = vertex[cube[t].corner[k]];
		}
	}
}

static void tetrahedron( void** state )
{
	(void)state;
	const bvb_triangle t[4] = { { { 0, 2, 1 } }, { { 0, 1, 3 } }, { { 1, 2, 3 } }, { { 2, 0, 3 } } };
	assert_topology( topology_of( t, 4, 4 ), 6, 1, true, true, 0 );
}

static void a_face_turned_over_makes_edges_of_opposed_winding( void** state )
{
	(void)state;
	const bvb_triangle t[4] = { { { 0, 1, 2 } }, { { 0, 1, 3 } }, { { 1, 2, 3 } }, { { 2, 0, 3 } } };
	assert_topology( topology_of( t, 4, 4 ), 6, 1, false, false, 0 );
}

// The turned face shares each of its edges with one other; a book's spine is no edge of two triangles.
static void only_edges_of_two_triangles_decide_orientation( void** state )
{
	(void)state;
	const bvb_triangle turned[4] = { { { 0, 1, 2 } }, { { 0, 1, 3 } }, { { 1, 2, 3 } }, { { 2, 0, 3 } } };
	const bvb_triangle book[3] = { { { 0, 1, 2 } }, { { 0, 1, 3 } }, { { 0, 1, 4 } } };
	bvb_topology t = topology_of( turned, 4, 4 );
	assert_false( t.oriented );
	assert_int_equal( t.edges_of_kind[bv_edge_flipped], 3 );
	t = topology_of( book, 3, 5 );
	assert_true( t.oriented );
	assert_int_equal( t.edges_of_kind[bv_edge_non_manifold], 1 );
	assert_int_equal( t.edges_of_kind[bv_edge_boundary], 6 );
}

static void closed_cube( void** state )
{
	(void)state;
	assert_topology( topology_of( cube, 12, 8 ), 18, 1, true, true, 0 );
}

// Boundary edges are fine for a manifold. Without its first two triangles the cube loses one diagonal.
static void open_cup( void** state )
{
	(void)state;
	assert_topology( topology_of( cube + 2, 10, 8 ), 17, 1, false, true, 0 );
}

static void single_triangle( void** state )
{
	(void)state;
	const bvb_triangle t = { { 5, 2, 9 } };
	assert_topology( topology_of( &t, 1, 10 ), 3, 1, false, true, 0 );
}

static void no_triangles( void** state )
{
	(void)state;
	assert_topology( topology_of( NULL, 0, 0 ), 0, 0, true, true, 0 );
}

// A strip of five triangles closed with a half turn (the least Moebius strip): it cannot be oriented, so
// somewhere two triangles run through an edge in the same direction. 5 vertices, all 10 pairs are edges.
static void moebius_strip( void** state )
{
	(void)state;
	const bvb_triangle t[5] = {
		{ { 0, 1, 2 } }, { { 1, 3, 2 } }, { { 2, 3, 4 } }, { { 3, 0, 4 } }, { { 4, 0, 1 } }
	};
	assert_topology( topology_of( t, 5, 5 ), 10, 1, false, false, 0 );
}

// The same number of triangles without the half turn needs no more than a boundary.
static void annulus( void** state )
{
	(void)state;
	const bvb_triangle t[6] = { { { 0, 1, 3 } }, { { 1, 4, 3 } }, { { 1, 2, 4 } },
		                        { { 2, 5, 4 } }, { { 2, 0, 5 } }, { { 0, 3, 5 } } };
	assert_topology( topology_of( t, 6, 6 ), 12, 1, false, true, 0 );
}

static void two_cubes_sharing_a_vertex_have_two_fans_there( void** state )
{
	(void)state;
	bvb_triangle t[24];
	append_cube( t, ( uint32_t[8] ){ 0, 1, 2, 3, 4, 5, 6, 7 } );
	append_cube( t + 12, ( uint32_t[8] ){ 7, 8, 9, 10, 11, 12, 13, 14 } );
	assert_topology( topology_of( t, 24, 15 ), 36, 1, true, false, 0 );
}

static void two_cubes_sharing_an_edge_have_four_triangles_there( void** state )
{
	(void)state;
	bvb_triangle t[24];
	append_cube( t, ( uint32_t[8] ){ 0, 1, 2, 3, 4, 5, 6, 7 } );
	append_cube( t + 12, ( uint32_t[8] ){ 6, 7, 8, 9, 10, 11, 12, 13 } );
	assert_topology( topology_of( t, 24, 14 ), 35, 1, true, false, 0 );
}

// Two open fans that touch in a vertex, with a boundary each.
static void a_bow_tie_is_not_manifold( void** state )
{
	(void)state;
	const bvb_triangle t[2] = { { { 0, 1, 2 } }, { { 0, 3, 4 } } };
	assert_topology( topology_of( t, 2, 5 ), 6, 1, false, false, 0 );
}

static void double_sided_quad( void** state )
{
	(void)state;
	const bvb_triangle t[4] = { { { 0, 1, 2 } }, { { 0, 2, 3 } }, { { 2, 1, 0 } }, { { 3, 2, 0 } } };
	assert_topology( topology_of( t, 4, 4 ), 5, 1, true, false, 2 );
}

// A closed surface of two triangles: every edge has one of each direction, every vertex one fan of two.
static void double_sided_triangle( void** state )
{
	(void)state;
	const bvb_triangle t[2] = { { { 0, 1, 2 } }, { { 1, 0, 2 } } };
	assert_topology( topology_of( t, 2, 3 ), 3, 1, true, true, 1 );
}

// Both sides of one sheet but different diagonals: closed, and no pair covers the same vertices.
static void quad_with_crossed_diagonals_is_no_pair( void** state )
{
	(void)state;
	const bvb_triangle t[4] = { { { 0, 1, 2 } }, { { 0, 2, 3 } }, { { 0, 3, 1 } }, { { 1, 3, 2 } } };
	assert_topology( topology_of( t, 4, 4 ), 6, 1, true, true, 0 );
}

static void three_page_book( void** state )
{
	(void)state;
	const bvb_triangle t[3] = { { { 0, 1, 2 } }, { { 1, 0, 3 } }, { { 0, 1, 4 } } };
	assert_topology( topology_of( t, 3, 5 ), 7, 1, false, false, 0 );
}

// Pages with both sides: the spine has as many triangles forwards as backwards, each page is a pair.
static void book_with_double_sided_pages( void** state )
{
	(void)state;
	enum
	{
		pages = 500,
	};
	bvb_triangle t[2 * pages];
	for ( uint32_t i = 0; i < pages; ++i )
	{
		t[i] = ( bvb_triangle ){ { 0, 1, i + 2 } };
		t[pages + i] = ( bvb_triangle ){ { pages + 1 - i, 1, 0 } };
	}
	assert_topology( topology_of( t, 2 * pages, pages + 2 ), 2 * pages + 1, 1, true, false, pages );
}

static void many_components_and_unused_vertices( void** state )
{
	(void)state;
	enum
	{
		count = 1000,
	};
	bvb_triangle* t = malloc( count * sizeof *t );
	assert_non_null( t );
	for ( uint32_t i = 0; i < count; ++i )
	{
		t[i] = ( bvb_triangle ){ { 4 * i + 2, 4 * i, 4 * i + 3 } };
	}
	assert_topology( topology_of( t, count, 4 * count ), 3 * count, count, false, true, 0 );
	free( t );
}

// A torus of n x n quads: V - E + F = 0, so 3 n^2 edges; the numbering is scattered by a factor prime to n^2.
static void torus( void** state )
{
	(void)state;
	enum
	{
		n = 100,
	};
	bvb_triangle* t = malloc( 2 * n * n * sizeof *t );
	assert_non_null( t );
	for ( uint32_t i = 0; i < n * n; ++i )
	{
		uint32_t right = i / n * n + ( i + 1 ) % n;
		uint32_t up = ( i + n ) % ( n * n );
		uint32_t both = right / n == n - 1 ? right % n : right + n;
		const uint32_t scatter = 7919;
		uint32_t v[4] = { i * scatter % ( n * n ), right * scatter % ( n * n ), both * scatter % ( n * n ),
			              up * scatter % ( n * n ) };
		t[2 * i] = ( bvb_triangle ){ { v[0], v[1], v[2] } };
		t[2 * i + 1] = ( bvb_triangle ){ { v[2], v[3], v[0] } };
	}
	assert_topology( topology_of( t, 2 * n * n, n * n ), 3 * n * n, 1, true, true, 0 );
	assert_topology( topology_of( t, 2 * n * n - 1, n * n ), 3 * n * n, 1, false, true, 0 );
	free( t );
}

// One vertex in all triangles: a disc whose boundary is the rim.
static void a_fan_of_many_triangles( void** state )
{
	(void)state;
	enum
	{
		count = 100000,
	};
	bvb_triangle* t = malloc( count * sizeof *t );
	assert_non_null( t );
	for ( uint32_t i = 0; i < count; ++i )
	{
		t[i] = ( bvb_triangle ){ { i, ( i + 1 ) % count, count } };
	}
	assert_topology( topology_of( t, count, count + 1 ), 2 * count, 1, false, true, 0 );
	free( t );
}

static void out_of_memory_is_reported( void** state )
{
	(void)state;
	bv_vec3 positions[8] = { { 0, 0, 0 } };
	bvb_mesh mesh = { positions, (bvb_triangle*)cube, 8, 12, NULL };
	bvb_topology result;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create_limited( 64 );
	assert_non_null( arena );
	assert_int_equal( bvb_mesh_topology( &mesh, arena, &result, NULL, &error ), bv_error_memory );
	assert_string_equal( error.message, "out of memory" );
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( tetrahedron ),
		cmocka_unit_test( a_face_turned_over_makes_edges_of_opposed_winding ),
		cmocka_unit_test( only_edges_of_two_triangles_decide_orientation ),
		cmocka_unit_test( closed_cube ),
		cmocka_unit_test( open_cup ),
		cmocka_unit_test( single_triangle ),
		cmocka_unit_test( no_triangles ),
		cmocka_unit_test( moebius_strip ),
		cmocka_unit_test( annulus ),
		cmocka_unit_test( two_cubes_sharing_a_vertex_have_two_fans_there ),
		cmocka_unit_test( two_cubes_sharing_an_edge_have_four_triangles_there ),
		cmocka_unit_test( a_bow_tie_is_not_manifold ),
		cmocka_unit_test( double_sided_quad ),
		cmocka_unit_test( double_sided_triangle ),
		cmocka_unit_test( quad_with_crossed_diagonals_is_no_pair ),
		cmocka_unit_test( three_page_book ),
		cmocka_unit_test( book_with_double_sided_pages ),
		cmocka_unit_test( many_components_and_unused_vertices ),
		cmocka_unit_test( torus ),
		cmocka_unit_test( a_fan_of_many_triangles ),
		cmocka_unit_test( out_of_memory_is_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
