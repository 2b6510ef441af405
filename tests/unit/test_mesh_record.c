// The mesh of record: welding, cleaning, snapping, limits. Expected values are counted by hand.

#include "support.h"

static bvb_record make_record( fixture* f, const bvb_mesh* source, const bvb_record_options* options )
{
	bvb_record record;
	bvb_error error = { "" };
	bvb_record_options defaults = bvb_record_options_default();
	if ( bvb_mesh_record( source, options ? options : &defaults, f->arena, &record, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return record;
}

static bv_status record_status( fixture* f, const bvb_mesh* source, const bvb_record_options* options,
                                bvb_error* error )
{
	bvb_record record;
	bvb_record_options defaults = bvb_record_options_default();
	return bvb_mesh_record( source, options ? options : &defaults, f->arena, &record, error );
}

static void vertices_are_welded_and_numbered_by_first_use( void** state )
{
	fixture* f = *state;
	// The second triangle repeats two positions under other indices, once with a negative zero; vertex 6 is
	// unused.
	const bv_vec3 p[] = { { 9, 9, 9 },       { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 },
		                  { -0.0, 1, -0.0 }, { 1, 0, 0 }, { 5, 5, 5 }, { 1, 1, 0 } };
	const uint32_t t[][3] = { { 3, 1, 2 }, { 4, 5, 7 } };
	bvb_mesh source = mesh_of( f, p, 8, t, 2 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_int_equal( r.mesh.triangle_count, 2 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 2, 1, 3 } };
	assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
	assert_true( r.mesh.positions[0].x == 0 && r.mesh.positions[3].y == 1 );
	for ( uint32_t i = 0; i < 4; ++i )
	{
		assert_false( signbit( r.mesh.positions[i].x ) || signbit( r.mesh.positions[i].z ) );
	}
	assert_true( r.largest_displacement == 0 );
}

static void degenerate_and_duplicate_triangles_are_dropped_and_twins_kept( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 3, 0, 0 }, { 0, 0, 0 } };
	const uint32_t t[][3] = {
		{ 0, 1, 2 }, { 1, 2, 0 }, // the same, rotated: a duplicate
		{ 2, 1, 0 },              // other winding: a twin
		{ 0, 1, 3 },              // three points of a line
		{ 0, 4, 1 },              // two corners at one place
		{ 1, 1, 2 },              // a corner twice
		{ 0, 1, 2 },              // a duplicate
	};
	bvb_mesh source = mesh_of( f, p, 5, t, 7 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.removed_degenerate, 3 );
	assert_int_equal( r.removed_duplicate, 2 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 2, 1, 0 } };
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 3 );
	assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
}

// 0.1 + 0.2 and 0.3 differ in binary64 and are one binary32 number: the sliver between them vanishes in
// snapping.
static void what_snapping_flattens_or_merges_is_cleaned_again( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0.1 + 0.2, 0, 0 }, { 0.3, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 0, 0, 1 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 2, 3 }, { 2, 3, 4 } };
	bvb_mesh source = mesh_of( f, p, 5, t, 4 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.removed_degenerate, 1 );
	assert_int_equal( r.removed_duplicate, 1 );
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_true( r.largest_displacement > 0 && r.largest_displacement < 2e-8 );
	for ( uint32_t i = 0; i < r.mesh.vertex_count; ++i )
	{
		assert_true( r.mesh.positions[i].x == (double)(float)r.mesh.positions[i].x );
	}
}

// Collinear with coordinates that no rounded product reveals: (0,0,0), (a,b,0), (3a,3b,0).
static void exactly_collinear_points_have_no_area_at_any_scale( void** state )
{
	fixture* f = *state;
	for ( int e = -90; e <= 90; e += 15 )
	{
		double a = ldexp( 5592405, e );
		double b = ldexp( 3355443, e );
		const bv_vec3 p[] = {
			{ 0, 0, 0 }, { a, b, 0 }, { 3 * a, 3 * b, 0 }, { 3 * a, 3 * b + ldexp( 1, e ), 0 }
		};
		const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 1, 3 } };
		bvb_mesh source = mesh_of( f, p, 4, t, 2 );
		bvb_record r = make_record( f, &source, NULL );
		assert_int_equal( r.removed_degenerate, 1 );
		assert_int_equal( r.mesh.triangle_count, 1 );
	}
}

