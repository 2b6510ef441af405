// The body that moves: closed forms of boxes, tetrahedra and sheets with a density or a mass, the ends of binary64, and files that lie.

#include "bvh_damage.h"

#include <float.h>

static bool is_near( double a, double b )
{
	return fabs( a - b ) <= 1e-12 * fmax( fabs( a ), fabs( b ) ) + 1e-15;
}

static bvb_bytes file_with( fixture* f, const bvb_mesh* mesh, double density, double mass )
{
	bvb_asset_options options = plain_options();
	options.density = density;
	options.mass = mass;
	return build_bytes( f, mesh, &options );
}

static bv_status status_with( fixture* f, const bvb_mesh* mesh, double density, double mass,
                              bvb_error* error )
{
	bvb_scene scene = { .mesh = *mesh };
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_asset_options options = plain_options();
	options.density = density;
	options.mass = mass;
	bvb_asset asset;
	return bvb_asset_build( &scene, &source, &options, f->arena, &asset, error );
}

static void turn_over( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		uint32_t* c = mesh->triangles[i].corner;
		uint32_t first = c[0];
		c[0] = c[1];
		c[1] = first;
	}
}

// Corners at the origin and at 1 on each axis: V = 1/6, center at 1/4, Ixx = Iyy = Izz = V * 3/40 and Ixy = V * 1/80 (a
// textbook's tensor about the corner, V (1/5) and V (-1/20), moved to the center).
static bvb_mesh corner_tetrahedron( fixture* f, uint32_t faces )
{
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const uint32_t t[][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
	return mesh_of( f, p, 4, t, faces );
}

static void a_box_weighs_its_volume_times_the_density( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( int inwards = 0; inwards < 2; ++inwards )
	{
		const bv_file* file = open_bytes( file_with( f, &mesh, 1000, 0 ) );
		bv_body body;
		bv_mass mass;
		assert_true( bv_file_get_body( file, &body ) );
		assert_true( bv_file_get_mass( file, bv_mass_of_body, &mass ) );
		assert_memory_equal( &mass, &body.mass, sizeof mass );
		assert_int_equal( body.of, bv_mass_of_solid );
		assert_false( body.from_mass );
		assert_true( body.density == 1000 );
		assert_true( is_near( mass.mass, 6000 ) && is_near( mass.center_of_mass.y, 1 ) );
		assert_true( is_near( mass.inertia[0][0], 6000.0 / 12 * ( 4 + 9 ) ) );
		assert_true( is_near( mass.inertia[1][1], 6000.0 / 12 * ( 1 + 9 ) ) );
		assert_true( is_near( mass.inertia[2][2], 6000.0 / 12 * ( 1 + 4 ) ) );

		// What is of density 1 stays so.
		assert_true( bv_file_get_mass( file, bv_mass_of_solid, &mass ) );
		assert_true( is_near( mass.mass, inwards ? -6 : 6 ) );
		assert_int_equal( bv_file_get_info( file ).version_minor, 2 );
		turn_over( &mesh );
	}
}

static void a_given_mass_is_kept_to_the_last_bit( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = corner_tetrahedron( f, 4 );
	for ( int inwards = 0; inwards < 2; ++inwards )
	{
		bv_body body;
		assert_true( bv_file_get_body( open_bytes( file_with( f, &mesh, 0, 0.1 ) ), &body ) );
		assert_true( body.from_mass && body.mass.mass == 0.1 && body.of == bv_mass_of_solid );
		assert_true( is_near( body.density, 0.6 ) && is_near( body.mass.center_of_mass.z, 0.25 ) );
		for ( int i = 0; i < 3; ++i )
		{
			assert_true( is_near( body.mass.inertia[i][i], 0.1 * 3 / 40 ) );
			assert_true( is_near( body.mass.inertia[i][( i + 1 ) % 3], 0.1 / 80 ) );
		}
		turn_over( &mesh );
	}
}

// Without one face there is no solid: its hull is the same tetrahedron.
static void an_open_mesh_weighs_what_its_hull_does( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = corner_tetrahedron( f, 3 );
	bv_body body;
	assert_true( bv_file_get_body( open_bytes( file_with( f, &mesh, 12, 0 ) ), &body ) );
	assert_int_equal( body.of, bv_mass_of_hull );
	assert_true( is_near( body.mass.mass, 2 ) && is_near( body.mass.inertia[2][2], 2.0 * 3 / 40 ) );
}

// A right triangle of sides 1, with a mass of 3: 6 per area. Ixx = m h^2 / 18.
static void what_is_flat_has_a_mass_as_a_sheet_and_no_density( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = corner_tetrahedron( f, 1 );
	bv_body body;
	bvb_error error;
	assert_true( bv_file_get_body( open_bytes( file_with( f, &mesh, 0, 3 ) ), &body ) );
	assert_int_equal( body.of, bv_mass_of_surface );
	assert_true( is_near( body.density, 6 ) && body.mass.mass == 3 );
	assert_true( is_near( body.mass.inertia[0][0], 3.0 / 18 ) &&
	             is_near( body.mass.inertia[2][2], 3.0 / 9 ) );
	assert_int_equal( status_with( f, &mesh, 1, 0, &error ), bv_error_input );
	assert_string_equal(
		error.message,
		"is flat and has no volume, so a density gives it no mass (use --mass to treat it as a sheet)" );
}

static void what_was_not_given_is_not_there( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	const bv_file* file = open_bytes( file_with( f, &mesh, 0, 0 ) );
	bv_body body;
	bv_mass mass;
	assert_false( bv_file_get_body( file, &body ) );
	assert_false( bv_file_get_mass( file, bv_mass_of_body, &mass ) );
	assert_int_equal( bv_file_get_info( file ).version_minor, 0 );
	bv_text value;
	bv_text text = bv_file_get_origin( file ).parameters;
	assert_false( bvb_find_parameter( text, ( bv_text ){ "density", 7 }, &value ) );
	assert_false( bvb_find_parameter( text, ( bv_text ){ "mass", 4 }, &value ) );
	assert_false( bvb_find_parameter( text, ( bv_text ){ "up", 2 }, &value ) );
}

// The mass alone, with nothing that it could be computed from.
static void a_body_needs_no_other_section( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.sections = 0;
	options.density = 0.5;
	bvb_bytes bytes = build_bytes( f, &mesh, &options );
	bv_body body;
	bv_mass mass;
	bvb_error error;
	assert_true( bv_file_get_body( open_bytes( bytes ), &body ) );
	assert_true( is_near( body.mass.mass, 3 ) );
	assert_false( bv_file_get_mass( open_bytes( bytes ), bv_mass_of_solid, &mass ) );
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
}

static void impossible_values_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh small = box_mesh( f, 0x1p-100, 0x1p-100, 0x1p-100 );
	bvb_mesh large = box_mesh( f, 0x1p100, 0x1p100, 0x1p100 );
	const struct
	{
		const bvb_mesh* mesh;
		double density;
		double mass;
		bv_status status;
	} cases[] = {
		{ &small, NAN, 0, bv_error_argument },
		{ &small, -1, 0, bv_error_argument },
		{ &small, INFINITY, 0, bv_error_argument },
		{ &small, 0, NAN, bv_error_argument },
		{ &small, 0, -1, bv_error_argument },
		{ &small, 0, INFINITY, bv_error_argument },
		{ &small, 1, 1, bv_error_argument },
		{ &small, 0, 0x1p800, bv_error_limit },
		{ &small, 0x1p-800, 0, bv_error_limit },
		{ &large, 0x1p800, 0, bv_error_limit },
		{ &large, 0, 0x1p-800, bv_error_limit },
		{ &large, 0, 0x1p1000, bv_error_limit }, // its inertia
		{ &small, 0, 0x1p-1074, bv_error_limit },
		{ &small, 0x1p700, 0, bv_ok },
		{ &large, 0, 0x1p-500, bv_ok },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_error error = { "" };
		bv_status status = status_with( f, cases[i].mesh, cases[i].density, cases[i].mass, &error );
		assert_int_equal( status, cases[i].status );
		assert_true( ( status == bv_ok ) == !error.message[0] );
	}
}

