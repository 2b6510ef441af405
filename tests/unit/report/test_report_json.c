// The report against closed forms of simple meshes, read back with a parser that is not ours.

#include "support.h"

#include <stdio.h>

#include <cjson/cJSON.h>

// The value at a path of keys joined by dots; numbers index arrays.
static const cJSON* at( const cJSON* report, const char* path )
{
	char copy[128];
	strcpy( copy, path );
	for ( char* key = strtok( copy, "." ); key && report; key = strtok( NULL, "." ) )
	{
		bool number = key[0] >= '0' && key[0] <= '9';
		report = number && cJSON_IsArray( report ) ? cJSON_GetArrayItem( report, atoi( key ) )
		                                           : cJSON_GetObjectItemCaseSensitive( report, key );
	}
	if ( !report )
	{
		fail_msg( "no key %s", path );
	}
	return report;
}

static double number( const cJSON* report, const char* path )
{
	assert_true( cJSON_IsNumber( at( report, path ) ) );
	return at( report, path )->valuedouble;
}

static const char* text( const cJSON* report, const char* path )
{
	assert_true( cJSON_IsString( at( report, path ) ) );
	return at( report, path )->valuestring;
}

static cJSON* report_of( fixture* f, const bv_file* file, const bvb_report_build* build )
{
	char* json;
	bvb_error error = { "" };
	assert_int_equal( bvb_report_json( file, build, f->arena, &json, &error ), bv_ok );
	assert_int_equal( json[strlen( json ) - 1], '\n' );
	cJSON* report = cJSON_Parse( json );
	assert_non_null( report );
	return report;
}

static cJSON* report_of_depth( fixture* f, uint32_t depth )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = depth;
	options.hierarchy.splitter = "median";
	options.hierarchy.costs.triangles = 7;
	options.hierarchy.costs.opening = 5;
	options.hierarchy.costs.leaf = 4;
	options.hierarchy.costs.volumes[bv_volume_obb][bv_volume_obb] = 3;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return report_of( f, build_file( f, &mesh, &options ), NULL );
}

// The root alone costs its own test and, as a leaf, 4 and 12 x 12 pairs of triangles. Two leaves of six triangles each are
// compared always, their triangles as often as their areas say.
static void expected_costs_are_those_of_the_areas( void** state )
{
	cJSON* r = report_of_depth( *state, 0 );
	assert_true( number( r, "hierarchy.cost.expected" ) == 3 + 4 + 12 * 12 * 7 );
	assert_true( number( r, "hierarchy.cost.triangle_test" ) == 7 );
	assert_true( number( r, "hierarchy.cost.opening" ) == 5 );
	assert_true( number( r, "hierarchy.cost.leaf" ) == 4 );
	assert_true( number( r, "hierarchy.cost.volume_test.obb.obb" ) == 3 );
	cJSON_Delete( r );

	r = report_of_depth( *state, 1 );
	assert_true( number( r, "hierarchy.leaves" ) == 2 );
	double share = number( r, "hierarchy.levels.1.area.mean" ) / number( r, "hierarchy.levels.0.area.mean" );
	double expected = 3 + 5 + 2 * 3 + 2 * share * ( 4 + 6 * 6 * 7 );
	assert_true( fabs( number( r, "hierarchy.cost.expected" ) - expected ) < 1e-9 * expected );
	cJSON_Delete( r );
}

