// Barequet's trees: pairs of known stages, boxes of sixteen known corners, depth, threads.

#include "trees.h"

static const char* const builders[] = { "boxtree", "boxtree-max", "boxtree-min" };

static bvb_hierarchy_options boxtree_options( const char* builder, bv_volume_type type )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.volume_types = 1u << type;
	return options;
}

static void every_node_of_any_type_encloses_its_triangles( void** state )
{
	fixture* f = *state;
	for ( int b = 0; b < 3; ++b )
	{
		for ( uint32_t type = 0; type < bv_volume_types; ++type )
		{
			bvb_hierarchy_options options = boxtree_options( builders[b], (bv_volume_type)type );
			options.leaf_triangles = type % 2 ? 1 : 3;
			bvb_mesh mesh = bumpy_ball( f, 12 );
			bvb_tree* tree = build_tree( f, &mesh, &options );
			check_tree_of( &mesh, tree, &options );
			assert_true( largest_leaf( tree ) <= options.leaf_triangles );
		}
	}
}

// Rectangles of widths 1, 1.125, 1.25 and 1.375, two faces each. Two faces that share a rectangle's diagonal have a box as large as the rectangle, any
// others a larger one: so the first stage. In the second the narrowest neighbors come first.
static void stages_of_a_strip_are_those_of_the_rule( void** state )
{
	fixture* f = *state;
	static const bvb_quality_measure qualities[] = { bvb_quality_area, bvb_quality_volume };
	for ( int round = 0; round < 6; ++round )
	{
		bv_vec3 p[10];
		uint32_t t[8][3];
		double x = 0;
		for ( uint32_t i = 0; i < 5; ++i )
		{
			p[2 * i] = ( bv_vec3 ){ x, 0, 0 };
			p[2 * i + 1] = ( bv_vec3 ){ x, 1, 0 };
			x += 1 + 0.125 * i;
		}
		for ( uint32_t i = 0; i < 4; ++i )
		{
			uint32_t c = 2 * i;
			memcpy( t[2 * i], ( uint32_t[3] ){ c, c + 2, c + 3 }, sizeof *t );
			memcpy( t[2 * i + 1], ( uint32_t[3] ){ c, c + 3, c + 1 }, sizeof *t );
		}
		bvb_mesh mesh = mesh_of( f, p, 10, (const uint32_t( * )[3])t, 8 );
		bvb_hierarchy_options options = boxtree_options( builders[round % 3], bv_volume_aabb );
		options.quality = qualities[round / 3];
		bvb_tree* tree = build_tree( f, &mesh, &options );
		assert_int_equal( bvb_tree_node_count( tree ), 15 );
		for ( uint32_t i = 0; i < 15; ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			double low = INFINITY;
			double high = -INFINITY;
			for ( uint32_t k = 0; k < 3 * node.triangles; ++k )
			{
				double at = mesh.positions[mesh.triangles[node.first_triangle + k / 3].corner[k % 3]].x;
				low = fmin( low, at );
				high = fmax( high, at );
			}
			// One rectangle, the first two, the last two, or all.
			static const double ends[] = { 0, 1, 2.125, 3.375, 4.75 };
			bool one = false;
			for ( int r = 0; r < 4; ++r )
			{
				one = one || ( low == ends[r] && high == ends[r + 1] );
			}
			assert_true( node.triangles == 8 || node.triangles == 4 || one );
			assert_true( node.triangles != 4 || low == 0 || low == ends[2] );
			assert_true( node.triangles != 4 || high == ends[2] || high == ends[4] );
		}
	}
}

static bv_vec3 turned( double x, double y, double z, double angle )
{
	return ( bv_vec3 ){ 1 + cos( angle ) * ( x - 1 ) - sin( angle ) * ( y - 0.5 ),
		                0.5 + sin( angle ) * ( x - 1 ) + cos( angle ) * ( y - 0.5 ), z };
}

