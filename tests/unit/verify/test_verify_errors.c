// Errors and primitives in a file survive a round trip, rounded up where the format rounds, and damaged
// sections are rejected.

#include "bvh_damage.h"

static bvb_asset_options measured_options( void )
{
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.1;
	options.recognize = ( bvb_tolerance ){ .value = 1, .percent = true };
	return options;
}

static bvb_asset build_asset( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options )
{
	bvb_asset asset;
	bvb_error error = { "" };
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = *mesh };
	if ( bvb_asset_build( &scene, &source, options, f->arena, &asset, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return asset;
}

static bvb_bytes encode( fixture* f, const bvb_asset* asset )
{
	bvb_bytes bytes;
	assert_int_equal( bvb_asset_encode( asset, f->arena, &bytes, NULL ), bv_ok );
	return bytes;
}

// The value of a code by the specification's words: four bits of exponent, four of fraction, in units of the volume's size.
static double value_by_the_specification( uint32_t code, double size )
{
	return code == 0 ? 0 : size * ldexp( 16 + code % 16, (int)( code / 16 ) - 18 );
}

static void codes_mean_what_the_specification_says( void** state )
{
	(void)state;
	for ( uint32_t code = 0; code < 256; ++code )
	{
		assert_true( bvfile_error_value( (uint8_t)code, 1 ) == value_by_the_specification( code, 1 ) );
		assert_true( bvfile_error_value( (uint8_t)code, 0.3 ) == value_by_the_specification( code, 0.3 ) );
	}
}

// Half the lengths of each type's box, as the specification has them.
static void sizes_are_sums_of_half_lengths( void** state )
{
	(void)state;
	bv_volume v = { .type = bv_volume_obb, .obb = { .half_extents = { 1, 2, 4 } } };
	assert_true( bvfile_size_of( &v ) == 7 );
	v = ( bv_volume ){ .type = bv_volume_aabb, .aabb = { { -1, 0, 2 }, { 1, 1, 8 } } };
	assert_true( bvfile_size_of( &v ) == 4.5 );
	v = ( bv_volume ){ .type = bv_volume_sphere, .sphere = { { 1, 1, 1 }, 2 } };
	assert_true( bvfile_size_of( &v ) == 6 );
	v = ( bv_volume ){ .type = bv_volume_rss, .rss = { .half_extents = { 1, 2 }, .radius = 3 } };
	assert_true( bvfile_size_of( &v ) == 12 );
	v = ( bv_volume ){ .type = bv_volume_kdop14,
		               .kdop = { .k = 14, .lower = { 0, 0, 0, -9 }, .upper = { 2, 4, 6, 9 } } };
	assert_true( bvfile_size_of( &v ) == 6 );
}

// What the least code that is not below adds: a sixteenth, or the least code.
static double most_rounded( double error, double size )
{
	return error == 0 ? 0 : fmax( error * ( 1 + 1.0 / 16 ), size * ldexp( 17, -18 ) );
}

static bool expect_rounded_up( void* context, const bv_node_info* info )
{
	const bvb_asset* asset = context;
	const bvb_node_error* error = asset->errors.nodes + info->index;
	double size = bvfile_size_of( &info->volume );
	assert_true( info->has_errors );
	assert_true( info->surface_upper >= error->surface_upper );
	assert_true( info->solid_upper >= error->solid_upper );
	assert_true( info->surface_upper <= most_rounded( error->surface_upper, size ) );
	assert_true( info->solid_upper <= most_rounded( error->solid_upper, size ) );
	return true;
}

static void errors_that_go_in_come_out( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = measured_options();
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_asset asset = build_asset( f, &mesh, &options );
	const bv_file* file = open_bytes( encode( f, &asset ) );
	bv_file_errors errors;
	assert_true( bv_file_get_errors( file, &errors ) );
	assert_true( errors.relative == 0.1 && errors.floor == options.errors.floor );
	assert_memory_equal( &errors.surface, &asset.errors.surface, sizeof errors.surface );
	assert_memory_equal( &errors.solid, &asset.errors.solid, sizeof errors.solid );
	assert_memory_equal( &errors.all, &asset.errors.all, sizeof errors.all );
	assert_true( errors.solid.upper > 0 );

	uint32_t depth = bv_file_get_hierarchy( file ).depth;
	bv_level_errors level;
	assert_int_equal( asset.errors.level_count, depth + 1 );
	for ( uint32_t i = 0; i <= depth; ++i )
	{
		assert_true( bv_file_get_level_errors( file, i, &level ) );
		assert_memory_equal( &level, asset.errors.levels + i, sizeof level );
	}
	assert_false( bv_file_get_level_errors( file, depth + 1, &level ) );

	assert_true( bv_file_visit_nodes( file, expect_rounded_up, &asset ) );
}

static void primitives_that_go_in_come_out( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = measured_options();
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_asset asset = build_asset( f, &mesh, &options );
	const bv_file* file = open_bytes( encode( f, &asset ) );
	bv_recognized recognized;
	bv_primitive out;
	assert_true( bv_file_get_recognized( file, &recognized ) );
	assert_true( recognized.tolerance == asset.recognized.tolerance );
	assert_int_equal( recognized.best, asset.recognized.best );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		const bv_primitive* in = &asset.primitives[i];
		assert_true( bv_file_get_primitive( file, (bv_primitive_kind)i, &out ) );
		assert_int_equal( out.kind, i );
		assert_memory_equal( &out.from_surface, &in->from_surface, 3 * sizeof( bv_interval ) );
		switch ( i )
		{
		case bv_primitive_box: assert_memory_equal( &out.box, &in->box, sizeof in->box ); break;
		case bv_primitive_sphere: assert_memory_equal( &out.sphere, &in->sphere, sizeof in->sphere ); break;
		case bv_primitive_capsule:
			assert_memory_equal( &out.capsule, &in->capsule, sizeof in->capsule );
			break;
		default: assert_memory_equal( &out.cylinder, &in->cylinder, sizeof in->cylinder ); break;
		}
	}
	assert_false( bv_file_get_primitive( file, bv_primitive_kinds, &out ) );
}

