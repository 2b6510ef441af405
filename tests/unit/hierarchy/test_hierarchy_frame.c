// The top-down builder: the number of children and the volume type of each node. Sets are lines of small
// triangles. Their boxes have areas in proportion to their lengths, so every quality is known beforehand to a
// percent.

#include "support.h"

#include "offline/tree/tree.h"

static const double small = 1e-4; // size of the triangles

// Triangles in planes x = place[i].
static bvb_mesh line_of( fixture* f, const double* place, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * i;
		p[0] = ( bv_vec3 ){ place[i], 0, 0 };
		p[1] = ( bv_vec3 ){ place[i], small, 0 };
		p[2] = ( bv_vec3 ){ place[i], 0, small };
	}
	return mesh;
}

static bvb_hierarchy_options variable_options( double improvement )
{
	bvb_hierarchy_options options = box_tree_options();
	options.splitter = "median";
	options.degree = 0;
	options.improvement = improvement;
	options.max_degree = 6;
	return options;
}

static bvb_node root_of( fixture* f, const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	bvb_mesh copy = mesh_of( f, mesh->positions, mesh->vertex_count, (const uint32_t( * )[3])mesh->triangles,
	                         mesh->triangle_count );
	bvb_tree* tree;
	bvb_error error = { "" };
	if ( bvb_hierarchy_build( &copy, options, f->arena, &tree, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return bvb_tree_node( tree, 0 );
}

// Three clusters of four triangles, at 0, 10 and 20.
static bvb_mesh three_clusters( fixture* f )
{
	double place[12];
	for ( int i = 0; i < 12; ++i )
	{
		place[i] = 10 * ( i / 4 ) + 1e-3 * ( i % 4 );
	}
	return line_of( f, place, 12 );
}

static void a_fixed_degree_is_that_of_every_node_with_enough_faces( void** state )
{
	fixture* f = *state;
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		double place[97];
		for ( int i = 0; i < 97; ++i )
		{
			place[i] = i;
		}
		bvb_mesh mesh = line_of( f, place, 97 );
		bvb_hierarchy_options options = box_tree_options();
		options.splitter = "median";
		options.degree = degree;
		bvb_tree* tree;
		bvb_error error;
		assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_ok );
		for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			uint32_t wanted = node.triangles < degree ? node.triangles : degree;
			assert_int_equal( node.children, node.triangles == 1 ? 0 : wanted );
		}
	}
}

// Two halves have half the length, three thirds next to none: figure 3.2 takes the first number that is enough.
static void the_least_number_of_children_that_improves_enough_is_taken( void** state )
{
	bvb_mesh mesh = three_clusters( *state );
	bvb_hierarchy_options options = variable_options( 0.75 );
	assert_int_equal( root_of( *state, &mesh, &options ).children, 2 );
	options.improvement = 0.1;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 3 );
}

static void the_best_number_is_taken_when_none_improves_enough( void** state )
{
	bvb_mesh mesh = three_clusters( *state );
	bvb_hierarchy_options options = variable_options( 1e-6 );
	options.max_degree = 2;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 2 );

	// Three parts are clusters; four, five and six cut across clusters or leave one whole, and each is fitted: with four,
	// parts of three triangles reach from one cluster to the next.
	options.max_degree = 4;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 3 );
}

static void small_nodes_that_no_division_improves_enough_are_leaves( void** state )
{
	bvb_mesh mesh = three_clusters( *state );
	bvb_hierarchy_options options = variable_options( 1e-6 );
	options.min_faces = 13;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 0 );
	options.min_faces = 12;
	assert_int_not_equal( root_of( *state, &mesh, &options ).children, 0 );

	// Where it improves enough the number does not matter.
	options = variable_options( 0.75 );
	options.min_faces = 13;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 2 );
}

// Half of the triangles at 0, the others evenly from 2 to 10: two halves have 0 and 0.8 of the length, 0.4 in the mean.
// Three parts have 0, 0.47 and 0.53 or so, four have 0, 0, 0.4 and 0.4.
static void the_mean_and_the_greatest_are_different_aggregates( void** state )
{
	double place[48];
	for ( int i = 0; i < 24; ++i )
	{
		place[i] = 1e-6 * i;
		place[24 + i] = 2 + 8.0 / 23 * i;
	}
	bvb_mesh mesh = line_of( *state, place, 48 );
	bvb_hierarchy_options options = variable_options( 0.5 );
	assert_int_equal( root_of( *state, &mesh, &options ).children, 2 );
	options.aggregate = bvb_aggregate_max;
	assert_int_equal( root_of( *state, &mesh, &options ).children, 4 );
}