static void a_box_is_described_by_its_closed_forms( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy = bvb_hierarchy_options_default();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	cJSON* r = report_of( f, build_file( f, &mesh, &options ), NULL );
	assert_string_equal( text( r, "schema" ), "bvbuild-report/1" );
	assert_string_equal( text( r, "tool.version" ), BV_VERSION );
	assert_string_equal( text( r, "tool.parameters.positions" ), "float" );
	assert_string_equal( text( r, "tool.parameters.leaf-triangles" ), "1" );
	assert_string_equal( text( r, "source.name" ), "test.obj" );
	assert_string_equal( text( r, "source.hash" ), "01020300000000000000000000000000" );
	assert_true( number( r, "mesh.triangles" ) == 12 && number( r, "mesh.vertices" ) == 8 );
	assert_true( number( r, "mesh.edges" ) == 18 && number( r, "mesh.components" ) == 1 );
	assert_true( cJSON_IsTrue( at( r, "mesh.closed" ) ) && cJSON_IsTrue( at( r, "mesh.manifold" ) ) );
	assert_true( fabs( number( r, "mesh.volume" ) - 6 ) < 1e-12 );
	assert_true( fabs( number( r, "mesh.area" ) - 22 ) < 1e-12 );
	assert_true( fabs( number( r, "mesh.center_of_mass.1" ) - 1 ) < 1e-12 );
	assert_true( fabs( number( r, "mesh.inertia.2.2" ) - 6.0 / 12 * ( 1 + 4 ) ) < 1e-11 );
	assert_true( fabs( number( r, "mesh.inertia.0.1" ) ) < 1e-11 );
	assert_true( number( r, "mesh.largest_displacement" ) == 0 );
	assert_true( number( r, "bounds.aabb.upper.2" ) == 3 && number( r, "bounds.aabb.volume" ) == 6 );
	assert_true( fabs( number( r, "bounds.sphere.radius" ) - sqrt( 14 ) / 2 ) < 1e-6 );
	assert_true( fabs( number( r, "bounds.obb.volume" ) - 6 ) < 1e-5 );
	assert_true( number( r, "bounds.kdop.k" ) == 26 && number( r, "bounds.kdop.upper.3" ) == 6 );
	assert_true( fabs( number( r, "bounds.kdop.volume" ) - 6 ) < 1e-9 );

	// A ball of the capsule's radius and a cylinder between its ends; a slab besides.
	const double pi = 3.14159265358979323846;
	double radius = number( r, "bounds.capsule.radius" );
	double along[3];
	for ( int i = 0; i < 3; ++i )
	{
		char end[2][32];
		snprintf( end[0], sizeof end[0], "bounds.capsule.ends.0.%d", i );
		snprintf( end[1], sizeof end[1], "bounds.capsule.ends.1.%d", i );
		along[i] = number( r, end[1] ) - number( r, end[0] );
	}
	double length = sqrt( along[0] * along[0] + along[1] * along[1] + along[2] * along[2] );
	double volume = pi * radius * radius * ( length + radius * 4 / 3 );
	assert_true( radius >= 0.5 && fabs( number( r, "bounds.capsule.volume" ) - volume ) < 1e-9 * volume );
	radius = number( r, "bounds.rss.radius" );
	double a = 2 * number( r, "bounds.rss.half_extents.0" );
	double b = 2 * number( r, "bounds.rss.half_extents.1" );
	volume = 2 * radius * a * b + pi * radius * radius * ( a + b + radius * 4 / 3 );
	assert_true( radius >= 0.5 && fabs( number( r, "bounds.rss.volume" ) - volume ) < 1e-9 * volume );
	assert_true( fabs( number( r, "hull.volume" ) - 6 ) < 1e-12 && number( r, "hull.faces" ) == 12 );
	assert_true( number( r, "hierarchy.nodes" ) == 23 && number( r, "hierarchy.leaves" ) == 12 );
	assert_true( number( r, "hierarchy.degrees.2" ) == 11 && number( r, "hierarchy.types.obb" ) == 23 );
	assert_true( fabs( number( r, "hierarchy.root.volume" ) - 6 ) < 1e-5 );
	assert_true( number( r, "hierarchy.levels.0.nodes" ) == 1 &&
	             number( r, "hierarchy.levels.0.triangles" ) == 12 );
	assert_true( number( r, "hierarchy.levels.1.nodes" ) == 2 &&
	             number( r, "hierarchy.levels.1.triangles" ) == 12 );
	cJSON_Delete( r );
}

