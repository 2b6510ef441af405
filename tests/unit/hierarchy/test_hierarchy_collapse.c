// Wide trees: that no other way of collapsing the same binary tree costs less, and what the options promise.

#include "trees.h"

enum
{
	kept, // what becomes of an inner node
	dissolved,
	made_leaf,
	fates,
};

// A binary tree, and what is to become of its inner nodes.
typedef struct collapse
{
	const bvb_tree* tree;
	const bvb_hierarchy_options* options;
	double root_area;
	int fate[64];
	bool valid;
} collapse;

// Of a file, by its README: the volume, its kind and its errors, and of an inner node its head and a link.
static double price_of( const bvb_hierarchy_options* options, int type, bool inner, uint32_t triangles )
{
	static const double volume[] = { 11, 6, 5 };
	return options->byte_price / triangles * ( volume[type] + 3 + ( inner ? 24 : 0 ) );
}

static double price_of_tree( const bvb_tree* tree, const bvb_hierarchy_options* options )
{
	double sum = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		sum +=
			price_of( options, (int)node.volume.type, node.children > 0, bvb_tree_node( tree, 0 ).triangles );
	}
	return sum;
}

// The children that a subtree gives its parent, and what is below them added to `cost`.
static uint32_t cost_of_subtree( collapse* c, uint32_t index, double* cost )
{
	bvb_node node = bvb_tree_node( c->tree, index );
	int type = (int)node.volume.type;
	double chance = bvb_area_of( &node.volume ) / c->root_area;
	uint32_t all = bvb_tree_node( c->tree, 0 ).triangles;
	if ( node.children == 0 || c->fate[index] == made_leaf )
	{
		c->valid = c->valid && ( node.children == 0 || node.triangles <= c->options->leaf_triangles );
		*cost += price_of( c->options, type, false, all );
		*cost += chance * ( c->options->costs.leaf +
		                    node.triangles * ( node.triangles * c->options->costs.triangles ) );
		return 1;
	}
	uint32_t children = cost_of_subtree( c, node.first_child, cost );
	children += cost_of_subtree( c, node.first_child + 1, cost );
	if ( c->fate[index] == dissolved )
	{
		c->valid = c->valid && index > 0;
		return children;
	}
	c->valid = c->valid && children <= c->options->collapse;
	*cost += price_of( c->options, type, true, all );
	*cost += chance * ( c->options->costs.opening + children * c->options->costs.volumes[type][type] );
	return 1;
}

// Every fate of every inner node.
static double least_cost( const bvb_tree* tree, const bvb_hierarchy_options* options )
{
	bvb_node root = bvb_tree_node( tree, 0 );
	collapse c = { .tree = tree, .options = options, .root_area = bvb_area_of( &root.volume ) };
	uint32_t inner[64];
	int count = 0;
	uint64_t ways = 1;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		if ( bvb_tree_node( tree, i ).children )
		{
			inner[count++] = i;
			ways *= fates;
		}
	}
	double least = INFINITY;
	for ( uint64_t way = 0; way < ways; ++way )
	{
		uint64_t rest = way;
		for ( int i = 0; i < count; ++i, rest /= fates )
		{
			c.fate[inner[i]] = (int)( rest % fates );
		}
		double cost = 0;
		c.valid = true;
		cost_of_subtree( &c, 0, &cost );
		least = c.valid && cost < least ? cost : least;
	}
	return least;
}

static bvb_mesh random_soup( fixture* f, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		double size = 0.02 + 0.6 * random_unit( f ) * random_unit( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[3 * i + k] =
				( bv_vec3 ){ (float)( at.x + size * p.x ), (float)( at.y + size * p.y ),
				             (float)( at.z + size * p.z ) };
		}
	}
	return mesh;
}

// Brute force over all collapses of trees of up to 9 triangles.
static void no_other_collapse_costs_less( void** state )
{
	fixture* f = *state;
	uint32_t leaves_merged = 0;
	uint32_t wider = 0;
	for ( int round = 0; round < 120; ++round )
	{
		bvb_hierarchy_options options = box_tree_options();
		options.builder = round % 2 ? "ploc" : "topdown";
		options.volume_types = 1u << ( round / 2 % 3 );
		options.costs.triangles = 5 + 30 * random_unit( f );
		options.costs.opening = 1 + 100 * random_unit( f );
		options.costs.leaf = 1 + 60 * random_unit( f );
		options.byte_price = round % 3 ? 5 * random_unit( f ) : 0;
		bvb_mesh mesh = random_soup( f, 2 + (uint32_t)round % 8 );
		bvb_mesh other = copy_mesh( f, &mesh );
		bvb_tree* binary = build_tree( f, &mesh, &options );
		options.collapse = 2 + (uint32_t)( random_bits( f ) >> 40 ) % 7;
		options.leaf_triangles = 1 + (uint32_t)( random_bits( f ) >> 40 ) % 5;
		bvb_tree* tree = build_tree( f, &other, &options );
		double least = least_cost( binary, &options );
		double cost = reference_cost( tree, &options ) + price_of_tree( tree, &options );
		assert_true( fabs( cost - least ) <= 1e-12 * least );
		leaves_merged += largest_leaf( tree ) > 1;
		wider += bvb_tree_node( tree, 0 ).children > 2;
	}
	assert_true( leaves_merged > 10 && wider > 10 );
}

