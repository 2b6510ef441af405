// What bv_mesh_collide counts by kind: trees whose tests are known, and sums.

#include "support.h"

#include "bv/mesh.h"

enum
{
	leaf_triangles = 20, // so many about the origin that their volumes overlap, whatever their types are
};

static bv_test_counts counts_of( const bv_file* a, const bv_file* b, const bv_pose* pose, bool first,
                                 bv_collide_result* result )
{
	bv_test_counts counts;
	memset( &counts, 0, sizeof counts );
	bv_collide_options options = { .first = first, .counts = &counts };
	assert_int_equal( bv_mesh_collide( a, b, by_pose( pose ), &options, result ), bv_ok );
	return counts;
}

// Of pairs of volumes.
static uint64_t sum_of( const bv_test_counts* counts )
{
	uint64_t sum = 0;
	for ( int i = 0; i < bv_volume_types * bv_volume_types; ++i )
	{
		sum += counts->volumes[i / bv_volume_types][i % bv_volume_types];
	}
	return sum;
}

// Random triangles about the origin.
static bvb_mesh small_soup( fixture* f, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < 3 * count; i += 3 )
	{
		bv_vec3 center = random_point( f );
		for ( uint32_t k = i; k < i + 3; ++k )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[k] =
				( bv_vec3 ){ center.x + size * p.x, center.y + size * p.y, center.z + size * p.z };
		}
	}
	return mesh;
}

// A file whose tree is its root.
static const bv_file* single_node( fixture* f, bv_volume_type type, uint32_t triangles )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << type;
	options.hierarchy.max_depth = 0;
	bvb_mesh mesh = small_soup( f, triangles, 1 );
	const bv_file* file = build_file( f, &mesh, &options );
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	assert_true( info.nodes == 1 && info.of_type[type] == 1 );
	return file;
}

// Of two single nodes, which is one test of one kind.
static bv_test_counts count_one( const bv_file* a, const bv_file* b )
{
	bv_pose pose = bv_pose_identity();
	bv_collide_result result;
	bv_test_counts counts = counts_of( a, b, &pose, false, &result );
	assert_int_equal( sum_of( &counts ), 1 );
	assert_int_equal( result.volume_tests, 1 );
	return counts;
}

static void two_single_nodes_are_one_test_of_their_types( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < bv_volume_types * bv_volume_types; ++i )
	{
		int of_a = i / bv_volume_types;
		int of_b = i % bv_volume_types;
		bv_test_counts counts =
			count_one( single_node( f, (bv_volume_type)of_a, 2 ), single_node( f, (bv_volume_type)of_b, 3 ) );
		assert_int_equal( counts.volumes[of_a][of_b], 1 );
	}
}

// They are leaves both, whatever their types are, and nothing is opened.
static void two_single_nodes_are_one_pair_of_leaves( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < bv_volume_types * bv_volume_types; ++i )
	{
		bv_test_counts counts =
			count_one( single_node( f, (bv_volume_type)( i / bv_volume_types ), leaf_triangles ),
		               single_node( f, (bv_volume_type)( i % bv_volume_types ), leaf_triangles ) );
		assert_int_equal( counts.openings, 0 );
		assert_int_equal( counts.leaves, 1 );
	}
}

enum
{
	fan_leaves = bv_volume_types,
	fan_triangles = leaf_triangles * bv_volume_types,
};

