// Volumes of posed meshes enclose the skinned triangles, positions are those of 113-bit arithmetic, and exact refits are those of
// bvw_deform_refit.

#include "skinned.h"
#include "tests/unit/shapes.h"

enum
{
	volumes = bv_volume_types + 1, // the last has all types
};

static const bv_file* skinned_file( fixture* f, bvb_mesh mesh, int types, int round )
{
	bvb_asset_options options = plain_options();
	options.record.positions = round % 4 == 3 ? bvb_positions_quantized : bvb_positions_float;
	options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 4;
	options.hierarchy.volume_types = types < bv_volume_types ? 1u << types : ( 1u << bv_volume_types ) - 1;
	options.hierarchy.collapse = round % 3 == 1 ? 8 : 0;
	options.hierarchy.degree = round % 3 == 2 ? BVB_MAX_DEGREE : 2;
	return build_file( f, &mesh, &options );
}

static skinned some_skin( fixture* f, int index, int types )
{
	int round = 3 * index + types;
	bvw_deform_options options = { .frames = round % 2 ? bvw_deform_turn : bvw_deform_keep,
		                           .motion = round % 5 == 0 };
	bvb_mesh ball = bumpy_ball( f, 6 );
	switch ( index )
	{
	case 0: return skin_along( f, skinned_file( f, tube_mesh( f, 20, 9 ), types, round ), 6, &options );
	case 1: return skin_wildly( f, skinned_file( f, bumpy_ball( f, 7 ), types, round ), 9, &options );
	case 2:
		return skin_wildly( f, skinned_file( f, random_soup( f, 70, ( bv_vec3 ){ 1, 2, 3 } ), types, round ),
		                    3, &options );
	case 3:
		return skin_wildly(
			f, skinned_file( f, moved( f, &ball, ( bv_vec3 ){ 1e6, -3e5, 0.25 } ), types, round ), 5,
			&options );
	default:
		return skin_wildly( f, skinned_file( f, random_soup( f, 1, ( bv_vec3 ){ 0, 0, 0 } ), types, round ),
		                    2, &options );
	}
}

// Rounded once to what is stored, about the offset, up to errors of binary64.
static void assert_expected( const skinned* s, const bv_vec3* positions )
{
	bv_vec3 o = bv_file_get_offset( s->file );
	const double offset[3] = { o.x, o.y, o.z };
	double greatest = 0;
	for ( uint32_t i = 0; i < 16 * s->bones; ++i )
	{
		greatest = fmax( greatest, fabs( s->matrices[i] ) );
	}
	for ( uint32_t i = 0; i < s->vertices; ++i )
	{
		wide x[3];
		expected_position( s, i, x );
		for ( int k = 0; k < 3; ++k )
		{
			double p = ( &positions[i].x )[k];
			double error = fabs( (double)( x[k] - p ) );
			double size = fabs( (double)( x[k] - offset[k] ) );
			assert_true( error <= 0x1p-24 * size +
			                          0x1p-45 * ( greatest * 20 + 3 * greatest * fabs( o.x ) + fabs( o.x ) ) +
			                          0x1p-149 );
		}
	}
}

static void volumes_enclose_skinned_triangles( void** state )
{
	fixture* f = *state;
	for ( int index = 0; index < 5; ++index )
	{
		for ( int types = 0; types < volumes; ++types )
		{
			skinned s = some_skin( f, index, types );
			bvw_bones bones = bones_of( &s );
			for ( int kind = 0; kind < pose_kinds * ( is_thorough() ? 20 : 1 ); ++kind )
			{
				pose_bones( f, &s, kind % pose_kinds );
				bvw_deform_report report;
				assert_int_equal( bvw_skin_pose( s.skin, &bones, &report ), bv_ok );
				assert_int_equal( report.vertices, 0 );
				bv_vec3* positions = skinned_positions( f, &s );
				assert_expected( &s, positions );
				assert_nodes_hold( bvw_skin_file( s.skin ), positions );
			}
		}
	}
}

// In the box of its leaf, and so in all volumes.
static void triangles_that_are_not_skinned_are_in_their_volumes( void** state )
{
	fixture* f = *state;
	for ( int index = 0; index < 5; ++index )
	{
		for ( int types = 0; types < volumes; ++types )
		{
			skinned s = some_skin( f, index, types );
			bvw_bones bones = bones_of( &s );
			pose_bones( f, &s, types % pose_kinds );
			assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
			const bv_file* file = bvw_skin_file( s.skin );
			bv_vec3* positions = bvb_arena_allocate( f->arena, s.vertices, sizeof *positions );
			bv_file_get_vertices( file, 0, s.vertices, positions );
			assert_nodes_hold( file, positions );
		}
	}
}

static size_t image_bytes( const bv_file* file )
{
	uint64_t bytes;
	memcpy( &bytes, (const char*)file + 24, sizeof bytes );
	return (size_t)bytes;
}

