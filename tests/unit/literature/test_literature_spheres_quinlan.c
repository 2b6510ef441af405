// Quinlan's sphere trees and Eckstein's change of them: grids and halves that are known by hand, what they cover, hard sets.

#include "spheres.h"

static void assert_near( double found, double expected, double unit )
{
	if ( !( fabs( found - expected ) <= 1e-12 * unit ) )
	{
		fail_msg( "%.17g is not %.17g", found, expected );
	}
}

// Leaves of a face, and their centers.
static uint32_t leaves_of( const bvlit_sphere_tree* tree, uint32_t face, const bvlit_sphere_node** out,
                           uint32_t most )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvlit_sphere_node* node = tree->nodes + i;
		if ( node->children == 0 && tree->face[node->first_face] == face )
		{
			assert_true( count < most );
			assert_int_equal( node->faces, 1 );
			out[count++] = node;
		}
	}
	return count;
}

// A right triangle with legs of 8 and 4, laid flat by its longest side, which is as long as the diagonal of all: 4 sqrt( 5 ) =: L,
// with a height of 8 * 4 / L. Halved k times the grid has 2^k columns of L / 2^k, and rows of at most that: ceil( 2^k * 0.4 ). With 64
// columns and 26 rows it is the last one of at most 1024 cells: of 128 and 52 half as many are met, over 3000.
static void a_face_is_covered_by_a_regular_grid( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 8, 0, 0 }, { 0, 4, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, p, 3, t, 1 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_quinlan, &mesh, &options );
	const bvlit_sphere_node* leaves[1024];
	uint32_t count = leaves_of( &tree, 0, leaves, 1024 );

	// Of row r, by similar triangles: the foot of the third corner is 4/5 of the longest side away from where that begins, at (8, 0).
	uint32_t expected = 0;
	for ( int r = 0; r < 26; ++r )
	{
		double from = 64 * 0.8 * r / 26;
		double to = 64 * ( 1 - 0.2 * r / 26 );
		expected += (uint32_t)( (int)fmin( floor( to ), 63 ) - (int)floor( from ) + 1 );
	}
	assert_int_equal( count, expected );
	double length = sqrt( 80 );
	double width = length / 64;
	double height = 32 / length / 26;
	for ( uint32_t i = 0; i < count; ++i )
	{
		// Along the longest side from (8, 0) to (0, 4), and across towards (0, 0).
		bv_vec3 c = leaves[i]->sphere.center;
		double along = ( c.y - 2 * ( c.x - 8 ) ) / sqrt( 5 );
		double across = -( ( c.x - 8 ) + 2 * c.y ) / sqrt( 5 );
		double column = along / width - 0.5;
		double row = across / height - 0.5;
		assert_near( leaves[i]->sphere.radius, 0.5 * sqrt( width * width + height * height ), 1 );
		assert_near( column, round( column ), 1e3 );
		assert_near( row, round( row ), 1e3 );
		assert_near( c.z, 0, 1 );
	}
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 200 );
}

