// Trees whose subtrees were moved: that they never cost more, small ones with a known better tree, depth, threads.

#include "offline/base/arena.h"
#include "offline/hierarchy/build.h"
#include "offline/hierarchy/exposure.h"
#include "trees.h"

#include <time.h>

static bvb_hierarchy_options options_of( const char* builder, uint32_t types, uint32_t rounds )
{
	bvb_hierarchy_options options = box_tree_options();
	options.builder = builder;
	options.volume_types = types;
	options.optimize = rounds;
	return options;
}

// What optimization is to lower: the areas of inner nodes, relative to the root's, times their tests and the exposure of
// their most exposed triangle. What leaves cost stays the same.
static double exposed_cost( const fixture* f, const bvb_mesh* mesh, const bvb_tree* tree,
                            const bvb_hierarchy_options* options )
{
	bvfit_face* faces = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *faces );
	float* exposed = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *exposed );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		faces[i] = bvfit_face_of(
			( bv_vec3[3] ){ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] } );
	}
	bvhier_expose( faces, mesh->triangle_count, exposed );
	bvb_node root = bvb_tree_node( tree, 0 );
	double sum = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		float most = 0;
		for ( uint32_t k = 0; k < node.triangles; ++k )
		{
			float one = exposed[node.first_triangle + k];
			most = one > most ? one : most;
		}
		double each = options->costs.volumes[node.volume.type][node.volume.type];
		sum += most * bvb_area_of( &node.volume ) / bvb_area_of( &root.volume ) * node.children * each;
	}
	return sum;
}

static void more_rounds_never_cost_more( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	for ( uint32_t type = 0; type < bv_volume_types; ++type )
	{
		for ( int builder = 0; builder < 2; ++builder )
		{
			double before = INFINITY;
			double first = 0;
			for ( uint32_t rounds = 0; rounds <= 6; rounds += is_thorough() ? 1 : 2 )
			{
				bvb_hierarchy_options options =
					options_of( builder ? "ploc" : "topdown", 1u << type, rounds );
				bvb_mesh copy = copy_mesh( f, &mesh );
				bvb_tree* tree = build_tree( f, &copy, &options );
				double cost = exposed_cost( f, &copy, tree, &options );
				assert_true( cost <= before * ( 1 + 1e-12 ) );
				first = rounds ? first : cost;
				before = cost;
			}
			assert_true( before < 0.99 * first );
		}
	}
}

static void optimized_trees_of_any_type_enclose_their_triangles( void** state )
{
	fixture* f = *state;
	for ( uint32_t types = 1; types <= 1u << bv_volume_types; types *= 2 )
	{
		for ( uint32_t leaf = 1; leaf <= 4; leaf += 3 )
		{
			bvb_hierarchy_options options =
				options_of( "topdown", types < 1u << bv_volume_types ? types : 7, 3 );
			options.leaf_triangles = leaf;
			bvb_mesh mesh = bumpy_ball( f, 9 );
			bvb_tree* tree = build_tree( f, &mesh, &options );
			check_tree_of( &mesh, tree, &options );
			assert_true( largest_leaf( tree ) <= leaf );
		}
	}
}

