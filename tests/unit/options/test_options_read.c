// Options by name: they set what the command line sets, and errors change nothing.

#include "support.h"

#include "bvbuild/options.h"

#include <stdio.h>
#include <string.h>

static bv_status read_one( const char* name, const char* value, bvb_build_options* out, bvb_error* error )
{
	const bvb_named_option option = { name, value };
	return bvb_build_options_read( &option, 1, out, error );
}

// Struct padding is not compared: the parameters are all that shapes a file.
static void assert_parameters( fixture* f, const bvb_build_options* o, const char* line )
{
	bv_text text;
	assert_int_equal( bvb_asset_parameters( &o->asset, f->arena, &text ), bv_ok );
	char* lines = bvb_arena_allocate( f->arena, text.length + 2, 1 );
	lines[0] = '\n';
	memcpy( lines + 1, text.data, text.length );
	char wanted[160];
	snprintf( wanted, sizeof wanted, "\n%s\n", line );
	if ( !strstr( lines, wanted ) )
	{
		fail_msg( "'%s' is not among the parameters:\n%s", line, lines );
	}
}

// Expected lines are written down from docs/cli.md and formats/bvh/README.md.
static void values_are_stored( void** state )
{
	static const struct
	{
		const char* name;
		const char* value;
		const char* line;
	} cases[] = {
		{ "units", "mm", "units=mm" },
		{ "up", "z", "up=z" },
		{ "scale", "0.5", "scale=0.5" },
		{ "normalize", NULL, "normalize=1" },
		{ "volume", "sphere,obb", "volume=obb,sphere" },
		{ "sections", "-tree,edges", "sections=-tree,-errors,edges" },
		{ "decompose", "0.5%", "decompose=0.5%" },
		{ "decompose", NULL, "decompose=1%" },
		{ "simplify", "2", "simplify=2" },
		{ "hausdorff", "0.02", "hausdorff=0.02" },
		{ "recognise", "3%", "recognise=3%" }, // an old spelling
		{ "drop-non-finite", NULL, "non-finite=drop" },
		{ "preset", "fast", "byte-price=500" },
		{ "splitter", "gottschalk", "builder=topdown" },
	};
	fixture* f = *state;
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_build_options o;
		bvb_error error;
		bv_status status = read_one( cases[i].name, cases[i].value, &o, &error );
		if ( status != bv_ok )
		{
			fail_msg( "--%s: %s", cases[i].name, error.message );
		}
		assert_parameters( f, &o, cases[i].line );
	}
}

static void explicit_options_win_over_the_preset_in_any_order( void** state )
{
	fixture* f = *state;
	const bvb_named_option before[] = { { "byte-price", "7" }, { "preset", "fast" } };
	const bvb_named_option after[] = { { "preset", "fast" }, { "byte-price", "7" } };
	bvb_build_options o;
	assert_int_equal( bvb_build_options_read( before, 2, &o, NULL ), bv_ok );
	assert_parameters( f, &o, "byte-price=7" );
	assert_parameters( f, &o, "volume=aabb" );
	assert_int_equal( bvb_build_options_read( after, 2, &o, NULL ), bv_ok );
	assert_parameters( f, &o, "byte-price=7" );
}

static void the_last_value_counts_and_patterns_add_up( void** state )
{
	fixture* f = *state;
	const bvb_named_option options[] = {
		{ "scale", "2" }, { "object", "Wall*" }, { "scale", "3" }, { "object", "Door" }
	};
	bvb_build_options o;
	assert_int_equal( bvb_build_options_read( options, 4, &o, NULL ), bv_ok );
	assert_parameters( f, &o, "scale=3" );
	assert_int_equal( o.object_count, 2 );
	assert_string_equal( o.objects[0], "Wall*" );
	assert_string_equal( o.objects[1], "Door" );
}

static void errors_say_what_is_allowed_and_change_nothing( void** state )
{
	static const struct
	{
		bvb_named_option options[2];
		uint32_t count;
		bv_status status;
		const char* message;
	} cases[] = {
		{ { { "weldd", "1" } }, 1, bv_error_argument, "unknown option 'weldd' (did you mean 'weld'?)" },
		{ { { "threads", "2" } }, 1, bv_error_argument, "unknown option 'threads' (--help=all lists all)" },
		{ { { "weld", NULL } }, 1, bv_error_argument, "--weld needs a value: DIST" },
		{ { { "up", NULL } }, 1, bv_error_argument, "--up needs a value: y|z|y-to-z" },
		{ { { "normalize", "1" } }, 1, bv_error_argument, "--normalize takes no value" },
		{ { { "weld", "-1" } }, 1, bv_error_argument, "--weld takes a number of at least 0, not '-1'" },
		{ { { "weld", "nan" } }, 1, bv_error_argument, "--weld takes a number of at least 0, not 'nan'" },
		{ { { "preset", "fastest" } },
		  1,
		  bv_error_argument,
		  "--preset takes fast, balanced or best, not 'fastest'" },
		{ { { "max-parts", "4" } }, 1, bv_error_argument, "--max-parts needs --decompose" },
		{ { { "mass", "1" }, { "density", "1" } },
		  2,
		  bv_error_argument,
		  "--density and --mass exclude each other" },
		{ { { "decompose", NULL }, { "sections", "-parts" } },
		  2,
		  bv_error_argument,
		  "--decompose adds the section that --sections -parts removes" },
		{ { { "gate", "mesh.closed and" } }, 1, bv_error_argument, NULL },
		{ { { "cost-matrix", "/nowhere/costs" } },
		  1,
		  bv_error_input,
		  "/nowhere/costs: No such file or directory" },
	};
	(void)state;
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_build_options o;
		bvb_build_options before;
		bvb_error error = { "" };
		memset( &o, 0x5a, sizeof o );
		memcpy( &before, &o, sizeof o );
		assert_int_equal( bvb_build_options_read( cases[i].options, cases[i].count, &o, &error ),
		                  cases[i].status );
		assert_memory_equal( &o, &before, sizeof o );
		if ( cases[i].message )
		{
			assert_string_equal( error.message, cases[i].message );
		}
		assert_true( error.message[0] != 0 );
		assert_int_equal( bvb_build_options_read( cases[i].options, cases[i].count, &o, NULL ),
		                  cases[i].status );
	}
}

