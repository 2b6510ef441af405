// bvb_tree_snap: volumes snapped to the grids of their nodes enclose their subtrees and are hardly larger
// than before.

#include "support.h"

#include "offline/tree/snap.h"
#include "point_sets.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "trees.h"

// Where the triangles of a set lie, and how large they are.
typedef struct set
{
	const char* name;
	bv_vec3 center;
	bv_vec3 spread;
	double size;
} set;

static const set sets[] = {
	{ "in a cube", { 0, 0, 0 }, { 1, 1, 1 }, 0.1 },
	{ "far away", { 1e6, -1e6, 3e5 }, { 1, 1, 1 }, 0.1 },
	{ "on one side of 0", { 0.5, 0.5, 0 }, { 1, 1, 1e-18 }, 0.1 },
	{ "flat", { 0, 0, 3 }, { 1, 1, 0 }, 0.1 },
	{ "on a line", { 0, 0, 0 }, { 1, 1e-7, 1e-7 }, 1e-7 },
	{ "large", { 0, 0, 0 }, { 0x1p119, 0x1p119, 0x1p119 }, 0x1p118 },
	{ "small", { 0, 0, 0 }, { 0x1p-119, 0x1p-119, 0x1p-119 }, 0x1p-121 },
	{ "of all sizes", { 0, 0, 0 }, { 1, 1, 1 }, 0 },
};

static double random_in( fixture* f, double center, double spread )
{
	return (double)(float)( center + ( 2 * random_unit( f ) - 1 ) * spread );
}

// Of the last kind, triangles are smaller the farther they come in the set, down to 2^-40, around one corner.
static bvb_mesh soup_of_set( fixture* f, const set* s, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < 3 * count; i += 3 )
	{
		double scale = s->size > 0 ? 1 : ldexp( 1, -(int)( 40 * i / ( 3 * count ) ) );
		double size = s->size > 0 ? s->size : scale;
		bv_vec3 at = { random_in( f, s->center.x, scale * s->spread.x ),
			           random_in( f, s->center.y, scale * s->spread.y ),
			           random_in( f, s->center.z, scale * s->spread.z ) };
		for ( uint32_t k = i; k < i + 3; ++k )
		{
			mesh.positions[k] = ( bv_vec3 ){ random_in( f, at.x, s->spread.x > 0 ? size : 0 ),
				                             random_in( f, at.y, s->spread.y > 0 ? size : 0 ),
				                             random_in( f, at.z, s->spread.z > 0 ? size : 0 ) };
		}
	}
	return mesh;
}

static bvb_tree* build( fixture* f, bvb_mesh* mesh, const bvb_hierarchy_options* options, bool snap )
{
	bvb_tree* tree;
	bvb_error error = { "" };
	if ( bvb_hierarchy_build( mesh, options, f->arena, &tree, &error ) != bv_ok ||
	     ( snap && bvb_tree_snap( tree, mesh, 1, f->arena, &error ) != bv_ok ) )
	{
		fail_msg( "%s", error.message );
	}
	return tree;
}

// check_tree_of compares in binary128.
static void snapped_volumes_enclose_their_triangles( void** state )
{
	fixture* f = *state;
	for ( size_t i = 0; i < sizeof sets / sizeof *sets; ++i )
	{
		for ( int round = 0; round < 4 * ( bv_volume_types + 1 ); ++round )
		{
			int type = round % ( bv_volume_types + 1 );
			bvb_hierarchy_options options = bvb_hierarchy_options_default();
			options.volume_types = type < bv_volume_types ? 1u << type : ( 1u << bv_volume_types ) - 1;
			options.collapse = 0;
			options.degree = 2 + (uint32_t)round % 5;
			options.leaf_triangles = 1 + (uint32_t)round % 3;
			bvb_mesh mesh = soup_of_set( f, sets + i, 100 );
			bvb_tree* tree = build( f, &mesh, &options, true );
			check_tree_of( &mesh, tree, &options );
		}
	}
}

static bv_vec3 corner_of_prism( const void* context, uint32_t index )
{
	const bv_obb* box = context;
	const double* h = box->half_extents;
	double side = index % 3 == 2 ? 0 : index % 3 == 0 ? h[0] : -h[0];
	bv_vec3 from_center =
		in_frame( box->axis, side, index % 3 == 2 ? h[1] : -h[1], index < 3 ? h[2] : -h[2] );
	return bv_add( box->center, from_center );
}

// A prism with any axes gets nearly those of a rotation that files hold: its length along the same line, its tip on the same side.
static void snapped_prisms_keep_their_tips( void** state )
{
	fixture* f = *state;
	const bvfile_node_frame frame = { { -1, -1, -1 }, { 0x1p-7, 0x1p-7, 0x1p-7 }, 0x1p-7 };
	for ( int i = 0; i < 2000; ++i )
	{
		bv_prism before = { .box.half_extents = { 0.2, 0.3 + 0.5 * ( i % 3 ), 0.4 } };
		random_frame( f, before.box.axis );
		before.box.center = bv_scale( 0.5, random_point( f ) );
		const bvvol_point_list corners = { &before.box, corner_of_prism, 6 };
		bv_prism after = before;
		double extents[3];
		bvfile_snap_prism_turn( &after );
		bvfile_snap_prism( &after, &corners, &frame, extents );
		assert_true( bv_dot( after.box.axis[1], before.box.axis[1] ) > 0.999 );
		assert_true( fabs( bv_dot( after.box.axis[2], before.box.axis[2] ) ) > 0.999 );
		bvvol_packed_obb packed = { .center = { 0 } };
		memcpy( packed.rotation, after.box.rotation, sizeof packed.rotation );
		bv_obb held = bvvol_obb_unpack( &packed );
		assert_memory_equal( held.axis, after.box.axis, sizeof held.axis );
	}
}

