// The area heuristic's sum and the histogram of leaves, of trees whose areas are known and against loops over all nodes.

#include "support.h"

// Two children of a box of 2 x 1 x 1, and three of one of them, all with a corner where all triangles are: what a file makes of the
// boxes depends on triangles where they don't enclose them, and on which those are the test has no say.
static bvb_node node_of_six( const void* context, uint32_t index )
{
	(void)context;
	static const double length[6] = { 2, 1, 1, 0.25, 0.5, 0.25 };
	static const uint32_t triangles[6][2] = { { 0, 20 }, { 0, 5 }, { 5, 15 }, { 5, 2 }, { 7, 9 }, { 16, 4 } };
	return ( bvb_node ){
		.first_child = index == 0   ? 1
		               : index == 2 ? 3
		                            : 0,
		.children = index == 0   ? 2
		            : index == 2 ? 3
		                         : 0,
		.first_triangle = triangles[index][0],
		.triangles = triangles[index][1],
		.volume = { .type = bv_volume_aabb, .aabb = { { 0, 0, 0 }, { length[index], 1, 1 } } },
	};
}

static const bv_file* file_of_six( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 20 );
	for ( int i = 0; i < 60; ++i )
	{
		bv_vec3 p = random_point( f );
		mesh.positions[i] = ( bv_vec3 ){ 0.25 * p.x, p.y, p.z };
	}
	return file_of_nodes( f, &mesh, node_of_six, NULL, 6 );
}

// Of the boxes 10, 6 and 6 of area, 3 / 4, 4 and 3 / 4 below; those of a file are up to a hundredth larger.
static void sum_is_that_of_the_areas_by_hand( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_of_six( f );
	bvb_sah sah;
	assert_int_equal( bvb_assess_sah( file, &sah, NULL ), bv_ok );
	double quarter = 2 + 4 * 0.25;
	double half = 2 + 4 * 0.5;
	double inner = ( 10 + 6 ) / 10.0;
	double leaves = ( 5 * 6 + 2 * quarter + 9 * half + 4 * quarter ) / 10;
	double children = ( 2 * 10 + 3 * 6 ) / 10.0;
	assert_true( sah.inner >= inner && sah.inner < 1.01 * inner );
	assert_true( sah.leaves >= leaves && sah.leaves < 1.02 * leaves );
	assert_true( sah.children >= children && sah.children < 1.01 * children );
	assert_true( fabs( sah.cost - ( sah.inner + sah.leaves ) ) < 1e-12 );
}

// The same nodes as segments, all from the origin: of lines' triangles every box is without any area.
static bvb_node segment_of_six( const void* context, uint32_t index )
{
	bvb_node node = node_of_six( context, index );
	node.volume.aabb.upper.y = 0;
	node.volume.aabb.upper.z = 0;
	return node;
}