// Of the whole file, and of a level.
static void measures_are_those_of_the_library( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	cJSON* r = report_of( f, file, NULL );
	bvb_sah sah;
	bvb_occupancy leaves;
	bvb_overlaps overlap;
	bvb_fitnesses fit;
	bvb_contact contact;
	bvb_bounds_optimum bounds;
	assert_int_equal( bvb_assess_sah( file, &sah, NULL ), bv_ok );
	assert_int_equal( bvb_assess_occupancy( file, &leaves, NULL ), bv_ok );
	assert_int_equal( bvb_assess_overlap( file, NULL, f->arena, &overlap, NULL ), bv_ok );
	assert_int_equal( bvb_assess_fitness( file, NULL, f->arena, &fit, NULL ), bv_ok );
	assert_int_equal( bvb_assess_contact( file, NULL, f->arena, &contact, NULL ), bv_ok );
	assert_int_equal( bvb_assess_bounds( file, f->arena, &bounds, NULL ), bv_ok );
	const struct
	{
		const char* path;
		double value;
	} cases[] = {
		{ "hierarchy.sah.cost", sah.cost },
		{ "hierarchy.sah.inner", sah.inner },
		{ "hierarchy.sah.leaves", sah.leaves },
		{ "hierarchy.sah.children", sah.children },
		{ "hierarchy.occupancy.mean", leaves.mean },
		{ "hierarchy.occupancy.min", leaves.least },
		{ "hierarchy.occupancy.max", leaves.most },
		{ "hierarchy.occupancy.histogram.1", (double)leaves.bins[0] },
		{ "hierarchy.overlap.pairs", (double)overlap.all.pairs },
		{ "hierarchy.overlap.measured", (double)overlap.all.measured },
		{ "hierarchy.overlap.flat", (double)overlap.all.flat },
		{ "hierarchy.overlap.mean", overlap.all.mean },
		{ "hierarchy.overlap.max", overlap.all.max },
		{ "hierarchy.overlap.share", overlap.all.share },
		{ "hierarchy.overlap.worst.1", overlap.all.worst[1] },
		{ "hierarchy.levels.2.overlap.mean", overlap.level[2].mean },
		{ "hierarchy.fit.nodes", (double)fit.all.nodes },
		{ "hierarchy.fit.measured", (double)fit.all.measured },
		{ "hierarchy.fit.flat", (double)fit.all.flat },
		{ "hierarchy.fit.volume.mean", fit.all.volume.mean },
		{ "hierarchy.fit.volume.max", fit.all.volume.max },
		{ "hierarchy.fit.area.mean", fit.all.area.mean },
		{ "hierarchy.fit.area.worst", fit.all.area.worst },
		{ "hierarchy.fit.types.obb.area.max", fit.type[bv_volume_obb].area.max },
		{ "hierarchy.levels.1.fit.area.mean", fit.level[1].area.mean },
		{ "hierarchy.cost.measured.draws", contact.draws },
		{ "hierarchy.cost.measured.given_up", contact.given_up },
		{ "hierarchy.cost.measured.cost", contact.all.cost },
		{ "hierarchy.cost.measured.openings", contact.all.openings },
		{ "hierarchy.cost.measured.by_type.obb.obb", contact.all.volumes[bv_volume_obb][bv_volume_obb] },
		{ "hierarchy.cost.measured.offsets.2.offset", -0.01 },
		{ "hierarchy.cost.measured.offsets.2.pairs", contact.at[2].pairs },
		{ "hierarchy.cost.measured.offsets.0.leaf_pairs", contact.at[0].leaves },
		{ "hierarchy.cost.measured.offsets.1.triangle_tests", contact.at[1].triangle_tests },
		{ "bounds.obb.optimum", bounds.obb },
		{ "bounds.rss.optimum", bounds.rss },
		{ "bounds.kdop.ratio", number( r, "bounds.kdop.volume" ) / bounds.kdop },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		if ( number( r, cases[i].path ) != cases[i].value )
		{
			fail_msg( "%s is %g and not %g", cases[i].path, number( r, cases[i].path ), cases[i].value );
		}
	}
	assert_true( overlap.all.measured > 0 && fit.all.measured > fit.all.flat && contact.at[2].pairs > 0 );
	cJSON_Delete( r );
}

