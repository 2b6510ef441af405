// The section with the hierarchy survives a round trip, means what the specification says, and is rejected
// when damaged.

#include "bvh_damage.h"

static bvb_bytes file_of_type( fixture* f, bv_volume_type type )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << type;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return build_bytes( f, &mesh, &options );
}

static uint8_t* kinds_of( bvfile_packed_node* node )
{
	return (uint8_t*)bvfile_node_kinds( node );
}

static uint32_t* links_of( bvfile_packed_node* node )
{
	return (uint32_t*)bvfile_node_links( node );
}

// The first node of which a child is a leaf.
static bvfile_packed_node* node_with_leaf( bvb_bytes b )
{
	uint32_t* words = (uint32_t*)first_node_of( b );
	bvfile_packed_node* node = first_node_of( b );
	while ( kinds_of( node )[0] % 32 == 0 && kinds_of( node )[1] % 32 == 0 )
	{
		words += bvfile_node_bytes( node ) / 4;
		node = (bvfile_packed_node*)words;
	}
	return node;
}

static uint8_t* first_group_of( bvb_bytes b )
{
	return (uint8_t*)bvfile_node_groups( first_node_of( b ) );
}

static void break_root( bvb_bytes b )
{
	hierarchy_of( b )->root[4] = NAN;
}
static void shrink_root( bvb_bytes b )
{
	hierarchy_of( b )->root[3] = -1;
}
static void lengthen_root_rotation( bvb_bytes b )
{
	hierarchy_of( b )->root[9] = 3;
}
static void fill_behind_root( bvb_bytes b )
{
	hierarchy_of( b )->root[10] = 1;
}
static void break_root_type( bvb_bytes b )
{
	hierarchy_of( b )->root_type = bv_volume_prism; // which version 1 of the section does not know
}
static void make_root_a_leaf( bvb_bytes b )
{
	hierarchy_of( b )->root_triangles = 12;
}
static void break_words( bvb_bytes b )
{
	hierarchy_of( b )->node_words -= 1;
}
static void fill_behind_nodes( bvb_bytes b )
{
	char* end = (char*)( hierarchy_of( b ) + 1 ) + 4 * (size_t)hierarchy_of( b )->node_words;
	end[BVFILE_LANES_SLACK - 1] = 1;
}
static void say_prisms( bvb_bytes b )
{
	hierarchy_of( b )->prisms = 1;
}
static void break_grid( bvb_bytes b )
{
	hierarchy_of( b )->grid.origin[2] = INFINITY;
}
static void break_grid_step( bvb_bytes b )
{
	hierarchy_of( b )->grid.step = -1;
}
static void break_cost( bvb_bytes b )
{
	hierarchy_of( b )->costs.volumes[6][6] = 0;
}
static void break_symmetry( bvb_bytes b )
{
	hierarchy_of( b )->costs.volumes[5][6] *= 2;
}
static void break_cost_number( bvb_bytes b )
{
	hierarchy_of( b )->costs.volumes[3][3] = NAN;
}
static void count_nodes_wrong( bvb_bytes b )
{
	hierarchy_of( b )->nodes += 1;
}
static void count_leaves_wrong( bvb_bytes b )
{
	hierarchy_of( b )->leaves -= 1;
}
static void count_depth_wrong( bvb_bytes b )
{
	hierarchy_of( b )->depth += 1;
}
static void count_types_wrong( bvb_bytes b )
{
	hierarchy_of( b )->of_type[0] -= 1;
	hierarchy_of( b )->of_type[1] += 1;
}
static void make_only_child( bvb_bytes b )
{
	first_node_of( b )->children = 1;
}
static void make_nine_children( bvb_bytes b )
{
	first_node_of( b )->children = 9;
}
static void add_link( bvb_bytes b )
{
	first_node_of( b )->links += 1;
}
static void lose_link( bvb_bytes b )
{
	first_node_of( b )->links -= 1;
}
static void share_child( bvb_bytes b )
{
	first_node_of( b )->first_child = 0;
}
static void make_cycle( bvb_bytes b )
{
	links_of( first_node_of( b ) )[0] = 0;
}
static void leave_nodes( bvb_bytes b )
{
	links_of( first_node_of( b ) )[first_node_of( b )->links - 1] = 1u << 30;
}
static void lose_triangle( bvb_bytes b )
{
	first_node_of( b )->first_triangle = 1;
}
static void fill_leaf( bvb_bytes b )
{
	uint8_t* kind = kinds_of( node_with_leaf( b ) );
	kind[kind[0] % 32 == 0] += 13;
}
static void break_type( bvb_bytes b )
{
	kinds_of( first_node_of( b ) )[1] |= 7 << bvfile_kind_shift;
}
static void exchange_types( bvb_bytes b )
{
	kinds_of( first_node_of( b ) )[0] |= 1 << bvfile_kind_shift;
}
static void fill_behind_kinds( bvb_bytes b )
{
	kinds_of( first_node_of( b ) )[first_node_of( b )->children] = 1;
}
static void break_center( bvb_bytes b )
{
	first_group_of( b )[3] |= 0x40;
}
static void break_rotation( bvb_bytes b )
{
	first_group_of( b )[4 * first_node_of( b )->children + 3] |= 0x80;
}
static void fill_behind_group( bvb_bytes b )
{
	first_group_of( b )[11 * first_node_of( b )->children] = 1;
}