// Halves of a flat square have half its area, but 0.79 of its diameter.
static void qualities_are_different_measures( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 64 );
	for ( uint32_t i = 0; i < 64; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * i;
		double x = i % 8;
		double y = i / 8;
		p[0] = ( bv_vec3 ){ x, y, 0 };
		p[1] = ( bv_vec3 ){ x + 0.99, y, 0 };
		p[2] = ( bv_vec3 ){ x, y + 0.98, 0 };
	}
	bvb_hierarchy_options options = variable_options( 0.6 );
	options.volume_types = 1u << bv_volume_aabb;
	options.quality = bvb_quality_area;
	assert_int_equal( root_of( f, &mesh, &options ).children, 2 );
	options.quality = bvb_quality_diameter;
	assert_true( root_of( f, &mesh, &options ).children > 2 );
}

static bv_volume_type type_of( fixture* f, const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	return root_of( f, mesh, options ).volume.type;
}

static void charge_one( bv_costs* costs )
{
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			costs->volumes[i][k] = 1;
		}
	}
}

static bvb_mesh round_ball( fixture* f )
{
	bvb_mesh ball = bumpy_ball( f, 12 );
	for ( uint32_t i = 0; i < ball.vertex_count; ++i )
	{
		bv_vec3* p = ball.positions + i;
		double length = sqrt( p->x * p->x + p->y * p->y + p->z * p->z );
		*p = ( bv_vec3 ){ p->x / length, p->y / length, p->z / length };
	}
	return ball;
}

// A ball's box has 6 / pi of its volume; a long box's ball has much more than the box.
static void each_node_takes_the_type_of_the_best_quality( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = box_tree_options();
	options.volume_types = 1u << bv_volume_obb | 1u << bv_volume_sphere;
	options.quality = bvb_quality_volume;
	options.hit_tests = 0;
	charge_one( &options.costs );
	bvb_mesh ball = round_ball( f );
	bvb_mesh rod = box_mesh( f, 1, 1, 20 );
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_sphere );
	assert_int_equal( type_of( f, &rod, &options ), bv_volume_obb );

	// Where tests of balls cost much more than they save, boxes are better for both: 2.5 is above 6 / pi.
	options.costs.volumes[bv_volume_sphere][bv_volume_sphere] = 4;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_obb );

	// The greatest of a row, not the mean, may decide: 4 against 1 for boxes, 2.5 in the mean. Not for the rod.
	options.costs.volumes[bv_volume_sphere][bv_volume_sphere] = 2;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_sphere );
	options.aggregate = bvb_aggregate_max;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_obb );
}

// With 4 for two balls, 1 for all else: 2.5 a test of a ball in the mean, 1 of a box, 1.75 of either. Tests after a hit bring the
// ratio of 2.5 down, which is below 6 / pi from 0.36 tests on.
static void tests_after_a_hit_make_the_smaller_volume_worth_its_test( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = box_tree_options();
	options.volume_types = 1u << bv_volume_obb | 1u << bv_volume_sphere;
	options.quality = bvb_quality_volume;
	charge_one( &options.costs );
	options.costs.volumes[bv_volume_sphere][bv_volume_sphere] = 4;
	bvb_mesh ball = round_ball( f );
	options.hit_tests = 0.3;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_obb );
	options.hit_tests = 0.45;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_sphere );

	// The greatest of the rows are 4 and 1, 2.5 in the mean: from 0.84 on.
	options.aggregate = bvb_aggregate_max;
	options.hit_tests = 0.75;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_obb );
	options.hit_tests = 0.95;
	assert_int_equal( type_of( f, &ball, &options ), bv_volume_sphere );
}