// A triangle with a base of 2 and a height of 1 has a least rectangle of 2 by 1. Two of them, one above the other and turned by 80 degrees: the
// sixteen corners are those of both rectangles, twice. They differ most upwards, then, by symmetry, along 40 degrees, least across it.
static void boxes_come_from_sixteen_corners( void** state )
{
	fixture* f = *state;
	const double turn = M_PI * 4 / 9;
	bv_vec3 rectangle[8];
	for ( int i = 0; i < 8; ++i )
	{
		rectangle[i] = turned( i & 1 ? 2 : 0, i & 2 ? 1 : 0, i & 4 ? 4 : 0, i & 4 ? turn : 0 );
	}
	for ( int b = 0; b < 3; ++b )
	{
		bvb_mesh mesh = soup_create( f, 2 );
		for ( int i = 0; i < 2; ++i )
		{
			mesh.positions[3 * i] = turned( 0, 0, 4 * i, i * turn );
			mesh.positions[3 * i + 1] = turned( 2, 0, 4 * i, i * turn );
			mesh.positions[3 * i + 2] = turned( 1, 1, 4 * i, i * turn );
		}
		bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		bvb_node root = bvb_tree_node( tree, 0 );
		const bv_obb* box = &root.volume.obb;
		assert_int_equal( bvb_tree_node_count( tree ), 3 );

		// The least area of any rectangle round what is seen from above, and that along 40 degrees.
		double least = INFINITY;
		double symmetric = 0;
		for ( int step = 0; step <= 90000; ++step )
		{
			double angle = step * M_PI / 180000;
			double low[2] = { INFINITY, INFINITY };
			double high[2] = { -INFINITY, -INFINITY };
			for ( int i = 0; i < 8; ++i )
			{
				double u = cos( angle ) * rectangle[i].x + sin( angle ) * rectangle[i].y;
				double v = -sin( angle ) * rectangle[i].x + cos( angle ) * rectangle[i].y;
				low[0] = fmin( low[0], u );
				low[1] = fmin( low[1], v );
				high[0] = fmax( high[0], u );
				high[1] = fmax( high[1], v );
			}
			double area = ( high[0] - low[0] ) * ( high[1] - low[1] );
			least = fmin( least, area );
			symmetric = step == 40000 ? area : symmetric;
		}
		double volume = 8 * box->half_extents[0] * box->half_extents[1] * box->half_extents[2];
		double expected = 4 * ( b == 1 ? least : symmetric );
		assert_true( least < 0.97 * symmetric );
		assert_true( fabs( volume - expected ) < 1e-4 * expected );
	}
}

// A plate's normal is the axis of least variance, and the length of a rod that of the greatest.
static void rules_keep_the_axes_that_they_say( void** state )
{
	fixture* f = *state;
	for ( int b = 1; b < 3; ++b )
	{
		bvb_mesh mesh = soup_create( f, 64 );
		for ( uint32_t i = 0; i < 64; ++i )
		{
			double x = b == 1 ? i : i % 8;
			double y = b == 1 ? 0 : i / 8;
			bv_vec3* p = mesh.positions + 3 * (size_t)i;
			for ( int k = 0; k < 3; ++k )
			{
				// Along (1, 1, 0), (1, -1, 1) and (-1, 1, 2), which are at right angles.
				double u = x + ( k == 1 ? 0.5 : 0 );
				double v = y + ( k == 2 ? 0.5 : 0 );
				double w = 1e-2 * random_unit( f );
				p[k] = ( bv_vec3 ){ u + v - w, u - v + w, v + 2 * w };
			}
		}
		bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		const bv_obb box = bvb_tree_node( tree, 0 ).volume.obb;
		const double length = b == 1 ? sqrt( 2 ) : sqrt( 6 );
		const bv_vec3 expected = b == 1 ? ( bv_vec3 ){ 1 / length, 1 / length, 0 }
		                                : ( bv_vec3 ){ -1 / length, 1 / length, 2 / length };
		double nearest = 0;
		for ( int i = 0; i < 3; ++i )
		{
			double cosine =
				box.axis[i].x * expected.x + box.axis[i].y * expected.y + box.axis[i].z * expected.z;
			nearest = fmax( nearest, fabs( cosine ) );
		}
		assert_true( nearest > 0.995 );
	}
}