static void each_kind_of_damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "the root's volume is invalid for its type", break_root },
		{ "the root's volume is invalid for its type", shrink_root },
		{ "the root's volume is invalid for its type", lengthen_root_rotation },
		{ "the root's volume is invalid for its type", fill_behind_root },
		{ "the root's volume is invalid for its type", break_root_type },
		{ "the root is a leaf but the file has inner nodes", make_root_a_leaf },
		{ "the node section has the wrong size", break_words },
		{ "the node section has the wrong size", fill_behind_nodes },
		{ "the version of the node section does not match its volume types", say_prisms },
		{ "the nodes' grid is out of range", break_grid },
		{ "the nodes' grid is out of range", break_grid_step },
		{ "a cost is not positive, or depends on the order of two volume types", break_cost },
		{ "a cost is not positive, or depends on the order of two volume types", break_symmetry },
		{ "a cost is not positive, or depends on the order of two volume types", break_cost_number },
		{ "the hierarchy does not contain every node and triangle exactly once", count_nodes_wrong },
		{ "the hierarchy's counts differ from those in its header", count_leaves_wrong },
		{ "the hierarchy's counts differ from those in its header", count_depth_wrong },
		{ "the hierarchy's counts differ from those in its header", count_types_wrong },
		{ "a node's number of children is out of range", make_only_child },
		{ "a node's number of children is out of range", make_nine_children },
		{ "a node's number of children is out of range", add_link },
		{ "a node has the wrong number of links", lose_link },
		{ "a node refers to children or triangles of another node", share_child },
		{ "a node refers to children or triangles of another node", make_cycle },
		{ "a node refers to children or triangles of another node", leave_nodes },
		{ "a node refers to children or triangles of another node", lose_triangle },
		{ "a leaf's triangle count is out of range", fill_leaf },
		{ "a node's children are not ordered by volume type", break_type },
		{ "a node's children are not ordered by volume type", exchange_types },
		{ "padding within a node is not zero", fill_behind_kinds },
		{ "a node's volume is invalid for its type", break_center },
		{ "a node's volume is invalid for its type", break_rotation },
		{ "a node's volume is invalid for its type", fill_behind_group },
	};
	expect_refused( f, file_of_type( f, bv_volume_obb ), damages, sizeof damages / sizeof *damages );
}

static void reverse_first_slab( bvb_bytes b )
{
	first_group_of( b )[0] = 255;
}
static void break_ball( bvb_bytes b )
{
	first_group_of( b )[3] |= 0x80;
}
static void turn_three_times( bvb_bytes b )
{
	first_group_of( b )[4 * first_node_of( b )->children + 3] |= 0xc0;
}

static void volumes_of_other_types_that_are_none_are_refused( void** state )
{
	fixture* f = *state;
	static const damage damages[bv_volume_types] = {
		[bv_volume_obb] = { "a node's volume is invalid for its type", break_center },
		[bv_volume_aabb] = { "a node's volume is invalid for its type", reverse_first_slab },
		[bv_volume_sphere] = { "a node's volume is invalid for its type", break_ball },
		[bv_volume_rss] = { "a node's volume is invalid for its type", turn_three_times },
		[bv_volume_kdop14] = { "a node's volume is invalid for its type", reverse_first_slab },
		[bv_volume_kdop18] = { "a node's volume is invalid for its type", reverse_first_slab },
		[bv_volume_kdop26] = { "a node's volume is invalid for its type", reverse_first_slab },
		[bv_volume_prism] = { "a node's volume is invalid for its type", turn_three_times },
	};
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		expect_refused( f, file_of_type( f, (bv_volume_type)type ), damages + type, 1 );
	}
}

