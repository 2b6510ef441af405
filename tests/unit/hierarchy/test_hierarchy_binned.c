// The builder `binned`: what its trees hold, that they are the same for any number of threads, cuts against all planes between
// bins tried one by one, depth, and sets that are hard to divide.

#include "trees.h"

#include "offline/hierarchy/binned.h"

#include <time.h>

static bvb_hierarchy_options binned_options( void )
{
	bvb_hierarchy_options options = box_tree_options();
	options.builder = "binned";
	options.volume_types = 1u << bv_volume_aabb;
	return options;
}

// Triangles of about a size in the cube [-1, 1]^3.
static bvb_mesh random_soup( fixture* f, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[3 * i + k] =
				( bv_vec3 ){ (float)( at.x + size * p.x ), (float)( at.y + size * p.y ),
				             (float)( at.z + size * p.z ) };
		}
	}
	return mesh;
}

static void every_node_of_any_type_encloses_its_triangles( void** state )
{
	fixture* f = *state;
	for ( uint32_t collapse = 0; collapse <= 8; collapse += 4 )
	{
		for ( uint32_t types = 1; types <= 1u << bv_volume_types; types *= 2 )
		{
			bvb_hierarchy_options options = binned_options();
			options.volume_types = types < 1u << bv_volume_types ? types : 7;
			options.collapse = collapse;
			options.leaf_triangles = 1 + collapse / 2;
			bvb_mesh mesh = bumpy_ball( f, 12 );
			bvb_tree* tree = build_tree( f, &mesh, &options );
			check_tree_of( &mesh, tree, &options );
			assert_true( largest_leaf( tree ) <= options.leaf_triangles );
		}
	}
}

// Not binary32 numbers: boxes are rounded outward.
static void boxes_are_those_of_a_fit_to_their_triangles( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 4; ++round )
	{
		bvb_hierarchy_options options = binned_options();
		options.collapse = round % 2 ? 8 : 0;
		bvb_mesh mesh = random_soup( f, 500, 0.1 );
		for ( uint32_t i = 0; round >= 2 && i < mesh.vertex_count; ++i )
		{
			mesh.positions[i] = random_point( f );
		}
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
}

static void leaves_hold_as_many_triangles_as_they_may( void** state )
{
	fixture* f = *state;
	for ( uint32_t leaf = 1; leaf <= 2000; leaf = leaf * 4 + 1 )
	{
		bvb_hierarchy_options options = binned_options();
		options.leaf_triangles = leaf;
		bvb_mesh mesh = bumpy_ball( f, 24 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		check_tree_of( &mesh, tree, &options );
		for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			assert_true( ( node.children == 0 ) == ( node.triangles <= leaf ) );
		}
	}
}

static void threads_change_nothing( void** state )
{
	fixture* f = *state;
	for ( uint32_t threads = 2; threads <= 7; ++threads )
	{
		bvb_hierarchy_options options = binned_options();
		options.collapse = threads % 2 ? 8 : 0;
		bvb_mesh mesh = threads % 3 ? bumpy_ball( f, 70 ) : random_soup( f, 20000, 0.02 );
		bvb_mesh other = copy_mesh( f, &mesh );
		options.threads = 1;
		bvb_tree* one = build_tree( f, &mesh, &options );
		options.threads = threads;
		bvb_tree* many = build_tree( f, &other, &options );
		assert_same_trees( one, &mesh, many, &other );
	}
}

// The order in which triangles come matters as little as that of vertices: they are sorted along the curve.
static void trees_of_a_shuffled_mesh_cost_as_much( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = binned_options();
	options.collapse = 8;
	options.leaf_triangles = 8;
	bvb_mesh mesh = bumpy_ball( f, 60 );
	bvb_mesh other = copy_mesh( f, &mesh );
	for ( uint32_t i = other.triangle_count; i-- > 1; )
	{
		uint32_t k = (uint32_t)( random_bits( f ) % ( i + 1 ) );
		bvb_triangle t = other.triangles[i];
		other.triangles[i] = other.triangles[k];
		other.triangles[k] = t;
	}
	double cost = reference_cost( build_tree( f, &mesh, &options ), &options );
	double shuffled = reference_cost( build_tree( f, &other, &options ), &options );
	assert_true( fabs( cost - shuffled ) <= 0.005 * cost );
}

// Triangles times half surface of the items below a place of an axis, and of the others.
static double cost_of_cut( const bvhier_binned_item* items, uint32_t count, const bool* below )
{
	double cost = 0;
	for ( int side = 0; side < 2; ++side )
	{
		double lower[3] = { INFINITY, INFINITY, INFINITY };
		double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
		uint32_t triangles = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			for ( int axis = 0; axis < 3 && below[i] == side; ++axis )
			{
				lower[axis] = fmin( lower[axis], items[i].low[axis] );
				upper[axis] = fmax( upper[axis], items[i].high[axis] );
			}
			triangles += below[i] == side ? items[i].count : 0;
		}
		double x = upper[0] - lower[0];
		double y = upper[1] - lower[1];
		double z = upper[2] - lower[2];
		cost += triangles ? triangles * ( x * y + y * z + z * x ) : INFINITY;
	}
	return cost;
}

