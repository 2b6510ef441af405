// What choosing the node to open goes by.

#include "bvh_damage.h"

#include "bv/mesh.h"

static bvb_bytes quality_file( fixture* f, const bvb_mesh* mesh, uint32_t types )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = types;
	options.sections |= 1u << bvb_section_node_quality;
	return build_bytes( f, mesh, &options );
}

static bool near_by( double a, double b )
{
	return fabs( a - b ) <= 0x1p-23 * fabs( b );
}

// Closed forms. Of a rectangle swept sphere: its two faces, the four half tubes, and a ball's.
static double area_of( const bv_volume* v )
{
	const double pi = 3.14159265358979323846;
	const double* h = v->type == bv_volume_rss ? v->rss.half_extents : v->obb.half_extents;
	switch ( v->type )
	{
	case bv_volume_obb: return 8 * ( h[0] * h[1] + h[1] * h[2] + h[2] * h[0] );
	case bv_volume_aabb:
	{
		double x = v->aabb.upper.x - v->aabb.lower.x;
		double y = v->aabb.upper.y - v->aabb.lower.y;
		double z = v->aabb.upper.z - v->aabb.lower.z;
		return 2 * ( x * y + y * z + z * x );
	}
	case bv_volume_sphere: return 4 * pi * v->sphere.radius * v->sphere.radius;
	default:
	{
		double r = v->rss.radius;
		return 8 * h[0] * h[1] + 2 * pi * r * ( 2 * h[0] + 2 * h[1] ) + 4 * pi * r * r;
	}
	}
}

enum
{
	most_nodes = 4096,
};

// All nodes, by number.
typedef struct nodes
{
	uint32_t count;
	bv_node_info of[most_nodes];
} nodes;

static bool keep_node( void* context, const bv_node_info* node )
{
	nodes* all = context;
	assert_true( node->index < most_nodes );
	all->of[node->index] = *node;
	all->count += 1;
	return true;
}

// What comparing a volume of that type costs on average over the types in use.
static double mean_cost( const bv_hierarchy_info* info, bv_volume_type type )
{
	double sum = 0;
	int used = 0;
	for ( int k = 0; k < bv_volume_types; ++k )
	{
		used += info->of_type[k] > 0;
		sum += info->of_type[k] > 0 ? info->costs.volumes[type][k] : 0;
	}
	return sum / used;
}

static void expect_node( const bv_file* file, const nodes* all, uint32_t index )
{
	const bv_node_info* node = all->of + index;
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	bv_node_quality quality;
	double worst = node->children ? 0 : area_of( &node->volume );
	double cost = node->children
	                  ? info.costs.opening
	                  : info.costs.leaf + (double)node->triangles * node->triangles * info.costs.triangles;
	for ( uint32_t i = node->first_child; i < node->first_child + node->children; ++i )
	{
		worst = fmax( worst, area_of( &all->of[i].volume ) );
		cost += mean_cost( &info, all->of[i].volume.type );
	}
	assert_true( bv_file_get_node_quality( file, index, &quality ) );
	assert_true( near_by( quality.area, area_of( &node->volume ) ) );
	assert_true( near_by( quality.worst, worst ) );
	assert_true( near_by( quality.cost, cost ) );
}

static void quality_is_that_of_the_volumes_in_closed_form( void** state )
{
	fixture* f = *state;
	static const uint32_t types[] = { 1u << bv_volume_obb, 1u << bv_volume_aabb, 1u << bv_volume_sphere,
		                              1u << bv_volume_rss, 1u << bv_volume_obb | 1u << bv_volume_aabb };
	nodes* all = bvb_arena_allocate( f->arena, 1, sizeof *all );
	for ( size_t i = 0; i < sizeof types / sizeof *types; ++i )
	{
		bvb_mesh mesh = bumpy_ball( f, 8 );
		const bv_file* file = open_bytes( quality_file( f, &mesh, types[i] ) );
		bv_node_quality none;
		all->count = 0;
		bv_file_visit_nodes( file, keep_node, all );
		for ( uint32_t k = 0; k < all->count; ++k )
		{
			expect_node( file, all, k );
		}
		assert_false( bv_file_get_node_quality( file, all->count, &none ) );
	}
}