// What the interval at a path is known to contain.
static void expect_contains( const cJSON* report, const char* path, double value )
{
	char lower[128];
	char upper[128];
	snprintf( lower, sizeof lower, "%s.lower", path );
	snprintf( upper, sizeof upper, "%s.upper", path );
	if ( !( number( report, lower ) <= value && value <= number( report, upper ) ) )
	{
		fail_msg( "%s does not contain %g", path, value );
	}
}

// The root is the mesh but for the rounding of its extents, so no point of its boundary is far from a triangle, and the
// farthest of all its points is the center: half the least side away. At level 0 there is nothing but the root.
static void errors_of_a_box_are_its_closed_forms( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.125;
	options.errors.floor = 0.0625;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	cJSON* r = report_of( f, build_file( f, &mesh, &options ), NULL );
	double diagonal = sqrt( 14 );
	double rounding = 1e-6;
	assert_true( number( r, "hierarchy.hausdorff.tolerance.relative" ) == 0.125 );
	assert_true( number( r, "hierarchy.hausdorff.tolerance.floor" ) == 0.0625 );
	double lower = number( r, "hierarchy.hausdorff.solid.root.lower" );
	double upper = number( r, "hierarchy.hausdorff.solid.root.upper" );
	assert_true( lower <= 0.5 + rounding && upper >= 0.5 - rounding );
	assert_true( upper <= 1.125 * lower || upper <= lower + 0.0625 * diagonal + rounding );
	assert_true( number( r, "hierarchy.hausdorff.surface.root.lower" ) <= rounding );
	assert_true( number( r, "hierarchy.hausdorff.surface.root.upper" ) <= 0.0625 * diagonal + rounding );
	assert_true( fabs( number( r, "hierarchy.hausdorff.solid.root.relative.upper" ) - upper / diagonal ) <
	             rounding );
	expect_contains( r, "hierarchy.levels.0.hausdorff.solid.mean", ( lower + upper ) / 2 );
	expect_contains( r, "hierarchy.levels.0.hausdorff.solid.max", ( lower + upper ) / 2 );
	expect_contains( r, "hierarchy.levels.0.cut.solid.mean", ( lower + upper ) / 2 );
	cJSON_Delete( r );
}

// Certified ends stay so: no mean is above the largest value, and products with the length, which 113 bits hold exactly, are not inside
// of the interval that was divided by it. Of a single node mean and largest value are the same.
static void ends_of_errors_are_rounded_outwards( void** state )
{
	fixture* f = *state;
	static const char* const measures[] = { "surface", "solid" };
	static const char* const sets[] = { "root", "max", "mean" };
	bvb_asset_options options = plain_options();
	options.errors = bvb_asset_options_default().errors;
	for ( int i = 0; i < 24; ++i )
	{
		options.hierarchy.max_depth = i % 3;
		bvb_mesh mesh = box_mesh( f, 1 + random_unit( f ), 1 + random_unit( f ), 1 + random_unit( f ) );
		cJSON* r = report_of( f, build_file( f, &mesh, &options ), NULL );
		__extension__ __float128 length = number( r, "hierarchy.levels.0.diameter.max" );
		for ( int k = 0; k < 2; ++k )
		{
			const cJSON* all = cJSON_GetObjectItem( at( r, "hierarchy.hausdorff" ), measures[k] );
			const cJSON* top = cJSON_GetObjectItem( at( r, "hierarchy.levels.0.hausdorff" ), measures[k] );
			assert_true( number( all, "mean.upper" ) <= number( all, "max.upper" ) );
			assert_true( number( top, "mean.upper" ) == number( top, "max.upper" ) );
			for ( int s = 0; s < 3; ++s )
			{
				const cJSON* of = cJSON_GetObjectItem( all, sets[s] );
				assert_true( number( of, "relative.lower" ) * length <= number( of, "lower" ) );
				assert_true( number( of, "relative.upper" ) * length >= number( of, "upper" ) );
				assert_true( number( of, "relative.lower" ) >= 0 );
			}
		}
		cJSON_Delete( r );
	}
}

