// Patterns of shells match as fnmatch says.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "offline/base/match.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static void check( const char* pattern, const char* name )
{
	for ( int hidden = 0; hidden < 2; ++hidden )
	{
		bool expected = fnmatch( pattern, name, hidden ? FNM_PERIOD : 0 ) == 0;
		if ( bvbase_match( pattern, name, hidden ) != expected )
		{
			fail_msg( "'%s' and '%s', %s: fnmatch says %d", pattern, name, hidden ? "hidden" : "plain",
			          expected );
		}
	}
}

static void test_patterns_that_people_write( void** state )
{
	(void)state;
	static const char* const patterns[] = { "*.obj",        "rock_??.stl", "[a-f]*", "[!a-f]*",
		                                    "a\\*b",        "*",           "",       "?*",
		                                    "[[:digit:]]*", "*a*b*c",      "[]a]x",  "[a",
		                                    "a[b-]c*",      "\\[x]",       "**.x" };
	static const char* const names[] = { "a.obj", ".obj",  "rock_01.stl", "a*b", "axb", "",
		                                 "7up",   "aabbc", "]x",          "ax",  "[a",  "[x]",
		                                 "abc",   "a-c",   "\xc3\xa9",    ".x" };
	for ( size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i )
	{
		for ( size_t k = 0; k < sizeof names / sizeof *names; ++k )
		{
			check( patterns[i], names[k] );
		}
	}
	assert_true( bvbase_match( "*.obj", "a.obj", true ) );
	assert_false( bvbase_match( "*.obj", ".obj", true ) );
}

static void test_random_patterns( void** state )
{
	(void)state;
	static const char letters[] = "ab*?[]!-.\\";
	static const char characters[] = "ab.]-\\";
	uint32_t seed = 1;
	for ( int i = 0; i < 400000; ++i )
	{
		char pattern[9] = "";
		char name[7] = "";
		for ( size_t k = 0; k < sizeof pattern - 1; ++k )
		{
			seed = seed * 1664525u + 1013904223u;
			size_t of = ( seed >> 16 ) % ( sizeof letters + 2 );
			pattern[k] = of < sizeof letters ? letters[of] : 0;
		}
		for ( size_t k = 0; k < sizeof name - 1; ++k )
		{
			seed = seed * 1664525u + 1013904223u;
			size_t of = ( seed >> 16 ) % ( sizeof characters + 1 );
			name[k] = of < sizeof characters ? characters[of] : 0;
		}

		// What POSIX leaves open: a set that is not closed, a backslash at the end, a range that goes down.
		size_t length = strlen( pattern );
		if ( !strchr( pattern, '[' ) && ( length == 0 || pattern[length - 1] != '\\' ) )
		{
			check( pattern, name );
		}
	}
}

static void test_random_sets( void** state )
{
	(void)state;
	uint32_t seed = 2;
	for ( int i = 0; i < 200000; ++i )
	{
		char set[4];
		char pattern[16];
		char name[4] = "";
		for ( size_t k = 0; k < sizeof set; ++k )
		{
			seed = seed * 1664525u + 1013904223u;
			set[k] = "abcd-x"[( seed >> 16 ) % 6];
			name[k < 3 ? k : 0] = "abcdx-"[( seed >> 24 ) % 6];
		}
		snprintf( pattern, sizeof pattern, "%s[%s%.4s]%s", i & 1 ? "*" : "", i & 2 ? "!" : "", set,
		          i & 4 ? "*" : "?" );
		check( pattern, name );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_patterns_that_people_write ),
		cmocka_unit_test( test_random_patterns ),
		cmocka_unit_test( test_random_sets ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