// Far from the origin a mass is where the box is: rounding to binary32 moves nothing of it, and no digits cancel.
static void a_box_far_away_keeps_its_inertia( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x += 4194304;
		mesh.positions[i].z -= 8388608;
	}
	bv_body body;
	assert_true( bv_file_get_body( open_bytes( file_with( f, &mesh, 2, 0 ) ), &body ) );
	assert_true( is_near( body.mass.mass, 12 ) && body.mass.center_of_mass.x == 4194304.5 );
	assert_true( is_near( body.mass.inertia[0][0], 13 ) && is_near( body.mass.inertia[2][2], 5 ) );
}

static bvfile_moving_body* body_of( bvb_bytes bytes )
{
	return section_of( bytes, bvfile_section_body );
}

static void break_size( bvb_bytes b )
{
	entry_of( b, bvfile_section_body )->bytes -= 8;
	( (bvfile_header*)b.data )->file_bytes -= 8;
}

static void break_reserved( bvb_bytes b )
{
	body_of( b )->reserved[5] = 1;
}

static void break_of( bvb_bytes b )
{
	body_of( b )->of = 3;
}

static void break_from_mass( bvb_bytes b )
{
	body_of( b )->from_mass = 2;
}

static void break_surface( bvb_bytes b )
{
	body_of( b )->of = bv_mass_of_surface;
}

