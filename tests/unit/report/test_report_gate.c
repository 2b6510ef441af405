// Conditions on reports: every construct of the language of formats/report/README.md, with results worked out by hand.

#include "support.h"

#include <stdio.h>

static const char report_text[] =
	"{"
	"\"hull\": {\"volume\": 0.03125, \"faces\": 12, \"name\": \"a 'b' \\\"c\\\"\"},"
	"\"mesh\": {\"closed\": true, \"manifold\": false, \"volume\": null},"
	"\"big\": 9007199254740993, \"tiny\": 0.02000001,"
	"\"levels\": [{\"nodes\": 1, \"error\": 4, \"types\": {\"obb\": 1}},"
	"             {\"nodes\": 2, \"error\": 3, \"types\": {\"obb\": 2}},"
	"             {\"nodes\": 8, \"error\": 0.5, \"types\": {\"aabb\": 8}}],"
	"\"some\": [1, null, 3], \"words\": [\"a\", \"b\"], \"none\": [],"
	"\"rows\": [[1, 2], [3], null, []],"
	"\"root\": null,"
	"\"degrees\": {\"2\": 5, \"8\": 1},"
	"\"tool\": {\"parameters\": {\"node-box\": \"pca\", \"scale\": \"1\"}}"
	"}";

static bvb_report* read_report( void )
{
	bvb_report* report;
	bvb_error error = { "" };
	assert_int_equal( bvb_report_read( report_text, &report, &error ), bv_ok );
	return report;
}

static void check_holds( fixture* f, const bvb_report* report, const char* condition )
{
	bvb_error reason = { "" };
	bool holds;
	if ( bvb_report_gate( report, condition, f->arena, &holds, &reason ) != bv_ok || !holds )
	{
		fail_msg( "%s: %s", condition, reason.message );
	}
	assert_int_equal( bvb_expression_check( condition, f->arena, &reason ), bv_ok );
}

static void check_message( const char* condition, const char* got, const char* wanted )
{
	if ( strcmp( got, wanted ) != 0 )
	{
		fail_msg( "%s: \"%s\" and not \"%s\"", condition, got, wanted );
	}
}

// The reason is what follows the condition itself.
static void check_fails( fixture* f, const bvb_report* report, const char* condition, const char* wanted )
{
	bvb_error reason = { "" };
	bool holds;
	assert_int_equal( bvb_report_gate( report, condition, f->arena, &holds, &reason ), bv_ok );
	if ( holds )
	{
		fail_msg( "%s holds", condition );
	}
	assert_int_equal( strncmp( reason.message, condition, strlen( condition ) ), 0 );
	check_message( condition, reason.message + strlen( condition ), wanted );
}

static void check_wrong( fixture* f, const bvb_report* report, const char* condition, const char* wanted )
{
	bvb_error reason = { "" };
	bool holds;
	bv_status status = bvb_report_gate( report, condition, f->arena, &holds, &reason );
	if ( status != bv_error_argument )
	{
		fail_msg( "%s is taken", condition );
	}
	assert_false( holds );
	char whole[2048];
	snprintf( whole, sizeof whole, "'%s': %s", condition, wanted );
	check_message( condition, reason.message, whole );
}

