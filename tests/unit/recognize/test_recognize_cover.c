// What lets a mesh surround a body: even edges, and an odd number of layers.

#include "primitive_meshes.h"

#include "offline/recognize/cover.h"

// Coordinates up to 4 units from the origin.
static const bvrecog_place place = { { 0, 0, 0 }, 4, 0.25 };

static void closed_meshes_have_even_edges( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = capsule_mesh( f, 1, 0, 200, 4 );
	assert_int_equal( bvrecog_find_edges( &mesh, f->arena ), bvrecog_edges_even );
	mesh = box_mesh( f, 1, 2, 3 );
	assert_int_equal( bvrecog_find_edges( &mesh, f->arena ), bvrecog_edges_even );

	// Each triangle twice.
	bvb_mesh sheet = soup_create( f, 1 );
	sheet.positions[1].x = sheet.positions[2].y = 1;
	assert_int_equal( bvrecog_find_edges( &sheet, f->arena ), bvrecog_edges_odd );
	bvb_mesh both = mesh_of( f, sheet.positions, 3, ( const uint32_t[2][3] ){ { 0, 1, 2 }, { 2, 1, 0 } }, 2 );
	assert_int_equal( bvrecog_find_edges( &both, f->arena ), bvrecog_edges_even );
}

static void meshes_without_one_of_their_triangles_have_odd_edges( void** state )
{
	fixture* f = *state;
	for ( uint32_t i = 0; i < 48; ++i )
	{
		bvb_mesh mesh = capsule_mesh( f, 1, 0, 8, 2 );
		mesh.triangles[i] = mesh.triangles[mesh.triangle_count - 1];
		mesh.triangle_count -= 1;
		assert_int_equal( bvrecog_find_edges( &mesh, f->arena ), bvrecog_edges_odd );
	}
}

// Rays from points on symmetry planes meet edges first.
static void layers_are_counted_by_parity( void** state )
{
	fixture* f = *state;
	bvb_mesh outer = capsule_mesh( f, 1, 0, 16, 4 );
	bvb_mesh inner = grid_box( f, 1, 1, 1, 2 );
	bvb_mesh both = combined( f, &outer, &inner );
	assert_true( bvrecog_surrounds( &outer, &place, ( bv_vec3 ){ 0, 0, 0 } ) );
	assert_true( bvrecog_surrounds( &inner, &place, ( bv_vec3 ){ 0, 0, 0 } ) );
	assert_false( bvrecog_surrounds( &both, &place, ( bv_vec3 ){ 0, 0, 0 } ) );
	assert_true( bvrecog_surrounds( &both, &place, ( bv_vec3 ){ 0.75, 0, 0 } ) );
	assert_false( bvrecog_surrounds( &both, &place, ( bv_vec3 ){ 1.5, 0, 0 } ) );
}

// Inside is where the winding number is 1.
static void what_surrounds_a_point_winds_around_it( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_winding* winding;
	assert_int_equal( bvb_winding_create( &mesh, f->arena, &winding, NULL ), bv_ok );
	for ( int i = 0; i < 1000; ++i )
	{
		bv_vec3 p = random_point( f );
		p = ( bv_vec3 ){ 3 * p.x - 1.5, 3 * p.y - 1.5, 3 * p.z - 1.5 };
		bool inside = bvb_winding_number( winding, p ) > 0.5;
		assert_int_equal( bvrecog_surrounds( &mesh, &place, p ), inside );
	}
}

// x and z lie in the normal cone of a corner y of the body moved in by 1, z on the body and x within 1 of its surface.
static void factors_bound_what_lies_across_an_edge_or_a_corner( void** state )
{
	fixture* f = *state;
	for ( int dimension = 1; dimension <= 3; ++dimension )
	{
		const bv_primitive_kind kinds[] = { bv_primitive_sphere, bv_primitive_cylinder, bv_primitive_box };
		double most = 0;
		for ( int i = 0; i < 300000; ++i )
		{
			double x[3], z[3], beyond = 0, apart = 0, deepest = -1;
			for ( int k = 0; k < dimension; ++k )
			{
				x[k] = 2 * random_unit( f );
				z[k] = random_unit( f );
				beyond += x[k] > 1 ? ( x[k] - 1 ) * ( x[k] - 1 ) : 0;
				deepest = fmax( deepest, x[k] - 1 );
			}
			z[i % dimension] = 1;
			for ( int k = 0; k < dimension; ++k )
			{
				apart += ( x[k] - z[k] ) * ( x[k] - z[k] );
			}
			most = beyond <= 1 && deepest >= -1 ? fmax( most, sqrt( apart ) ) : most;
		}
		double factor = bvrecog_cover_factor( kinds[dimension - 1] );
		assert_true( most <= factor && most > 0.9 * factor );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( closed_meshes_have_even_edges ),
		fixture_test( meshes_without_one_of_their_triangles_have_odd_edges ),
		fixture_test( layers_are_counted_by_parity ),
		fixture_test( what_surrounds_a_point_winds_around_it ),
		fixture_test( factors_bound_what_lies_across_an_edge_or_a_corner ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
