// How mesh and hull hang together, in the file: what is there is so, and each rule is checked.

#include "bvh_damage.h"

static bvb_bytes topology_file( fixture* f, const bvb_mesh* mesh, bvb_position_form form )
{
	bvb_asset_options options = plain_options();
	options.record.positions = form;
	options.sections |= 1u << bvb_section_adjacency | 1u << bvb_section_hull_topology;
	return build_bytes( f, mesh, &options );
}

static bvb_bytes box_file( fixture* f )
{
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return topology_file( f, &mesh, bvb_positions_float );
}

// By brute force: of each pair of vertices, the triangles with a side that joins them.
static uint32_t triangles_at( const bv_file* file, uint32_t a, uint32_t b, uint32_t found[2] )
{
	uint32_t count = 0;
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t c[3];
		bv_file_get_triangle( file, i, c );
		bool has_a = c[0] == a || c[1] == a || c[2] == a;
		bool has_b = c[0] == b || c[1] == b || c[2] == b;
		if ( has_a && has_b )
		{
			found[count < 2 ? count : 1] = i;
			count += 1;
		}
	}
	return count;
}

static void each_edge_has_the_triangles_that_have_it( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[3] = { box_mesh( f, 1, 2, 3 ), box_mesh( f, 1, 2, 3 ), bumpy_ball( f, 5 ) };
	meshes[1].triangle_count = 9; // open

	// Three triangles at one edge.
	meshes[2].triangles[0].corner[0] = meshes[2].triangles[5].corner[1];
	for ( int m = 0; m < 3; ++m )
	{
		const bv_file* file = open_bytes( topology_file( f, &meshes[m], bvb_positions_float ) );
		bv_mesh_info info = bv_file_get_mesh( file );
		uint32_t edges = 0;
		for ( uint32_t a = 0; a < info.vertices; ++a )
		{
			for ( uint32_t b = a + 1; b < info.vertices; ++b )
			{
				uint32_t found[2] = { 0, 0 };
				uint32_t count = triangles_at( file, a, b, found );
				if ( count == 0 )
				{
					continue;
				}
				bv_mesh_edge edge;
				assert_true( bv_file_get_mesh_edge( file, edges++, &edge ) );
				assert_true( edge.vertex[0] == a && edge.vertex[1] == b );
				if ( count == 2 )
				{
					uint32_t* t = edge.triangle;
					assert_true( ( t[0] == found[0] && t[1] == found[1] ) ||
					             ( t[0] == found[1] && t[1] == found[0] ) );
				}
				else
				{
					assert_int_equal( edge.triangle[1], BV_NO_TRIANGLE );
					assert_int_equal( edge.kind, count == 1 ? bv_edge_boundary : bv_edge_non_manifold );
				}
			}
		}
		assert_int_equal( edges, info.edges );
		bv_mesh_edge none;
		assert_false( bv_file_get_mesh_edge( file, edges, &none ) );
	}
}