// A parent's box is that of its children's sixteen corners, not of the faces below: it holds the corners, too.
static void boxes_hold_their_childrens_corners( void** state )
{
	fixture* f = *state;
	for ( int b = 0; b < 3; ++b )
	{
		bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
		bvb_mesh mesh = bumpy_ball( f, 12 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			const bv_obb* parent = &node.volume.obb;
			for ( uint32_t k = 0; k < 8 * node.children; ++k )
			{
				bv_obb child = bvb_tree_node( tree, node.first_child + k / 8 ).volume.obb;
				bv_vec3 corner = child.center;
				for ( int axis = 0; axis < 3; ++axis )
				{
					double s = k >> axis & 1 ? child.half_extents[axis] : -child.half_extents[axis];
					corner.x += s * child.axis[axis].x;
					corner.y += s * child.axis[axis].y;
					corner.z += s * child.axis[axis].z;
				}
				for ( int axis = 0; axis < 3; ++axis )
				{
					double at = (double)along( parent->axis[axis], parent->center, corner );
					assert_true( fabs( at ) <= parent->half_extents[axis] + 1e-5 );
				}
			}
		}
	}
}

static double area_of_box_round( const bvb_mesh* mesh, uint32_t a, uint32_t b )
{
	double low[3] = { INFINITY, INFINITY, INFINITY };
	double high[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( int k = 0; k < 6; ++k )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[k < 3 ? a : b].corner[k % 3]];
		const double at[3] = { p.x, p.y, p.z };
		for ( int i = 0; i < 3; ++i )
		{
			low[i] = fmin( low[i], at[i] );
			high[i] = fmax( high[i], at[i] );
		}
	}
	double s[3] = { high[0] - low[0], high[1] - low[1], high[2] - low[2] };
	return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

// Eight faces of a crooked octahedron: the boxes of all touch, so that all pairs are candidates. The least of all is merged, then the least
// of those that are left, and so on.
static void pairs_with_the_least_parents_come_first( void** state )
{
	fixture* f = *state;
	uint32_t kept = 0;
	for ( int round = 0; round < 50; ++round )
	{
		bv_vec3 p[6];
		for ( int i = 0; i < 6; ++i )
		{
			double along = i % 2 ? -1 : 1;
			p[i] = ( bv_vec3 ){ 0.3 * random_unit( f ) + ( i / 2 == 0 ? along : 0 ),
				                0.3 * random_unit( f ) + ( i / 2 == 1 ? along : 0 ),
				                0.3 * random_unit( f ) + ( i / 2 == 2 ? along : 0 ) };
		}
		uint32_t t[8][3];
		for ( uint32_t i = 0; i < 8; ++i )
		{
			memcpy( t[i], ( uint32_t[3] ){ i & 1, 2 + ( i >> 1 & 1 ), 4 + ( i >> 2 & 1 ) }, sizeof *t );
		}
		bvb_mesh mesh = mesh_of( f, p, 6, (const uint32_t( * )[3])t, 8 );
		bool overlapping = true;
		bool used[8] = { false };
		double expected[4];
		for ( int k = 0; k < 4; ++k )
		{
			expected[k] = INFINITY;
			uint32_t best[2] = { 0, 0 };
			for ( uint32_t a = 0; a < 8; ++a )
			{
				for ( uint32_t b = a + 1; b < 8; ++b )
				{
					double area = area_of_box_round( &mesh, a, b );
					if ( !used[a] && !used[b] && area < expected[k] )
					{
						expected[k] = area;
						best[0] = a;
						best[1] = b;
					}
				}
			}
			used[best[0]] = used[best[1]] = true;

			// Only pairs with a common side are sure to be candidates.
			uint32_t apart = best[0] ^ best[1];
			overlapping = overlapping && ( apart & ( apart - 1 ) ) == 0;
		}
		if ( !overlapping )
		{
			continue;
		}
		bvb_hierarchy_options options = boxtree_options( "boxtree", bv_volume_aabb );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		uint32_t found = 0;
		for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
		{
			bvb_node node = bvb_tree_node( tree, i );
			if ( node.triangles == 2 )
			{
				double area = area_of_box_round( &mesh, node.first_triangle, node.first_triangle + 1 );
				bool known = false;
				for ( int k = 0; k < 4; ++k )
				{
					known = known || fabs( area - expected[k] ) < 1e-12;
				}
				assert_true( known );
				found += 1;
			}
		}
		assert_int_equal( found, 4 );
		kept += 1;
	}
	assert_true( kept > 30 );
}

