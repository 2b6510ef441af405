// What is said of the parts is so: no point of a part is farther from the shape than the certified distance, the points that
// are as far as the lower bound are there, and of the shape nothing is left out.

#include "decomposed.h"

// With little search: what is said of parts has to be so of any.
static bvb_decompose_options quick_parts( uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.max_parts = max_parts;
	options.effort = 0;
	return options;
}

// @return the decomposition, every claim of which was held against samples
static bvb_decomposition check_measured( fixture* f, const bvb_mesh* mesh,
                                         const bvb_decompose_options* options )
{
	bvb_decomposition d = decompose( f, mesh, options );
	print_message( "%u parts, %s: [%g, %g], %g uncovered\n", d.part_count, d.solid ? "solid" : "surface",
	               d.concavity.lower, d.concavity.upper, d.uncovered );
	check_parts( f, mesh, options, &d );
	check_cover( f, mesh, &d, 500 );
	check_concavity( mesh, &d, 200 );
	return d;
}

static void solids_are_as_far_as_is_said( void** state )
{
	fixture* f = *state;
	specimen specimens[specimens_most];
	uint32_t count = solid_specimens( f, specimens );
	for ( uint32_t i = 0; i < count; ++i )
	{
		static const uint32_t caps[][2] = { { 1, 16 }, { 5, 12 } };
		for ( int k = 0; k < 2; ++k )
		{
			bvb_decompose_options options = quick_parts( caps[k][0] );
			options.max_vertices = caps[k][1];
			bvb_decomposition d = check_measured( f, &specimens[i].mesh, &options );
			assert_true( d.solid );

			// The interval is narrow where there is something to measure.
			double diagonal = diagonal_of( &specimens[i].mesh );
			assert_true( d.concavity.upper <= 1.1 * d.concavity.lower + 1e-4 * diagonal );
		}
	}
}

// Only triangles count: a filled part of a solid is as thick as it is far.
static void shells_are_as_far_as_is_said( void** state )
{
	fixture* f = *state;
	specimen specimens[2 * specimens_most];
	uint32_t count = soup_specimens( f, specimens );
	count += solid_specimens( f, specimens + count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_decompose_options options = quick_parts( 5 );
		options.mode = bvb_decompose_surface;
		options.max_vertices = 24;
		bvb_decomposition d = check_measured( f, &specimens[i].mesh, &options );
		assert_false( d.solid );
	}
}

// Whether or not a soup has an inside, what is asked for is done.
static void soups_are_as_far_as_is_said_when_filled( void** state )
{
	fixture* f = *state;
	specimen specimens[specimens_most];
	uint32_t count = soup_specimens( f, specimens );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_decompose_options options = quick_parts( 1 );
		options.mode = bvb_decompose_solid;
		bvb_decomposition d = check_measured( f, &specimens[i].mesh, &options );
		assert_true( d.solid );
		options.mode = bvb_decompose_automatic;
		check_measured( f, &specimens[i].mesh, &options );
	}
}

// What bounds nothing has no inside, a closed solid has one.
static void the_mode_follows_from_the_mesh( void** state )
{
	fixture* f = *state;
	bvb_mesh surfaces[] = { single_triangle( f ), flat_sheet( f ), tilted_sheet( f ), double_sided_sheet( f ),
		                    crossing_sheets( f ) };
	bvb_mesh solids[] = { letter_l( f ), torus( f, 0.3, 16, 6 ), hollow_box( f ) };
	bvb_decompose_options options = quick_parts( 1 );
	for ( int i = 0; i < 5; ++i )
	{
		assert_false( decompose( f, &surfaces[i], &options ).solid );
	}
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( decompose( f, &solids[i], &options ).solid );
	}
}

// The middle of the missing lid is 0.5 from the rim. Filled, the hull stands off by 0; as a shell, a few plates do.
static void an_open_box_is_filled_or_not_as_asked( void** state )
{
	fixture* f = *state;
	bvb_mesh box = open_box( f );
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.mode = bvb_decompose_surface;
	options.max_parts = 1;
	bvb_decomposition d = check_measured( f, &box, &options );
	assert_true( d.concavity.lower > 0.45 );
	options.max_parts = 8;
	options.tolerance = 0.02;
	d = check_measured( f, &box, &options );
	assert_true( d.concavity.upper <= 0.02 );
}

// A mesh that faces inwards bounds the same body.
static void an_inside_out_mesh_is_covered( void** state )
{
	fixture* f = *state;
	bvb_mesh right = letter_u( f );
	bvb_mesh wrong = turned_over( f, &right );
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.max_parts = 8;
	bvb_decomposition d = decompose( f, &wrong, &options );
	check_parts( f, &wrong, &options, &d );
	check_cover( f, &right, &d, 1000 );
	check_concavity( &right, &d, 1000 );
}

// How far the hull of it stands off in closed form: in the notch of an L, three units wide with walls of one, it is the
// middle of the side from (1, 0) to (3, 2), 1 from both walls. Of a U it is 0.5, anywhere in the gap below the rim.
static void the_depth_of_a_notch_is_known( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { letter_l( f ), letter_u( f ), two_boxes( f, 0.5 ), hollow_box( f ) };
	const double depths[] = { 1, 0.5, 0.25, 1 };
	for ( int i = 0; i < 4; ++i )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.threads = 1;
		options.max_parts = 1;
		bvb_decomposition d = check_measured( f, &meshes[i], &options );
		assert_int_equal( d.part_count, 1 );
		assert_true( d.concavity.lower <= depths[i] * ( 1 + 1e-6 ) );
		assert_true( d.concavity.upper >= depths[i] * ( 1 - 1e-6 ) );
		assert_true( d.concavity.upper <= 1.1 * d.concavity.lower );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( solids_are_as_far_as_is_said ),
		fixture_test( shells_are_as_far_as_is_said ),
		fixture_test( soups_are_as_far_as_is_said_when_filled ),
		fixture_test( the_mode_follows_from_the_mesh ),
		fixture_test( an_open_box_is_filled_or_not_as_asked ),
		fixture_test( an_inside_out_mesh_is_covered ),
		fixture_test( the_depth_of_a_notch_is_known ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
