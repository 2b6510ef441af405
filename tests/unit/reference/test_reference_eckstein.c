// Eckstein's algorithm, which the library's distances are compared with, judged itself: by closed forms, and by dense
// samples.

#include "point_sets.h"
#include "shapes.h"

#include "tests/reference/eckstein.h"
#include "tests/reference/sampling.h"

static const eckstein_correction corrections[] = { eckstein_reach, eckstein_nearest };

static const double rounding = 1e-14;

static eckstein_result of_box( const bvb_mesh* mesh, const bv_obb* box, const eckstein_options* options )
{
	eckstein_result result;
	assert_true( eckstein_box( mesh, 0, mesh->triangle_count, box, options, &result ) );
	return result;
}

static eckstein_result of_sphere( const bvb_mesh* mesh, const bv_sphere* ball,
                                  const eckstein_options* options )
{
	eckstein_result result;
	assert_true( eckstein_sphere( mesh, 0, mesh->triangle_count, ball, options, &result ) );
	return result;
}

static bv_obb random_box( fixture* f )
{
	bv_vec3 half = random_point( f );
	bv_obb box = { .center = random_point( f ), .half_extents = { half.x, half.y, half.z } };
	random_frame( f, box.axis );
	return box;
}

static bv_obb upright( double x, double y, double z )
{
	return ( bv_obb ){ .center = { x / 2, y / 2, z / 2 },
		               .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		               .half_extents = { x / 2, y / 2, z / 2 } };
}

static void assert_interval_has( const eckstein_result* r, double expected )
{
	if ( !( r->lower <= expected + rounding && expected <= r->upper + rounding ) )
	{
		fail_msg( "[%.17g, %.17g] has not %.17g in it", r->lower, r->upper, expected );
	}
}

// And is as narrow as was asked for.
static void assert_measured( const eckstein_result* r, const eckstein_options* options, double expected )
{
	assert_interval_has( r, expected );
	assert_false( r->out_of_regions );
	assert_true( r->upper <= r->lower * ( 1 + options->relative ) ||
	             r->upper <= r->lower + options->absolute );
}

static bvb_mesh random_triangle( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 1 );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	return mesh;
}

// The distance to one triangle is convex, so that it is greatest at a corner.
static void the_farthest_point_of_a_box_from_a_triangle_is_a_corner( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bvb_mesh mesh = random_triangle( f );
		bv_obb box = random_box( f );
		volume* v = volume_of_obb( &box );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		uint32_t corners;
		const bv_vec3* corner = volume_corners( v, &corners );
		double expected = 0;
		for ( uint32_t i = 0; i < corners; ++i )
		{
			expected = fmax( expected, nearest_distance_exact( &faces, corner[i] ) );
		}
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[round % 2];
		eckstein_result r = of_box( &mesh, &box, &options );
		assert_measured( &r, &options, expected );
		nearest_free( &faces );
		volume_free( v );
	}
}

static void the_farthest_point_of_a_sphere_from_a_triangle_is_opposite( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bvb_mesh mesh = random_triangle( f );
		double radius = random_unit( f );
		bv_sphere ball = { random_point( f ), radius };
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		double expected = ball.radius + nearest_distance_exact( &faces, ball.center );
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[round % 2];
		options.relative = 0.02;
		eckstein_result r = of_sphere( &mesh, &ball, &options );
		assert_measured( &r, &options, expected );
		nearest_free( &faces );
	}
}

// Half the side times sqrt 3 - 1, over the middle of a side.
static void the_sphere_round_a_cube_is_as_far_as_its_cap_is_high( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	bv_sphere ball = { { 1, 1, 1 }, sqrt( 3 ) };
	for ( int i = 0; i < 2; ++i )
	{
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[i];
		eckstein_result r = of_sphere( &mesh, &ball, &options );
		assert_measured( &r, &options, sqrt( 3 ) - 1 );
	}
}

// As printed, only the surface counts: that the icosahedron is hollow is not seen.
static void the_sphere_round_a_hollow_icosahedron_is_near_it( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 10; ++round )
	{
		bvb_mesh mesh = icosahedron( f );
		bv_vec3 axis[3];
		random_frame( f, axis );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			bv_vec3 p = mesh.positions[i];
			mesh.positions[i] = in_frame( axis, p.x, p.y, p.z );
		}
		bv_sphere ball = { { 0, 0, 0 }, 1 };
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[round % 2];
		options.relative = 0.05;
		eckstein_result r = of_sphere( &mesh, &ball, &options );
		assert_measured( &r, &options, 1 - icosahedron_inradius );
	}
}

static void the_box_of_two_parallel_sheets_is_half_their_distance_away( void** state )
{
	fixture* f = *state;
	bvb_mesh floor_sheet =
		sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 2 );
	bvb_mesh roof = moved( f, &floor_sheet, ( bv_vec3 ){ 0, 0, 0.7 } );
	bvb_mesh both = joined( f, &floor_sheet, &roof );
	bv_obb box = upright( 1, 2, 0.7 );
	for ( int i = 0; i < 2; ++i )
	{
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[i];
		eckstein_result r = of_box( &both, &box, &options );
		assert_measured( &r, &options, 0.35 );
	}
}

// A relative tolerance of nothing is never met; the absolute one ends it.
static void the_box_of_a_box_is_no_distance_away( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bv_obb box = upright( 1, 2, 3 );
	for ( int i = 0; i < 2; ++i )
	{
		eckstein_options options = eckstein_options_default();
		options.correction = corrections[i];
		options.absolute = 0.05;
		eckstein_result r = of_box( &mesh, &box, &options );
		assert_measured( &r, &options, 0 );
	}
}