static double least_cost_of_cuts( const bvhier_binned_item* items, uint32_t count, uint32_t bins )
{
	double least = INFINITY;
	bool below[400];
	for ( uint32_t k = 0; k < 3 * bins; ++k )
	{
		uint32_t axis = k % 3;
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double place = (double)items[i].low[axis] + items[i].high[axis];
			lower = fmin( lower, place );
			upper = fmax( upper, place );
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			double place = (double)items[i].low[axis] + items[i].high[axis];
			below[i] = ( place - lower ) * bins < k / 3 * ( upper - lower );
		}
		least = fmin( least, cost_of_cut( items, count, below ) );
	}
	return least;
}

// Of all ways to divide them, whatever lies between.
static double least_cost_of_divisions( const bvhier_binned_item* items, uint32_t count )
{
	double least = INFINITY;
	bool below[4];
	for ( uint32_t which = 1; which + 1 < 1u << count; ++which )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			below[i] = which >> i & 1;
		}
		least = fmin( least, cost_of_cut( items, count, below ) );
	}
	return least;
}

// Against the definition; on whole numbers and powers of two, so that both round no place to another bin.
static void no_plane_between_bins_is_cheaper( void** state )
{
	fixture* f = *state;
	for ( uint32_t round = 0; round < 400; ++round )
	{
		bvhier_binned_item from[400];
		bvhier_binned_item to[400];
		bool below[400];
		bool seen[400] = { false };
		uint32_t count = 3 + (uint32_t)( random_bits( f ) >> 32 ) % ( round % 3 == 0   ? 8
		                                                              : round % 3 == 1 ? 60
		                                                                               : 390 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			for ( int axis = 0; axis < 3; ++axis )
			{
				float at = i < 2 ? (float)( 511 * i ) : (float)( random_bits( f ) >> 55 );
				float half = (float)( random_bits( f ) >> 59 );
				from[i].low[axis] = at - half;
				from[i].high[axis] = at + half;
			}
			from[i].first = i;
			from[i].count = count <= 4 ? 1 : 1 + (uint32_t)( random_bits( f ) >> 61 );
		}
		bvhier_binned_bounds b = bvhier_binned_bounds_of( from, count );
		bvhier_binned_room room = { .items = to, .capacity = count };
		assert_true( bvhier_binned_cut( from, count, &b, NULL, &room ) );
		uint32_t first = room.below;
		assert_true( first > 0 && first < count && first + room.above == count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			below[i] = i < first;
			assert_false( seen[to[i].first] );
			seen[to[i].first] = true;
			assert_memory_equal( to + i, from + to[i].first, sizeof *to );
		}
		double least = count <= 4 ? least_cost_of_divisions( from, count )
		                          : least_cost_of_cuts( from, count,
		                                                count <= 8    ? 4
		                                                : count <= 32 ? 8
		                                                              : 16 );
		assert_true( fabs( cost_of_cut( to, count, below ) - least ) <= 1e-5 * least );
	}
}

// As many items as there is room for; each run has triangles of one side only, but for those that there was no room to divide, and is
// what is around them.
static void runs_on_both_sides_of_a_cut_are_divided( void** state )
{
	fixture* f = *state;
	for ( uint32_t round = 0; round < 200; ++round )
	{
		bvhier_binned_item triangles[800];
		bvhier_binned_item from[100];
		bvhier_binned_item to[300];
		bool seen[800] = { false };
		uint32_t count = 0;
		uint32_t runs = 3 + (uint32_t)( random_bits( f ) >> 32 ) % 97;
		for ( uint32_t r = 0; r < runs; ++r )
		{
			bv_vec3 around = random_point( f );
			from[r].first = count;
			from[r].count = 1 + (uint32_t)( random_bits( f ) >> 61 );
			for ( uint32_t i = 0; i < from[r].count; ++i, ++count )
			{
				bv_vec3 p = random_point( f );
				for ( int axis = 0; axis < 3; ++axis )
				{
					float at = (float)( ( &around.x )[axis] + 0.3 * ( &p.x )[axis] );
					triangles[count].low[axis] = at;
					triangles[count].high[axis] = at + 0.1f;
				}
				triangles[count].first = count;
				triangles[count].count = 1;
			}
			bvhier_binned_bounds b = bvhier_binned_bounds_of( triangles + from[r].first, from[r].count );
			memcpy( from[r].low, &b.lower, sizeof from[r].low );
			memcpy( from[r].high, &b.upper, sizeof from[r].high );
		}
		uint32_t spare = round % 3 == 0 ? 0 : round % 3 == 1 ? 5 : 200;
		bvhier_binned_room room = { .items = to, .capacity = runs + spare };
		bvhier_binned_bounds b = bvhier_binned_bounds_of( from, runs );
		assert_true( bvhier_binned_cut( from, runs, &b, triangles, &room ) );
		uint32_t made = room.below + room.above;
		assert_true( room.below > 0 && room.above > 0 && made >= runs && made <= room.capacity );
		double least[3] = { INFINITY, INFINITY, INFINITY };
		double most[3] = { -INFINITY, -INFINITY, -INFINITY };
		for ( uint32_t r = 0; r < made; ++r )
		{
			const bvhier_binned_item* run =
				r < room.below ? to + r : to + room.capacity - 1 - ( r - room.below );
			bvhier_binned_bounds of = bvhier_binned_bounds_of( triangles + run->first, run->count );
			for ( int axis = 0; axis < 3; ++axis )
			{
				assert_true( of.lower[axis] == run->low[axis] && of.upper[axis] == run->high[axis] );
				double* bound = r < room.below ? most + axis : least + axis;
				double at = r < room.below ? of.place_upper[axis] : of.place_lower[axis];
				*bound = r < room.below ? fmax( *bound, at ) : fmin( *bound, at );
			}
			for ( uint32_t i = run->first; i < run->first + run->count; ++i )
			{
				assert_false( seen[triangles[i].first] );
				seen[triangles[i].first] = true;
			}
		}
		bool apart = most[0] < least[0] || most[1] < least[1] || most[2] < least[2];
		assert_true( apart || spare < 200 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_true( seen[i] );
		}
	}
}