// The box of sides 3, 4, 12 has the diagonal 13.
static void a_tolerance_may_be_in_percent_of_the_diagonal( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = measured_options();
	bvb_mesh mesh = box_mesh( f, 3, 4, 12 );
	options.recognize = ( bvb_tolerance ){ .value = 50, .percent = true };
	assert_true( build_asset( f, &mesh, &options ).recognized.tolerance == 6.5 );
	options.recognize.percent = false;
	assert_true( build_asset( f, &mesh, &options ).recognized.tolerance == 50 );
}

static bool has_no_errors( void* context, const bv_node_info* node )
{
	(void)context;
	return !node->has_errors;
}

static void errors_and_primitives_may_be_left_out( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 4; ++i )
	{
		bvb_asset_options options = plain_options();
		options.errors.relative = i & 1 ? 0.1 : 0;
		options.recognize.value = i & 2 ? 0.1 : 0;
		bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
		const bv_file* file = build_file( f, &mesh, &options );
		bv_file_errors errors;
		bv_level_errors level;
		bv_recognized recognized;
		bv_primitive primitive;
		assert_int_equal( bv_file_get_info( file ).section_count, 8 + ( i & 1 ) + ( i >> 1 ) );
		assert_int_equal( bv_file_get_errors( file, &errors ), i & 1 );
		assert_int_equal( bv_file_get_level_errors( file, 0, &level ), i & 1 );
		assert_int_equal( bv_file_visit_nodes( file, has_no_errors, NULL ), !( i & 1 ) );
		assert_int_equal( bv_file_get_recognized( file, &recognized ), i >> 1 );
		assert_int_equal( bv_file_get_primitive( file, bv_primitive_box, &primitive ), i >> 1 );
	}
}

static void tolerances_that_a_file_cannot_hold_are_the_callers_mistake( void** state )
{
	fixture* f = *state;
	static const double errors[][2] = { { 1.1, 0.01 }, { -0.1, 0.01 }, { 1e-7, 0.01 }, { NAN, 0.01 },
		                                { 0.1, 0 },    { 0.1, 1.1 },   { 0.1, NAN } };
	static const double tolerances[] = { -1, NAN, INFINITY, 0x1p-1074 };
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = box_mesh( f, 0.1, 0.1, 0.1 ) };
	bvb_asset asset;
	bvb_error error;
	for ( size_t i = 0; i < sizeof errors / sizeof *errors; ++i )
	{
		bvb_asset_options options = plain_options();
		options.errors.relative = errors[i][0];
		options.errors.floor = errors[i][1];
		assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ),
		                  bv_error_argument );
	}
	for ( size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i )
	{
		bvb_asset_options options = plain_options();
		options.recognize = ( bvb_tolerance ){ .value = tolerances[i], .percent = true };
		assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ),
		                  bv_error_argument );
	}
}