static void quantised_positions_lie_on_a_fine_exact_grid( void** state )
{
	fixture* f = *state;
	bvb_record_options options = bvb_record_options_default();
	options.positions = bvb_positions_quantized;
	for ( int round = 0; round < 200; ++round )
	{
		double size = pow( 10, 8 * random_unit( f ) - 4 );
		double shift = pow( 10, 6 * random_unit( f ) - 2 );
		bvb_mesh source = soup_create( f, 20 );
		for ( int i = 0; i < 60; ++i )
		{
			bv_vec3 p = random_point( f );
			source.positions[i] = ( bv_vec3 ){ size * p.x + shift, size * p.y - shift, size * p.z };
		}
		bvb_record r = make_record( f, &source, &options );
		int exponent;
		assert_true( frexp( r.grid.step, &exponent ) == 0.5 );
		assert_true( fmod( r.grid.origin.x, r.grid.step ) == 0 );
		// Twice the extent over 2^21 is the coarsest a power of two can be; half a step in each direction is
		// the error.
		assert_true( r.grid.step <= 2 * size / ( ( 1 << 21 ) - 1 ) || r.grid.step <= shift * 0x1p-48 );
		assert_true( r.largest_displacement <= r.grid.step * 0.8661 );
		for ( uint32_t i = 0; i < r.mesh.vertex_count; ++i )
		{
			double k = ( r.mesh.positions[i].y - r.grid.origin.y ) / r.grid.step;
			assert_true( k == floor( k ) && k >= 0 && k < 1 << 21 );
		}
	}
}

static void normalize_centres_and_scales_after_scale( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 2, 4, 6 );
	bvb_record_options options = bvb_record_options_default();
	options.scale = 0.5;
	bvb_record r = make_record( f, &box, &options );
	assert_true( r.mesh.positions[2].y <= 2 );
	options.normalize = true;
	r = make_record( f, &box, &options );
	double radius = sqrt( 1 + 4 + 9 );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		bv_vec3 p = r.mesh.positions[i];
		assert_true( fabs( fabs( p.x ) - 1 / radius ) < 1e-7 && fabs( fabs( p.y ) - 2 / radius ) < 1e-7 );
		assert_true( fabs( sqrt( p.x * p.x + p.y * p.y + p.z * p.z ) - 1 ) < 1e-7 );
	}
}

static void only_referenced_coordinates_must_be_finite( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { NAN, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { INFINITY, NAN, 0 } };
	const uint32_t good[][3] = { { 1, 2, 3 } };
	const uint32_t bad[][3] = { { 1, 2, 3 }, { 1, 2, 4 }, { 4, 2, 3 } };
	bvb_error error;
	bvb_mesh source = mesh_of( f, p, 5, good, 1 );
	make_record( f, &source, NULL );
	source = mesh_of( f, p, 5, bad, 3 );
	assert_int_equal( record_status( f, &source, NULL, &error ), bv_error_input );
	assert_string_equal( error.message, "2 coordinates are not finite (first: vertex 5)" );
}

static void impossible_meshes_are_refused_with_the_reason( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 0, 1e37, 0 }, { 0, 1, 0 } };
	const uint32_t out_of_range[][3] = { { 0, 1, 5 } };
	const uint32_t flat[][3] = { { 0, 1, 2 } };
	const uint32_t huge[][3] = { { 0, 1, 3 } };
	const uint32_t small[][3] = { { 0, 1, 4 } };
	bvb_error error;
	bvb_mesh mesh = mesh_of( f, p, 5, out_of_range, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "vertex 5 of 5" ) );
	mesh = mesh_of( f, p, 5, flat, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "no triangle has an area" ) );
	mesh = mesh_of( f, p, 5, huge, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_limit );
	mesh = mesh_of( f, p, 5, small, 1 );
	mesh.triangle_count = 0;
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	mesh.triangle_count = 1;
	bvb_record_options options = bvb_record_options_default();
	options.scale = 1e-40;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_limit );
	options.positions = bvb_positions_quantized;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_limit );
	options.scale = NAN;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_argument );
	options.scale = 0;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( vertices_are_welded_and_numbered_by_first_use ),
		fixture_test( degenerate_and_duplicate_triangles_are_dropped_and_twins_kept ),
		fixture_test( what_snapping_flattens_or_merges_is_cleaned_again ),
		fixture_test( exactly_collinear_points_have_no_area_at_any_scale ),
		fixture_test( quantised_positions_lie_on_a_fine_exact_grid ),
		fixture_test( normalize_centres_and_scales_after_scale ),
		fixture_test( only_referenced_coordinates_must_be_finite ),
		fixture_test( impossible_meshes_are_refused_with_the_reason ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
