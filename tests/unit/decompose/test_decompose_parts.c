// Properties of every decomposition, with any options: no more parts and corners than allowed, convex
// polyhedra with the reported mass, neighbors that touch, a hierarchy, and a cover without holes. The inputs
// are solids and triangle soups that enclose no volume.

#include "decomposed.h"

static void check_caps( fixture* f, const specimen* s, const char* method, uint32_t max_parts,
                        uint32_t max_vertices )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.method = method;
	options.max_parts = max_parts;
	options.max_vertices = max_vertices;
	options.effort = 0;
	bvb_decomposition d = decompose( f, &s->mesh, &options );
	print_message( "%s: %s, %u parts of %u vertices: %u parts, %u vertices, %s, [%g, %g], %g uncovered\n",
	               s->name, method, max_parts, max_vertices, d.part_count, d.vertices,
	               d.solid ? "solid" : "surface", d.concavity.lower, d.concavity.upper, d.uncovered );
	check_parts( f, &s->mesh, &options, &d );
	check_cover( f, &s->mesh, &d, 100 );
	assert_true( !s->closed || d.solid );

	// Of a solid nothing is left out but what counts as in a plane that cuts it.
	double rounded = 0x1p-20 * fmax( diagonal_of( &s->mesh ), reach_of( &s->mesh ) );
	assert_true( !s->closed || d.uncovered <= rounded );
}

// Each mesh with every third pair of caps, or with all of them in `make thorough`.
static void check_all_caps( fixture* f, const specimen* specimens, uint32_t count )
{
	static const uint32_t caps[][2] = { { 1, 8 }, { 2, 255 }, { 3, 16 }, { 4, 4 }, { 7, 12 } };
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( size_t k = 0; k < sizeof caps / sizeof *caps; ++k )
		{
			if ( ( i + k ) % 3 == 0 || is_thorough() )
			{
				check_caps( f, &specimens[i], "planes", caps[k][0], caps[k][1] );
			}
		}
	}
}

static void solids_are_covered_within_every_cap( void** state )
{
	fixture* f = *state;
	specimen specimens[specimens_most];
	check_all_caps( f, specimens, solid_specimens( f, specimens ) );
}

static void soups_are_covered_within_every_cap( void** state )
{
	fixture* f = *state;
	specimen specimens[specimens_most];
	check_all_caps( f, specimens, soup_specimens( f, specimens ) );
}

static void every_method_covers_within_every_cap( void** state )
{
	fixture* f = *state;
	specimen specimens[2 * specimens_most];
	uint32_t count = solid_specimens( f, specimens );
	count += soup_specimens( f, specimens + count );
	const char* method;

	// The first one is looked at above.
	for ( uint32_t m = 1; ( method = bvb_decomposer_name( m, NULL ) ) != NULL; ++m )
	{
		for ( uint32_t i = is_thorough() ? 0 : 2 * ( m % 2 ); i + 1 < count; i += is_thorough() ? 2 : 4 )
		{
			check_caps( f, &specimens[i], method, 6, 24 );
		}
	}
}

// Of two boxes that share a side, each is the other's neighbor; of three in a row those at the ends are none.
static void neighbors_are_parts_that_touch( void** state )
{
	fixture* f = *state;
	bvb_mesh u = letter_u( f );
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.tolerance = 0.01;
	bvb_decomposition d = decompose( f, &u, &options );
	check_parts( f, &u, &options, &d );
	assert_int_equal( d.part_count, 3 );
	uint32_t ends = 0;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		assert_true( d.parts[i].neighbor_count >= 1 );
		ends += d.parts[i].neighbor_count == 1;
	}
	assert_int_equal( ends, 2 );

	bvb_mesh apart = two_boxes( f, 0.5 );
	d = decompose( f, &apart, &options );
	assert_int_equal( d.part_count, 2 );
	assert_int_equal( d.parts[0].neighbor_count + d.parts[1].neighbor_count, 0 );
}