static void exact_poses_are_refits( void** state )
{
	fixture* f = *state;
	for ( int index = 0; index < 5; ++index )
	{
		for ( int types = 0; types < volumes; ++types )
		{
			skinned s = some_skin( f, index, types );
			bvw_bones bones = bones_of( &s );
			size_t size = image_bytes( bvw_skin_file( s.skin ) );
			char* anew = new_block( f, size );
			pose_bones( f, &s, ( index + types ) % pose_kinds );
			bvw_deform_report report;
			assert_int_equal( bvw_skin_refit( s.skin, &bones, &report ), bv_ok );
			assert_int_equal( report.vertices, s.vertices );
			memcpy( anew, bvw_skin_file( s.skin ), size );
			bv_vec3* positions = skinned_positions( f, &s );
			bvw_vertices vertices = { .positions = &positions->x, .count = s.vertices };
			assert_int_equal( bvw_deform_refit( s.deform, &vertices, NULL, 0, NULL ), bv_ok );
			assert_memory_equal( anew, bvw_skin_file( s.skin ), size );
			// From another pose and back.
			pose_bones( f, &s, pose_rigid );
			assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
			assert_int_equal( bvw_skin_exact( s.skin, NULL, NULL ), bv_ok );
			positions = skinned_positions( f, &s );
			memcpy( anew, bvw_skin_file( s.skin ), size );
			assert_int_equal( bvw_deform_refit( s.deform, &vertices, NULL, 0, NULL ), bv_ok );
			vertices.positions = &positions->x;
			assert_int_equal( bvw_deform_refit( s.deform, &vertices, NULL, 0, NULL ), bv_ok );
			assert_memory_equal( anew, bvw_skin_file( s.skin ), size );
		}
	}
}

// A refit of listed vertices after a pose fits all nodes to the positions that there are.
static void lists_of_vertices_can_follow_a_pose( void** state )
{
	fixture* f = *state;
	for ( int types = 0; types < volumes; ++types )
	{
		skinned s = skin_along( f, skinned_file( f, tube_mesh( f, 20, 9 ), types, types ), 6, NULL );
		bvw_bones bones = bones_of( &s );
		pose_bones( f, &s, pose_chain );
		assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
		bv_vec3* positions = bvb_arena_allocate( f->arena, s.vertices, sizeof *positions );
		bv_file_get_vertices( bvw_skin_file( s.skin ), 0, s.vertices, positions );
		uint32_t moved[] = { 3 };
		positions[3].x += 2;
		bvw_vertices vertices = { .positions = &positions->x, .count = s.vertices };
		assert_int_equal( bvw_deform_refit( s.deform, &vertices, moved, 1, NULL ), bv_ok );
		size_t size = image_bytes( bvw_skin_file( s.skin ) );
		char* listed = new_block( f, size );
		memcpy( listed, bvw_skin_file( s.skin ), size );
		assert_int_equal( bvw_skin_exact( s.skin, NULL, NULL ), bv_error_argument );
		assert_int_equal( bvw_deform_refit( s.deform, &vertices, NULL, 0, NULL ), bv_ok );
		assert_memory_equal( listed, bvw_skin_file( s.skin ), size );
	}
}

typedef struct error_visit
{
	const bv_file* file;
	const bv_vec3* positions;
	uint32_t nodes;
	uint32_t with_errors;
} error_visit;

// A corner of a box is at least as far from the triangles as from the box of their vertices.
static bool visit_error( void* context, const bv_node_info* node )
{
	error_visit* v = context;
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < 3 * node->triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( v->file, node->first_triangle + i / 3, corner );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = fmin( lower[k], ( &v->positions[corner[i % 3]].x )[k] );
			upper[k] = fmax( upper[k], ( &v->positions[corner[i % 3]].x )[k] );
		}
	}
	for ( int i = 0; i < 8 && node->has_errors; ++i )
	{
		double square = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double x = i >> k & 1 ? ( &node->volume.aabb.upper.x )[k] : ( &node->volume.aabb.lower.x )[k];
			double outside = fmax( fmax( lower[k] - x, x - upper[k] ), 0 );
			square += outside * outside;
		}
		assert_true( node->surface_upper >= sqrt( square ) && node->solid_upper >= sqrt( square ) );
	}
	v->with_errors += node->has_errors;
	v->nodes += 1;
	return true;
}

// There are none while it is not known where triangles are.
static void errors_stay_true( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = tube_mesh( f, 20, 9 );
	bvb_asset_options options = plain_options();
	options.errors = bvb_asset_options_default().errors;
	options.hierarchy.volume_types = 1u << bv_volume_aabb;
	bvw_deform_options with_errors = { .errors = true };
	skinned s = skin_along( f, build_file( f, &mesh, &options ), 6, &with_errors );
	bvw_bones bones = bones_of( &s );
	for ( int kind = 0; kind < 2 * pose_kinds; ++kind )
	{
		pose_bones( f, &s, kind / 2 );
		assert_int_equal( kind % 2 ? bvw_skin_refit( s.skin, &bones, NULL )
		                           : bvw_skin_pose( s.skin, &bones, NULL ),
		                  bv_ok );
		error_visit v = { .file = bvw_skin_file( s.skin ), .positions = skinned_positions( f, &s ) };
		assert_true( bv_file_visit_nodes( v.file, visit_error, &v ) );
		assert_int_equal( v.with_errors, kind % 2 ? v.nodes : 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( volumes_enclose_skinned_triangles ),
		fixture_test( triangles_that_are_not_skinned_are_in_their_volumes ),
		fixture_test( exact_poses_are_refits ),
		fixture_test( lists_of_vertices_can_follow_a_pose ),
		fixture_test( errors_stay_true ),
	};
	return cmocka_run_group_tests_name( "deform/skin_pose", tests, NULL, NULL );
}