// Six rectangles, twelve edges; each plane touches the box, and each half-edge and its twin run between two corners.
static void the_hull_of_a_box_has_six_polygons( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( box_file( f ) );
	bv_hull_topology_info info = bv_file_get_hull_topology( file );
	assert_int_equal( info.polygons, 6 );
	assert_int_equal( info.half_edges, 24 );
	double sum = 0;
	for ( uint32_t i = 0; i < 6; ++i )
	{
		bv_hull_facet facet;
		assert_true( bv_file_get_hull_facet( file, i, &facet ) );
		assert_int_equal( facet.edge_count, 4 );
		bv_vec3 n = facet.normal;
		assert_true( fabs( n.x * n.x + n.y * n.y + n.z * n.z - 1 ) < 1e-15 );
		sum += facet.offset;
		for ( uint32_t k = 0; k < 4; ++k )
		{
			bv_hull_half_edge edge;
			bv_hull_half_edge twin;
			bv_hull_half_edge next;
			assert_true( bv_file_get_hull_half_edge( file, facet.first_edge + k, &edge ) );
			assert_true( bv_file_get_hull_half_edge( file, edge.twin, &twin ) );
			assert_true( bv_file_get_hull_half_edge( file, edge.next, &next ) );
			assert_true( edge.polygon == i && twin.polygon != i && next.polygon == i );
			assert_true( next.origin == twin.origin );
			bv_vec3 p = bv_file_get_hull_position( file, edge.origin );
			assert_true( fabs( n.x * p.x + n.y * p.y + n.z * p.z - facet.offset ) < 1e-14 );
		}
	}
	// Three sides through the origin, three at 1, 2 and 3.
	assert_true( fabs( sum - 6 ) < 1e-14 );
	bv_hull_facet none;
	bv_hull_half_edge no_edge;
	assert_false( bv_file_get_hull_facet( file, 6, &none ) );
	assert_false( bv_file_get_hull_half_edge( file, 24, &no_edge ) );
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Against all vertices: from any of them a climb along neighbors, and a look at the loose ones, finds the greatest.
static void climbing_along_neighbors_ends_at_the_top( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	const bv_file* file = open_bytes( topology_file( f, &mesh, bvb_positions_quantized ) );
	bv_hull_info hull = bv_file_get_hull( file );
	for ( int i = 0; i < 500; ++i )
	{
		bv_vec3 d = random_point( f );
		d = ( bv_vec3 ){ d.x - 0.5, d.y - 0.5, d.z - 0.5 };
		double greatest = -1e9;
		for ( uint32_t v = 0; v < hull.vertices; ++v )
		{
			greatest = fmax( greatest, dot( d, bv_file_get_hull_position( file, v ) ) );
		}
		uint32_t at = (uint32_t)( random_bits( f ) % hull.vertices );
		double height = dot( d, bv_file_get_hull_position( file, at ) );
		for ( bool higher = true; higher; )
		{
			const uint32_t* neighbor;
			uint32_t count = bv_file_get_hull_neighbors( file, at, &neighbor );
			higher = false;
			for ( uint32_t k = 0; k < count; ++k )
			{
				double other = dot( d, bv_file_get_hull_position( file, neighbor[k] ) );
				if ( other > height )
				{
					height = other;
					at = neighbor[k];
					higher = true;
				}
			}
		}
		const uint32_t* loose;
		bv_file_get_hull_loose( file, &loose );
		for ( uint32_t k = 0; k < bv_file_get_hull_topology( file ).loose; ++k )
		{
			height = fmax( height, dot( d, bv_file_get_hull_position( file, loose[k] ) ) );
		}
		assert_true( height == greatest );
	}
	const uint32_t* none;
	assert_int_equal( bv_file_get_hull_neighbors( file, hull.vertices, &none ), 0 );
	assert_null( none );
}

static void a_flat_hull_has_no_topology( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	mesh.triangle_count = 2;
	const uint32_t* none;
	const bv_file* file = open_bytes( topology_file( f, &mesh, bvb_positions_float ) );
	assert_int_equal( bv_file_get_hull( file ).kind, bv_hull_polygon );
	assert_int_equal( bv_file_get_hull_topology( file ).half_edges, 0 );
	assert_int_equal( bv_file_get_hull_neighbors( file, 0, &none ), 0 );
	bv_file_get_hull_loose( file, &none );
	assert_null( none );
}

static bvfile_edge* edges_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_adjacency );
}
static void exchange_vertices( bvb_bytes b )
{
	uint32_t* vertex = edges_of( b )[3].vertex;
	uint32_t first = vertex[0];
	vertex[0] = vertex[1];
	vertex[1] = first;
}
static void use_vertex_8( bvb_bytes b )
{
	edges_of( b )[17].vertex[1] = 8;
}
static void use_triangle_12( bvb_bytes b )
{
	edges_of( b )[0].triangle[0] = 12;
}
static void use_second_triangle_12( bvb_bytes b )
{
	edges_of( b )[0].triangle[1] = 12;
}
static void leave_out_a_triangle( bvb_bytes b )
{
	edges_of( b )[0].triangle[1] = BV_NO_TRIANGLE;
}
static void bound_two_triangles( bvb_bytes b )
{
	edges_of( b )[0].kind = bv_edge_boundary;
}
static void use_kind_6( bvb_bytes b )
{
	edges_of( b )[0].kind = 6;
}
static void exchange_edges( bvb_bytes b )
{
	bvfile_edge first = edges_of( b )[4];
	edges_of( b )[4] = edges_of( b )[5];
	edges_of( b )[5] = first;
}
static void repeat_an_edge( bvb_bytes b )
{
	edges_of( b )[5] = edges_of( b )[4];
}
static void count_kinds_wrong( bvb_bytes b )
{
	bvfile_edge* e = edges_of( b );
	while ( e->kind != bv_edge_flat )
	{
		++e;
	}
	e->kind = bv_edge_concave;
}

