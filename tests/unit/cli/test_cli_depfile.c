// Dependency files: Make and Ninja read the names that were written, with any characters in them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/depfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
	longest = 32,
	most_names = 400,
};

typedef char name[longest];

typedef struct fixture
{
	bvb_arena* arena;
	bvb_error error;
	char folder[64];
	char before[4096];
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	strcpy( f->folder, "/tmp/depfile-XXXXXX" );
	*state = f;
	unsetenv( "MAKEFLAGS" ); // of the make that runs this test
	return f->arena && getcwd( f->before, sizeof f->before ) && mkdtemp( f->folder ) &&
	               chdir( f->folder ) == 0
	           ? 0
	           : -1;
}

static int tear_down( void** state )
{
	fixture* f = *state;
	char command[128];
	snprintf( command, sizeof command, "rm -rf %s", f->folder );
	int result = chdir( f->before ) == 0 && system( command ) == 0 ? 0 : -1;
	bvb_arena_destroy( f->arena );
	free( f );
	return result;
}

static void write_text( const char* path, const char* text )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
}

static int compare( const void* a, const void* b )
{
	return strcmp( a, b );
}

// The distinct texts between `before` and `after` in the lines that a command prints, sorted.
static size_t read_names( const char* command, const char* before, const char* after, name* out )
{
	char line[4096];
	size_t count = 0;
	FILE* pipe = popen( command, "r" );
	assert_non_null( pipe );
	while ( fgets( line, sizeof line, pipe ) )
	{
		size_t length = strlen( line );
		length -= length > 0 && line[length - 1] == '\n';
		line[length] = 0;
		char* start = strstr( line, before );
		size_t tail = strlen( after );
		if ( start && length >= tail && strcmp( line + length - tail, after ) == 0 && count < 2 * most_names )
		{
			start += strlen( before );
			line[length - tail] = 0;
			snprintf( out[count++], longest, "%s", start );
		}
	}
	pclose( pipe );
	qsort( out, count, sizeof *out, compare );
	size_t distinct = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		if ( distinct == 0 || strcmp( out[distinct - 1], out[i] ) != 0 )
		{
			memmove( out[distinct++], out[i], longest );
		}
	}
	return distinct;
}

static void write_one( fixture* f, const char* output, name* names, uint32_t count, bv_status expected )
{
	depfile_rules rules = { 0 };
	const char** dependencies = bvb_arena_allocate( f->arena, count, sizeof *dependencies );
	for ( uint32_t i = 0; i < count; ++i )
	{
		dependencies[i] = names[i];
	}
	depfile_rule rule = { output, dependencies, count };
	assert_int_equal( add_depfile_rule( &rules, &rule, f->arena, &f->error ), bv_ok );
	f->error.message[0] = 0;
	assert_int_equal( write_depfile( "d", &rules, f->arena, &f->error ), expected );
}

static void expect_names( name* got, size_t got_count, name* wanted, size_t count, const char* reader )
{
	qsort( wanted, count, sizeof *wanted, compare );
	for ( size_t i = 0; i < count && i < got_count; ++i )
	{
		if ( strcmp( got[i], wanted[i] ) != 0 )
		{
			fail_msg( "%s reads '%s', not '%s'", reader, got[i], wanted[i] );
		}
	}
	assert_int_equal( got_count, count );
}

// Ninja 1.11 does not know these, and Make takes ? for more than itself.
static bool only_make_reads( const char* text )
{
	return strpbrk( text, "?\"'&" );
}