// Nine flat faces: 0 to 31 is cut at 15.5, 0 to 10 at 5, 0 to 4 at 2, 8 to 10 at 9, 2.5 to 4 at 3.25. All their spheres are of one
// size, so that the middle of the box round them is that of the centers.
static void halves_are_cut_in_the_middle_of_the_longest_axis( void** state )
{
	fixture* f = *state;
	const double place[] = { 0, 1, 2.5, 3, 4, 8, 9.5, 10, 31 };
	bvb_mesh mesh = triangles_along( f, place, 9 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_quinlan_faces, &mesh, &options );
	assert_int_equal( tree.node_count, 17 );

	// Level by level: what of a node goes below its middle.
	static const uint32_t faces_below[] = { 9, 8, 1, 5, 3, 2, 3, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1 };
	for ( uint32_t i = 17; i-- > 0; )
	{
		uint32_t faces = tree.nodes[i].faces;
		uint32_t sum = faces;
		uint32_t stack[32] = { i };
		for ( uint32_t top = faces ? 0 : 1; top > 0; )
		{
			const bvlit_sphere_node* node = tree.nodes + stack[--top];
			sum += node->faces;
			for ( uint32_t k = 0; k < node->children; ++k )
			{
				stack[top++] = node->first_child + k;
			}
		}
		assert_int_equal( sum, faces_below[i] );
	}

	// The least ball of a right triangle has its longest side for a diameter; that of all faces has one of the outermost edges' ends.
	assert_near( tree.nodes[2].sphere.radius, sqrt( 0.125 ), 1 );
	assert_near( tree.nodes[2].sphere.center.x, 31, 31 );
	assert_near( tree.nodes[2].sphere.center.y, 0.25, 1 );
	assert_near( tree.nodes[0].sphere.center.x, 15.5, 31 );
	assert_near( tree.nodes[0].sphere.radius, 0.5 * sqrt( 31 * 31 + 0.5 ), 31 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// What is halved is the box round the spheres, not that of their centers. Right triangles about 0, 6 and 10, the last with a sphere of radius 4: the box
// ends at 14 and its middle is 7, where that of the centers is 5.
static void the_box_is_that_of_the_spheres( void** state )
{
	fixture* f = *state;
	static const double center[] = { 0, 6, 10 };
	static const double radius[] = { 0.001, 0.001, 4 };
	bvb_mesh mesh = soup_create( f, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * (size_t)i;
		p[0] = ( bv_vec3 ){ center[i] - radius[i], 0, 0 };
		p[1] = ( bv_vec3 ){ center[i] + radius[i], 0, 0 };
		p[2] = ( bv_vec3 ){ center[i], radius[i], 0 };
	}
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_quinlan_faces, &mesh, &options );
	assert_int_equal( tree.node_count, 5 );
	assert_int_equal( tree.nodes[1].children, 2 );
	assert_int_equal( tree.nodes[2].faces, 1 );
	assert_int_equal( tree.face[tree.nodes[2].first_face], 2 );
	assert_near( tree.nodes[2].sphere.radius, 4, 10 );
}

// Of two spheres the least one round both is better than that about the mean where their radii differ.
static void nodes_have_the_smaller_of_both_spheres( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_quinlan, &mesh, &options );
	uint32_t of_two = 0;
	uint32_t of_mean = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		if ( node->children == 0 )
		{
			continue;
		}
		assert_int_equal( node->children, 2 );

		// All leaves below, for the mean.
		uint32_t* stack = calloc( tree.node_count, sizeof *stack );
		bv_sphere* leaves = calloc( tree.node_count, sizeof *leaves );
		uint32_t count = 0;
		uint32_t top = 0;
		bv_vec3 mean = { 0, 0, 0 };
		stack[top++] = i;
		while ( top > 0 )
		{
			const bvlit_sphere_node* each = tree.nodes + stack[--top];
			for ( uint32_t k = 0; k < each->children; ++k )
			{
				stack[top++] = each->first_child + k;
			}
			if ( each->children == 0 )
			{
				leaves[count++] = each->sphere;
				mean.x += each->sphere.center.x;
				mean.y += each->sphere.center.y;
				mean.z += each->sphere.center.z;
			}
		}
		mean = ( bv_vec3 ){ mean.x / count, mean.y / count, mean.z / count };
		double about_mean = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			about_mean = fmax( about_mean, distance_between( mean, leaves[k].center ) + leaves[k].radius );
		}
		const bv_sphere* a = &tree.nodes[node->first_child].sphere;
		const bv_sphere* b = &tree.nodes[node->first_child + 1].sphere;
		double apart = distance_between( a->center, b->center );
		double about_two = fmax( 0.5 * ( apart + a->radius + b->radius ), fmax( a->radius, b->radius ) );
		assert_near( node->sphere.radius, fmin( about_two, about_mean ), 1 );
		of_two += about_two < about_mean;
		of_mean += about_mean < about_two;
		free( stack );
		free( leaves );
	}
	assert_true( of_two > 10 && of_mean > 10 );
}

static void leaves_hold_as_many_as_they_may( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvlit_sphere_options options = sphere_options();
	options.leaf_faces = 5;
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_quinlan_faces, &mesh, &options );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		assert_true( tree.nodes[i].faces <= 5 );
	}
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 4 );
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_quinlan, "quinlan", 300, BV_MAX_DEPTH );
	check_hard_meshes( *state, bvlit_spheres_quinlan_faces, "quinlan-faces", 300, BV_MAX_DEPTH );
}

static void threads_change_nothing( void** state )
{
	check_threads( *state, bvlit_spheres_quinlan );
	check_threads( *state, bvlit_spheres_quinlan_faces );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_face_is_covered_by_a_regular_grid ),
		fixture_test( halves_are_cut_in_the_middle_of_the_longest_axis ),
		fixture_test( the_box_is_that_of_the_spheres ),
		fixture_test( nodes_have_the_smaller_of_both_spheres ),
		fixture_test( leaves_hold_as_many_as_they_may ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