static bvfile_hull_topology* topology_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_hull_topology );
}
static bvfile_polygon* polygons_of( bvb_bytes b )
{
	return (bvfile_polygon*)( topology_of( b ) + 1 );
}
static bvfile_half_edge* half_edges_of( bvb_bytes b )
{
	return (bvfile_half_edge*)( polygons_of( b ) + topology_of( b )->polygons );
}
static uint32_t* neighbors_of( bvb_bytes b )
{
	return (uint32_t*)( half_edges_of( b ) + topology_of( b )->half_edges );
}
static void count_polygons_wrong( bvb_bytes b )
{
	topology_of( b )->polygons += 1;
}
static void count_many_half_edges( bvb_bytes b )
{
	topology_of( b )->half_edges = UINT32_MAX;
}
static void break_normal( bvb_bytes b )
{
	polygons_of( b )[2].normal[1] = NAN;
}
static void begin_a_polygon_elsewhere( bvb_bytes b )
{
	polygons_of( b )[1].first_edge = 0;
}
static void take_two_sides( bvb_bytes b )
{
	polygons_of( b )[0].edge_count = 2;
}
static void take_too_many_sides( bvb_bytes b )
{
	polygons_of( b )[5].edge_count = 5;
}
static void leave_a_side( bvb_bytes b )
{
	polygons_of( b )[5].edge_count = 3;
}
static void go_on_elsewhere( bvb_bytes b )
{
	half_edges_of( b )[2].next = 1;
}
static void be_of_another_polygon( bvb_bytes b )
{
	half_edges_of( b )[2].polygon = 1;
}
static void begin_at_vertex_8( bvb_bytes b )
{
	half_edges_of( b )[2].origin = 8;
}
static void begin_at_another_vertex( bvb_bytes b )
{
	half_edges_of( b )[2].origin ^= 1;
}
static void be_ones_own_twin( bvb_bytes b )
{
	half_edges_of( b )[2].twin = 2;
}
static void be_a_twins_third( bvb_bytes b )
{
	half_edges_of( b )[2].twin = half_edges_of( b )[3].twin;
}
static void have_twin_24( bvb_bytes b )
{
	half_edges_of( b )[2].twin = 24;
}
static void begin_neighbors_late( bvb_bytes b )
{
	neighbors_of( b )[0] = 1;
}
static void let_neighbors_descend( bvb_bytes b )
{
	neighbors_of( b )[3] = 999;
}
static void end_neighbors_early( bvb_bytes b )
{
	neighbors_of( b )[8] -= 1;
}
static void have_neighbor_8( bvb_bytes b )
{
	neighbors_of( b )[9] = 8;
}
// The last two neighbors become loose vertices: they are not in order.
static void loosen_out_of_order( bvb_bytes b )
{
	uint32_t neighbors = topology_of( b )->neighbors;
	topology_of( b )->neighbors -= 2;
	topology_of( b )->loose += 2;
	neighbors_of( b )[8] -= 2;
	neighbors_of( b )[9 + neighbors - 1] = neighbors_of( b )[9 + neighbors - 2];
}
static void loosen_vertex_8( bvb_bytes b )
{
	uint32_t neighbors = topology_of( b )->neighbors;
	topology_of( b )->neighbors -= 1;
	topology_of( b )->loose += 1;
	neighbors_of( b )[8] -= 1;
	neighbors_of( b )[9 + neighbors - 1] = 8;
}