// Whether there is a node of so many triangles that reaches from one x to another.
static bool has_node_of( const bvb_mesh* mesh, const bvb_tree* tree, double low, double high, uint32_t count )
{
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		double from = INFINITY;
		double to = -INFINITY;
		for ( uint32_t k = 0; k < 3 * node.triangles; ++k )
		{
			double x = mesh->positions[mesh->triangles[node.first_triangle + k / 3].corner[k % 3]].x;
			from = fmin( from, x );
			to = fmax( to, x );
		}
		if ( node.triangles == count && from == low && to == high )
		{
			return true;
		}
	}
	return false;
}

// A face with neighbors at two sides: the box round it and the one is 4 by 4 by 0.01, round it and the other 1 by 1 by 1. The
// former has the least volume, 0.16, the latter the least area and diameter. Round the neighbors it is 4 by 4 by 1.
static void the_least_parent_is_by_the_quality_asked_for( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 4, 4, 0.01 }, { 0.5, 0.5, 1 } };
	const uint32_t t[][3] = { { 0, 2, 1 }, { 2, 3, 1 }, { 0, 1, 4 } };
	static const bvb_quality_measure qualities[] = { bvb_quality_volume, bvb_quality_area,
		                                             bvb_quality_diameter };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_mesh mesh = mesh_of( f, p, 5, t, 3 );
		bvb_hierarchy_options options = boxtree_options( "boxtree", bv_volume_aabb );
		options.quality = qualities[i];
		bvb_tree* tree = build_tree( f, &mesh, &options );
		assert_int_equal( bvb_tree_node_count( tree ), 5 );
		assert_true( has_node_of( &mesh, tree, 0, i == 0 ? 4 : 1, 2 ) );
	}
}

// A strip of four faces whose middle two have the least parent, of a width of 1 where the others' are 11 and 12. The outer two have no
// other partner and go on to the next stage, in which the first one joins the middle: 11 is less than 12.
static void parts_without_a_partner_go_on( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { -10, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 12, 1, 0 } };
	const uint32_t t[][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 2, 4, 3 }, { 3, 4, 5 } };
	bvb_mesh mesh = mesh_of( f, p, 6, t, 4 );
	bvb_hierarchy_options options = boxtree_options( "boxtree", bv_volume_aabb );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	assert_int_equal( bvb_tree_node_count( tree ), 7 );
	assert_true( has_node_of( &mesh, tree, 0, 1, 2 ) );
	assert_true( has_node_of( &mesh, tree, -10, 1, 3 ) );
}

// Two long faces in the plane z = 0 and small ones above, between the middles of the two, which are not adjacent to them and do not overlap them. The
// long ones have no partner but each other: where they share a side with forty small ones between them along any curve, and where they only
// overlap with five.
static void partners_are_adjacent_or_overlap( void** state )
{
	fixture* f = *state;
	static const bv_vec3 adjacent[] = { { 0, 0, 0 }, { 0, 1, 0 },   { -8, 0.5, 0 },
		                                { 0, 0, 0 }, { 8, 0.5, 0 }, { 0, 1, 0 } };
	static const bv_vec3 overlapping[] = { { -8, 0, 0 }, { 1, 0, 0 }, { -3, 1, 0 },
		                                   { -1, 0, 0 }, { 8, 0, 0 }, { 3, 1, 0 } };
	for ( int round = 0; round < 20; ++round )
	{
		bool share = round % 2;
		uint32_t small = share ? 40 : 5;
		bvb_mesh mesh = soup_create( f, small + 2 );
		for ( uint32_t i = 0; i < small; ++i )
		{
			bv_vec3* p = mesh.positions + 3 * (size_t)i;
			double x = 3 * random_unit( f );
			double y = 0.5 + 0.4 * random_unit( f );
			p[0] = ( bv_vec3 ){ x, y, 1 };
			p[1] = ( bv_vec3 ){ x + 0.01, y, 1 };
			p[2] = ( bv_vec3 ){ x, y + 0.01, 1.01 };
		}
		memcpy( mesh.positions + 3 * (size_t)small, share ? adjacent : overlapping, sizeof adjacent );
		if ( share )
		{
			mesh.triangles[small + 1].corner[0] = 3 * small;
			mesh.triangles[small + 1].corner[2] = 3 * small + 1;
		}
		bvb_hierarchy_options options = boxtree_options( "boxtree", bv_volume_aabb );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		assert_true( has_node_of( &mesh, tree, -8, 8, 2 ) );
	}
}