static void what_is_true_holds( void** state )
{
	static const char* const conditions[] = {
		"hull.volume < 0.04",
		"hull.volume<=.03125 and hull.volume>=3.125e-2",
		"hull.faces == 12",
		"hull.faces != 13",
		"mesh.closed",
		"not mesh.manifold",
		"not not mesh.closed",
		"mesh.closed == true",
		"mesh.closed != mesh.manifold",
		"hull.name == 'a \\'b\\' \"c\"'",
		"hull.name != \"a\"",
		"levels[0].nodes == 1 and levels[2].nodes == 8",
		"levels[-1].nodes == 8 and levels[ -3 ].nodes == 1",
		"levels[1]['nodes'] == 2",
		"max(levels[].error) == 4",
		"min(levels[].error, hull.faces) == 0.5",
		"min(hull.faces, levels[].error, 0.25) == 0.25",
		"sum(levels[].nodes) == 11",
		"sum(none) == 0 and count(none) == 0",
		"count(levels) == 3",
		"count( some ) == 3", // nulls are counted, too
		"count(words) == 2",
		"mean(levels[].error) == 2.5",
		"abs(-3) == 3 and abs(3) == 3",
		"sum(rows[0][]) == 3",
		"count(rows[][]) == 4", // 1, 2, 3 and the null
		"1 + 2 * 3 == 7",
		"(1 + 2) * 3 == 9",
		"10 - 4 - 3 == 3",
		"64 / 4 / 2 == 8",
		"-2 * -3 == 6",
		"- - 2 == 2",
		"2 - -1 == 3",
		"5% == 0.05",
		"200% * 3 == 6",
		"hull.faces / levels[1].nodes == 6",
		"true or false and false", // and binds more tightly
		"not false and true",      // not binds more tightly than and
		"not 1 == 2",              // and less tightly than a comparison
		"mesh.volume == null",
		"null == mesh.volume",
		"hull.volume != null",
		"root.anything.at[3].all == null",
		"levels[3] == null",
		"degrees.2 == 5",
		"degrees[\"8\"] == 1",
		"degrees.3 == null",
		"tool.parameters['node-box'] == 'pca'",
		"levels[0].types.sphere == null",
		"mesh.volume == null or mesh.volume > 3",
		"mesh.volume > 3 or mesh.volume == null", // in any order
		"tiny > 0.02",
		"big == 9007199254740992", // all numbers are binary64
		"((((((((((1 < 2))))))))))",
		" \t1<2\n",
	};
	bvb_report* report = read_report();
	for ( size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i )
	{
		check_holds( *state, report, conditions[i] );
	}
	bvb_report_free( report );
}

static void what_is_not_names_the_value( void** state )
{
	static const char* const rows[][2] = {
		{ "hull.volume < 0.02", " does not hold: it is 0.03125" },
		{ "0.02 > hull.volume", " does not hold: it is 0.03125" },
		{ "tiny <= 0.02", " does not hold: it is 0.02000001" },
		{ "mesh.closed == false", " does not hold: it is true" },
		{ "mesh.manifold", " does not hold: mesh.manifold is false" },
		{ "not mesh.closed", " does not hold: mesh.closed is true" },
		{ "hull.name == 'x'", " does not hold: it is 'a 'b' \"c\"'" },
		{ "max(levels[].error) < 4", " does not hold: it is 4" },
		{ "levels[-1].nodes < levels[0].nodes",
		  " does not hold: levels[-1].nodes is 8, levels[0].nodes is 1" },
		{ "hull.faces / levels[1].nodes < 6",
		  " does not hold: it is 6 (hull.faces is 12, levels[1].nodes is 2)" },
		{ "( hull.faces - 1 ) * 2 < 20 ", " does not hold: it is 22 (hull.faces is 12)" },
		{ "mesh.closed and hull.faces > 20", " does not hold: hull.faces is 12" },
		{ "mesh.manifold and hull.faces > 20", " does not hold: mesh.manifold is false, hull.faces is 12" },
		{ "hull.faces > 20 or hull.faces < 4", " does not hold: hull.faces is 12, hull.faces is 12" },
		{ "1 > 2", " does not hold" },
		{ "false", " does not hold" },

		// Never silently true.
		{ "mesh.volume < 3", " does not hold: mesh.volume is null" },
		{ "mesh.volume != 3", " does not hold: mesh.volume is null" },
		{ "not mesh.volume < 3", " does not hold: mesh.volume is null" },
		{ "mesh.volume", " does not hold: mesh.volume is null" },
		{ "hull.faces == 12 and -mesh.volume + 1 > 2", " does not hold: mesh.volume is null" },
		{ "root.half_extents[0] > 1", " does not hold: root is null" },
		{ "levels[3].nodes > 1", " does not hold: levels[3] does not exist: there are 3 items" },
		{ "levels[-4].nodes > 1", " does not hold: levels[-4] does not exist: there are 3 items" },
		{ "degrees.3 > 1", " does not hold: degrees.3 does not exist" },
		{ "max(some) > 1", " does not hold: some has a null: item 1" },
		{ "max(1, mesh.volume) > 0", " does not hold: mesh.volume is null" },
		{ "max(none) > 1", " does not hold: max(none) is null: the list is empty" },
		{ "hull.faces / (hull.faces - 12) > 0",
		  " does not hold: hull.faces / (hull.faces - 12) is not a number" },
		{ "1e308 * 10 > 0", " does not hold: 1e308 * 10 is not a number" },
		{ "null == 1", " does not hold" },
	};
	bvb_report* report = read_report();
	for ( size_t i = 0; i < sizeof rows / sizeof *rows; ++i )
	{
		check_fails( *state, report, rows[i][0], rows[i][1] );
	}
	bvb_report_free( report );
}

