// Palmer's and Grimsdale's sphere trees: cells that are known by hand, which faces each holds, what no division takes apart.

#include "spheres.h"

static uint32_t leaf_count( const bvlit_sphere_tree* tree )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		count += tree->nodes[i].children == 0;
	}
	return count;
}

static void assert_sphere( const bv_sphere* s, double x, double y, double z, double radius )
{
	bv_vec3 center = { x, y, z };
	assert_true( distance_between( s->center, center ) <= 1e-12 );
	assert_true( fabs( s->radius - radius ) <= 1e-12 );
}

static bvb_mesh flat_squares( fixture* f, uint32_t side )
{
	bvb_mesh mesh = soup_create( f, 2 * side * side );
	for ( uint32_t i = 0; i < side * side; ++i )
	{
		double x = i % side;
		double y = i / side;
		bv_vec3* p = mesh.positions + 6 * (size_t)i;
		p[0] = ( bv_vec3 ){ x, y, 0 };
		p[1] = ( bv_vec3 ){ x + 1, y, 0 };
		p[2] = ( bv_vec3 ){ x + 1, y + 1, 0 };
		p[3] = p[0];
		p[4] = p[2];
		p[5] = ( bv_vec3 ){ x, y + 1, 0 };
	}
	return mesh;
}

// A sheet of 2^k by 2^k squares of two faces each: a cell of 4^i squares is divided into four, down to single squares, and faces
// that only touch a plane between cells are on one side of it.
static void a_sheet_of_squares_becomes_a_quadtree( void** state )
{
	fixture* f = *state;
	for ( uint32_t k = 0; k <= 4; ++k )
	{
		uint32_t side = 1u << k;
		bvb_mesh mesh = flat_squares( f, side );
		bvlit_sphere_options options = sphere_options();
		options.leaf_faces = 2;
		bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &mesh, &options );
		assert_int_equal( tree.node_count, ( 4 * side * side - 1 ) / 3 );
		assert_int_equal( leaf_count( &tree ), side * side );
		assert_int_equal( tree.face_count, 2 * side * side );
		assert_int_equal( check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 ), k );
		assert_sphere( &tree.nodes[0].sphere, side / 2.0, side / 2.0, 0, side / sqrt( 2 ) );
		if ( k > 0 )
		{
			assert_sphere( &tree.nodes[2].sphere, 0.75 * side, side / 4.0, 0, side / sqrt( 8 ) );
		}

		// As many as there may be in a cell: with eight, squares of two by two.
		options.leaf_faces = 8;
		tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &mesh, &options );
		assert_int_equal( leaf_count( &tree ), k == 0 ? 1 : side * side / 4 );
	}
}

// Three by three squares are cut through the middle: a corner of the sheet is the faces of one square, of two halves and of a quarter, of
// which the diagonals leave both faces where they run from the cell's corner, and both of halves. So eight in each quarter along the
// diagonal; across it the quarter of the square in the middle is one face only: seven.
static void faces_across_a_cut_are_on_both_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = flat_squares( f, 3 );
	bvlit_sphere_options options = sphere_options();
	options.leaf_faces = 8;
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &mesh, &options );
	static const uint32_t expected[] = { 8, 7, 7, 8 };
	assert_int_equal( tree.node_count, 5 );
	for ( uint32_t i = 0; i < 4; ++i )
	{
		assert_int_equal( tree.nodes[1 + i].faces, expected[i] );
	}
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// The box of a node, from its sphere and the root's proportions.
static void box_of_node( const bvlit_sphere_tree* tree, const bvb_mesh* mesh, uint32_t index, bv_vec3* lower,
                         bv_vec3* upper )
{
	bv_aabb box = bvb_fit_aabb( mesh->positions, mesh->vertex_count );
	bv_vec3 half = { ( box.upper.x - box.lower.x ) / 2, ( box.upper.y - box.lower.y ) / 2,
		             ( box.upper.z - box.lower.z ) / 2 };
	double scale = tree->nodes[index].sphere.radius / tree->nodes[0].sphere.radius;
	bv_vec3 c = tree->nodes[index].sphere.center;
	*lower = ( bv_vec3 ){ c.x - scale * half.x, c.y - scale * half.y, c.z - scale * half.z };
	*upper = ( bv_vec3 ){ c.x + scale * half.x, c.y + scale * half.y, c.z + scale * half.z };
}

