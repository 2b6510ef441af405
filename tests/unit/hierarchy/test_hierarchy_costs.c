// Parses costs from text: accepted and rejected forms.

#include "support.h"

#include <stdio.h>

enum
{
	text_most = 4096,
	pairs = bv_volume_types * ( bv_volume_types + 1 ) / 2,
	first_prism = pairs - bv_volume_types, // the lines of prisms are the last of pairs
	lines = pairs + 3,
};

static const char* const step_lines[] = { "triangles 7e1", "opening 8e1", "leaf 9e1" };

// A cost for each pair, the larger type first, and the three of other steps; `skip` leaves one line out.
static void write_costs( char* out, int skip )
{
	size_t size = 0;
	int line = 0;
	for ( int a = 0; a < bv_volume_types; ++a )
	{
		for ( int b = 0; b <= a; ++b, ++line )
		{
			if ( line != skip )
			{
				size += (size_t)snprintf( out + size, text_most - size, "%s %s %d.5\n",
				                          bv_volume_type_name( (bv_volume_type)a ),
				                          bv_volume_type_name( (bv_volume_type)b ), 10 * a + b + 1 );
			}
		}
	}
	for ( int i = 0; line < lines; ++i, ++line )
	{
		if ( line != skip )
		{
			size += (size_t)snprintf( out + size, text_most - size, "%s\n", step_lines[i] );
		}
	}
}

static bv_status parse( const char* text, bv_costs* out, bvb_error* error )
{
	return bvb_costs_parse( text, strlen( text ), out, error );
}

static void every_pair_is_read_in_both_orders( void** state )
{
	(void)state;
	char text[text_most];
	bv_costs costs;
	bvb_error error = { "" };
	write_costs( text, -1 );
	assert_int_equal( parse( text, &costs, &error ), bv_ok );
	for ( int a = 0; a < bv_volume_types; ++a )
	{
		for ( int b = 0; b <= a; ++b )
		{
			assert_true( costs.volumes[a][b] == 10 * a + b + 1.5 );
			assert_true( costs.volumes[b][a] == 10 * a + b + 1.5 );
		}
	}
	assert_true( costs.triangles == 70 && costs.opening == 80 && costs.leaf == 90 );
}

static void comments_blanks_and_carriage_returns_are_skipped( void** state )
{
	(void)state;
	char text[2 * text_most];
	bv_costs costs;
	bvb_error error = { "" };
	strcpy( text, "# costs\r\n\n  \t\r\n\t# obb obb 3\n  triangles\t8 \r\n" );
	write_costs( text + strlen( text ), pairs );
	assert_int_equal( parse( text, &costs, &error ), bv_ok );
	assert_true( costs.triangles == 8 );
	// A last line need not end.
	text[strlen( text ) - 1] = 0;
	assert_int_equal( parse( text, &costs, &error ), bv_ok );
}

static void a_missing_pair_is_refused_by_name( void** state )
{
	(void)state;
	static const char* const steps[] = { "the cost of triangles is missing", "the cost of opening is missing",
		                                 "the cost of leaf is missing" };
	for ( int line = 0; line < lines; ++line )
	{
		if ( line >= first_prism && line < pairs )
		{
			continue;
		}
		char text[text_most];
		bv_costs costs;
		bvb_error error = { "" };
		write_costs( text, line );
		assert_int_equal( parse( text, &costs, &error ), bv_error_input );
		assert_non_null( strstr( error.message, "is missing" ) );
		if ( line >= pairs )
		{
			assert_string_equal( error.message, steps[line - pairs] );
		}
	}
}

// Tables from before there were prisms.
static void missing_pairs_with_prisms_cost_what_swept_rectangles_do( void** state )
{
	(void)state;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		char text[text_most];
		bv_costs costs;
		bvb_error error = { "" };
		write_costs( text, first_prism + type );
		assert_int_equal( parse( text, &costs, &error ), bv_ok );
		for ( int other = 0; other < bv_volume_types; ++other )
		{
			// write_costs gives the pair of a and b, the larger a, 10 a + b + 1.5.
			int swept = type == bv_volume_prism ? bv_volume_rss : type;
			int high = swept > bv_volume_rss ? swept : bv_volume_rss;
			int low = swept > bv_volume_rss ? bv_volume_rss : swept;
			double expected = other == type ? 10 * high + low + 1.5 : 10 * bv_volume_prism + other + 1.5;
			assert_true( costs.volumes[bv_volume_prism][other] == expected );
			assert_true( costs.volumes[other][bv_volume_prism] == expected );
		}
	}
}

// Each line comes first, and is named as such.
static void lines_that_are_none_are_refused_with_their_number( void** state )
{
	(void)state;
	static const char* const wrong[] = {
		"obb obb",
		"obb",
		"obb obb 1 2",
		"box obb 1",
		"obb OBB 1",
		"obb obb 0",
		"obb obb -1",
		"obb obb nan",
		"obb obb inf",
		"obb obb 1.0000001e9",
		"obb obb 1x",
		"obb obb 0x1p3",
		"triangles",
		"triangles 0",
		"triangles 1 2",
		"triangle 1",
		"opening",
		"opening 0",
		"opening -1",
		"opening 1 2",
		"leaf nan",
		"leaf inf",
		"leaf leaf 1",
		"leaf obb 1",
		"triangles obb 1",
		"obb 1",
		"obb obb 1\naabb obb 1\nobb aabb 2",
		"triangles 1\ntriangles 1",
		"opening 1\nopening 1",
		"leaf 1\nopening 1\nleaf 2",
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i )
	{
		char text[2 * text_most];
		bv_costs costs = { .triangles = 3 };
		bvb_error error = { "" };
		strcpy( text, wrong[i] );
		strcat( text, "\n" );
		write_costs( text + strlen( text ), -1 );
		assert_int_equal( parse( text, &costs, &error ), bv_error_input );
		assert_non_null( strstr( error.message, "line " ) );
		assert_true( costs.triangles == 3 );
	}
}

static void shipped_costs_are_symmetric_and_above_0( void** state )
{
	(void)state;
	bv_costs costs = bvb_costs_default();
	for ( int a = 0; a < bv_volume_types; ++a )
	{
		for ( int b = 0; b < bv_volume_types; ++b )
		{
			assert_true( costs.volumes[a][b] > 0 && costs.volumes[a][b] == costs.volumes[b][a] );
		}
	}
	assert_true( costs.triangles > 0 && costs.opening > 0 && costs.leaf > 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( every_pair_is_read_in_both_orders ),
		cmocka_unit_test( comments_blanks_and_carriage_returns_are_skipped ),
		cmocka_unit_test( a_missing_pair_is_refused_by_name ),
		cmocka_unit_test( missing_pairs_with_prisms_cost_what_swept_rectangles_do ),
		cmocka_unit_test( lines_that_are_none_are_refused_with_their_number ),
		cmocka_unit_test( shipped_costs_are_symmetric_and_above_0 ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
