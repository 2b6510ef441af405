// bvb_file_verify: valid files that lie are found out.

#include "bvh_damage.h"

// Volumes shrunk by one unit in the last place of a tight extent, counts that are off by one: valid files
// that lie.
static void verify_finds_what_open_cannot( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_bytes good = small_file( f, bvb_positions_float );
	assert_int_equal( verify_status( f, good, &error ), bv_ok );

	bvb_bytes bytes = copy_of( f, good );
	float* extent = node_of( bytes, 0 )->box.half_extents;
	extent[0] = nextafterf( extent[0], 0 );
	extent[0] = nextafterf( extent[0], 0 );
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "the box of node 0" ) );

	bytes = copy_of( f, good );
	bvh_bounds* bounds = section_of( bytes, bvh_section_bounds );
	bounds->sphere_radius *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "sphere" ) );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvh_section_bounds );
	bounds->aabb_upper[2] = nextafterf( 3, 0 );
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "axis-aligned" ) );

	bytes = copy_of( f, good );
	( (bvh_mesh*)section_of( bytes, bvh_section_mesh ) )->edges += 1;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );

	bytes = copy_of( f, good );
	uint32_t* triangles = section_of( bytes, bvh_section_triangles );
	triangles[0] = triangles[1];
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );

	// Of a leaf, that is the last node.
	bytes = copy_of( f, good );
	bvh_hierarchy* tree = section_of( bytes, bvh_section_nodes );
	extent = node_of( bytes, tree->nodes - 1 )->box.half_extents;
	extent[0] = nextafterf( nextafterf( extent[0], 0 ), 0 );
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "the box of node 20 " ) );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvh_section_bounds );
	bounds->obb.half_extents[1] *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "oriented" ) );

	// Each of the 26 planes touches a corner.
	for ( int i = 0; i < 2 * BV_KDOP_DIRECTIONS; ++i )
	{
		bytes = copy_of( f, good );
		bounds = section_of( bytes, bvh_section_bounds );
		float* side = ( i % 2 ? bounds->kdop_upper : bounds->kdop_lower ) + i / 2;
		*side = nextafterf( *side, i % 2 ? -INFINITY : INFINITY );
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_non_null( strstr( error.message, "k-DOP" ) );
	}

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvh_section_bounds );
	bounds->capsule_radius *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "capsule" ) );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvh_section_bounds );
	bounds->rss.half_extents[2] *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "rectangle swept sphere" ) );
}

// The mesh section says something that its triangles do not.
static void verify_recomputes_what_the_mesh_section_says( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_bytes good = small_file( f, bvb_positions_float );
	for ( int i = 0; i < 10; ++i )
	{
		bvb_bytes bytes = copy_of( f, good );
		bvh_mesh* mesh = section_of( bytes, bvh_section_mesh );
		switch ( i )
		{
		case 0: mesh->components = 2; break;
		case 1: mesh->closed = 0; break;
		case 2: mesh->manifold = 0; break;
		case 3: mesh->double_sided = 1; break;
		case 4: mesh->has_mass[0] = 0; break;
		case 5: mesh->mass[0].mass = -mesh->mass[0].mass; break;
		case 6: mesh->mass[1].mass = -99; break;
		case 7: mesh->mass[0].center_of_mass[1] += 1e-3; break;
		case 8: mesh->mass[2].inertia[2][0] += 1e-3; break;
		default: mesh->largest_displacement = -1; break;
		}
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	}
}

// One vertex more than the triangles use: the first triangle's first corner is made another's.
static void verify_finds_vertices_that_nothing_uses( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_asset_options options = bvb_asset_options_default();
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 5, 5, 5 }, { 6, 5, 5 }, { 5, 6, 5 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 3, 4, 5 } };
	bvb_mesh mesh = mesh_of( f, p, 6, t, 2 );
	bvb_bytes bytes = build_bytes( f, &mesh, &options );
	( (uint32_t*)section_of( bytes, bvh_section_triangles ) )[0] = 5;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_string_equal( error.message, "no triangle uses vertex 0" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( verify_finds_what_open_cannot ),
		fixture_test( verify_recomputes_what_the_mesh_section_says ),
		fixture_test( verify_finds_vertices_that_nothing_uses ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
