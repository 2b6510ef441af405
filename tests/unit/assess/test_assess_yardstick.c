// What a preset's hierarchy would cost: against building that hierarchy by the pipeline and running the queries on its file.

#include "support.h"

static bvb_asset_options tree_options( const char* preset )
{
	bvb_asset_options options;
	assert_true( bvb_preset_options( preset, &options ) );
	options.sections = 1u << bvb_section_mesh | 1u << bvb_section_tree;
	return options;
}

static bvb_yardstick yardstick_of( fixture* f, const bv_file* file, const bvb_yardstick_options* options )
{
	bvb_yardstick out;
	assert_int_equal( bvb_assess_yardstick( file, options, f->arena, &out, NULL ), bv_ok );
	return out;
}

static bvb_contact contact_of( fixture* f, const bv_file* file )
{
	bvb_contact out;
	assert_int_equal( bvb_assess_contact( file, NULL, f->arena, &out, NULL ), bv_ok );
	return out;
}

static void expect_same( const bvb_contact* a, const bvb_contact* b )
{
	assert_int_equal( a->draws, b->draws );
	assert_int_equal( a->all.poses, b->all.poses );
	assert_true( a->all.poses > 0 && a->all.volume_tests > 0 );
	assert_true( a->all.volume_tests == b->all.volume_tests &&
	             a->all.triangle_tests == b->all.triangle_tests );
	assert_true( a->all.cost == b->all.cost && a->all.pairs == b->all.pairs );
	for ( int i = 0; i < BVB_CONTACT_OFFSETS; ++i )
	{
		assert_true( a->at[i].cost == b->at[i].cost );
	}
}

static void it_is_what_the_preset_takes( void** state )
{
	fixture* f = *state;
	static const char* const presets[] = { "fast", "balanced", "best" };
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_asset_options plain = plain_options();
	const bv_file* other = build_file( f, &mesh, &plain );
	bvb_export gathered; // in the file's order, by which builders choose among equals
	assert_int_equal( bvb_export_gather( other, "mesh", f->arena, &gathered, NULL ), bv_ok );
	double costs[3];
	for ( int i = 0; i < 3; ++i )
	{
		bvb_asset_options options = tree_options( presets[i] );
		const bv_file* file = build_file( f, &gathered.objects->mesh, &options );
		bvb_contact wanted = contact_of( f, file );
		bvb_yardstick_options o = bvb_yardstick_options_default();
		o.preset = presets[i];
		bvb_yardstick y = yardstick_of( f, other, &o );
		assert_int_equal( y.nodes, bv_file_get_hierarchy( file ).nodes );
		expect_same( &y.contact, &wanted );
		costs[i] = y.contact.all.cost;
	}
	assert_true( costs[0] > costs[1] && costs[1] > costs[2] );
	bvb_yardstick y = yardstick_of( f, other, NULL );
	assert_true( y.contact.all.cost == costs[1] );
}

// Whatever tree a file has, and however its positions are written: those that are written are measured.
static void the_files_own_tree_does_not_matter( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_asset_options options = tree_options( "balanced" );
	bvb_yardstick wanted = yardstick_of( f, build_file( f, &mesh, &options ), NULL );
	options.hierarchy.builder = "topdown";
	options.hierarchy.splitter = "median";
	options.hierarchy.collapse = 0;
	options.hierarchy.leaf_triangles = 1;
	const bv_file* file = build_file( f, &mesh, &options );
	assert_true( contact_of( f, file ).all.cost > 1.25 * wanted.contact.all.cost );
	bvb_yardstick y = yardstick_of( f, file, NULL );
	expect_same( &y.contact, &wanted.contact );
	options.record.positions = bvb_positions_quantized;
	y = yardstick_of( f, build_file( f, &mesh, &options ), NULL );
	assert_true( fabs( y.contact.all.cost / wanted.contact.all.cost - 1 ) < 0.05 );
}

// Of a hierarchy that is built for other costs the price of each step is the file's.
static void it_is_priced_as_the_file( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_asset_options options = tree_options( "balanced" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			options.hierarchy.costs.volumes[i][k] *= 100;
		}
	}
	options.hierarchy.costs.opening *= 7;
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_contact wanted = contact_of( f, file );
	bvb_yardstick y = yardstick_of( f, file, NULL );
	expect_same( &y.contact, &wanted );
	bv_costs costs = options.hierarchy.costs;
	const bvb_contact_cost* c = &y.contact.all;
	double sum = c->openings * costs.opening + c->leaves * costs.leaf + c->triangle_tests * costs.triangles +
	             c->volume_tests * costs.volumes[bv_volume_obb][bv_volume_obb];
	assert_true( fabs( sum / c->cost - 1 ) < 1e-12 );
}

static void threads_do_not_matter( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_yardstick_options o = bvb_yardstick_options_default();
	o.threads = 1;
	bvb_yardstick one = yardstick_of( f, file, &o );
	o.threads = 5;
	bvb_yardstick five = yardstick_of( f, file, &o );
	assert_memory_equal( &one, &five, sizeof one );
}

static void what_cannot_be_had_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 6 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	bvb_yardstick_options o = bvb_yardstick_options_default();
	bvb_yardstick y;
	bvb_error error = { "" };
	o.most_triangles = triangles;
	assert_int_equal( bvb_assess_yardstick( file, &o, f->arena, &y, &error ), bv_ok );
	o.most_triangles = triangles - 1;
	assert_int_equal( bvb_assess_yardstick( file, &o, f->arena, &y, &error ), bv_error_limit );
	o.most_triangles = triangles;
	o.preset = "fastest";
	assert_int_equal( bvb_assess_yardstick( file, &o, f->arena, &y, &error ), bv_error_argument );
	assert_non_null( strstr( error.message, "'fastest'" ) );

	bvb_arena* little = bvb_arena_create_limited( 4096 );
	assert_int_equal( bvb_assess_yardstick( file, NULL, little, &y, &error ), bv_error_memory );
	bvb_arena_destroy( little );
	options.sections = bvb_sections_without( options.sections, bvb_section_tree );
	file = build_file( f, &mesh, &options );
	assert_int_equal( bvb_assess_yardstick( file, NULL, f->arena, &y, &error ), bv_error_argument );
	assert_true( y.nodes == 0 && y.contact.draws == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( it_is_what_the_preset_takes ),    fixture_test( the_files_own_tree_does_not_matter ),
		fixture_test( it_is_priced_as_the_file ),       fixture_test( threads_do_not_matter ),
		fixture_test( what_cannot_be_had_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