// By their places in the specification.
static void costs_that_are_none_are_refused( void** state )
{
	fixture* f = *state;
	static const size_t places[] = { 192, 584, 592, 600 };
	static const double wrong[] = { 0, -1, NAN, INFINITY, -INFINITY };
	for ( size_t i = 0; i < sizeof places / sizeof places[0]; ++i )
	{
		for ( size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k )
		{
			bvb_bytes bytes = small_file( f, bvb_positions_float );
			const char* reason;
			assert_int_equal( open_status( bytes, &reason ), bv_ok );
			memcpy( (char*)section_of( bytes, bvfile_section_nodes ) + places[i], wrong + k,
			        sizeof( double ) );
			repair( bytes );
			assert_int_equal( open_status( bytes, &reason ), bv_error_damaged );
			assert_string_equal( reason,
			                     "a cost is not positive, or depends on the order of two volume types" );
		}
	}
}

// What a visit of a file's nodes is compared with.
typedef struct expected
{
	const bvb_tree* tree;
	uint32_t of_type[bv_volume_types];
	uint32_t seen;
} expected;

static bool expect_node( void* context, const bv_node_info* info )
{
	expected* e = context;
	bvb_node node = bvb_tree_node( e->tree, info->index );
	float in[bvvol_packed_most / 4];
	float out[bvvol_packed_most / 4];
	assert_int_equal( info->volume.type, node.volume.type );
	bvvol_pack( &node.volume, in );
	bvvol_pack( &info->volume, out );
	assert_memory_equal( in, out, bvvol_packed_bytes( node.volume.type ) );
	assert_int_equal( info->children, node.children );
	assert_int_equal( info->first_child, node.first_child );
	assert_int_equal( info->first_triangle, node.first_triangle );
	assert_int_equal( info->triangles, node.triangles );
	e->of_type[node.volume.type] += 1;
	e->seen += 1;
	return true;
}

// Volumes to the last bit, ranges, counts by type and costs, of trees of each type, of all, wide and binary, with leaves of
// many triangles.
static void nodes_come_out_as_they_went_in( void** state )
{
	fixture* f = *state;
	for ( int type = 0; type <= bv_volume_types; ++type )
	{
		for ( uint32_t leaf = 1; leaf < 200; leaf *= 6 )
		{
			bvb_asset_options options = plain_options();
			options.hierarchy.volume_types =
				type < bv_volume_types ? 1u << type : ( 1u << bv_volume_types ) - 1;
			options.hierarchy.costs.triangles = 17;
			options.hierarchy.costs.volumes[1][2] = options.hierarchy.costs.volumes[2][1] = 23;
			options.hierarchy.degree = 2 + leaf % 5;
			options.hierarchy.leaf_triangles = leaf;
			bvb_mesh mesh = bumpy_ball( f, 8 );
			bvb_source source = { .name = "x.obj", .format = "obj" };
			bvb_scene scene = { .mesh = mesh };
			bvb_error error = { "" };
			bvb_asset asset;
			bvb_bytes bytes;
			assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
			assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
			const bv_file* file = open_bytes( bytes );
			const bvfile_hierarchy* head = hierarchy_of( bytes );
			bv_costs costs = bv_file_get_hierarchy( file ).costs;
			assert_true( costs.triangles == 17 && costs.volumes[1][2] == 23 );
			double place;
			memcpy( &place, (const char*)head + 584, sizeof place );
			assert_true( place == 17 );
			expected e = { .tree = asset.tree };
			assert_true( bv_file_visit_nodes( file, expect_node, &e ) );
			assert_int_equal( e.seen, bvb_tree_node_count( asset.tree ) );
			assert_memory_equal( e.of_type, head->of_type, sizeof head->of_type );
			assert_int_equal( e.of_type[bv_volume_prism], head->prisms );
			assert_memory_equal( e.of_type, bv_file_get_hierarchy( file ).of_type, sizeof e.of_type );
			bvb_verify_result result;
			if ( bvb_file_verify( file, f->arena, &result, &error ) != bv_ok )
			{
				fail_msg( "type %d leaf %u: %s", type, leaf, error.message );
			}
		}
	}
}

// The specification's words in long double: numbers of a lane, with `bytes` of the group.

static long double field( const uint8_t* bytes, uint32_t lane, int index )
{
	uint32_t word = bytes[4 * lane] | (uint32_t)bytes[4 * lane + 1] << 8 |
	                (uint32_t)bytes[4 * lane + 2] << 16 | (uint32_t)bytes[4 * lane + 3] << 24;
	return ( word >> ( 10 * index ) ) % 1024;
}

static void expect_near( double got, long double wanted, long double magnitude )
{
	assert_true( fabsl( got - wanted ) <= 0x1p-50L * magnitude );
}