static bool is_between( bv_vec3 p, bv_vec3 lower, bv_vec3 upper, double margin )
{
	return p.x >= lower.x + margin && p.x <= upper.x - margin && p.y >= lower.y + margin &&
	       p.y <= upper.y - margin && p.z >= lower.z + margin && p.z <= upper.z - margin;
}

// A leaf lists each face of which a sampled point is in its box, and none that has no point there.
static void cells_list_the_faces_that_pass_through( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 40 );
	for ( uint32_t i = 0; i < 120; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	bvlit_sphere_options options = sphere_options();
	options.leaf_faces = 4;
	options.max_depth = 4;
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &mesh, &options );
	uint32_t listed = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		bv_vec3 lower;
		bv_vec3 upper;
		box_of_node( &tree, &mesh, i, &lower, &upper );
		for ( uint32_t t = 0; node->children == 0 && t < 40; ++t )
		{
			bool lists = false;
			for ( uint32_t k = 0; k < node->faces; ++k )
			{
				lists = lists || tree.face[node->first_face + k] == t;
			}
			const int steps = 200;
			bool inside = false;
			bool about = false;
			for ( int a = 0; a <= steps; ++a )
			{
				for ( int b = 0; a + b <= steps; ++b )
				{
					const bv_vec3* p = mesh.positions + 3 * (size_t)t;
					double u = (double)a / steps;
					double v = (double)b / steps;
					double w = 1 - u - v;
					bv_vec3 at = { w * p[0].x + u * p[1].x + v * p[2].x, w * p[0].y + u * p[1].y + v * p[2].y,
						           w * p[0].z + u * p[1].z + v * p[2].z };
					inside = inside || is_between( at, lower, upper, 1e-9 );
					about = about || is_between( at, lower, upper, -0.02 );
				}
			}
			assert_true( !inside || lists );
			assert_true( !lists || about );
			listed += lists;
		}
	}
	assert_true( listed > 200 );
	check_sphere_tree( &mesh, &tree, 4, 40 );
}

// Faces that share a corner in a cell, faces that share a side, and copies of one: division would never end.
static void what_no_division_takes_apart_stays_whole( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvlit_sphere_options options = sphere_options();
	options.leaf_faces = 2;
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &ball, &options );
	uint32_t joined = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		bool shared = node->faces <= 2;
		for ( int k = 0; k < 3 && !shared; ++k )
		{
			uint32_t vertex = ball.triangles[tree.face[node->first_face]].corner[k];
			shared = true;
			for ( uint32_t j = 0; j < node->faces; ++j )
			{
				const uint32_t* c = ball.triangles[tree.face[node->first_face + j]].corner;
				shared = shared && ( c[0] == vertex || c[1] == vertex || c[2] == vertex );
			}
			joined += shared;
		}
		assert_true( shared );
	}
	assert_true( joined > 0 );

	bvb_mesh copies = hard_mesh( f, identical_triangles, 7 );
	for ( uint32_t i = 3; i < 21; ++i )
	{
		copies.triangles[i / 3].corner[i % 3] = i % 3;
	}
	tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &copies, &options );
	assert_int_equal( tree.node_count, 1 );

	// Three leaves of a book, whose back is upright.
	const bv_vec3 p[] = { { 0, 0, 0 }, { 0, 0, 8 }, { 1, 0, 4 }, { -1, 1, 4 }, { -1, -1, 4 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 0, 1, 4 } };
	bvb_mesh book = mesh_of( f, p, 5, t, 3 );
	tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &book, &options );
	assert_int_equal( tree.node_count, 1 );
}

