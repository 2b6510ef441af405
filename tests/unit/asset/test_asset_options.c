// Rows of options agree with what they stand for: help with the defaults, orders with each other, and words with their names.

#include "support.h"

#include "bvbuild/asset.h"
#include "offline/options/rows.h"

#include <string.h>

static void no_two_options_have_the_same_place_in_a_text( void** state )
{
	(void)state;
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			const bvasset_option* a = bvopt_rows + i;
			const bvasset_option* b = bvopt_rows + k;
			assert_true( a->record == 0 || a->record != b->record );
			assert_true( a->preset == 0 || a->preset != b->preset );
			assert_string_not_equal( a->name, b->name );
		}
	}
}

static void what_needs_another_option_knows_whether_it_is_in_use( void** state )
{
	(void)state;
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		assert_true( !bvopt_rows[i].needs || bvopt_rows[i].in_use );
	}
}

// A name and a value have to fit into a line.
static void names_are_short( void** state )
{
	(void)state;
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		const bvasset_option* o = bvopt_rows + i;
		assert_in_range( strlen( o->name ), 1, 29 );
		assert_in_range( strlen( o->recorded_as ? o->recorded_as : o->name ), 1, 29 );
	}
}

static bool has_value( bv_text parameters, const bvasset_option* o, const char* value, size_t length )
{
	const char* name = o->recorded_as ? o->recorded_as : o->name;
	bv_text found;
	assert_true( bvb_find_parameter( parameters, ( bv_text ){ name, strlen( name ) }, &found ) );
	return found.length == length && memcmp( found.data, value, length ) == 0;
}

// Expected values are in the help text, as "(default 64)" or "(default 0: ...)". Options that are recorded only where they change
// something are looked up in builds where they do.
static void help_names_the_defaults( void** state )
{
	fixture* f = *state;
	int checked = 0;
	bvb_asset_options builds[3];
	for ( int i = 0; i < 3; ++i )
	{
		builds[i] = bvb_asset_options_default();
		builds[i].sections |= 1u << bvb_section_parts | 1u << bvb_section_proxy;
	}
	builds[1].hierarchy.volume_types |= 1u << bv_volume_sphere;
	builds[2].hierarchy.degree = 0;
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		const bvasset_option* o = bvopt_rows + i;
		const char* text = strstr( o->help, "(default " );
		if ( !text || o->record == 0 || ( o->omitted & bvasset_default_not_recorded ) )
		{
			continue;
		}
		text += strlen( "(default " );
		int build = 0;
		while ( o->in_use && !o->in_use( &builds[build] ) )
		{
			assert_in_range( ++build, 1, 2 );
		}
		bv_text parameters;
		assert_int_equal( bvb_asset_parameters( &builds[build], f->arena, &parameters ), bv_ok );
		if ( !has_value( parameters, o, text, strcspn( text, ",:) " ) ) )
		{
			fail_msg( "--%s has another default than (default %s", o->name, text );
		}
		++checked;
	}
	assert_in_range( checked, 20, bvopt_row_count );
}

// Words are what stands between the lines of an argument, or what a function says.
static void words_come_from_the_argument_or_from_a_function( void** state )
{
	(void)state;
	char word[bvasset_option_word_bytes];
	const bvasset_option written = { .argument = "auto|always|never" };
	const bvasset_option called = { .words = bvb_units_name };
	assert_true( bvasset_option_get_word( &written, 0, word ) );
	assert_string_equal( word, "auto" );
	assert_true( bvasset_option_get_word( &written, 2, word ) );
	assert_string_equal( word, "never" );
	assert_false( bvasset_option_get_word( &written, 3, word ) );
	assert_true( bvasset_option_get_word( &called, 4, word ) );
	assert_string_equal( word, "ft" );
	assert_false( bvasset_option_get_word( &called, 5, word ) );
}

// As the parameters of a file are ordered since version 1 of the tools: builds are up to date by comparison of that text.
static void parameters_are_as_they_have_always_been( void** state )
{
	fixture* f = *state;
	static const char expected[] =
		"up=z\nunits=mm\nscale=2\nweld=0.5\nnormalize=1\nnon-finite=drop\npositions=quantized\n"
		"builder=topdown\nsplitter=sah\nvolume=obb,sphere\nhit-tests=2\nnode-box=dito-area\n"
		"improvement=0.75\nmax-degree=6\nmin-faces=2\nquality=area\naggregate=mean\n"
		"search-budget=100000\nseed=7\noptimise=3\nrefit=pca\ncollapse=8\nbyte-price=200\n"
		"leaf-triangles=8\nmax-depth=64\nbox=optimal\nbox-objective=volume\nhausdorff=0.1\n"
		"recognise=1%\ndecompose=0.25\nmax-parts=64\nmax-part-vertices=64\nmin-thickness=0\n"
		"probe-radius=0\ndecompose-mode=automatic\ndecomposer=planes\ndecompose-effort=1\n"
		"time-budget=0\nsimplify=1%\nmass=3\nsections=-hull,parts,proxy\nproxies=use\n"
		"objects=a\xef\xbf\xbd\n";
	bvb_asset_options o = bvb_asset_options_default();
	o.record.up = bvb_up_z;
	o.record.units = bvb_units_millimeter;
	o.record.scale = 2;
	o.record.weld = 0.5;
	o.record.normalize = o.record.drop_non_finite = true;
	o.record.positions = bvb_positions_quantized;
	o.hierarchy.builder = "topdown";
	o.hierarchy.volume_types |= 1u << bv_volume_sphere;
	o.hierarchy.degree = 0;
	o.hierarchy.seed = 7;
	o.hierarchy.optimize = 3;
	o.hierarchy.refit = "pca";
	o.stand_off = ( bvb_tolerance ){ .value = 0.25 };
	o.mass = 3;
	o.sections =
		( o.sections & ~( 1u << bvb_section_hull ) ) | 1u << bvb_section_parts | 1u << bvb_section_proxy;
	o.objects = "a\n";
	bv_text found;
	assert_int_equal( bvb_asset_parameters( &o, f->arena, &found ), bv_ok );
	assert_int_equal( found.length, strlen( expected ) );
	assert_memory_equal( found.data, expected, found.length );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( no_two_options_have_the_same_place_in_a_text ),
		cmocka_unit_test( what_needs_another_option_knows_whether_it_is_in_use ),
		cmocka_unit_test( names_are_short ),
		fixture_test( help_names_the_defaults ),
		cmocka_unit_test( words_come_from_the_argument_or_from_a_function ),
		fixture_test( parameters_are_as_they_have_always_been ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