static bvfile_errors* head_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_errors );
}
static bv_level_errors* levels_of( bvb_bytes b )
{
	return (bv_level_errors*)( head_of( b ) + 1 );
}
static uint8_t* codes_of( bvb_bytes b )
{
	return (uint8_t*)( levels_of( b ) + head_of( b )->levels );
}
static void count_a_node_more( bvb_bytes b )
{
	head_of( b )->nodes += 1;
}
static void count_a_level_less( bvb_bytes b )
{
	head_of( b )->levels -= 1;
}
static void cut_the_codes( bvb_bytes b )
{
	// One node's less, in the last section but one: the file's layout stays as it is because of the gap behind it.
	entry_of( b, bvfile_section_errors )->bytes -= 2;
	memset( codes_of( b ) + 2 * head_of( b )->nodes - 2, 0, 2 );
}
static void measure_to_nothing( bvb_bytes b )
{
	head_of( b )->relative = 0;
}
static void measure_to_more_than_all( bvb_bytes b )
{
	head_of( b )->relative = nextafter( 1, 2 );
}
static void measure_to_no_number( bvb_bytes b )
{
	head_of( b )->relative = NAN;
}
static void lay_no_floor( bvb_bytes b )
{
	head_of( b )->floor = 0;
}
static void lay_a_floor_too_high( bvb_bytes b )
{
	head_of( b )->floor = 1.5;
}
static void swap_the_roots_bounds( bvb_bytes b )
{
	head_of( b )->surface.lower = head_of( b )->surface.upper + 1;
}
static void put_the_root_below_zero( bvb_bytes b )
{
	head_of( b )->solid.lower = -1;
}
static void let_the_mean_of_all_be_infinite( bvb_bytes b )
{
	head_of( b )->all.solid.mean.upper = INFINITY;
}
static void let_the_largest_of_all_be_no_number( bvb_bytes b )
{
	head_of( b )->all.solid.max.lower = NAN;
}
static void swap_a_levels_bounds( bvb_bytes b )
{
	levels_of( b )[0].level.surface.mean.lower = levels_of( b )[0].level.surface.mean.upper + 1;
}
static void let_the_last_cut_be_no_number( bvb_bytes b )
{
	levels_of( b )[head_of( b )->levels - 1].cut.solid.max.upper = NAN;
}

static void damaged_errors_are_refused( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "the error section has the wrong size", count_a_node_more },
		{ "the error section has the wrong size", count_a_level_less },
		{ "the error section has the wrong size", cut_the_codes },
		{ "a tolerance of the error section is out of range", measure_to_nothing },
		{ "a tolerance of the error section is out of range", measure_to_more_than_all },
		{ "a tolerance of the error section is out of range", measure_to_no_number },
		{ "a tolerance of the error section is out of range", lay_no_floor },
		{ "a tolerance of the error section is out of range", lay_a_floor_too_high },
		{ "an interval of the error section is invalid", swap_the_roots_bounds },
		{ "an interval of the error section is invalid", put_the_root_below_zero },
		{ "an interval of the error section is invalid", let_the_mean_of_all_be_infinite },
		{ "an interval of the error section is invalid", let_the_largest_of_all_be_no_number },
		{ "an interval of the error section is invalid", swap_a_levels_bounds },
		{ "an interval of the error section is invalid", let_the_last_cut_be_no_number },
	};
	bvb_asset_options options = measured_options();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	expect_refused( f, build_bytes( f, &mesh, &options ), damages, sizeof damages / sizeof *damages );
}