static void a_box_is_recognized_as_one( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.recognize = ( bvb_tolerance ){ .value = 1, .percent = true };
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	cJSON* r = report_of( f, build_file( f, &mesh, &options ), NULL );
	double tolerance = number( r, "recognised.tolerance" );
	assert_string_equal( text( r, "recognised.best" ), "box" );
	assert_true( fabs( tolerance - 0.01 * sqrt( 14 ) ) < 1e-12 );
	assert_true( fabs( number( r, "recognised.box.volume" ) - 6 ) < 22 * tolerance );
	assert_true( number( r, "recognised.box.error.upper" ) <= tolerance );
	assert_true( number( r, "recognised.box.from_surface.upper" ) <= tolerance );
	assert_true( number( r, "recognised.box.from_mesh.upper" ) <= tolerance );
	assert_true( number( r, "recognised.sphere.error.lower" ) > tolerance );
	assert_true( number( r, "recognised.capsule.error.lower" ) > tolerance );
	assert_true( number( r, "recognised.cylinder.error.lower" ) > tolerance );

	// Volumes are those of the geometry beside them.
	const double pi = 3.14159265358979323846;
	double radius = number( r, "recognised.sphere.radius" );
	double ball = pi * 4 / 3 * radius * radius * radius;
	assert_true( fabs( number( r, "recognised.sphere.volume" ) - ball ) < 1e-12 * ball );
	double along = 0;
	for ( int i = 0; i < 3; ++i )
	{
		char end[2][40];
		snprintf( end[0], sizeof end[0], "recognised.cylinder.ends.0.%d", i );
		snprintf( end[1], sizeof end[1], "recognised.cylinder.ends.1.%d", i );
		along += pow( number( r, end[1] ) - number( r, end[0] ), 2 );
	}
	radius = number( r, "recognised.cylinder.radius" );
	double cylinder = pi * radius * radius * sqrt( along );
	assert_true( fabs( number( r, "recognised.cylinder.volume" ) - cylinder ) < 1e-9 * cylinder );
	assert_true( number( r, "recognised.box.half_extents.0" ) > 0 );
	assert_true( number( r, "recognised.capsule.radius" ) > 0 );
	cJSON_Delete( r );
}

static void what_is_not_computed_is_null_and_not_missing( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	mesh.triangle_count = 10; // one side is open
	cJSON* r = report_of( f, build_file( f, &mesh, &options ), NULL );
	static const char* const nulls[] = {
		"mesh.volume",
		"mesh.center_of_mass",
		"mesh.inertia",
		"decomposition.parts",
		"decomposition.tolerance",
		"decomposition.concavity.lower",
		"decomposition.concavity.upper",
		"decomposition.vertices",
		"hierarchy.hausdorff.surface.root.lower",
		"hierarchy.hausdorff.solid.max.upper",
		"hierarchy.hausdorff.solid.mean.lower",
		"hierarchy.hausdorff.solid.mean.relative.upper",
		"hierarchy.hausdorff.tolerance.relative",
		"hierarchy.hausdorff.tolerance.floor",
		"hierarchy.levels.0.hausdorff.surface.mean.lower",
		"hierarchy.levels.0.cut.solid.max.upper",
		"recognised.best",
		"recognised.tolerance",
		"recognised.box",
		"recognised.sphere",
		"recognised.capsule",
		"recognised.cylinder",
	};
	for ( size_t i = 0; i < sizeof nulls / sizeof nulls[0]; ++i )
	{
		assert_true( cJSON_IsNull( at( r, nulls[i] ) ) );
	}
	assert_true( cJSON_IsFalse( at( r, "mesh.closed" ) ) && cJSON_IsTrue( at( r, "mesh.manifold" ) ) );
	assert_true( fabs( number( r, "mesh.area" ) - 5 ) < 1e-12 );
	assert_null( cJSON_GetObjectItem( r, "time" ) );
	assert_null( cJSON_GetObjectItem( r, "memory" ) );
	cJSON_Delete( r );
}