// The names as dependencies of one output, read by both. The first one must be plain.
static void expect_read( fixture* f, const char* output, name* names, uint32_t count, bool ninja )
{
	static name got[2 * most_names];
	write_one( f, output, names, count, bv_ok );
	write_text( "Makefile", "include d\n" );
	char command[256];
	// Make tells of each file that it looks at; of files above what it was asked for, too.
	size_t found = read_names( "make -rRdnk --no-print-directory -f Makefile 2> make.err",
	                           "Considering target file '", "'.", got );
	size_t kept = 0;
	for ( size_t i = 0; i < found; ++i )
	{
		if ( strcmp( got[i], "Makefile" ) != 0 && strcmp( got[i], "d" ) != 0 &&
		     strcmp( got[i], output ) != 0 )
		{
			memmove( got[kept++], got[i], longest );
		}
	}
	expect_names( got, kept, names, count, "Make" );
	if ( ninja )
	{
		snprintf( command, sizeof command,
		          "rule r\n  command = cp d d2 && touch out\n  depfile = d2\n  deps = gcc\nbuild %s: r\n",
		          output );
		write_text( "build.ninja", command );
		assert_int_equal(
			system( "rm -f .ninja_deps .ninja_log; ninja > ninja.log || { cat ninja.log; false; }" ), 0 );
		snprintf( command, sizeof command, "ninja -t deps %s 2> ninja.err", output );
		found = read_names( command, "    ", "", got );
		expect_names( got, found, names, count, "Ninja" );
	}
}

static void names_that_people_give_files_are_read( void** state )
{
	static const char* const list[] = { "plain.obj", "Rock (1).obj", "my rock.obj", "a#b",      "price$5.bin",
		                                "C:x.bin",   "100%.bin",     "a=b.bin",     "x~backup", "ü.bin",
		                                "x\\y.bin",  "a[1].bin",     "a{b}.c",      "-dash",    "a\\ b",
		                                "a\\\\ b c", "!x",           "@list",       "a,b",      "a: b",
		                                "sub/~x",    "$(shell x)y",  "${x}",        "a\\b\\ c", ".hidden",
		                                "%",         "a+b" };
	name names[sizeof list / sizeof *list];
	uint32_t count = sizeof list / sizeof *list;
	for ( uint32_t i = 0; i < count; ++i )
	{
		strcpy( names[i], list[i] );
	}
	expect_read( *state, "out", names, count, true );
}

static void names_that_only_make_reads_are_written_for_it( void** state )
{
	name names[] = { "plain", "Bob's.obj", "a&b", "say \"x\"", "what?" };
	expect_read( *state, "out", names, 5, false );
}

// All names of up to three characters that either of them may take for something else, and longer ones at random.
static void whatever_is_written_is_read( void** state )
{
	fixture* f = *state;
	static const char alphabet[] = "a \\#:$%=+()[]~&!\t*;|";
	const size_t letters = sizeof alphabet - 1;
	static name names[most_names];
	uint32_t random = 1;
	size_t written = 0;
	uint32_t count = 1;
	strcpy( names[0], "plain" );
	for ( size_t i = 0; i < letters * letters * letters + 3000; ++i )
	{
		name text = { 0 };
		size_t length = i < letters * letters * letters ? 3 : 4 + i % 8;
		size_t rest = i;
		for ( size_t k = 0; k < length; ++k )
		{
			random = random * 1664525 + 1013904223;
			text[k] = alphabet[length == 3 ? rest % letters : ( random >> 16 ) % letters];
			rest /= letters;
		}
		if ( is_depfile_name( text ) && !only_make_reads( text ) )
		{
			bool there = false;
			for ( uint32_t k = 0; k < count; ++k )
			{
				there = there || strcmp( names[k], text ) == 0;
			}
			if ( !there )
			{
				strcpy( names[count++], text );
				++written;
			}
		}
		if ( count == most_names )
		{
			expect_read( f, "out", names, count, true );
			strcpy( names[0], "plain" );
			count = 1;
		}
	}
	expect_read( f, "out", names, count, true );
	assert_true( written > 2000 );
}