// However coarse the regions: the greatest distance of a spherical triangle to one point is not estimated but found, and
// all of them together have the far end of the line through the center.
static void the_second_correction_is_exact_for_a_point( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 500; ++round )
	{
		const double size = 1e-9;
		bvb_mesh mesh = soup_create( f, 1 );
		bv_vec3 p = random_point( f );
		for ( int i = 0; i < 3; ++i )
		{
			mesh.positions[i] = ( bv_vec3 ){ p.x + ( i == 1 ) * size, p.y + ( i == 2 ) * size, p.z };
		}
		double radius = 2 * random_unit( f );
		bv_sphere ball = { random_point( f ), radius };
		eckstein_options options = eckstein_options_default();
		options.max_regions = 20;
		eckstein_result r = of_sphere( &mesh, &ball, &options );
		bv_vec3 d = { p.x - ball.center.x, p.y - ball.center.y, p.z - ball.center.z };
		double expected = sqrt( d.x * d.x + d.y * d.y + d.z * d.z ) + ball.radius;
		assert_true( fabs( r.upper - expected ) <= 4 * size );
		assert_int_equal( r.regions, 20 );
	}
}

// 8 corners of 6 rectangles, 12 of 20 triangles; the first splits add 5 and 1, and where all neighbors are split half
// of those on their sides are there already.
static void samples_at_corners_are_shared( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bv_obb box = upright( 1, 2, 3 );
	bv_sphere ball = { { 0.5, 1, 1.5 }, 2 };
	eckstein_options options = eckstein_options_default();
	options.relative = 0;
	options.max_regions = 6;
	assert_int_equal( of_box( &mesh, &box, &options ).samples, 8 );
	options.max_regions = 10;
	assert_int_equal( of_box( &mesh, &box, &options ).samples, 13 );
	options.max_regions = 20;
	assert_int_equal( of_sphere( &mesh, &ball, &options ).samples, 12 );
	options.max_regions = 22;
	assert_int_equal( of_sphere( &mesh, &ball, &options ).samples, 13 );
	options.max_regions = 6000;
	eckstein_result r = of_box( &mesh, &box, &options );
	uint64_t splits = ( r.regions - 6 ) / 4;
	uint64_t samples = r.samples;
	assert_true( samples >= 8 + 3 * splits && samples < 8 + 4 * splits );
	r = of_sphere( &mesh, &ball, &options );
	splits = ( r.regions - 20 ) / 2;
	samples = r.samples;
	assert_true( samples >= 12 + splits / 2 && samples < 12 + splits * 3 / 4 );
}

static bvb_mesh random_soup( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 1 + (uint32_t)( random_bits( f ) % 40 ) );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3 p = random_point( f );
		bv_vec3 near = i % 3 ? mesh.positions[i - 1] : p;
		mesh.positions[i] = ( bv_vec3 ){ ( near.x + p.x ) / 2, near.y + p.y / 3, ( near.z + p.z ) / 2 };
	}
	return mesh;
}

// Few regions and many: what ends the search decides how narrow the interval is, not whether it is one.
static void intervals_hold_what_dense_samples_find( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bvb_mesh mesh = random_soup( f );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
		bv_obb box = random_box( f );
		double radius = random_unit( f );
		bv_sphere ball = { random_point( f ), radius };
		for ( int of_ball = 0; of_ball < 2; ++of_ball )
		{
			volume* v = of_ball ? volume_of_sphere( &ball ) : volume_of_obb( &box );
			sampling_options sampling = sampling_options_default();
			sampling.measure = bvb_hausdorff_surface;
			sampling_result found;
			assert_true( sampling_farthest( v, &faces, &sampling, &found ) );
			for ( int k = 0; k < 4; ++k )
			{
				eckstein_options options = eckstein_options_default();
				options.correction = corrections[k % 2];
				options.relative = 0.03;
				options.max_regions = k < 2 ? 5 + random_bits( f ) % 300 : 1000000;
				eckstein_result r =
					of_ball ? of_sphere( &mesh, &ball, &options ) : of_box( &mesh, &box, &options );
				assert_true( r.out_of_regions || r.upper <= r.lower * ( 1 + options.relative ) );
				assert_true( k < 2 || !r.out_of_regions );
				assert_true( r.regions <= options.max_regions || r.regions == ( of_ball ? 20 : 6 ) );
				assert_true( found.distance <= r.upper + rounding );
				assert_true( r.lower <= found.distance * 1.02 );
				assert_true( fabs( nearest_distance_exact( &faces, r.witness ) - r.lower ) <= 1e-9 );
				assert_true( volume_contains( v, true, r.witness, rounding ) );
			}
			volume_free( v );
		}
		nearest_free( &faces );
	}
}

static void flat_boxes_are_measured( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheet( f, ( bv_vec3 ){ 0, 0, 0.25 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 3 );
	bv_obb box = upright( 1, 2, 0 );
	eckstein_options options = eckstein_options_default();
	eckstein_result r = of_box( &mesh, &box, &options );
	assert_measured( &r, &options, 0.25 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_farthest_point_of_a_box_from_a_triangle_is_a_corner ),
		fixture_test( the_farthest_point_of_a_sphere_from_a_triangle_is_opposite ),
		fixture_test( the_sphere_round_a_cube_is_as_far_as_its_cap_is_high ),
		fixture_test( the_sphere_round_a_hollow_icosahedron_is_near_it ),
		fixture_test( the_box_of_two_parallel_sheets_is_half_their_distance_away ),
		fixture_test( the_box_of_a_box_is_no_distance_away ),
		fixture_test( the_second_correction_is_exact_for_a_point ),
		fixture_test( samples_at_corners_are_shared ),
		fixture_test( intervals_hold_what_dense_samples_find ),
		fixture_test( flat_boxes_are_measured ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