static void expect_frame( const bv_vec3 axis[3], const uint8_t* rotation, uint32_t lane, int turns )
{
	long double a = field( rotation, lane, 0 ) - 512;
	long double b = field( rotation, lane, 1 ) - 512;
	long double c = field( rotation, lane, 2 ) - 512;
	long double d = 1233;
	long double n = a * a + b * b + c * c + d * d;

	// The columns of the quaternion's matrix, as in any textbook.
	const long double column[3][3] = {
		{ a * a - b * b - c * c + d * d, 2 * ( a * b + c * d ), 2 * ( a * c - b * d ) },
		{ 2 * ( a * b - c * d ), b * b - a * a - c * c + d * d, 2 * ( b * c + a * d ) },
		{ 2 * ( a * c + b * d ), 2 * ( b * c - a * d ), c * c - a * a - b * b + d * d },
	};
	for ( int i = 0; i < 3; ++i )
	{
		const long double* from = column[( i + turns ) % 3];
		expect_near( axis[i].x, from[0] / n, 4 );
		expect_near( axis[i].y, from[1] / n, 4 );
		expect_near( axis[i].z, from[2] / n, 4 );
	}
}

// Groups of random bytes in random frames.
static void codes_mean_what_the_specification_says( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 7000; ++round )
	{
		bv_volume_type type = (bv_volume_type)( round % bv_volume_types );
		uint32_t n = 1 + (uint32_t)( random_bits( f ) % 8 );
		uint8_t bytes[26 * 8 + 32];
		for ( size_t i = 0; i < sizeof bytes; ++i )
		{
			bytes[i] = (uint8_t)( random_bits( f ) >> 20 );
		}
		int turns = 0;
		uint32_t lane = (uint32_t)( random_bits( f ) % n );
		if ( type == bv_volume_obb || type == bv_volume_rss || type == bv_volume_prism )
		{
			turns = type == bv_volume_obb ? 0 : (int)( random_bits( f ) % 3 );
			uint8_t* top = bytes + 4 * n + 4 * lane + 3;
			*top = (uint8_t)( ( *top & 0x3f ) | turns << 6 );
		}
		bvfile_packed_node node = { .extent = (uint8_t)( 100 + random_bits( f ) % 60 ) };
		bvfile_node_grid grid = { .step = ldexp( 1, (int)( random_bits( f ) % 9 ) - 8 ) };
		long double origin[3];
		long double step[3];
		long double most = 0;
		for ( int i = 0; i < 3; ++i )
		{
			node.exponent[i] = (uint8_t)( 130 + random_bits( f ) % 10 );
			node.origin[i] = (uint16_t)( random_bits( f ) >> 30 );
			grid.origin[i] = grid.step * (double)( random_bits( f ) % 2000 );
			origin[i] = (long double)grid.origin[i] + (long double)grid.step * node.origin[i];
			step[i] = ldexpl( 1, node.exponent[i] - 140 );
			most = step[i] > most ? step[i] : most;
		}
		long double unit = ldexpl( 1, node.extent - 148 );
		bvfile_node_frame frame = bvfile_node_frame_of( &node, &grid );
		bvfile_group group = { .type = type, .count = n, .data = bytes };
		bv_volume v;
		bvfile_lane_unpack( &group, lane, &frame, &v );
		long double center[3];
		for ( int i = 0; i < 3; ++i )
		{
			center[i] = origin[i] + step[i] * field( bytes, lane, i );
		}
		const uint8_t* half = bytes + 8 * n;
		switch ( type )
		{
		case bv_volume_obb:
			assert_true( v.obb.center.x == center[0] && v.obb.center.y == center[1] &&
			             v.obb.center.z == center[2] );
			for ( uint32_t i = 0; i < 3; ++i )
			{
				assert_true( v.obb.half_extents[i] == unit * half[i * n + lane] * half[i * n + lane] );
			}
			expect_frame( v.obb.axis, bytes + 4 * n, lane, 0 );
			break;
		case bv_volume_prism:
		{
			const bv_obb* box = &v.prism.box;
			assert_true( box->center.x == center[0] && box->center.y == center[1] &&
			             box->center.z == center[2] );
			for ( uint32_t i = 0; i < 3; ++i )
			{
				assert_true( box->half_extents[i] == unit * half[i * n + lane] * half[i * n + lane] );
			}

			// Right angles about the third axis are undone: (x, y) was (-y, x) before.
			bv_vec3 axis[3] = { box->axis[0], box->axis[1], box->axis[2] };
			for ( int i = 0; i < bytes[4 * lane + 3] >> 6; ++i )
			{
				bv_vec3 x = axis[0];
				axis[0] = ( bv_vec3 ){ -axis[1].x, -axis[1].y, -axis[1].z };
				axis[1] = x;
			}
			expect_frame( axis, bytes + 4 * n, lane, turns );
			break;
		}
		case bv_volume_rss:
			assert_true( v.rss.center.x == center[0] && v.rss.center.y == center[1] &&
			             v.rss.center.z == center[2] );
			assert_true( v.rss.half_extents[0] == unit * half[lane] * half[lane] );
			assert_true( v.rss.half_extents[1] == unit * half[n + lane] * half[n + lane] );
			assert_true( v.rss.radius == unit * half[2 * n + lane] * half[2 * n + lane] );
			expect_frame( v.rss.axis, bytes + 4 * n, lane, turns );
			break;
		case bv_volume_sphere:
			assert_true( v.sphere.center.x == center[0] && v.sphere.center.y == center[1] &&
			             v.sphere.center.z == center[2] );
			assert_true( v.sphere.radius == unit * bytes[4 * n + lane] * bytes[4 * n + lane] );
			break;
		case bv_volume_aabb:
			assert_true( v.aabb.lower.x == origin[0] + 4 * step[0] * bytes[lane] );
			assert_true( v.aabb.lower.y == origin[1] + 4 * step[1] * bytes[n + lane] );
			assert_true( v.aabb.lower.z == origin[2] + 4 * step[2] * bytes[2 * n + lane] );
			assert_true( v.aabb.upper.x == origin[0] + 4 * step[0] * bytes[3 * n + lane] );
			assert_true( v.aabb.upper.y == origin[1] + 4 * step[1] * bytes[4 * n + lane] );
			assert_true( v.aabb.upper.z == origin[2] + 4 * step[2] * bytes[5 * n + lane] );
			break;
		default:
			for ( uint32_t i = 0, at = 0; i < BV_KDOP_DIRECTIONS; ++i )
			{
				if ( !bv_kdop_uses( v.kdop.k, i ) )
				{
					continue;
				}
				bv_vec3 d = bv_kdop_direction( i );
				int less = ( d.x < 0 ) + ( d.y < 0 ) + ( d.z < 0 );
				int all = ( d.x != 0 ) + ( d.y != 0 ) + ( d.z != 0 );
				long double base = d.x * origin[0] + d.y * origin[1] + d.z * origin[2] - less * 1020 * most;
				assert_true( v.kdop.lower[i] == base + all * 4 * most * bytes[at * n + lane] );
				assert_true( v.kdop.upper[i] ==
				             base + all * 4 * most * bytes[( v.kdop.k / 2 + at ) * n + lane] );
				at += 1;
			}
			break;
		}
	}
}