static void outputs_are_read_or_refused( void** state )
{
	fixture* f = *state;
	name plain[] = { "plain" };
	static name got[2 * most_names];
	const char* const good[] = {
		"out.bvh", "my out.bvh", "a#b", "a$b", "C:b", "x\\y", "Rock (1).bvh", "a\\ b"
	};
	for ( size_t i = 0; i < sizeof good / sizeof *good; ++i )
	{
		write_one( f, good[i], plain, 1, bv_ok );
		write_text( "Makefile", "include d\n" );
		size_t found = read_names( "make -rRdnk 2> make.err", "Considering target file '", "'.", got );
		bool there = false;
		for ( size_t k = 0; k < found; ++k )
		{
			there = there || strcmp( got[k], good[i] ) == 0;
		}
		assert_true( there );
	}
	const char* const bad[] = { "100%.bvh", "a=b",  "a\nb",  "a\tb",  "a*b",  "a;b", "a|b",
		                        "a\\",      "a(b)", "a:",    "a&",    "~x",   "=a",  "+=a",
		                        "a ",       "a\\#", "a\\:b", "a\\$b", "a\\=", "" };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		write_one( f, bad[i], plain, 1, bv_error_argument );
	}
	name other[] = { "a\nb" };
	write_one( f, "out", other, 1, bv_error_argument );
	assert_string_equal( f->error.message, "d: Make and Ninja cannot both read the name 'a?b' in it" );
	name variable[] = { "a=b" };
	write_one( f, "out", variable, 1, bv_error_argument );
}

// In Make's glob pattern a[1].bin means a1.bin.
static void brackets_that_match_another_file_are_refused( void** state )
{
	fixture* f = *state;
	name names[] = { "plain", "a[1].bin" };
	write_one( f, "out", names, 2, bv_ok );
	write_text( "a[1].bin", "" );
	write_one( f, "out", names, 2, bv_ok );
	write_text( "a1.bin", "" );
	write_one( f, "out", names, 2, bv_error_argument );
}

// A dependency that is gone is a reason to build for Make, unless it is the input.
static void a_side_file_that_is_gone_does_not_stop_make( void** state )
{
	fixture* f = *state;
	name names[] = { "in.gltf", "a b.bin" };
	write_one( f, "out", names, 2, bv_ok );
	write_text( "Makefile", "include d\nout:\n\techo built > out\n" );
	write_text( "in.gltf", "" );
	write_text( "out", "" );
	assert_int_equal( system( "make > make.log 2>&1 && grep -q built out" ), 0 );
	assert_int_equal( system( "touch -d '1 hour ago' in.gltf 'a b.bin' && make | grep -q 'up to date'" ), 0 );
	assert_int_equal( system( "rm in.gltf; make 2>&1 | grep -q \"No rule to make target 'in.gltf'\"" ), 0 );
}

static void several_outputs_have_rules_of_their_own( void** state )
{
	fixture* f = *state;
	depfile_rules rules = { 0 };
	const char* paths[] = { "a.obj", "b.obj", "c d.mtl" };
	for ( int i = 0; i < 40; ++i )
	{
		char* output = bvb_arena_allocate( f->arena, 16, 1 );
		sprintf( output, "out%d", i );
		depfile_rule rule = { output, paths + i % 2, i % 2 ? 2 : 1 };
		assert_int_equal( add_depfile_rule( &rules, &rule, f->arena, &f->error ), bv_ok );
	}
	assert_int_equal( write_depfile( "d", &rules, f->arena, &f->error ), bv_ok );
	char text[4096] = { 0 };
	FILE* file = fopen( "d", "rb" );
	size_t size = fread( text, 1, sizeof text - 1, file );
	fclose( file );
	assert_true( size > 0 );
	static const char begin[] = "out0: a.obj\nout1: b.obj c\\ d.mtl\nc\\ d.mtl:\nout2: a.obj\n";
	assert_memory_equal( text, begin, sizeof begin - 1 );
	assert_non_null( strstr( text, "out39: b.obj" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( names_that_people_give_files_are_read, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( names_that_only_make_reads_are_written_for_it, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( whatever_is_written_is_read, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( outputs_are_read_or_refused, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( brackets_that_match_another_file_are_refused, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( a_side_file_that_is_gone_does_not_stop_make, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( several_outputs_have_rules_of_their_own, set_up, tear_down ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
