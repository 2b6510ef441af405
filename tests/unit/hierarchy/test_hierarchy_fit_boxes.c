// Boxes refitted after the build, eight nodes at once. In 113-bit arithmetic they enclose their subtrees
// before and after they are snapped to the grid. They are the same for any number of threads, and as small as
// boxes fitted one by one.

#include "trees.h"

#include "bvbuild/fit.h"
#include "offline/fit/obb_node.h"
#include "offline/tree/tree.h"

static bvb_hierarchy_options options_of( const char* builder, const char* node_box )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.node_box = node_box;
	options.collapse = BVB_MAX_CHILDREN;
	options.leaf_triangles = 8;
	options.threads = 1;
	return options;
}

static void snap( fixture* f, bvb_tree* tree, const bvb_mesh* mesh )
{
	bvb_error error;
	assert_int_equal( bvb_tree_snap( tree, mesh, 1, f->arena, &error ), bv_ok );
}

// Frames that nodes can hold as they are, but for the root's, which is stored as other boxes are.
static void check_frames( const bvb_tree* tree )
{
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		bv_volume v = bvorder_volume( tree, i );
		assert_int_equal( v.type, bv_volume_obb );
		const float* q = v.obb.rotation;
		double length =
			( (double)q[0] * q[0] + (double)q[1] * q[1] ) + ( (double)q[2] * q[2] + (double)q[3] * q[3] );
		assert_true( i > 0 ? q[3] == 1233 : fabs( length - 1 ) < 1e-6 );
	}
}

static void check_mesh( fixture* f, const bvb_mesh* from, const bvb_hierarchy_options* options )
{
	bvb_mesh mesh = copy_mesh( f, from );
	bvb_tree* tree = build_tree( f, &mesh, options );
	check_tree_of( &mesh, tree, options );
	check_frames( tree );
	snap( f, tree, &mesh );
	check_tree_of( &mesh, tree, options );
	check_frames( tree );
}

// As many as leaves have, more than lanes have room for, and more than one piece has.
static void boxes_hold_what_is_below_them( void** state )
{
	fixture* f = *state;
	static const uint32_t counts[] = { 1, 2, 3, 8, 9, 17, 100, 5000, 20000 };
	for ( size_t i = 0; i < sizeof counts / sizeof *counts; ++i )
	{
		for ( int binary = 0; binary < 2; ++binary )
		{
			bvb_hierarchy_options options = options_of( "sah", "dito-area" );
			options.collapse = binary ? 0 : BVB_MAX_CHILDREN;
			options.leaf_triangles = binary ? 1 : 8;
			bvb_mesh mesh = soup_create( f, counts[i] );
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				bv_vec3 p = random_point( f );
				bv_vec3 at = mesh.positions[k / 3 * 3];
				mesh.positions[k] =
					k % 3 ? ( bv_vec3 ){ (float)( at.x + 0.05 * p.x ), (float)( at.y + 0.05 * p.y ),
					                     (float)( at.z + 0.05 * p.z ) }
						  : ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
			}
			check_mesh( f, &mesh, &options );
		}
	}
}

static void sets_that_are_hard_to_divide_are_held( void** state )
{
	fixture* f = *state;
	for ( hard_set set = identical_triangles; set < hard_sets; ++set )
	{
		bvb_mesh mesh = hard_mesh( f, set, 300 );
		bvb_hierarchy_options options = options_of( "sah", "dito-area" );
		check_mesh( f, &mesh, &options );
		options.max_depth = 1; // leaves of more triangles than lanes have room for
		check_mesh( f, &mesh, &options );
		options = options_of( "binned", "dito-area" );
		check_mesh( f, &mesh, &options );
	}
}