// A volume of that type round all there is.
static bv_volume large_volume( bv_volume_type type )
{
	static const uint32_t planes[bv_volume_types] = {
		[bv_volume_kdop14] = 14, [bv_volume_kdop18] = 18, [bv_volume_kdop26] = 26
	};
	const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bv_volume v;
	memset( &v, 0, sizeof v );
	v.type = type;
	switch ( type )
	{
	case bv_volume_obb:
	case bv_volume_prism: // begins as an oriented box does
		v.obb = ( bv_obb ){ .half_extents = { 8, 8, 8 }, .rotation = { 0, 0, 0, 1 } };
		memcpy( v.obb.axis, axis, sizeof axis );
		break;
	case bv_volume_aabb: v.aabb = ( bv_aabb ){ { -8, -8, -8 }, { 8, 8, 8 } }; break;
	case bv_volume_sphere: v.sphere = ( bv_sphere ){ { 0, 0, 0 }, 8 }; break;
	case bv_volume_rss:
		v.rss = ( bv_rss ){ .half_extents = { 8, 8 }, .radius = 8, .rotation = { 0, 0, 0, 1 } };
		memcpy( v.rss.axis, axis, sizeof axis );
		break;
	default:
		v.kdop.k = planes[type];
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			v.kdop.lower[i] = bv_kdop_uses( v.kdop.k, i ) ? -24 : 0;
			v.kdop.upper[i] = bv_kdop_uses( v.kdop.k, i ) ? 24 : 0;
		}
		break;
	}
	return v;
}

// A root, the type of which is the context, with a leaf of each type.
static bvb_node node_of_fan( const void* context, uint32_t index )
{
	if ( index == 0 )
	{
		return ( bvb_node ){
			.first_child = 1,
			.children = fan_leaves,
			.triangles = fan_triangles,
			.volume = large_volume( *(const bv_volume_type*)context ),
		};
	}
	return ( bvb_node ){
		.first_triangle = leaf_triangles * ( index - 1 ),
		.triangles = leaf_triangles,
		.volume = large_volume( (bv_volume_type)( index - 1 ) ),
	};
}

static const bv_file* fan_file( fixture* f, bv_volume_type root )
{
	bvb_mesh mesh = small_soup( f, fan_triangles, 1 );
	return file_of_nodes( f, &mesh, node_of_fan, &root, 1 + fan_leaves );
}

// All volumes of the fan meet the single node: it is compared once with the root and once with each leaf, which makes as many
// pairs of leaves and all pairs of triangles; only the fan's root is opened.
static void a_node_under_a_mixed_tree_is_compared_once_with_each( void** state )
{
	fixture* f = *state;
	bv_pose pose = bv_pose_identity();
	for ( int i = 0; i < bv_volume_types * bv_volume_types * 2; ++i )
	{
		bool turned = i % 2;
		bv_volume_type root = (bv_volume_type)( i / 2 / bv_volume_types );
		bv_volume_type other = (bv_volume_type)( i / 2 % bv_volume_types );
		const bv_file* fan = fan_file( f, root );
		const bv_file* node = single_node( f, other, leaf_triangles );
		bv_collide_result result;
		bv_test_counts counts = counts_of( turned ? node : fan, turned ? fan : node, &pose, false, &result );
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			uint64_t expected = 1 + ( type == (int)root );
			assert_int_equal( turned ? counts.volumes[other][type] : counts.volumes[type][other], expected );
		}
		assert_int_equal( counts.openings, 1 );
		assert_int_equal( counts.leaves, fan_leaves );
		assert_int_equal( result.volume_tests, 1 + fan_leaves );
		assert_int_equal( result.triangle_tests, leaf_triangles * fan_triangles );
	}
}

// Soups in trees of each type, and in trees whose nodes choose among all.
static void build_soups( fixture* f, uint32_t count, const bv_file* out[bv_volume_types + 1] )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.hit_tests = 0; // so that as many types as can be are chosen
	bvb_mesh mesh = small_soup( f, count, 0.2 );
	for ( int type = 0; type <= bv_volume_types; ++type )
	{
		uint32_t all = ( 1u << bv_volume_types ) - 1;
		options.hierarchy.volume_types = type < bv_volume_types ? 1u << type : all;
		options.hierarchy.leaf_triangles = 1 + (uint32_t)type % 2;
		out[type] = build_file( f, &mesh, &options );
	}
	int types = 0;
	bv_hierarchy_info mixed = bv_file_get_hierarchy( out[bv_volume_types] );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		types += mixed.of_type[type] > 0;
	}
	assert_true( types >= 5 );
}