static void what_is_wrong_is_said_with_its_place( void** state )
{
	static const char* const rows[][2] = {
		{ "", "at character 1: a value is missing at the end" },
		{ "hull.faces <", "at character 13: a value is missing at the end" },
		{ "hull.faces < 3 5", "at character 16: expected an operator, found '5'" },
		{ "hull.faces = 3", "at character 12: use == for equality" },
		{ "1 < 2 < 3", "at character 7: join comparisons with 'and': 1 < x and x < 2" },
		{ "(1 < 2", "at character 7: an operator or ')' is missing at the end" },
		{ "1 < 2)", "at character 6: expected an operator, found ')'" },
		{ "and 1", "at character 1: expected a value, found 'and'" },
		{ "not", "at character 4: a value is missing at the end" },
		{ "1 < $", "at character 5: expected a value, found '$'" },
		{ "'abc", "at character 1: the string is not terminated" },
		{ "'abc\\'", "at character 1: the string is not terminated" },
		{ "1x < 3", "at character 1: '1x' is not a number" },
		{ "1.2.3 < 3", "at character 1: '1.2.3' is not a number" },
		{ "0x10 < 3", "at character 1: '0x10' is not a number" },
		{ "1e999 < 3", "at character 1: '1e999' is not a number" },
		{ "hull. faces > 1", "at character 7: expected a key, found 'faces'" },
		{ "levels[a] > 1", "at character 8: expected an index, a key in quotes or ']', found 'a'" },
		{ "levels[1 > 1", "at character 10: expected ']', found '>'" },
		{ "levels[1.5] > 1", "at character 9: expected ']', found '.'" },
		{ "levels[-0] > 1", "at character 7: the last item is [-1]" },
		{ "levels[9999999999] > 1",
		  "at character 8: expected an index, a key in quotes or ']', found '9999999999'" },
		{ "sqrt(4) == 2", "at character 1: unknown function sqrt (known: abs, count, max, mean, min, sum)" },
		{ "max() > 1", "at character 5: expected a value, found ')'" },
		{ "max(1 > 1", "at character 10: ',' or ')' is missing at the end" },
		{ "hull.face > 1",
		  "at character 6: hull has no key 'face' (did you mean 'faces'? it has volume, faces, name)" },
		{ "false and hull.face > 1",
		  "at character 16: hull has no key 'face' (did you mean 'faces'? it has volume, faces, name)" },
		{ "time.total < 1", "at character 1: only a report of bvbuild has 'time'" },
		{ "max(levels[].depth) > 1",
		  "at character 14: levels[] has no key 'depth' (it has nodes, error, types)" },
		{ "levels.nodes > 1",
		  "at character 7: levels is a list and has no keys: [0] is its first item, [] is all items" },
		{ "hull.faces.x > 1", "at character 11: hull.faces is not an object and has no keys" },
		{ "hull[0] > 1", "at character 5: hull is not a list and has no items" },
		{ "hull[] > 1", "at character 5: hull is not a list and has no items" },
		{ "levels[].nodes > 1", "at character 1: this is a list where a number is expected: [0] is its "
		                        "first item, max(...) its largest" },
		{ "hull > 1", "at character 1: this is an object where a number is expected" },
		{ "hull.name > 1", "at character 1: this is a string where a number is expected" },
		{ "hull.name == 1", "at character 14: this is a number where a string is expected" },
		{ "mesh.closed + 1 > 1", "at character 1: this is true or false where a number is expected" },
		{ "mesh.closed > false", "at character 1: this is true or false where a number is expected" },
		{ "hull.faces and true", "at character 1: this is a number where true or false is expected" },
		{ "not hull.faces", "at character 5: this is a number where true or false is expected" },
		{ "hull.faces", "at character 1: this is not a condition, which is true or false" },
		{ "levels", "at character 1: this is not a condition, which is true or false" },
		{ "mesh.volume < null", "at character 1: null can only be compared with == and !=" },
		{ "max(words) > 1", "at character 5: max takes numbers, but this list has other items" },
		{ "max('a') > 1", "at character 5: max takes numbers, not a string" },
		{ "abs(some) > 1", "at character 5: abs takes numbers, not a list" },
		{ "abs(1, 2) > 1", "at character 8: abs takes one number" },
	};
	bvb_report* report = read_report();
	for ( size_t i = 0; i < sizeof rows / sizeof *rows; ++i )
	{
		check_wrong( *state, report, rows[i][0], rows[i][1] );
	}
	bvb_report_free( report );
}