// From the least to the greatest of sizes, far from the origin, flat, and positions that are no binary32 numbers.
static void meshes_of_all_sizes_and_places_are_held( void** state )
{
	fixture* f = *state;
	static const double sizes[] = { 1e-38, 1e-30, 1e-3, 1, 1e6, 1e30, 3e37 };
	for ( size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i )
	{
		for ( int way = 0; way < 4; ++way )
		{
			bvb_mesh mesh = bumpy_ball( f, 24 );
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				bv_vec3 p = bv_scale( sizes[i], mesh.positions[k] );
				double far = way == 1 ? 1e4 * sizes[i] : 0;
				p = ( bv_vec3 ){ p.x + ( far < 1e38 ? far : 0 ), p.y, way == 2 ? 0 : p.z };
				mesh.positions[k] = way == 3 ? p : ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
			}
			bvb_hierarchy_options options = options_of( "sah", "dito-area" );
			check_mesh( f, &mesh, &options );
		}
	}
}

// Tiny triangles beside one that is a million times as large: units of a piece tell nothing of them.
static void small_nodes_of_a_large_piece_are_no_larger_for_it( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = hard_mesh( f, giant_among_tiny, 400 );
	bvb_hierarchy_options options = options_of( "sah", "dito-area" );
	bvb_mesh slow = copy_mesh( f, &mesh );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	options.node_box = "pca";
	bvb_tree* other = build_tree( f, &slow, &options );
	assert_int_equal( tree->node_count, other->node_count );
	for ( uint32_t i = 1; i < tree->node_count; ++i )
	{
		bv_volume a = bvorder_volume( tree, i );
		bv_volume b = bvorder_volume( other, i );
		assert_true( bvb_area_of( &a ) <= 1.05 * bvb_area_of( &b ) );
	}
}

static void boxes_are_the_same_for_any_number_of_threads( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 120 );
	bvb_hierarchy_options options = options_of( "sah", "dito-area" );
	bvb_mesh first = copy_mesh( f, &ball );
	bvb_tree* expected = build_tree( f, &first, &options );
	for ( uint32_t threads = 2; threads <= 9; threads += 3 )
	{
		options.threads = threads;
		bvb_mesh mesh = copy_mesh( f, &ball );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		assert_same_trees( expected, &first, tree, &mesh );
	}
}

static double area_of_all( const bvb_tree* tree )
{
	double sum = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		bv_volume v = bvorder_volume( tree, i );
		sum += bvb_area_of( &v );
	}
	return sum;
}

// One by one: a refit goes that way.
static void boxes_are_as_small_as_those_fitted_one_by_one( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 60 );
	bvb_hierarchy_options options = options_of( "sah", "dito-area" );
	bvb_mesh mesh = copy_mesh( f, &ball );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	bvb_hierarchy_options aligned = options;
	aligned.volume_types = 1u << bv_volume_aabb;
	bvb_mesh other = copy_mesh( f, &ball );
	bvb_tree* boxes = build_tree( f, &other, &aligned );
	assert_int_equal( tree->node_count, boxes->node_count );
	double sum = 0;
	for ( uint32_t i = 0; i < boxes->node_count; ++i )
	{
		bvb_node node = bvb_tree_node( boxes, i );
		bvfit_face* faces = bvb_arena_allocate( f->arena, node.triangles, sizeof *faces );
		uint32_t* order = bvb_arena_allocate( f->arena, node.triangles, sizeof *order );
		for ( uint32_t k = 0; k < node.triangles; ++k )
		{
			const uint32_t* c = other.triangles[node.first_triangle + k].corner;
			bv_vec3 corner[3] = { other.positions[c[0]], other.positions[c[1]], other.positions[c[2]] };
			faces[k] = bvfit_face_of( corner );
			order[k] = k;
		}
		bvvol_packed_obb box = bvfit_node_box_find( "dito-area" )->fit( faces, order, node.triangles );
		bv_volume v = { .type = bv_volume_obb, .obb = bvvol_obb_unpack( &box ) };
		sum += bvb_area_of( &v );
	}
	assert_true( area_of_all( tree ) < 1.01 * sum );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_hold_what_is_below_them ),
		fixture_test( sets_that_are_hard_to_divide_are_held ),
		fixture_test( meshes_of_all_sizes_and_places_are_held ),
		fixture_test( small_nodes_of_a_large_piece_are_no_larger_for_it ),
		fixture_test( boxes_are_the_same_for_any_number_of_threads ),
		fixture_test( boxes_are_as_small_as_those_fitted_one_by_one ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