// Also of queries that end early. What a query finds and tests does not depend on whether it is asked to count.
static void kinds_sum_to_all_volume_tests( void** state )
{
	fixture* f = *state;
	const bv_file* a[bv_volume_types + 1];
	const bv_file* b[bv_volume_types + 1];
	build_soups( f, 90, a );
	build_soups( f, 70, b );
	bv_pose pose = bv_pose_identity();
	pose.translation.x = 0.3;
	for ( int i = 0; i < ( bv_volume_types + 1 ) * ( bv_volume_types + 1 ) * 2; ++i )
	{
		const bv_file* of_a = a[i / 2 / ( bv_volume_types + 1 )];
		const bv_file* of_b = b[i / 2 % ( bv_volume_types + 1 )];
		bv_collide_result counted;
		bv_collide_result plain;
		bv_test_counts counts = counts_of( of_a, of_b, &pose, i % 2, &counted );
		assert_int_equal( sum_of( &counts ), counted.volume_tests );
		assert_true( counted.volume_tests > 10 );
		bv_collide_options options = { .first = i % 2 };
		assert_int_equal( bv_mesh_collide( of_a, of_b, by_pose( &pose ), &options, &plain ), bv_ok );
		assert_memory_equal( &plain, &counted, sizeof plain );
	}
}

// With at least two children a node, and no pair of leaves without one of triangles.
static void trees_of_one_type_are_compared_as_that( void** state )
{
	fixture* f = *state;
	const bv_file* a[bv_volume_types + 1];
	const bv_file* b[bv_volume_types + 1];
	build_soups( f, 90, a );
	build_soups( f, 70, b );
	bv_pose pose = bv_pose_identity();
	for ( int i = 0; i < bv_volume_types * bv_volume_types; ++i )
	{
		int of_a = i / bv_volume_types;
		int of_b = i % bv_volume_types;
		bv_collide_result result;
		bv_test_counts counts = counts_of( a[of_a], b[of_b], &pose, false, &result );
		assert_int_equal( counts.volumes[of_a][of_b], result.volume_tests );
		assert_true( counts.openings > 0 && 1 + 2 * counts.openings <= result.volume_tests );
		assert_true( counts.leaves > 0 && counts.leaves <= result.triangle_tests );
	}
}

static void counts_are_added_to_what_is_there( void** state )
{
	fixture* f = *state;
	const bv_file* a = single_node( f, bv_volume_rss, leaf_triangles );
	const bv_file* b = single_node( f, bv_volume_aabb, leaf_triangles );
	const bv_file* fan = fan_file( f, bv_volume_aabb );
	bv_pose pose = bv_pose_identity();
	bv_test_counts counts;
	memset( &counts, 0, sizeof counts );
	counts.volumes[bv_volume_rss][bv_volume_aabb] = 40;
	counts.volumes[bv_volume_aabb][bv_volume_rss] = 50;
	counts.openings = 60;
	counts.leaves = 70;
	bv_collide_options options = bv_collide_options_default();
	options.counts = &counts;
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( a, b, by_pose( &pose ), &options, &result ), bv_ok );
	assert_int_equal( bv_mesh_collide( a, b, by_pose( &pose ), &options, &result ), bv_ok );
	assert_int_equal( result.volume_tests, 1 );
	assert_int_equal( bv_mesh_collide( a, fan, by_pose( &pose ), &options, &result ), bv_ok );
	assert_int_equal( counts.volumes[bv_volume_rss][bv_volume_aabb], 44 );
	assert_int_equal( counts.volumes[bv_volume_aabb][bv_volume_rss], 50 );
	assert_int_equal( counts.openings, 61 );
	assert_int_equal( counts.leaves, 72 + fan_leaves );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( two_single_nodes_are_one_test_of_their_types ),
		fixture_test( two_single_nodes_are_one_pair_of_leaves ),
		fixture_test( a_node_under_a_mixed_tree_is_compared_once_with_each ),
		fixture_test( kinds_sum_to_all_volume_tests ),
		fixture_test( trees_of_one_type_are_compared_as_that ),
		fixture_test( counts_are_added_to_what_is_there ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