static void break_density( bvb_bytes b )
{
	body_of( b )->density = 0;
}

static void break_density_nan( bvb_bytes b )
{
	body_of( b )->density = NAN;
}

static void break_mass( bvb_bytes b )
{
	body_of( b )->mass.mass = -1;
}

static void break_mass_infinite( bvb_bytes b )
{
	body_of( b )->mass.mass = INFINITY;
}

static void break_center( bvb_bytes b )
{
	body_of( b )->mass.center_of_mass[1] = NAN;
}

static void break_inertia( bvb_bytes b )
{
	body_of( b )->mass.inertia[2][2] = -1e-300;
}

static void break_product( bvb_bytes b )
{
	body_of( b )->mass.inertia[0][2] = -INFINITY;
}

static void open_refuses_impossible_bodies( void** state )
{
	const damage damages[] = {
		{ "the body section has the wrong size", break_reserved },
		{ "the kind of body is invalid", break_of },
		{ "the kind of body is invalid", break_from_mass },
		{ "the kind of body is invalid", break_surface },
		{ "the body's mass or inertia is out of range", break_density },
		{ "the body's mass or inertia is out of range", break_density_nan },
		{ "the body's mass or inertia is out of range", break_mass },
		{ "the body's mass or inertia is out of range", break_mass_infinite },
		{ "the body's mass or inertia is out of range", break_center },
		{ "the body's mass or inertia is out of range", break_inertia },
		{ "the body's mass or inertia is out of range", break_product },
	};
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes bytes = file_with( f, &mesh, 7, 0 );
	expect_refused( f, bytes, damages, sizeof damages / sizeof *damages );

	bytes = copy_of( f, bytes );
	break_size( bytes );
	bytes.size -= 8;
	repair( bytes );
	const char* reason;
	assert_int_equal( open_status( bytes, &reason ), bv_error_damaged );
	assert_string_equal( reason, "the body section has the wrong size" );
}

// Where triangles, the hull or MASS tell of it.
static void verify_finds_another_body( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	const bvb_sections sections[] = { plain_options().sections, 1u << bvb_section_mesh,
		                              1u << bvb_section_mass };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int lie = 0; lie < 6; ++lie )
		{
			// Whether the solid may be the body takes the box of the mesh, which is not in the last file.
			if ( i == 2 && lie == 4 )
			{
				continue;
			}
			bvb_asset_options options = plain_options();
			options.sections = sections[i];
			options.density = 1.3;
			bvb_bytes bytes = build_bytes( f, &mesh, &options );
			bvfile_moving_body* body = body_of( bytes );
			bvb_error error;
			assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
			switch ( lie )
			{
			case 0: body->mass.mass = nextafter( body->mass.mass, 0 ); break;
			case 1: body->density = nextafter( body->density, 0 ); break;
			case 2: body->mass.center_of_mass[2] = nextafter( body->mass.center_of_mass[2], 0 ); break;
			case 3: body->mass.inertia[1][1] = nextafter( body->mass.inertia[1][1], 0 ); break;
			case 4: body->of = bv_mass_of_hull; break;
			default:
				body->from_mass = 1;
				body->mass.mass *= 2;
				break;
			}
			repair( bytes );
			assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
			assert_string_equal( error.message, "the stored body does not follow from its density or mass" );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_box_weighs_its_volume_times_the_density ),
		fixture_test( a_given_mass_is_kept_to_the_last_bit ),
		fixture_test( an_open_mesh_weighs_what_its_hull_does ),
		fixture_test( what_is_flat_has_a_mass_as_a_sheet_and_no_density ),
		fixture_test( what_was_not_given_is_not_there ),
		fixture_test( a_body_needs_no_other_section ),
		fixture_test( impossible_values_are_refused ),
		fixture_test( a_box_far_away_keeps_its_inertia ),
		fixture_test( open_refuses_impossible_bodies ),
		fixture_test( verify_finds_another_body ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
