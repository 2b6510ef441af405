// Trees that are merged from the leaves up: what they hold, known small ones, depth, threads.

#include "trees.h"

#include <time.h>

static bvb_hierarchy_options ploc_options( void )
{
	bvb_hierarchy_options options = box_tree_options();
	options.builder = "ploc";
	return options;
}

static void every_node_of_any_type_encloses_its_triangles( void** state )
{
	fixture* f = *state;
	for ( uint32_t types = 1; types <= 1u << bv_volume_types; types *= 2 )
	{
		bvb_hierarchy_options options = ploc_options();
		options.volume_types = types < 1u << bv_volume_types ? types : 7;
		bvb_mesh mesh = bumpy_ball( f, 12 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		check_tree_of( &mesh, tree, &options );
		assert_int_equal( bvb_tree_node_count( tree ), 2 * mesh.triangle_count - 1 );
	}
}

static void leaves_hold_as_many_triangles_as_they_may( void** state )
{
	fixture* f = *state;
	for ( uint32_t leaf = 1; leaf <= 9; leaf += 4 )
	{
		bvb_hierarchy_options options = ploc_options();
		options.leaf_triangles = leaf;
		bvb_mesh mesh = bumpy_ball( f, 12 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		check_tree_of( &mesh, tree, &options );
		for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			assert_true( ( node.children == 0 ) == ( node.triangles <= leaf ) );
		}
	}
}

// Merged boxes of axis-aligned nodes are those of bvb_fit_aabb over their corners, to the bit.
static void merged_boxes_are_fitted_ones( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = ploc_options();
	options.volume_types = 1u << bv_volume_aabb;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		bv_vec3* corners = calloc( 3 * (size_t)node.triangles, sizeof *corners );
		for ( uint32_t t = 0; t < 3 * node.triangles; ++t )
		{
			corners[t] = mesh.positions[mesh.triangles[node.first_triangle + t / 3].corner[t % 3]];
		}
		bv_aabb fitted = bvb_fit_aabb( corners, 3 * node.triangles );
		assert_memory_equal( &fitted, &node.volume.aabb, sizeof fitted );
		free( corners );
	}
}

// Groups of 5, 2 and 1, far from each other: no pair across two groups has less area than one within. The first two are
// nearer to each other than to the third. The median would cut 4 | 4.
// Of two children, whose order is that of their areas, the one with more triangles.
static bvb_node larger_child( const bvb_tree* tree, const bvb_node* node )
{
	bvb_node a = bvb_tree_node( tree, node->first_child );
	bvb_node b = bvb_tree_node( tree, node->first_child + 1 );
	assert_int_equal( node->children, 2 );
	return a.triangles > b.triangles ? a : b;
}

static void groups_are_merged_before_what_is_between_them( void** state )
{
	fixture* f = *state;
	const double place[] = { 41, 0, 4, 1000, 2, 3, 40, 1 };
	for ( uint32_t type = 0; type < bv_volume_types; ++type )
	{
		bvb_hierarchy_options options = ploc_options();
		options.volume_types = 1u << type;
		bvb_mesh mesh = triangles_along( f, place, 8 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		bvb_node root = bvb_tree_node( tree, 0 );
		bvb_node many = larger_child( tree, &root );
		assert_int_equal( many.triangles, 7 );
		assert_int_equal( larger_child( tree, &many ).triangles, 5 );
	}
}

static void threads_change_nothing( void** state )
{
	fixture* f = *state;
	for ( uint32_t type = 0; type < 3; ++type )
	{
		bvb_hierarchy_options options = ploc_options();
		options.volume_types = 1u << type;
		bvb_mesh mesh = bumpy_ball( f, 50 );
		bvb_mesh other = copy_mesh( f, &mesh );
		options.threads = 1;
		bvb_tree* one = build_tree( f, &mesh, &options );
		options.threads = 2;
		bvb_tree* two = build_tree( f, &other, &options );
		assert_same_trees( one, &mesh, two, &other );
	}
}

// 2^17 is the least power of two that is not below 100000. Rounds that merge one pair each would take hours.
static void hard_sets_are_built_within_any_depth_that_can_hold_them( void** state )
{
	fixture* f = *state;
	static const uint32_t depths[] = { BV_MAX_DEPTH, 17, 10, 0 };
	for ( int set = 0; set < hard_sets; ++set )
	{
		for ( int i = 0; i < 4; ++i )
		{
			bvb_hierarchy_options options = ploc_options();
			options.volume_types = 1u << bv_volume_aabb;
			options.max_depth = depths[i];
			bvb_mesh mesh = hard_mesh( f, set, 100000 );
			clock_t start = clock();
			bvb_tree* tree = build_tree( f, &mesh, &options );
			assert_true( clock() - start < 20 * CLOCKS_PER_SEC );
			check_tree_of( &mesh, tree, &options );
			assert_int_equal( largest_leaf( tree ), i < 2 ? 1 : i == 2 ? 98 : 100000 );
		}
	}
}

static void small_numbers_of_triangles_are_built( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 40; ++count )
	{
		for ( uint32_t depth = 0; depth <= 7; ++depth )
		{
			bvb_hierarchy_options options = ploc_options();
			options.max_depth = depth;
			bvb_mesh mesh = hard_mesh( f, count % 2 ? long_slivers : identical_triangles, count );
			check_tree_of( &mesh, build_tree( f, &mesh, &options ), &options );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_node_of_any_type_encloses_its_triangles ),
		fixture_test( leaves_hold_as_many_triangles_as_they_may ),
		fixture_test( merged_boxes_are_fitted_ones ),
		fixture_test( groups_are_merged_before_what_is_between_them ),
		fixture_test( threads_change_nothing ),
		fixture_test( hard_sets_are_built_within_any_depth_that_can_hold_them ),
		fixture_test( small_numbers_of_triangles_are_built ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