// By then triangles of no area have been removed, so that corners are moved onto the line after that.
static const bv_file* file_of_segments( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 20 );
	for ( int i = 0; i < 60; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	bvb_scene scene = { .mesh = mesh };
	bvb_source source = { .name = "segments", .format = "test" };
	bvb_asset_options options = plain_options();
	options.sections = bvb_sections_without( bvb_sections_default(), bvb_section_hull );
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_error error = { "" };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	for ( uint32_t i = 0; i < asset.record.mesh.vertex_count; ++i )
	{
		bv_vec3* p = asset.record.mesh.positions + i;
		*p = ( bv_vec3 ){ i % 3 * 0.125, 0, 0 };
	}
	asset.tree = bvb_tree_from( segment_of_six, NULL, 6, f->arena );
	assert_int_equal( bvb_tree_snap( asset.tree, &asset.record.mesh, 1, f->arena, &error ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	return open_bytes( bytes );
}

// What meets the root, which has no area, meets all nodes then: two inner ones with five children, and twenty triangles.
static void without_any_area_all_nodes_count_in_full( void** state )
{
	fixture* f = *state;
	bvb_sah sah;
	assert_int_equal( bvb_assess_sah( file_of_segments( f ), &sah, NULL ), bv_ok );
	assert_true( sah.inner == 2 && sah.leaves == 20 && sah.children == 5 && sah.cost == 22 );
}

static void a_single_leaf_costs_its_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	bvb_sah sah;
	assert_int_equal( bvb_assess_sah( build_file( f, &mesh, &options ), &sah, NULL ), bv_ok );
	assert_true( sah.cost == 12 && sah.leaves == 12 && sah.inner == 0 && sah.children == 0 );
}

static void leaves_are_counted_by_hand( void** state )
{
	fixture* f = *state;
	bvb_occupancy of;
	assert_int_equal( bvb_assess_occupancy( file_of_six( f ), &of, NULL ), bv_ok );
	assert_true( of.leaves == 4 && of.least == 2 && of.most == 9 && of.mean == 5 );
	for ( uint32_t i = 0; i < BVB_OCCUPANCY_BINS; ++i )
	{
		assert_true( of.bins[i] == ( i == 1 || i == 3 || i == 4 || i == 8 ) );
	}
}

// A root and leaves of as many triangles as its context says, all in the unit cube.
static bvb_node node_of_counts( const void* context, uint32_t index )
{
	const uint32_t* counts = context;
	uint32_t first = 0;
	for ( uint32_t i = 1; i < index; ++i )
	{
		first += counts[i];
	}
	return ( bvb_node ){
		.first_child = index == 0 ? 1 : 0,
		.children = index == 0 ? 8 : 0,
		.first_triangle = first,
		.triangles = counts[index],
		.volume = { .type = bv_volume_aabb, .aabb = { { 0, 0, 0 }, { 1, 1, 1 } } },
	};
}

// First and last numbers of bins are in them: 16 alone, 17 and 32 in the next one, then 33 and 64, 65 and 128, 129.
static void ends_of_bins_are_in_them( void** state )
{
	fixture* f = *state;
	static const uint32_t counts[9] = { 484, 16, 17, 32, 33, 64, 65, 128, 129 };
	static const uint64_t expected[BVB_OCCUPANCY_BINS] = { [15] = 1, [16] = 2, [17] = 2, [18] = 2, [19] = 1 };
	bvb_mesh mesh = soup_create( f, counts[0] );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	bvb_occupancy of;
	assert_int_equal( bvb_assess_occupancy( file_of_nodes( f, &mesh, node_of_counts, counts, 9 ), &of, NULL ),
	                  bv_ok );
	assert_true( of.leaves == 8 && of.least == 16 && of.most == 129 && of.mean == 484.0 / 8 );
	assert_memory_equal( of.bins, expected, sizeof expected );
}

// No number between 1 and the most triangles there can be is left out or in two bins.
static void bins_follow_one_another( void** state )
{
	(void)state;
	uint64_t next = 1;
	for ( uint32_t i = 0; i < BVB_OCCUPANCY_BINS; ++i )
	{
		uint32_t least;
		uint32_t most;
		bvb_occupancy_range( i, &least, &most );
		assert_true( least == next && most >= least );
		assert_true( i < 16 ? most == i + 1 : most == 2 * ( least - 1 ) );
		next = (uint64_t)most + 1;
	}
	assert_true( next > BVB_MAX_TRIANGLES );
}

typedef struct counted
{
	uint64_t leaves[2000];
	double root;
	double sums[3];
} counted;

static bool count_node( void* context, const bv_node_info* node )
{
	counted* c = context;
	double area = bvb_area_of( &node->volume );
	c->root = node->index == 0 ? area : c->root;
	c->leaves[node->triangles] += node->children == 0;
	c->sums[0] += node->children > 0 ? area / c->root : 0;
	c->sums[1] += node->children > 0 ? 0 : area / c->root * node->triangles;
	c->sums[2] += area / c->root * node->children;
	return true;
}

// Leaves of up to `most` triangles.
static void expect_counts( fixture* f, uint32_t most )
{
	bvb_mesh mesh = bumpy_ball( f, 16 );
	bvb_asset_options options = plain_options();
	options.hierarchy.leaf_triangles = most;
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_occupancy of;
	bvb_sah sah;
	counted c = { .root = 0 };
	bv_file_visit_nodes( file, count_node, &c );
	assert_int_equal( bvb_assess_occupancy( file, &of, NULL ), bv_ok );
	assert_int_equal( bvb_assess_sah( file, &sah, NULL ), bv_ok );
	assert_true( fabs( sah.inner - c.sums[0] ) < 1e-9 * ( 1 + c.sums[0] ) );
	assert_true( fabs( sah.leaves - c.sums[1] ) < 1e-9 * c.sums[1] );
	assert_true( fabs( sah.children - c.sums[2] ) < 1e-9 * ( 1 + c.sums[2] ) );
	uint64_t leaves = 0;
	for ( uint32_t i = 0; i < BVB_OCCUPANCY_BINS; ++i )
	{
		uint32_t least;
		uint32_t last;
		uint64_t expected = 0;
		bvb_occupancy_range( i, &least, &last );
		for ( uint32_t n = least; n <= last && n < 2000; ++n )
		{
			expected += c.leaves[n];
		}
		assert_true( of.bins[i] == expected );
		leaves += expected;
	}
	assert_true( of.leaves == leaves && leaves == bv_file_get_hierarchy( file ).leaves );
	assert_true( of.mean == (double)mesh.triangle_count / (double)leaves );
	assert_true( of.most <= most && c.leaves[of.most] > 0 && c.leaves[of.least] > 0 );
}

static void built_trees_are_counted_like_any( void** state )
{
	expect_counts( *state, 1 );
	expect_counts( *state, 8 );
	expect_counts( *state, 100 );
	expect_counts( *state, 2000 );
}

static void without_a_hierarchy_there_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.sections = 0;
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_sah sah;
	bvb_occupancy of;
	bvb_error error = { "" };
	assert_int_equal( bvb_assess_sah( file, &sah, &error ), bv_error_argument );
	assert_true( error.message[0] != 0 );
	assert_int_equal( bvb_assess_occupancy( file, &of, NULL ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( sum_is_that_of_the_areas_by_hand ),
		fixture_test( without_any_area_all_nodes_count_in_full ),
		fixture_test( a_single_leaf_costs_its_triangles ),
		fixture_test( leaves_are_counted_by_hand ),
		fixture_test( ends_of_bins_are_in_them ),
		fixture_test( bins_follow_one_another ),
		fixture_test( built_trees_are_counted_like_any ),
		fixture_test( without_a_hierarchy_there_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