// The same boxes as if the last method had fitted them from the start, where the first has no say in how faces are divided: but for
// what sums are rounded to in another order.
static void a_refit_leaves_the_boxes_of_its_method( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	bvb_tree* tree[3];
	static const char* const methods[3][2] = { { "pca", "refined-area" }, { "refined-area" }, { "pca" } };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_error error;
		bvb_mesh mesh = bumpy_ball( f, 20 );
		options.node_box = methods[i][0];
		options.refit = methods[i][1];
		assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, tree + i, &error ), bv_ok );
	}
	size_t bytes = (size_t)tree[0]->node_count * tree[0]->stride;
	assert_int_equal( tree[0]->node_count, tree[1]->node_count );
	assert_int_equal( tree[0]->node_count, tree[2]->node_count );
	assert_memory_equal( tree[0]->nodes, tree[1]->nodes, tree[0]->node_count * sizeof *tree[0]->nodes );
	double area[3] = { 0, 0, 0 };
	for ( uint32_t i = 0; i < tree[0]->node_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_volume v = bvorder_volume( tree[k], i );
			area[k] += bvb_area_of( &v );
		}
	}
	assert_true( fabs( area[0] - area[1] ) < 1e-3 * area[1] && area[2] > 1.01 * area[1] );
	assert_memory_not_equal( tree[0]->volumes, tree[2]->volumes, bytes );
}

// Of a builder that could do without what fits need.
static void a_refit_of_aligned_boxes_changes_none( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.volume_types = 1u << bv_volume_aabb;
	bvb_tree* tree[2];
	for ( int i = 0; i < 2; ++i )
	{
		bvb_error error;
		bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
		options.refit = i ? "pca" : NULL;
		assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, tree + i, &error ), bv_ok );
	}
	assert_int_equal( tree[0]->node_count, tree[1]->node_count );
	assert_memory_equal( tree[0]->volumes, tree[1]->volumes, (size_t)tree[0]->node_count * tree[0]->stride );
}

static void options_out_of_range_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_hierarchy_options wrong[20];
	const int count = sizeof wrong / sizeof *wrong;
	for ( int i = 0; i < count; ++i )
	{
		wrong[i] = box_tree_options();
	}
	wrong[0].builder = "none";
	wrong[1].degree = 1;
	wrong[2].degree = BVB_MAX_DEGREE + 1;
	wrong[3].improvement = 0;
	wrong[4].improvement = 1.5;
	wrong[5].max_degree = 1;
	wrong[6].volume_types = 0;
	wrong[7].volume_types = 1u << bv_volume_types;
	wrong[8].quality = (bvb_quality_measure)( bvb_quality_hausdorff + 1 );
	wrong[9].costs.triangles = 0;
	wrong[10].costs.volumes[bv_volume_obb][bv_volume_rss] += 1;
	wrong[11].improvement = NAN;
	wrong[12].costs.opening = NAN;
	wrong[13].costs.leaf = 2 * BVB_MAX_COST;
	wrong[14].hit_tests = -1;
	wrong[15].hit_tests = NAN;
	wrong[16].hit_tests = 2 * BVB_MAX_HIT_TESTS;
	wrong[17].refit = "none";
	wrong[18].byte_price = -1;
	wrong[19].byte_price = NAN;
	for ( int i = 0; i < count; ++i )
	{
		bvb_tree* tree;
		bvb_error error = { "" };
		assert_int_equal( bvb_hierarchy_build( &mesh, wrong + i, f->arena, &tree, &error ),
		                  bv_error_argument );
		assert_true( strlen( error.message ) > 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_fixed_degree_is_that_of_every_node_with_enough_faces ),
		fixture_test( the_least_number_of_children_that_improves_enough_is_taken ),
		fixture_test( the_best_number_is_taken_when_none_improves_enough ),
		fixture_test( small_nodes_that_no_division_improves_enough_are_leaves ),
		fixture_test( the_mean_and_the_greatest_are_different_aggregates ),
		fixture_test( qualities_are_different_measures ),
		fixture_test( each_node_takes_the_type_of_the_best_quality ),
		fixture_test( tests_after_a_hit_make_the_smaller_volume_worth_its_test ),
		fixture_test( a_refit_leaves_the_boxes_of_its_method ),
		fixture_test( a_refit_of_aligned_boxes_changes_none ),
		fixture_test( options_out_of_range_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