// The same of a builder that collapses as it builds, with boxes' surfaces as binary32 numbers.
static void no_other_collapse_of_a_binned_tree_costs_less( void** state )
{
	fixture* f = *state;
	uint32_t leaves_merged = 0;
	for ( int round = 0; round < 200; ++round )
	{
		bvb_hierarchy_options options = box_tree_options();
		options.builder = "binned";
		options.volume_types = 1u << bv_volume_aabb;
		options.costs.triangles = 5 + 30 * random_unit( f );
		options.costs.opening = 1 + 100 * random_unit( f );
		options.costs.leaf = 1 + 60 * random_unit( f );
		options.byte_price = round % 3 ? 50 * random_unit( f ) : 0;
		bvb_mesh mesh = random_soup( f, 2 + (uint32_t)round % 8 );
		bvb_mesh other = copy_mesh( f, &mesh );
		bvb_tree* binary = build_tree( f, &mesh, &options );
		options.collapse = 2 + (uint32_t)( random_bits( f ) >> 40 ) % 7;
		options.leaf_triangles = 1 + (uint32_t)( random_bits( f ) >> 40 ) % 5;
		bvb_tree* tree = build_tree( f, &other, &options );
		double least = least_cost( binary, &options );
		double cost = reference_cost( tree, &options ) + price_of_tree( tree, &options );
		assert_true( fabs( cost - least ) <= 1e-5 * least );
		leaves_merged += largest_leaf( tree ) > 1;
	}
	assert_true( leaves_merged > 10 );
}

static void collapsed_trees_are_as_the_options_say( void** state )
{
	fixture* f = *state;
	for ( uint32_t most = 2; most <= BVB_MAX_CHILDREN; ++most )
	{
		for ( uint32_t type = 0; type < bv_volume_types; type += most == 4 ? 1 : 2 )
		{
			bvb_hierarchy_options options = box_tree_options();
			options.volume_types = 1u << type;
			options.leaf_triangles = 3;
			bvb_mesh mesh = bumpy_ball( f, 8 );
			bvb_mesh other = copy_mesh( f, &mesh );
			uint32_t depth = check_tree_of( &mesh, build_tree( f, &mesh, &options ), &options );
			options.collapse = most;
			bvb_tree* tree = build_tree( f, &other, &options );
			assert_true( largest_leaf( tree ) <= 3 );
			assert_true( check_tree_of( &other, tree, &options ) <= depth + 2 ); // leaves are of one at first
			for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
			{
				assert_true( bvb_tree_node( tree, i ).children <= most );
			}
		}
	}
}

// Wherever they end: larger leaves are allowed only if the depth leaves no other way.
static void hard_sets_stay_within_the_depth( void** state )
{
	fixture* f = *state;
	for ( int set = 0; set < hard_sets; ++set )
	{
		bvb_hierarchy_options options = box_tree_options();
		options.builder = "ploc";
		options.collapse = 8;
		options.leaf_triangles = 4;
		options.max_depth = 12;
		bvb_mesh mesh = hard_mesh( f, set, 10000 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		check_tree_of( &mesh, tree, &options );
		assert_true( largest_leaf( tree ) <= 4 );
	}
}

// Nodes are as wide as one comparison is, nearly, and leaves as large as tests of eight pairs and the bytes they save make them.
static void boxes_at_shipped_costs_are_collapsed_to_wide_nodes_and_small_leaves( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.volume_types = 1u << bv_volume_obb;
	options.collapse = 8;
	options.leaf_triangles = 8;
	bvb_mesh mesh = bumpy_ball( f, 50 );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	double inner = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		inner += bvb_tree_node( tree, i ).children > 0;
	}
	double nodes = bvb_tree_node_count( tree );
	double children = ( nodes - 1 ) / inner;
	double triangles = mesh.triangle_count / ( nodes - inner );
	assert_true( children >= 6 && children <= 8 );
	assert_true( triangles >= 2 && triangles <= 4 );
}

static void only_binary_trees_are_collapsed_or_optimized( void** state )
{
	fixture* f = *state;
	static const uint32_t wrong[][3] = { { 1, 0, 2 }, { 9, 0, 2 }, { 4, 0, 3 }, { 4, 0, 0 }, { 0, 1, 4 } };
	for ( int i = 0; i < 5; ++i )
	{
		bvb_hierarchy_options options = box_tree_options();
		options.collapse = wrong[i][0];
		options.optimize = wrong[i][1];
		options.degree = wrong[i][2];
		bvb_mesh mesh = bumpy_ball( f, 4 );
		bvb_tree* tree;
		bvb_error error;
		assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ),
		                  bv_error_argument );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_other_collapse_costs_less ),
		fixture_test( no_other_collapse_of_a_binned_tree_costs_less ),
		fixture_test( collapsed_trees_are_as_the_options_say ),
		fixture_test( hard_sets_stay_within_the_depth ),
		fixture_test( boxes_at_shipped_costs_are_collapsed_to_wide_nodes_and_small_leaves ),
		fixture_test( only_binary_trees_are_collapsed_or_optimized ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