// 2 (1 2 + 2 3 + 3 1) = 22, and of a k-DOP that is the same box no more.
static void the_area_of_a_box_is_that_of_its_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	static const bv_volume_type types[] = { bv_volume_aabb, bv_volume_kdop14, bv_volume_kdop18,
		                                    bv_volume_kdop26 };
	for ( size_t i = 0; i < sizeof types / sizeof *types; ++i )
	{
		bv_node_quality root;
		assert_true(
			bv_file_get_node_quality( open_bytes( quality_file( f, &mesh, 1u << types[i] ) ), 0, &root ) );
		assert_true( near_by( root.area, 22 ) );
	}
}

// A leaf at once, with costs of the test's own: 50 of a leaf and 93 of two triangles. A flat box of sides 3 and 4 has 12 on each
// of its two sides.
static void a_single_triangle_costs_what_a_leaf_does( void** state )
{
	fixture* f = *state;
	static const bv_vec3 positions[] = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 4, 0 } };
	static const uint32_t triangle[1][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, positions, 3, triangle, 1 );
	bv_node_quality root;
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << bv_volume_aabb;
	options.hierarchy.costs.leaf = 50;
	options.hierarchy.costs.triangles = 93;
	options.sections |= 1u << bvb_section_node_quality;
	assert_true( bv_file_get_node_quality( build_file( f, &mesh, &options ), 0, &root ) );
	assert_true( root.area == 24 && root.worst == 24 && root.cost == 50 + 93 );
}

// The greatest coordinates there may be: areas beyond binary32, in units of the root's.
static void the_largest_meshes_have_areas_too( void** state )
{
	fixture* f = *state;
	static const double sizes[] = { 0x1p119, 0x1p-120 };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = box_mesh( f, sizes[i], sizes[i], sizes[i] );
		bv_node_quality root;
		bvb_error error;
		bvb_bytes bytes = quality_file( f, &mesh, 1u << bv_volume_aabb );
		assert_true( bv_file_get_node_quality( open_bytes( bytes ), 0, &root ) );
		assert_true( near_by( root.area, 6 * sizes[i] * sizes[i] ) );
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	}
}

static bvfile_node_quality* stored_of( bvb_bytes b )
{
	return (bvfile_node_quality*)( (bvfile_qualities*)section_of( b, bvfile_section_node_quality ) + 1 );
}
static void break_sign( bvb_bytes b )
{
	stored_of( b )[3].quality = -1;
}
static void break_number( bvb_bytes b )
{
	stored_of( b )[4].worst = NAN;
}
static void break_cost( bvb_bytes b )
{
	stored_of( b )[22].cost = INFINITY;
}
static void break_unit( bvb_bytes b )
{
	( (bvfile_qualities*)section_of( b, bvfile_section_node_quality ) )->unit = -22;
}
static void break_unit_number( bvb_bytes b )
{
	( (bvfile_qualities*)section_of( b, bvfile_section_node_quality ) )->unit = NAN;
}

static void damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "a node's quality value is negative or not finite", break_sign },
		{ "a node's quality value is negative or not finite", break_number },
		{ "a node's quality value is negative or not finite", break_cost },
		{ "a node's quality value is negative or not finite", break_unit },
		{ "a node's quality value is negative or not finite", break_unit_number },
	};
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes bytes = quality_file( f, &mesh, 1u << bv_volume_obb );
	expect_refused( f, bytes, damages, sizeof damages / sizeof *damages );

	// It is the last section, so that the file can end earlier.
	bvb_bytes shorter = copy_of( f, bytes );
	const char* reason;
	entry_of( shorter, bvfile_section_node_quality )->bytes -= 4;
	( (bvfile_header*)shorter.data )->file_bytes -= 4;
	shorter.size -= 4;
	repair( shorter );
	assert_int_equal( open_status( shorter, &reason ), bv_error_damaged );
	assert_string_equal( reason, "the section of the nodes' quality has the wrong size" );
}