// Whatever is repeated until there is no more room, the answer is an error, or a number as large as it must be.
static void long_and_deep_ones_end( void** state )
{
	static const struct
	{
		const char* part;
		size_t count;
		const char* end;
		bool good;
	} rows[] = {
		{ "(", 500, "1", false },      { "not ", 200, "true", false },  { "-", 500, "1 < 2", false },
		{ "abs(", 200, "1", false },   { "1+", 500, "1 == 501", true }, { "1<2 and ", 100, "true", true },
		{ "[", 1000, "", false },      { "a.", 400, "a", false },       { "not ", 62, "true", true },
		{ "1+", 600, "1 > 1", false }, { "x", 5000, "", false },
	};
	fixture* f = *state;
	bvb_report* report = read_report();
	for ( size_t i = 0; i < sizeof rows / sizeof *rows; ++i )
	{
		char text[8192] = "";
		for ( size_t k = 0; k < rows[i].count; ++k )
		{
			strcat( text, rows[i].part );
		}
		strcat( text, rows[i].end );
		bvb_error reason = { "" };
		bool holds;
		bv_status status = bvb_report_gate( report, text, f->arena, &holds, &reason );
		assert_int_equal( status, rows[i].good ? bv_ok : bv_error_argument );
		assert_true( holds == rows[i].good );
	}
	bvb_report_free( report );
}

// Also what has no memory: no result is taken for another one.
static void running_out_of_memory_is_an_error( void** state )
{
	(void)state;
	static const char condition[] = "max(levels[].error) < 4 and hull.name == 'abc'";
	bvb_report* report = read_report();
	bool ended = false;
	for ( size_t bytes = 0; bytes < 1 << 20 && !ended; bytes += 1000 )
	{
		bvb_arena* arena = bvb_arena_create_limited( bytes );
		bvb_error reason = { "" };
		bool holds = true;
		bv_status status = bvb_report_gate( report, condition, arena, &holds, &reason );
		assert_true( status == bv_error_memory || status == bv_ok );
		assert_false( holds );
		ended = status == bv_ok;
		bvb_arena_destroy( arena );
	}
	assert_true( ended );
	bvb_report_free( report );
}

static void values_are_those_of_the_report( void** state )
{
	fixture* f = *state;
	bvb_report* report = read_report();
	bvb_error error = { "" };
	bvb_value v;
	assert_int_equal( bvb_report_evaluate( report, "hull.volume * 2", f->arena, &v, &error ), bv_ok );
	assert_true( v.kind == bvb_value_number && v.number == 0.0625 );
	assert_int_equal( bvb_report_evaluate( report, "mesh.closed", f->arena, &v, &error ), bv_ok );
	assert_true( v.kind == bvb_value_truth && v.number == 1 );
	assert_int_equal( bvb_report_evaluate( report, "mesh.volume", f->arena, &v, &error ), bv_ok );
	assert_true( v.kind == bvb_value_null );
	assert_string_equal( v.text, "mesh.volume is null" );
	assert_int_equal( bvb_report_evaluate( report, "levels", f->arena, &v, &error ), bv_error_argument );
	assert_int_equal( bvb_report_evaluate( report, "hull", f->arena, &v, &error ), bv_error_argument );
	assert_int_equal( bvb_report_evaluate( report, "words[1]", f->arena, &v, &error ), bv_ok );
	bvb_report_free( report );
	assert_true( v.kind == bvb_value_string );
	assert_string_equal( v.text, "b" ); // outlives the report
}

static void what_is_no_report_is_refused( void** state )
{
	(void)state;
	static const char* const texts[] = { "", "{", "[1]", "3", "null", "{\"a\": }" };
	for ( size_t i = 0; i < sizeof texts / sizeof *texts; ++i )
	{
		bvb_report* report;
		bvb_error error = { "" };
		assert_int_equal( bvb_report_read( texts[i], &report, &error ), bv_error_input );
		assert_null( report );
	}
	bvb_report_free( NULL );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_is_true_holds ),
		fixture_test( what_is_not_names_the_value ),
		fixture_test( what_is_wrong_is_said_with_its_place ),
		fixture_test( long_and_deep_ones_end ),
		fixture_test( running_out_of_memory_is_an_error ),
		fixture_test( values_are_those_of_the_report ),
		fixture_test( what_is_no_report_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