// 2^17 is the least power of two that is not below 100000. Runs of the curve halve less evenly than triangles: the depth is
// never too little for them.
static void hard_sets_are_built_within_any_depth_that_can_hold_them( void** state )
{
	fixture* f = *state;
	// The same for a quarter of the triangles and two levels less.
	uint32_t less = is_thorough() ? 0 : 2;
	uint32_t count = 100000u >> less;
	const uint32_t depths[] = { BV_MAX_DEPTH, 21 - less, 20 - less, 19 - less, 17 - less, 10 - less, 0 };
	for ( int set = 0; set < hard_sets; ++set )
	{
		for ( int i = 0; i < 7; ++i )
		{
			bvb_hierarchy_options options = binned_options();
			options.max_depth = depths[i];
			bvb_mesh mesh = hard_mesh( f, set, count );
			clock_t start = clock();
			bvb_tree* tree = build_tree( f, &mesh, &options );
			assert_true( clock() - start < 20 * CLOCKS_PER_SEC );
			check_nodes( &mesh, tree, options.max_depth );
			assert_int_equal( largest_leaf( tree ), i < 5 ? 1 : i == 5 ? 98 : count );
		}
	}
}

static void small_numbers_of_triangles_are_built( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 200; count += count < 40 ? 1 : 17 )
	{
		for ( uint32_t depth = 0; depth <= 9; ++depth )
		{
			bvb_hierarchy_options options = binned_options();
			options.max_depth = depth;
			options.collapse = count % 3 ? 8 : 0;
			options.leaf_triangles = 1 + count % 9;
			bvb_mesh mesh = count % 2 ? hard_mesh( f, long_slivers, count ) : random_soup( f, count, 0.3 );
			check_tree_of( &mesh, build_tree( f, &mesh, &options ), &options );
		}
	}
}

// A mesh of record may be from 2^-120 to 2^120. At the lower end places of neighbors can't be told apart.
static void sizes_at_both_ends_make_the_same_tree( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 0x1p-119, 0x1p-100, 0x1p60, 0x1p118 };
	bvb_hierarchy_options options = binned_options();
	options.collapse = 8;
	options.leaf_triangles = 4;
	bvb_mesh mesh = random_soup( f, 3000, 0.05 );
	for ( int i = 0; i < 4; ++i )
	{
		bvb_mesh one = copy_mesh( f, &mesh );
		bvb_mesh other = copy_mesh( f, &mesh );
		for ( uint32_t k = 0; k < 3 * mesh.vertex_count; ++k )
		{
			double* x = &other.positions[k / 3].x + k % 3;
			double* y = &one.positions[k / 3].x + k % 3;
			*y = (double)(float)ldexp( floor( ldexp( *y, 15 ) ), -15 );
			*x = *y * scales[i];
		}
		bvb_tree* a = build_tree( f, &one, &options );
		bvb_tree* b = build_tree( f, &other, &options );
		check_tree_of( &other, b, &options );
		if ( i > 0 )
		{
			assert_int_equal( bvb_tree_node_count( a ), bvb_tree_node_count( b ) );
			assert_memory_equal( one.triangles, other.triangles,
			                     mesh.triangle_count * sizeof *mesh.triangles );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_node_of_any_type_encloses_its_triangles ),
		fixture_test( boxes_are_those_of_a_fit_to_their_triangles ),
		fixture_test( leaves_hold_as_many_triangles_as_they_may ),
		fixture_test( threads_change_nothing ),
		fixture_test( trees_of_a_shuffled_mesh_cost_as_much ),
		fixture_test( no_plane_between_bins_is_cheaper ),
		fixture_test( runs_on_both_sides_of_a_cut_are_divided ),
		fixture_test( hard_sets_are_built_within_any_depth_that_can_hold_them ),
		fixture_test( small_numbers_of_triangles_are_built ),
		fixture_test( sizes_at_both_ends_make_the_same_tree ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