static double area_of_all( const bvb_tree* tree )
{
	double area = 0;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bv_volume volume = bvb_tree_node( tree, i ).volume;
		area += bvb_area_of( &volume );
	}
	return area;
}

// Sum of the areas of all nodes' volumes, after and before: a twentieth more at most, of a bumpy surface and, but for k-DOPs, whose
// planes all move outwards by half a step in the mean, of a soup.
static void snapped_volumes_are_hardly_larger( void** state )
{
	fixture* f = *state;
	static const double most[bv_volume_types] = { 1.06, 1.06, 1.04, 1.06, 1.1, 1.1, 1.1, 1.06 };
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		for ( int i = 0; i < 2; ++i )
		{
			bvb_hierarchy_options options = bvb_hierarchy_options_default();
			options.volume_types = 1u << type;
			bvb_mesh mesh = i == 0 ? bumpy_ball( f, 24 ) : soup_of_set( f, sets, 1000 );
			bvb_tree* before = build( f, &mesh, &options, false );
			double area = area_of_all( before );
			assert_int_equal( bvb_tree_snap( before, &mesh, 1, f->arena, NULL ), bv_ok );
			double after = area_of_all( before );
			if ( after > most[type] * area || after < 0.95 * area )
			{
				fail_msg( "%s: area times %g", bv_volume_type_name( (bv_volume_type)type ), after / area );
			}
		}
	}
}

// A power of two changes no code: what is far from the ends of binary32 is rounded by other instructions than what is near them.
static void boxes_of_a_scaled_mesh_are_rounded_alike( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.volume_types = 1u << bv_volume_aabb;
	for ( size_t i = 0; i < sizeof sets / sizeof *sets; ++i )
	{
		bool usual = sets[i].spread.x < 0x1p100 && sets[i].spread.x > 0x1p-100;
		for ( uint32_t collapse = 0; usual && collapse <= 8; collapse += 4 )
		{
			options.collapse = collapse;
			bvb_mesh mesh = soup_of_set( f, sets + i, 500 );
			bvb_mesh large = copy_mesh( f, &mesh );
			for ( uint32_t k = 0; k < large.vertex_count; ++k )
			{
				bv_vec3* p = large.positions + k;
				*p = ( bv_vec3 ){ ldexp( p->x, 105 ), ldexp( p->y, 105 ), ldexp( p->z, 105 ) };
			}
			bvb_tree* tree = build( f, &mesh, &options, true );
			bvb_tree* other = build( f, &large, &options, true );
			for ( uint32_t n = 0; n < bvb_tree_node_count( tree ); ++n )
			{
				bv_aabb a = bvb_tree_node( tree, n ).volume.aabb;
				bv_aabb b = bvb_tree_node( other, n ).volume.aabb;
				for ( int k = 0; k < 6; ++k )
				{
					assert_true( ldexp( ( &a.lower.x )[k], 105 ) == ( &b.lower.x )[k] );
				}
			}
		}
	}
}

// Whichever thread is last: the range is that of a loop over all boxes.
static void the_range_of_boxes_is_that_of_all( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.volume_types = 1u << bv_volume_aabb;
	bvb_mesh mesh = soup_of_set( f, sets, 3000 );
	bvb_tree* tree = build( f, &mesh, &options, false );
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 1; i < bvb_tree_node_count( tree ); ++i )
	{
		bv_aabb box = bvb_tree_node( tree, i ).volume.aabb;
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = fmin( lower[k], ( &box.lower.x )[k] );
			upper[k] = fmax( upper[k], ( &box.upper.x )[k] );
		}
	}
	for ( int team = 1; team <= 4; ++team )
	{
		for ( int round = 0; round < 20; ++round )
		{
			bvfile_snap_range all;
			assert_true( bvorder_snap_range_of_boxes( tree, team, &all ) );
			assert_memory_equal( all.lower, lower, sizeof lower );
			assert_memory_equal( all.upper, upper, sizeof upper );
		}
	}
}

static void threads_make_no_difference( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	bvb_mesh mesh = soup_of_set( f, sets, 3000 );
	bvb_tree* tree[2];
	for ( uint32_t i = 0; i < 2; ++i )
	{
		bvb_error error;
		tree[i] = build( f, &mesh, &options, false );
		assert_int_equal( bvb_tree_snap( tree[i], &mesh, 1 + 3 * i, f->arena, &error ), bv_ok );
	}
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree[0] ); ++i )
	{
		float a[bvvol_packed_most / 4];
		float b[bvvol_packed_most / 4];
		bv_volume of_a = bvb_tree_node( tree[0], i ).volume;
		bv_volume of_b = bvb_tree_node( tree[1], i ).volume;
		bvvol_pack( &of_a, a );
		bvvol_pack( &of_b, b );
		assert_memory_equal( a, b, bvvol_packed_bytes( of_a.type ) );
	}
}

static void too_little_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	bvb_mesh mesh = soup_of_set( f, sets, 300 );
	bvb_tree* tree = build( f, &mesh, &options, false );
	bvb_arena* little = bvb_arena_create_limited( 16 );
	bvb_error error;
	assert_int_equal( bvb_tree_snap( tree, &mesh, 1, little, &error ), bv_error_memory );
	bvb_arena_destroy( little );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( snapped_volumes_enclose_their_triangles ),
		fixture_test( snapped_prisms_keep_their_tips ),
		fixture_test( snapped_volumes_are_hardly_larger ),
		fixture_test( boxes_of_a_scaled_mesh_are_rounded_alike ),
		fixture_test( the_range_of_boxes_is_that_of_all ),
		fixture_test( threads_make_no_difference ),
		fixture_test( too_little_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