static void what_is_far_apart_joins_last( void** state )
{
	fixture* f = *state;
	const double place[] = { 41, 0, 1001, 1000, 40, 1003, 1, 1002 };
	for ( int b = 0; b < 3; ++b )
	{
		bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
		bvb_mesh mesh = triangles_along( f, place, 8 );
		bvb_tree* tree = build_tree( f, &mesh, &options );
		bvb_node root = bvb_tree_node( tree, 0 );
		bvb_node child = bvb_tree_node( tree, root.first_child );
		assert_int_equal( child.triangles, 4 );
		assert_true( bvb_area_of( &root.volume ) > 4 * bvb_area_of( &child.volume ) );
	}
}

static void threads_change_nothing( void** state )
{
	fixture* f = *state;
	for ( int b = 0; b < 3; ++b )
	{
		bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
		bvb_mesh mesh = bumpy_ball( f, 40 );
		bvb_mesh other = copy_mesh( f, &mesh );
		options.threads = 1;
		bvb_tree* one = build_tree( f, &mesh, &options );
		options.threads = 3;
		bvb_tree* two = build_tree( f, &other, &options );
		assert_same_trees( one, &mesh, two, &other );
	}
}

// 2^13 is the least power of two that is not below 5000.
static void hard_sets_are_built_within_any_depth_that_can_hold_them( void** state )
{
	fixture* f = *state;
	static const uint32_t depths[] = { BV_MAX_DEPTH, 13, 7, 0 };
	for ( int set = 0; set < hard_sets; ++set )
	{
		for ( int i = 0; i < 4; ++i )
		{
			bvb_hierarchy_options options =
				boxtree_options( builders[set % 3], i % 2 ? bv_volume_obb : bv_volume_aabb );
			options.max_depth = depths[i];
			bvb_mesh mesh = hard_mesh( f, (hard_set)set, 5000 );
			bvb_tree* tree = build_tree( f, &mesh, &options );
			check_tree_of( &mesh, tree, &options );
			assert_true( i > 1 || bvb_tree_node_count( tree ) == 9999 );
		}
	}
}

static void small_numbers_of_triangles_are_built( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 20; ++count )
	{
		for ( int b = 0; b < 3; ++b )
		{
			bvb_hierarchy_options options = boxtree_options( builders[b], bv_volume_obb );
			bvb_mesh mesh = hard_mesh( f, long_slivers, count );
			bvb_tree* tree = build_tree( f, &mesh, &options );
			check_tree_of( &mesh, tree, &options );
			assert_int_equal( bvb_tree_node_count( tree ), 2 * count - 1 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_node_of_any_type_encloses_its_triangles ),
		fixture_test( stages_of_a_strip_are_those_of_the_rule ),
		fixture_test( boxes_come_from_sixteen_corners ),
		fixture_test( rules_keep_the_axes_that_they_say ),
		fixture_test( boxes_hold_their_childrens_corners ),
		fixture_test( pairs_with_the_least_parents_come_first ),
		fixture_test( the_least_parent_is_by_the_quality_asked_for ),
		fixture_test( parts_without_a_partner_go_on ),
		fixture_test( partners_are_adjacent_or_overlap ),
		fixture_test( what_is_far_apart_joins_last ),
		fixture_test( threads_change_nothing ),
		fixture_test( hard_sets_are_built_within_any_depth_that_can_hold_them ),
		fixture_test( small_numbers_of_triangles_are_built ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