static void a_build_adds_time_and_memory( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_report_build build = {
		.stages = { [bvb_stage_import] = { 0.25, 1024 },
		            [bvb_stage_record] = { 0, 2048 },
		            [bvb_stage_hull] = { 0.125, 0 },
		            [bvb_stage_hausdorff] = { 0.375, 0 },
		            [bvb_stage_recognize] = { 0.0625, 0 },
		            [bvb_stage_decompose] = { 0, 3072 },
		            [bvb_stage_write] = { 0, 4096 } },
		.total_seconds = 1.5,
		.peak_memory = 8192,
	};
	cJSON* r = report_of( f, build_file( f, &mesh, &options ), &build );
	assert_true( number( r, "time.import" ) == 0.25 && number( r, "time.total" ) == 1.5 );
	assert_true( number( r, "time.hull" ) == 0.125 && number( r, "memory.peak" ) == 8192 );
	assert_true( number( r, "memory.import" ) == 1024 && number( r, "memory.record" ) == 2048 );
	assert_true( number( r, "memory.decompose" ) == 3072 && number( r, "memory.write" ) == 4096 );
	assert_true( number( r, "time.hausdorff" ) == 0.375 && number( r, "time.recognise" ) == 0.0625 );
	cJSON_Delete( r );
}

// Sizes by section must add up to the file, but for the header, the table and the gaps.
static void sections_add_up( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_bytes bytes = build_bytes( f, &mesh, &options );
	cJSON* r = report_of( f, open_bytes( bytes ), NULL );
	double sum = 64 + 9 * 32;
	const cJSON* section;
	cJSON_ArrayForEach( section, at( r, "file.sections" ) )
	{
		sum += number( section, "bytes" );
	}
	assert_true( number( r, "file.bytes" ) == (double)bytes.size );
	assert_true( sum <= (double)bytes.size && sum > (double)bytes.size - 9 * 64 );
	double ratio = (double)bytes.size / mesh.triangle_count;
	assert_true( fabs( number( r, "file.bytes_per_triangle" ) - ratio ) < 1e-9 );
	cJSON_Delete( r );
}

// Areas and axes of random triangles need all 17 digits.
static void numbers_read_back_equal( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	for ( int round = 0; round < 50; ++round )
	{
		bvb_mesh mesh = soup_create( f, 2 );
		for ( int i = 0; i < 6; ++i )
		{
			mesh.positions[i] = random_point( f );
		}
		const bv_file* file = build_file( f, &mesh, &options );
		cJSON* r = report_of( f, file, NULL );
		assert_true( number( r, "mesh.area" ) == bv_file_get_mesh( file ).area );
		bv_file_bounds bounds;
		assert_true( bv_file_get_bounds( file, &bounds ) );
		assert_true( number( r, "bounds.obb.axes.1.2" ) == bounds.obb.axis[1].z );
		cJSON_Delete( r );
	}
}

static void running_out_of_memory_is_reported( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_arena* none = bvb_arena_create_limited( 0 );
	char* json;
	bvb_error error;
	assert_int_equal( bvb_report_json( file, NULL, none, &json, &error ), bv_error_memory );
	bvb_arena_destroy( none );
}

static char* report_for( fixture* f, const bv_file* file, const char* expression )
{
	char* json;
	bvb_error error = { "" };
	assert_int_equal( bvb_report_json_for( file, NULL, &expression, 1, f->arena, &json, &error ), bv_ok );
	return json;
}