static void verify_finds_what_is_not_so( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 5 );
	bvb_bytes bytes = quality_file( f, &mesh, 1u << bv_volume_obb | 1u << bv_volume_kdop18 );
	bvb_error error;
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	for ( int i = 0; i < 3; ++i )
	{
		bvb_bytes lie = copy_of( f, bytes );
		float* at = &stored_of( lie )[7].quality + i;
		*at = nextafterf( *at, i == 1 ? 0 : INFINITY );
		repair( lie );
		assert_int_equal( verify_status( f, lie, &error ), bv_error_damaged );
		assert_string_equal( error.message, "the stored quality of node 7 differs from that of its volumes" );
	}
	( (bvfile_qualities*)section_of( bytes, bvfile_section_node_quality ) )->unit *= 2;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_string_equal( error.message, "the unit of the nodes' quality differs from the root's area" );
}

static bv_collide_result collide( const bv_file* a, const bv_file* b, double scale, bv_expansion expansion )
{
	bv_collide_options options = bv_collide_options_default();
	bv_collide_result result;
	bv_transform transform = bv_transform_identity();
	options.expansion = expansion;
	transform.pose.translation = ( bv_vec3 ){ 1.2, 0.3, 0 };
	transform.scale = scale;
	assert_int_equal( bv_mesh_collide( a, b, &transform, &options, &result ), bv_ok );
	return result;
}

static void hybrid_expansion_finds_the_same_pairs_by_it( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 9 );
	bvb_asset_options options = plain_options();
	const bv_file* without = build_file( f, &mesh, &options );
	const bv_file* with = open_bytes( quality_file( f, &mesh, options.hierarchy.volume_types ) );
	static const double scales[] = { 1, 0.5, 2 };
	for ( int i = 0; i < 3; ++i )
	{
		bv_collide_result one = collide( with, with, scales[i], bv_expand_larger );
		bv_collide_result by_quality = collide( with, with, scales[i], bv_expand_hybrid );
		bv_collide_result by_size = collide( without, without, scales[i], bv_expand_hybrid );
		bv_collide_result half = collide( with, without, scales[i], bv_expand_hybrid );
		bv_collide_result other_half = collide( without, with, scales[i], bv_expand_hybrid );
		assert_true( one.pairs > 0 );
		assert_int_equal( by_quality.pairs, one.pairs );
		assert_int_equal( by_size.pairs, one.pairs );

		// One file alone says nothing of the other's.
		assert_int_equal( half.volume_tests, by_size.volume_tests );
		assert_int_equal( other_half.volume_tests, by_size.volume_tests );
	}
}

// Costs of a node's children that are said to be nothing beside those of the other file's make it the one that is opened.
static void hybrid_expansion_opens_what_costs_less( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 9 );
	bvb_bytes bytes = quality_file( f, &mesh, plain_options().hierarchy.volume_types );
	bvb_bytes cheap = copy_of( f, bytes );
	bv_hierarchy_info info = bv_file_get_hierarchy( open_bytes( bytes ) );
	for ( uint32_t i = 0; i < info.nodes; ++i )
	{
		stored_of( cheap )[i].cost = 1e-20f;
	}
	repair( cheap );
	bv_collide_result fair = collide( open_bytes( bytes ), open_bytes( bytes ), 1, bv_expand_hybrid );
	bv_collide_result unfair = collide( open_bytes( cheap ), open_bytes( bytes ), 1, bv_expand_hybrid );
	assert_int_equal( fair.pairs, unfair.pairs );
	assert_true( fair.volume_tests != unfair.volume_tests );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( quality_is_that_of_the_volumes_in_closed_form ),
		fixture_test( the_area_of_a_box_is_that_of_its_sides ),
		fixture_test( a_single_triangle_costs_what_a_leaf_does ),
		fixture_test( the_largest_meshes_have_areas_too ),
		fixture_test( damage_is_named ),
		fixture_test( verify_finds_what_is_not_so ),
		fixture_test( hybrid_expansion_finds_the_same_pairs_by_it ),
		fixture_test( hybrid_expansion_opens_what_costs_less ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