static bvfile_primitives* primitives_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_primitives );
}
static void use_what_is_reserved( bvb_bytes b )
{
	primitives_of( b )->reserved = 1;
}
static void tolerate_nothing( bvb_bytes b )
{
	primitives_of( b )->tolerance = 0;
}
static void tolerate_everything( bvb_bytes b )
{
	primitives_of( b )->tolerance = INFINITY;
}
static void be_of_no_kind( bvb_bytes b )
{
	primitives_of( b )->best = bv_primitive_kinds + 1;
}
static void deny_what_it_is( bvb_bytes b )
{
	primitives_of( b )->best = bv_primitive_kinds;
}
static void tolerate_less_than_the_best( bvb_bytes b )
{
	bvfile_primitives* p = primitives_of( b );
	p->intervals[p->best][0].upper = p->intervals[p->best][2].upper = 2 * p->tolerance;
}
static void move_the_box_away( bvb_bytes b )
{
	primitives_of( b )->box.center[1] = INFINITY;
}
static void turn_the_box_inside_out( bvb_bytes b )
{
	primitives_of( b )->box.half_extents[2] = -1;
}
static void let_the_box_have_no_frame( bvb_bytes b )
{
	memset( primitives_of( b )->box.rotation, 0, sizeof primitives_of( b )->box.rotation );
}
static void turn_the_sphere_inside_out( bvb_bytes b )
{
	primitives_of( b )->sphere_radius = -1;
}
static void let_the_sphere_be_nowhere( bvb_bytes b )
{
	primitives_of( b )->sphere_center[0] = NAN;
}
static void turn_the_capsule_inside_out( bvb_bytes b )
{
	primitives_of( b )->capsule_radius = -1;
}
static void let_the_capsule_end_nowhere( bvb_bytes b )
{
	primitives_of( b )->capsule_ends[1][2] = NAN;
}
static void thin_the_cylinder( bvb_bytes b )
{
	primitives_of( b )->cylinder_radius = 0;
}
static void shorten_the_cylinder( bvb_bytes b )
{
	bvfile_primitives* p = primitives_of( b );
	memcpy( p->cylinder_ends[1], p->cylinder_ends[0], sizeof p->cylinder_ends[0] );
}
static void swap_bounds_from_the_surface( bvb_bytes b )
{
	bv_interval* i = primitives_of( b )->intervals[bv_primitive_box];
	i[0].lower = i[0].upper + 1;
}
static void let_the_last_error_be_no_number( bvb_bytes b )
{
	primitives_of( b )->intervals[bv_primitive_kinds - 1][2].upper = NAN;
}
static void let_the_error_be_less_than_one_way( bvb_bytes b )
{
	primitives_of( b )->intervals[bv_primitive_capsule][1].upper =
		2 * primitives_of( b )->intervals[bv_primitive_capsule][2].upper;
}
static void let_the_error_be_more_than_both_ways( bvb_bytes b )
{
	primitives_of( b )->intervals[bv_primitive_cylinder][2].upper *= 2;
}

// The box is as near to itself as it can be measured.
static void damaged_primitives_are_refused( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "the primitive section has the wrong size", use_what_is_reserved },
		{ "a primitive is invalid", move_the_box_away },
		{ "a primitive is invalid", turn_the_box_inside_out },
		{ "a primitive is invalid", let_the_box_have_no_frame },
		{ "a primitive is invalid", turn_the_sphere_inside_out },
		{ "a primitive is invalid", let_the_sphere_be_nowhere },
		{ "a primitive is invalid", turn_the_capsule_inside_out },
		{ "a primitive is invalid", let_the_capsule_end_nowhere },
		{ "a primitive is invalid", thin_the_cylinder },
		{ "a primitive is invalid", shorten_the_cylinder },
		{ "an interval of the primitive section is invalid", swap_bounds_from_the_surface },
		{ "an interval of the primitive section is invalid", let_the_last_error_be_no_number },
		{ "a primitive's error is not the larger of its two distances", let_the_error_be_less_than_one_way },
		{ "a primitive's error is not the larger of its two distances",
		  let_the_error_be_more_than_both_ways },
		{ "the best primitive does not match the tolerance", tolerate_nothing },
		{ "the best primitive does not match the tolerance", tolerate_everything },
		{ "the best primitive does not match the tolerance", be_of_no_kind },
		{ "the best primitive does not match the tolerance", deny_what_it_is },
		{ "the best primitive does not match the tolerance", tolerate_less_than_the_best },
	};
	bvb_asset_options options = measured_options();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	expect_refused( f, build_bytes( f, &mesh, &options ), damages, sizeof damages / sizeof *damages );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( codes_mean_what_the_specification_says ),
		fixture_test( sizes_are_sums_of_half_lengths ),
		fixture_test( errors_that_go_in_come_out ),
		fixture_test( primitives_that_go_in_come_out ),
		fixture_test( a_tolerance_may_be_in_percent_of_the_diagonal ),
		fixture_test( errors_and_primitives_may_be_left_out ),
		fixture_test( tolerances_that_a_file_cannot_hold_are_the_callers_mistake ),
		fixture_test( damaged_errors_are_refused ),
		fixture_test( damaged_primitives_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