// Steps of binary32 are 2^-11 of the mesh there: parts are what they are, in whole steps.
static void meshes_far_from_the_origin_are_covered( void** state )
{
	fixture* f = *state;
	specimen specimens[2 * specimens_most];
	uint32_t count = solid_specimens( f, specimens );
	count += soup_specimens( f, specimens + count );
	for ( uint32_t i = 0; i < count; i += is_thorough() ? 1 : 2 )
	{
		placement place = random_placement( f );
		place.offset = ( bv_vec3 ){ 1500, -1900, 1700 };
		specimen far = specimens[i];
		far.mesh = record_at( f, far.mesh, &place );
		check_caps( f, &far, "planes", 3, 32 );
	}
}

// The largest and the smallest that a mesh of record can be. Others are refused before they get here.
static void meshes_of_every_size_are_covered( void** state )
{
	fixture* f = *state;
	const double scales[] = { 0x1p116, 0x1p-118 };
	specimen specimens[2 * specimens_most];
	uint32_t count = solid_specimens( f, specimens );
	count += soup_specimens( f, specimens + count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = is_thorough() ? 0 : i % 2; k < 2; k += is_thorough() ? 1 : 2 )
		{
			placement place = upright();
			place.scale = scales[k];
			specimen scaled = specimens[i];
			scaled.mesh = combined( f, &scaled.mesh, &( bvb_mesh ){ .vertex_count = 0 } );
			scaled.mesh = record_at( f, scaled.mesh, &place );
			check_caps( f, &scaled, "planes", 3, 32 );
		}
	}
}

// No binary32 number is 1e100, and as one 1e-100 is 0.
static void meshes_beyond_every_size_are_no_meshes_of_record( void** state )
{
	fixture* f = *state;
	const double scales[] = { 1e100, 1e-100 };
	const bv_status refused[] = { bv_error_limit, bv_error_limit };
	for ( int k = 0; k < 2; ++k )
	{
		bvb_mesh box = box_mesh( f, scales[k], scales[k], scales[k] );
		bvb_record_options options = bvb_record_options_default();
		bvb_record record;
		bvb_error error;
		assert_int_equal( bvb_mesh_record( &box, &options, f->arena, &record, &error ), refused[k] );
	}
}

static void names_and_defaults_are_those_of_the_header( void** state )
{
	(void)state;
	assert_non_null( bvb_decompose_mode_name( bvb_decompose_automatic ) );
	assert_string_equal( bvb_decompose_mode_name( bvb_decompose_solid ), "solid" );
	assert_string_equal( bvb_decompose_mode_name( bvb_decompose_surface ), "surface" );
	assert_null( bvb_decompose_mode_name( bvb_decompose_surface + 1 ) );
	bvb_decompose_options options = bvb_decompose_options_default();
	assert_string_equal( options.method, "planes" );
	assert_int_equal( options.mode, bvb_decompose_automatic );
	assert_true( options.tolerance == 0 && options.min_thickness == 0 && options.probe_radius == 0 );
	assert_int_equal( options.max_parts, 64 );
	assert_int_equal( options.max_vertices, 64 );
	assert_int_equal( options.effort, 1 );
	assert_true( options.time_budget == 0 && options.threads == 0 && !options.progress );
	bool is_default_there = false;
	uint32_t count = 0;
	for ( const char *name, *summary; ( name = bvb_decomposer_name( count, &summary ) ) != NULL; ++count )
	{
		assert_non_null( summary );
		assert_true( strlen( summary ) > 0 );
		is_default_there = is_default_there || strcmp( name, options.method ) == 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_string_not_equal( name, bvb_decomposer_name( i, NULL ) );
		}
	}
	assert_true( is_default_there );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( solids_are_covered_within_every_cap ),
		fixture_test( soups_are_covered_within_every_cap ),
		fixture_test( every_method_covers_within_every_cap ),
		fixture_test( neighbors_are_parts_that_touch ),
		fixture_test( meshes_far_from_the_origin_are_covered ),
		fixture_test( meshes_of_every_size_are_covered ),
		fixture_test( meshes_beyond_every_size_are_no_meshes_of_record ),
		fixture_test( names_and_defaults_are_those_of_the_header ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