// Of an array the first item.
static uint32_t compare_leaves( fixture* f, const bv_file* file, const cJSON* item, const char* path )
{
	char expression[256];
	uint32_t count = 0;
	for ( const cJSON* child = item->child; child; child = child->next )
	{
		if ( cJSON_IsArray( item ) )
		{
			snprintf( expression, sizeof expression, "%s[0]", path );
			return compare_leaves( f, file, child, expression );
		}
		snprintf( expression, sizeof expression, *path ? "%s.%s" : "%s%s", path, child->string );
		bool plain =
			strspn( child->string, "abcdefghijklmnopqrstuvwxyz_0123456789" ) == strlen( child->string ) &&
			!( child->string[0] >= '0' && child->string[0] <= '9' );
		count += plain ? compare_leaves( f, file, child, expression ) : 0;
	}
	if ( cJSON_IsNumber( item ) )
	{
		bvb_report* report;
		bvb_value value;
		assert_int_equal( bvb_report_read( report_for( f, file, path ), &report, NULL ), bv_ok );
		assert_int_equal( bvb_report_evaluate( report, path, f->arena, &value, NULL ), bv_ok );
		if ( value.kind != bvb_value_number || value.number != item->valuedouble )
		{
			fail_msg( "%s is not what the whole report has", path );
		}
		bvb_report_free( report );
		return 1;
	}
	return count;
}

// Each number of the whole report, asked for alone.
static void a_report_for_an_expression_has_its_value( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	const bv_file* file = build_file( f, &mesh, &options );
	cJSON* whole = report_of( f, file, NULL );
	assert_in_range( compare_leaves( f, file, whole, "" ), 200, 1000 );
	cJSON* found = cJSON_Parse( report_for( f, file, "count(findings)" ) );
	assert_true( cJSON_Compare( at( whole, "findings" ), at( found, "findings" ), true ) );
	cJSON_Delete( found );
	cJSON_Delete( whole );
}

// What takes long and was not asked for is null.
static void a_report_for_an_expression_measures_no_more( void** state )
{
	static const struct
	{
		const char* expression;
		unsigned made; // a bit for each of `measures`
	} asked[] = {
		{ "mesh.triangles + hierarchy.nodes", 0 },
		{ "max(hierarchy.levels[].nodes)", 0 },
		{ "bounds.obb.volume", 0 },
		{ "hierarchy.overlap.mean", 1 },
		{ "max(hierarchy.levels[].overlap.mean)", 1 },
		{ "hierarchy.levels[-1].fit.volume.mean", 2 },
		{ "not mesh.closed or hierarchy.cost.measured.cost < 1", 4 },
		{ "hierarchy.cost.yardstick.cost", 8 },
		{ "hierarchy.cost.yardstick.ratio", 12 },
		{ "bounds.obb.ratio", 16 },
		{ "count(findings)", 31 },
	};
	static const char* const measures[] = { "hierarchy.overlap.mean", "hierarchy.fit.volume.mean",
		                                    "hierarchy.cost.measured.cost", "hierarchy.cost.yardstick.cost",
		                                    "bounds.obb.optimum" };
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy.max_depth = 2;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	const bv_file* file = build_file( f, &mesh, &options );
	for ( size_t i = 0; i < sizeof asked / sizeof *asked; ++i )
	{
		cJSON* r = cJSON_Parse( report_for( f, file, asked[i].expression ) );
		for ( size_t k = 0; k < sizeof measures / sizeof *measures; ++k )
		{
			if ( cJSON_IsNumber( at( r, measures[k] ) ) != (bool)( asked[i].made >> k & 1 ) )
			{
				fail_msg( "%s: %s", asked[i].expression, measures[k] );
			}
		}
		cJSON_Delete( r );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( expected_costs_are_those_of_the_areas ),
		fixture_test( a_box_is_described_by_its_closed_forms ),
		fixture_test( errors_of_a_box_are_its_closed_forms ),
		fixture_test( ends_of_errors_are_rounded_outwards ),
		fixture_test( a_box_is_recognized_as_one ),
		fixture_test( what_is_not_computed_is_null_and_not_missing ),
		fixture_test( measures_are_those_of_the_library ),
		fixture_test( a_build_adds_time_and_memory ),
		fixture_test( sections_add_up ),
		fixture_test( numbers_read_back_equal ),
		fixture_test( running_out_of_memory_is_reported ),
		fixture_test( a_report_for_an_expression_has_its_value ),
		fixture_test( a_report_for_an_expression_measures_no_more ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