// A chain: every inner node has a leaf and the rest.
static bvb_node node_of_chain( const void* context, uint32_t index )
{
	uint32_t triangles = *(const uint32_t*)context;
	uint32_t level = ( index + 1 ) / 2;
	bool inner = index % 2 == 0 && index + 1 < 2 * triangles - 1;
	bvb_node node = { .volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 8 } } };
	node.first_child = inner ? index + 1 : 0;
	node.children = inner ? 2 : 0;
	node.first_triangle = inner || index % 2 == 0 ? level : level - 1;
	node.triangles = inner ? triangles - level : 1;
	return node;
}

// A chain of 65 triangles has 64 levels; 66 have one too many.
static void a_hierarchy_deeper_than_64_levels_is_refused( void** state )
{
	fixture* f = *state;
	for ( uint32_t triangles = 64; triangles <= 67; ++triangles )
	{
		bvb_mesh mesh = soup_create( f, triangles );
		for ( uint32_t i = 0; i < 3 * triangles; ++i )
		{
			mesh.positions[i] = random_point( f );
		}
		bvb_bytes bytes = bytes_of_nodes( f, &mesh, node_of_chain, &triangles, 2 * triangles - 1 );
		assert_int_equal( hierarchy_of( bytes )->depth, triangles - 1 );
		const char* reason;
		bv_status status = open_status( bytes, &reason );
		assert_int_equal( status, triangles - 1 <= BV_MAX_DEPTH ? bv_ok : bv_error_damaged );
		if ( status != bv_ok )
		{
			assert_string_equal( reason, "the hierarchy is deeper than the limit" );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( each_kind_of_damage_is_named ),
		fixture_test( volumes_of_other_types_that_are_none_are_refused ),
		fixture_test( costs_that_are_none_are_refused ),
		fixture_test( nodes_come_out_as_they_went_in ),
		fixture_test( codes_mean_what_the_specification_says ),
		fixture_test( a_hierarchy_deeper_than_64_levels_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
