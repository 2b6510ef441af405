// Hubbard's sphere trees of the medial axis: where spheres of a ball and of a box are, how many become one, what is covered, hard sets.

#include "spheres.h"

static double length_of( bv_vec3 v )
{
	return distance_between( v, ( bv_vec3 ){ 0, 0, 0 } );
}

// A ball of rings and as many sides twice, radius 1.
static bvb_mesh round_ball( fixture* f, uint32_t rings )
{
	bvb_mesh mesh = bumpy_ball( f, rings );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		double length = length_of( *p );
		*p = ( bv_vec3 ){ p->x / length, p->y / length, p->z / length };
	}
	return mesh;
}

// The medial axis of a ball is its middle: spheres that touch it in four points that are not side by side are about there, with its radius. In a mesh the
// samples are not quite on one ball, which moves them, but not near to the surface.
static void spheres_of_a_ball_are_about_its_middle( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = round_ball( f, 16 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_medial, &mesh, &options );
	uint32_t leaves = 0;
	uint32_t central = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		double from_middle = length_of( node->sphere.center );
		if ( node->children == 0 )
		{
			leaves += 1;
			central += node->sphere.radius > 0.4;

			// Out of the ball by no more than the square of a piece's size.
			assert_true( from_middle + node->sphere.radius < 1.05 );
		}
	}
	assert_true( leaves > 50 );
	assert_true( central > leaves / 2 );
	assert_true( fabs( tree.nodes[0].sphere.radius - 1 ) < 0.01 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// A box 4 by 1 by 1. A sphere that touches it and has none of it inside is as large as its center is far from the nearest side; samples
// are in cells of 0.25, so that it comes out by half the diagonal of one, 0.177.
static void spheres_of_a_box_touch_its_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 4, 1, 1 );
	bv_aabb box = bvb_fit_aabb( mesh.positions, mesh.vertex_count );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_medial, &mesh, &options );
	double mean = 0;
	uint32_t leaves = 0;
	uint32_t deep = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		bv_vec3 c = node->sphere.center;
		double depth = fmin( fmin( c.x - box.lower.x, box.upper.x - c.x ),
		                     fmin( fmin( c.y - box.lower.y, box.upper.y - c.y ),
		                           fmin( c.z - box.lower.z, box.upper.z - c.z ) ) );
		if ( node->children == 0 )
		{
			leaves += 1;
			deep += depth > 0.25;
			mean += node->sphere.radius - depth;
			assert_true( depth > -1e-9 && node->sphere.radius - depth < 0.25 * sqrt( 2 ) );
		}
	}
	assert_true( leaves > 50 && mean / leaves < 0.177 );
	assert_true( deep > leaves / 4 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 32 );
}

// Eight at a time: no node has more children, and most have more than four.
static void eight_become_one( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_medial, &mesh, &options );
	uint32_t inner = 0;
	uint32_t children = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		assert_true( tree.nodes[i].children <= 8 && tree.nodes[i].children != 1 );
		inner += tree.nodes[i].children > 0;
		children += tree.nodes[i].children;
	}
	assert_true( inner > 20 && children > 5 * inner );
	uint32_t depth = check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
	assert_true( pow( 5, depth - 1 ) < tree.node_count );
}

// What has no inside has no medial axis: pieces have their least spheres, flat ones in the middle of octants of a sixteenth of the side or less.
static void open_meshes_have_spheres_round_their_pieces( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 8, 0 }, { 0, 8, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 2 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_medial, &mesh, &options );
	uint32_t leaves = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bv_sphere* s = &tree.nodes[i].sphere;
		assert_true( fabs( s->center.z ) < 1e-12 );
		assert_true( tree.nodes[i].children > 0 || s->radius <= 0.25 * sqrt( 0.5 ) * ( 1 + 1e-12 ) );
		leaves += tree.nodes[i].children == 0;
	}
	// 32 by 32 cells, of which those on the diagonal have a piece of each face.
	assert_int_equal( leaves, 1024 + 32 );
	assert_true( fabs( tree.nodes[0].sphere.radius - 4 * sqrt( 2 ) ) < 1e-9 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 64 );
}

// Which eight become one: those with the least common spheres. On a sheet, cells of a side of 1/4 have one piece each, but for the diagonal, and no eight of
// them have a smaller sphere than a block of two by four: half the diagonal of 1/2 by 1, 0.559.
static void the_nearest_eight_become_one( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 8, 0 }, { 0, 8, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 2 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_medial, &mesh, &options );
	double sum = 0;
	uint32_t eights = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		bool of_leaves = node->children == 8;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			of_leaves = of_leaves && tree.nodes[node->first_child + k].children == 0;
		}
		if ( of_leaves )
		{
			eights += 1;
			sum += node->sphere.radius;
		}
	}
	assert_true( eights > 100 );
	assert_true( sum / eights < 1.02 * sqrt( 0.3125 ) );
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_hubbard_medial, "hubbard-medial", 20, 6 );
}

static void threads_change_nothing( void** state )
{
	check_threads( *state, bvlit_spheres_hubbard_medial );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( spheres_of_a_ball_are_about_its_middle ),
		fixture_test( spheres_of_a_box_touch_its_sides ),
		fixture_test( eight_become_one ),
		fixture_test( open_meshes_have_spheres_round_their_pieces ),
		fixture_test( the_nearest_eight_become_one ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