// Faces through one point that is no corner: cells are divided until they list as many faces as they may.
static void faces_that_cross_end_at_the_budget( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 60 );
	for ( uint32_t i = 0; i < 60; ++i )
	{
		bv_vec3 a = random_point( f );
		bv_vec3 b = random_point( f );
		mesh.positions[3 * i] = a;
		mesh.positions[3 * i + 1] = b;
		mesh.positions[3 * i + 2] = ( bv_vec3 ){ -a.x - b.x, -a.y - b.y, -a.z - b.z };
	}
	bvlit_sphere_options options = sphere_options();
	options.leaf_faces = 2;
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_palmer_grimsdale, &mesh, &options );
	assert_true( tree.node_count > 120 && tree.node_count <= 4096 + 16 * 60 );
	assert_true( tree.face_count <= 4096 + 64 * 60 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 20 );
}

static bvb_hierarchy_options file_options( void )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = "palmer-grimsdale";
	options.volume_types = 1u << bv_volume_sphere;
	options.leaf_triangles = 2;
	return options;
}

// Three faces along x, of which the middle one is in cells of both halves. Spheres round cells of 8 by 1/2 have radii of 4.008; that about (4, 1/4) has to
// grow by 0.998 to hold all of it, that about (4, 3/4) by 1.05, those about 12 by 2 and more.
static void in_files_a_face_is_where_the_sphere_grows_least( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 4, 0, 0 },  { 0, 1, 0 },  { 6, 0, 0 }, { 9, 0, 0 },
		                  { 6, 1, 0 }, { 12, 0, 0 }, { 16, 0, 0 }, { 16, 1, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 } };
	bvb_mesh mesh = mesh_of( f, p, 9, t, 3 );
	bvb_hierarchy_options options = file_options();
	bvb_tree* tree = build_tree( f, &mesh, &options );
	uint32_t found = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		for ( uint32_t k = 0; node.children == 0 && k < 3 * node.triangles; ++k )
		{
			if ( mesh.positions[mesh.triangles[node.first_triangle + k / 3].corner[k % 3]].x == 9 )
			{
				found += 1;
				assert_true( fabs( node.volume.sphere.center.x - 4 ) < 1e-3 );
				assert_true( fabs( node.volume.sphere.center.y - 0.25 ) < 1e-3 );
				assert_true( fabs( node.volume.sphere.radius - sqrt( 25.0625 ) ) < 1e-3 );
			}
		}
	}
	assert_int_equal( found, 1 );
}

// A face with no corner in a corner of its box: the sphere is that round the box, sqrt( 75 ), although sqrt( 50 ) would hold the face.
static void in_files_spheres_are_round_cells( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 5 }, { 10, 5, 0 }, { 5, 10, 10 } };
	const uint32_t t[][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, p, 3, t, 1 );
	bvb_hierarchy_options options = file_options();
	bvb_node root = bvb_tree_node( build_tree( f, &mesh, &options ), 0 );
	assert_true( fabs( root.volume.sphere.radius - sqrt( 75 ) ) < 1e-3 );
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_palmer_grimsdale, "palmer-grimsdale", 300, BV_MAX_DEPTH );
}

static void threads_change_nothing( void** state )
{
	check_threads( *state, bvlit_spheres_palmer_grimsdale );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_sheet_of_squares_becomes_a_quadtree ),
		fixture_test( faces_across_a_cut_are_on_both_sides ),
		fixture_test( cells_list_the_faces_that_pass_through ),
		fixture_test( what_no_division_takes_apart_stays_whole ),
		fixture_test( faces_that_cross_end_at_the_budget ),
		fixture_test( in_files_a_face_is_where_the_sphere_grows_least ),
		fixture_test( in_files_spheres_are_round_cells ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