static void limits_of_repeated_options_hold( void** state )
{
	(void)state;
	bvb_named_option options[BVB_MAX_GATES + 1];
	bvb_build_options o;
	bvb_error error;
	for ( int i = 0; i <= BVB_MAX_GATES; ++i )
	{
		options[i] = ( bvb_named_option ){ "gate", "mesh.closed" };
	}
	assert_int_equal( bvb_build_options_read( options, BVB_MAX_GATES, &o, &error ), bv_ok );
	assert_int_equal( o.gates.count, BVB_MAX_GATES );
	assert_int_equal( bvb_build_options_read( options, BVB_MAX_GATES + 1, &o, &error ), bv_error_argument );
	assert_string_equal( error.message, "--gate can be given 256 times" );
	for ( int i = 0; i <= BVB_MAX_OBJECT_PATTERNS; ++i )
	{
		options[i] = ( bvb_named_option ){ "object", "a" };
	}
	assert_int_equal( bvb_build_options_read( options, BVB_MAX_OBJECT_PATTERNS, &o, &error ), bv_ok );
	assert_int_equal( bvb_build_options_read( options, BVB_MAX_OBJECT_PATTERNS + 1, &o, &error ),
	                  bv_error_argument );
}

// Sanitizers judge. Each name meets values that are meant for another.
static void no_value_is_harmful( void** state )
{
	static const char* const values[] = {
		"",
		"0",
		"1",
		"-1",
		"2.5",
		"1e400",
		"nan",
		"100%",
		"101%",
		"%",
		",",
		"-",
		"none",
		"all",
		"mixed",
		"obb",
		"obb,",
		"mesh,tree",
		"-mesh",
		"y",
		"mm",
		"fast",
		"topdown",
		"99999999999999999999",
		"mesh.closed",
		"(",
		"\xff\xfe",
		"*[",
	};
	fixture* f = *state;
	const size_t count = sizeof values / sizeof *values;
	int accepted = 0;
	uint32_t names = 0;
	while ( bvb_build_option_name( names, NULL, NULL ) )
	{
		++names;
	}
	for ( int i = 0; i < 20000; ++i )
	{
		bvb_named_option options[4];
		bvb_build_options o;
		bvb_error error = { "" };
		uint32_t used = 1 + (uint32_t)( random_bits( f ) % 4 );
		for ( uint32_t k = 0; k < used; ++k )
		{
			size_t value = random_bits( f ) % ( count + 1 );
			options[k].name = bvb_build_option_name( (uint32_t)( random_bits( f ) % names ), NULL, NULL );
			options[k].value = value < count ? values[value] : NULL;
		}
		bv_status status = bvb_build_options_read( options, used, &o, &error );
		assert_true( ( status == bv_ok ) == ( error.message[0] == 0 ) );
		accepted += status == bv_ok;
	}
	assert_in_range( accepted, 200, 19000 );
}

// The table in docs/cli.md is compared with --help by another test; here names are unique and explained.
static void options_are_listed( void** state )
{
	(void)state;
	const char* value;
	const char* help;
	uint32_t count = 0;
	bool flag = false;
	bool words = false;
	for ( const char* name; ( name = bvb_build_option_name( count, &value, &help ) ) != NULL; ++count )
	{
		assert_true( help[0] != 0 );
		flag = flag || ( strcmp( name, "normalize" ) == 0 && value[0] == 0 );
		words = words || ( strcmp( name, "positions" ) == 0 && strcmp( value, "float|quantized" ) == 0 );
	}
	assert_true( flag && words );
	assert_in_range( count, 40, BVB_MAX_OPTIONS );
}

static void threads_are_those_of_all_stages( void** state )
{
	(void)state;
	bvb_build_options o = bvb_build_options_default();
	bvb_build_options_set_threads( &o, 3 );
	assert_int_equal( o.asset.hierarchy.threads, 3 );
	assert_int_equal( o.asset.record.threads, 3 );
	assert_int_equal( o.asset.errors.threads, 3 );
	assert_int_equal( o.asset.decompose.threads, 3 );
	assert_int_equal( o.import.threads, 3 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( values_are_stored ),
		fixture_test( explicit_options_win_over_the_preset_in_any_order ),
		fixture_test( the_last_value_counts_and_patterns_add_up ),
		fixture_test( errors_say_what_is_allowed_and_change_nothing ),
		fixture_test( limits_of_repeated_options_hold ),
		fixture_test( no_value_is_harmful ),
		fixture_test( options_are_listed ),
		fixture_test( threads_are_those_of_all_stages ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