// Merged boxes of axis-aligned nodes are those of bvb_fit_aabb over their corners, to the bit.
static void boxes_of_changed_nodes_are_fitted_ones( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = options_of( "topdown", 1u << bv_volume_aabb, 5 );
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

// Fits all nodes of a tree that was written by hand.
static void fit_all( const bvhier_build* build )
{
	for ( uint32_t i = 0; i < build->tree->node_count; ++i )
	{
		const bvorder_stored_node* node = build->tree->nodes + i;
		bvfit_face_list list = bvhier_build_list( build, node->first_triangle, node->triangles );
		bv_volume volume = bvhier_build_fit( build, bvhier_build_worker( build ), &list, NULL );
		bvorder_set_volume( build->tree, i, &volume );
	}
}

// Whether some node holds just the triangles `first` .. `first + count - 1` of the mesh as it was.
static bool has_node( const bvhier_build* build, uint32_t first, uint32_t count )
{
	for ( uint32_t i = 0; i < build->tree->node_count; ++i )
	{
		const bvorder_stored_node* node = build->tree->nodes + i;
		uint32_t inside = 0;
		for ( uint32_t k = 0; k < node->triangles; ++k )
		{
			uint32_t face = build->order[node->first_triangle + k];
			inside += face >= first && face < first + count;
		}
		if ( node->triangles == count && inside == count )
		{
			return true;
		}
	}
	return false;
}

// ((0, 100), (1, 101)) becomes ((0, 1), (100, 101)) by one exchange of grandchildren: areas of boxes of lengths 100 and 100
// become those of lengths 1 and 1. No insertion below the root does as much.
static void grandchildren_on_wrong_sides_change_places( void** state )
{
	fixture* f = *state;
	const double place[] = { 0, 1, 100, 101 };
	bvb_mesh mesh = triangles_along( f, place, 4 );
	for ( uint32_t type = 0; type < bv_volume_types; ++type )
	{
		bvb_hierarchy_options options = options_of( "topdown", 1u << type, 3 );
		bvhier_build build;
		bvb_error error;
		assert_int_equal( bvhier_build_begin( &mesh, &options, f->arena, &build, &error ), bv_ok );
		const uint32_t order[] = { 0, 2, 1, 3 };
		const bvorder_stored_node nodes[] = { { 1, 2, 0, 4, 0 }, { 3, 2, 0, 2, 0 }, { 5, 2, 2, 2, 0 },
			                                  { 0, 0, 0, 1, 0 }, { 0, 0, 1, 1, 0 }, { 0, 0, 2, 1, 0 },
			                                  { 0, 0, 3, 1, 0 } };
		memcpy( build.order, order, sizeof order );
		memcpy( build.tree->nodes, nodes, sizeof nodes );
		build.tree->node_count = 7;
		fit_all( &build );
		assert_true( !has_node( &build, 0, 2 ) && !has_node( &build, 2, 2 ) );
		assert_int_equal( bvhier_optimize( &build ), bv_ok );
		assert_true( has_node( &build, 0, 2 ) && has_node( &build, 2, 2 ) );
		bvhier_build_end( &build );
	}
}

// ((0, 1), ((100, 101), 2)): the place 2 is inserted beside 0 and 1.
static void a_leaf_on_the_wrong_side_is_inserted_on_the_other( void** state )
{
	fixture* f = *state;
	const double place[] = { 0, 1, 2, 100, 101 };
	bvb_mesh mesh = triangles_along( f, place, 5 );
	for ( uint32_t type = 0; type < bv_volume_types; ++type )
	{
		bvb_hierarchy_options options = options_of( "topdown", 1u << type, 3 );
		bvhier_build build;
		bvb_error error;
		assert_int_equal( bvhier_build_begin( &mesh, &options, f->arena, &build, &error ), bv_ok );
		const uint32_t order[] = { 0, 1, 3, 4, 2 };
		const bvorder_stored_node nodes[] = { { 1, 2, 0, 5, 0 }, { 3, 2, 0, 2, 0 }, { 5, 2, 2, 3, 0 },
			                                  { 0, 0, 0, 1, 0 }, { 0, 0, 1, 1, 0 }, { 7, 2, 2, 2, 0 },
			                                  { 0, 0, 4, 1, 0 }, { 0, 0, 2, 1, 0 }, { 0, 0, 3, 1, 0 } };
		memcpy( build.order, order, sizeof order );
		memcpy( build.tree->nodes, nodes, sizeof nodes );
		build.tree->node_count = 9;
		fit_all( &build );
		assert_true( !has_node( &build, 0, 3 ) );
		assert_int_equal( bvhier_optimize( &build ), bv_ok );
		assert_true( has_node( &build, 0, 3 ) && has_node( &build, 3, 2 ) );
		bvhier_build_end( &build );
	}
}

static void threads_change_nothing( void** state )
{
	fixture* f = *state;
	for ( uint32_t type = 0; type < 3; ++type )
	{
		bvb_hierarchy_options options = options_of( type ? "ploc" : "topdown", 1u << type, 4 );
		options.collapse = type == 1 ? 4 : 0;
		bvb_mesh mesh = bumpy_ball( f, 24 );
		bvb_mesh other = copy_mesh( f, &mesh );
		options.threads = 1;
		bvb_tree* one = build_tree( f, &mesh, &options );
		options.threads = 2;
		bvb_tree* two = build_tree( f, &other, &options );
		assert_same_trees( one, &mesh, two, &other );
	}
}

// 2^12 is the least power of two that is not below 3000, and 2^14 not below 10000: the trees have no level to spare.
static void hard_sets_stay_within_any_depth( void** state )
{
	fixture* f = *state;
	bool all = is_thorough();
	for ( int set = 0; set < hard_sets; ++set )
	{
		for ( int tight = 0; tight < 2; ++tight )
		{
			bvb_hierarchy_options options = options_of( "ploc", 1u << ( set % 2 ), 3 );
			options.max_depth = !tight ? BV_MAX_DEPTH : all ? 14 : 12;
			bvb_mesh mesh = hard_mesh( f, set, all ? 10000 : 3000 );
			clock_t start = clock();
			bvb_tree* tree = build_tree( f, &mesh, &options );
			assert_true( clock() - start < 20 * CLOCKS_PER_SEC );
			check_tree_of( &mesh, tree, &options );
			assert_int_equal( largest_leaf( tree ), 1 );
		}
	}
}

static void running_out_of_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_hierarchy_options options = options_of( "ploc", 1u << bv_volume_sphere, 2 );
	options.collapse = 4;
	bool done = false;
	for ( size_t bytes = 1000; !done; bytes += bytes / 4 )
	{
		bvb_arena* arena = bvb_arena_create_limited( bytes );
		bvb_mesh copy = copy_mesh( f, &mesh );
		bvb_tree* tree;
		bvb_error error;
		bv_status status = bvb_hierarchy_build( &copy, &options, arena, &tree, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		done = status == bv_ok;
		bvb_arena_destroy( arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( more_rounds_never_cost_more ),
		fixture_test( optimized_trees_of_any_type_enclose_their_triangles ),
		fixture_test( boxes_of_changed_nodes_are_fitted_ones ),
		fixture_test( grandchildren_on_wrong_sides_change_places ),
		fixture_test( a_leaf_on_the_wrong_side_is_inserted_on_the_other ),
		fixture_test( threads_change_nothing ),
		fixture_test( hard_sets_stay_within_any_depth ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