static void each_rule_is_checked( void** state )
{
	fixture* f = *state;
	static const char edge[] = "an edge of the adjacency section is invalid";
	static const char order[] = "the edges of the adjacency section are not in ascending order";
	static const char size[] = "the section of the hull's topology has the wrong size";
	static const char polygon[] = "a polygon of the hull is invalid";
	static const char half_edge[] = "a half-edge of the hull is invalid";
	static const char neighbor[] = "the neighbors of the hull's vertices are invalid";
	static const damage damages[] = {
		{ edge, exchange_vertices },
		{ edge, use_vertex_8 },
		{ edge, use_triangle_12 },
		{ edge, use_second_triangle_12 },
		{ edge, leave_out_a_triangle },
		{ edge, bound_two_triangles },
		{ edge, use_kind_6 },
		{ order, exchange_edges },
		{ order, repeat_an_edge },
		{ "the edge kinds of the adjacency section differ from the mesh section's counts",
		  count_kinds_wrong },
		{ size, count_polygons_wrong },
		{ size, count_many_half_edges },
		{ polygon, break_normal },
		{ polygon, begin_a_polygon_elsewhere },
		{ polygon, take_two_sides },
		{ polygon, take_too_many_sides },
		{ polygon, leave_a_side },
		{ polygon, go_on_elsewhere },
		{ polygon, be_of_another_polygon },
		{ half_edge, begin_at_vertex_8 },
		{ half_edge, begin_at_another_vertex },
		{ half_edge, be_ones_own_twin },
		{ half_edge, be_a_twins_third },
		{ half_edge, have_twin_24 },
		{ neighbor, begin_neighbors_late },
		{ neighbor, let_neighbors_descend },
		{ neighbor, end_neighbors_early },
		{ neighbor, have_neighbor_8 },
		{ neighbor, loosen_out_of_order },
		{ neighbor, loosen_vertex_8 },
	};
	expect_refused( f, box_file( f ), damages, sizeof damages / sizeof *damages );
}

// A triangle that does not have the edge, a plane moved outwards, two neighbors exchanged: all within the rules.
static void verify_finds_what_is_not_so( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3; ++i )
	{
		bvb_bytes bytes = copy_of( f, box_file( f ) );
		bvb_error error;
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		uint32_t* list = neighbors_of( bytes ) + 9;
		uint32_t first = list[0];
		switch ( i )
		{
		case 0: edges_of( bytes )[7].triangle[0] = ( edges_of( bytes )[7].triangle[0] + 6 ) % 12; break;
		case 1: polygons_of( bytes )[4].offset += 1e-3; break;
		default:
			list[0] = list[1];
			list[1] = first;
			break;
		}
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_string_equal( error.message,
		                     i == 0 ? "edge 7 of the adjacency section differs from that of the triangles"
		                            : "the hull's stored topology differs from that of its triangles" );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( each_edge_has_the_triangles_that_have_it ),
		fixture_test( the_hull_of_a_box_has_six_polygons ),
		fixture_test( climbing_along_neighbors_ends_at_the_top ),
		fixture_test( a_flat_hull_has_no_topology ),
		fixture_test( each_rule_is_checked ),
		fixture_test( verify_finds_what_is_not_so ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
