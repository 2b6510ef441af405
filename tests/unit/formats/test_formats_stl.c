// The STL reader on text: files written by hand and at random, messages, every truncation and every change of
// one byte of a small file.

#include "import_stl.h"

#include <locale.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOOP  "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
#define FACET "facet normal 0 0 1\n" LOOP "endfacet\n" // 7 lines

static void a_facet_is_read_as_written( void** state )
{
	fixture* f = *state;
	expect_text( f,
	             "solid part\n  facet normal 0 0 -1\n    outer loop\n      vertex 1 2 3\n      vertex 4 5 6\n"
	             "      vertex 7 8 10\n    endloop\n  endfacet\nendsolid part\n",
	             1 );
	expect_position( f, 0, 1, 2, 3 );
	expect_position( f, 1, 4, 5, 6 );
	expect_position( f, 2, 7, 8, 10 );
	assert_int_equal( f->import.scene.object_count, 1 );
	assert_int_equal( f->import.scene.segment_count, 1 );
	expect_object( f, 0, 0, "part" );
}

// It may be wrong, or what C libraries write for 0 / 0.
static void the_normal_changes_nothing( void** state )
{
	fixture* f = *state;
	const char* const normals[] = { "0 0 -1",      "0 0 0",
		                            "nan nan nan", "-nan(ind) NaN inf",
		                            "9e99 0 1",    "-1.#IND 1.#QNAN0 +1.#INF00" };
	for ( size_t i = 0; i < sizeof normals / sizeof normals[0]; ++i )
	{
		char text[256];
		snprintf( text, sizeof text, "solid\nfacet normal %s\n" LOOP "endfacet\nendsolid", normals[i] );
		expect_text( f, text, 1 );
		expect_position( f, 1, 1, 0, 0 );
		expect_position( f, 2, 0, 1, 0 );
	}
}

static void keywords_may_have_any_case( void** state )
{
	fixture* f = *state;
	expect_text( f,
	             "SOLID Part\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n   Vertex 1E0 0 0\n"
	             "   vErTeX 0 1 0\n  ENDLOOP\n ENDFACET\nEndSolid PART\n",
	             1 );
	expect_object( f, 0, 0, "Part" );
}

static void words_decide_and_not_lines( void** state )
{
	fixture* f = *state;
	expect_text(
		f,
		"\xef\xbb\xbf \r\n\n\tsolid x\r\nfacet normal 0 0 1 outer loop vertex\r\n1 2\r\n3 vertex 4 5 "
		"6\tvertex 7 8\v9 endloop endfacet facet\nnormal\n0\n0\n1\nouter\n\nloop vertex 0 0 0 "
		"vertex 1 0 0\nvertex 0 1 0 endloop endfacet endsolid",
		2 );
	expect_position( f, 0, 1, 2, 3 );
	expect_position( f, 2, 7, 8, 9 );
	expect_object( f, 0, 0, "x" );
}

static void lines_may_end_in_a_carriage_return_alone( void** state )
{
	fixture* f = *state;
	char text[] = "solid a b\n" FACET "endsolid a b\nsolid c\n" FACET "endsolid c\n";
	for ( char* s = text; *s; ++s )
	{
		*s = *s == '\n' ? '\r' : *s;
	}
	expect_text( f, text, 2 );
	expect_object( f, 0, 0, "a b" );
	expect_object( f, 1, 1, "c" );
	expect_error( f, "solid\rfacet normal 0 0 1\router hoop\r", "part.stl:3: 'hoop' instead of 'loop'" );
}

// As some programs write them.
static void end_may_be_a_word_of_its_own( void** state )
{
	fixture* f = *state;
	expect_text( f,
	             "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
	             "end loop\nEND FACET\nend  solid x\nsolid y\n" FACET "end solid",
	             2 );
	expect_error( f, "solid\n" FACET "end\nsolid\n", "part.stl:9: 'end' instead of 'facet' or 'endsolid'" );
}

static void each_solid_is_an_object( void** state )
{
	fixture* f = *state;
	expect_text( f,
	             "solid  left wheel \t\r\n" FACET FACET "endsolid left wheel\n\nsolid\n" FACET
	             "endsolid\nsolid \xc3\xa4#;\n" FACET "endsolid of another name\n",
	             4 );
	assert_int_equal( f->import.scene.object_count, 3 );
	assert_int_equal( f->import.scene.segment_count, 3 );
	expect_object( f, 0, 0, "left wheel" );
	expect_object( f, 1, 2, "" );
	expect_object( f, 2, 3, "\xc3\xa4#;" );
}

static void solids_may_be_empty_when_others_are_not( void** state )
{
	fixture* f = *state;
	expect_text( f, "solid a\nendsolid a\nsolid b\n" FACET "endsolid b\nsolid c\nendsolid c\n", 1 );
	assert_int_equal( f->import.scene.segment_count, 1 );
	expect_object( f, 0, 0, "b" );
	expect_error( f, "solid a\nendsolid a\nsolid\nendsolid\n", "part.stl: no triangles" );
}

// A name holds what its line holds: keywords, too.
static void a_name_goes_to_the_end_of_its_line( void** state )
{
	fixture* f = *state;
	expect_text( f, "solid solid facet normal\n" FACET "endsolid solid x\n", 1 );
	expect_object( f, 0, 0, "solid facet normal" );
	expect_text( f, "solid \x01 \xff\n" FACET "endsolid\n", 1 );
	expect_object( f, 0, 0, "\x01 \xff" );
	expect_error( f,
	              "solid x facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop "
	              "endfacet endsolid",
	              "part.stl:1: the file ends where 'facet' or 'endsolid' is expected" );
	expect_error( f, "solid\n" FACET "endsolid solid y\n" FACET "endsolid\n",
	              "part.stl:10: 'facet' instead of 'solid'" );
}

static void coordinates_may_be_written_in_every_usual_way( void** state )
{
	fixture* f = *state;
	expect_text( f,
	             "solid\nfacet normal 0 0 1\nouter loop\nvertex .5 5. +1\nvertex -.5e1 1E+2 1e-2\n"
	             "vertex 007 -0 0.1\nendloop\nendfacet\nendsolid",
	             1 );
	expect_position( f, 0, 0.5, 5, 1 );
	expect_position( f, 1, -5, 100, 0.01 );
	expect_position( f, 2, 7, 0, 0.1 );
	assert_true( signbit( f->import.scene.mesh.positions[2].y ) );
}

static void nan_and_inf_are_passed_on( void** state )
{
	fixture* f = *state;
	expect_text(
		f,
		"solid\nfacet normal 0 0 1\nouter loop\nvertex nan -inf Infinity\nvertex 1e999 -1e999 NAN(ind)\n"
		"vertex 1e-999 -nan INF\nendloop\nendfacet\nendsolid",
		1 );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( isnan( x[0].x ) && x[0].y == -INFINITY && x[0].z == INFINITY );
	assert_true( x[1].x == INFINITY && x[1].y == -INFINITY && isnan( x[1].z ) );
	assert_true( x[2].x == 0 && isnan( x[2].y ) && x[2].z == INFINITY );
}

static void what_is_no_decimal_number_is_refused( void** state )
{
	const char* const words[] = { "0x10", "1e",    "1e+",  ".",   "-",    "+",     "1.2.3", "1,5",    "--1",
		                          "e5",   "infin", "nanx", "1_0", "1.#X", "1e5.0", "abc",   "vertex", "1#" };
	for ( size_t i = 0; i < sizeof words / sizeof words[0]; ++i )
	{
		char text[256];
		char message[64];
		snprintf( text, sizeof text, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 %s 0\n", words[i] );
		snprintf( message, sizeof message, "part.stl:4: '%s' is not a number", words[i] );
		expect_error( *state, text, message );

		if ( strcmp( words[i], "1.#X" ) != 0 )
		{
			snprintf( text, sizeof text, "solid\nfacet normal 0 %s 1\n" LOOP "endfacet\n", words[i] );
			snprintf( message, sizeof message, "part.stl:2: '%s' is not a number", words[i] );
			expect_error( *state, text, message );
		}
	}
}

static void malformed_lines_are_named( void** state )
{
	const struct
	{
		const char* text;
		const char* message;
	} cases[] = {
		{ "solid\nfacet normal 0 0 1\nouter loop\nvertx 0 0 0\n", "part.stl:4: 'vertx' instead of 'vertex'" },
		{ "solid\r\n\r\nface normal 0 0 1\r\n", "part.stl:3: 'face' instead of 'facet' or 'endsolid'" },
		{ "solid\nfacet 0 0 1\n", "part.stl:2: '0' instead of 'normal'" },
		{ "solid\nfacetnormal 0 0 1\n", "part.stl:2: 'facetnormal' instead of 'facet' or 'endsolid'" },
		{ "solid\nfacet normal 0 0\nouter loop\n", "part.stl:3: 'outer' is not a number" },
		{ "solid\nfacet normal 0 0 1 1\n" LOOP, "part.stl:2: '1' instead of 'outer'" },
		{ "solid\nfacet normal 0 0 1\nvertex 0 0 0\n", "part.stl:3: 'vertex' instead of 'outer'" },
		{ "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0 0\n", "part.stl:4: '0' instead of 'vertex'" },
		{ "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
		  "part.stl:6: 'endloop' instead of 'vertex'" },
		{ "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"
		  "endloop\nendfacet\nendsolid\n",
		  "part.stl:7: facet has more than 3 vertices" },
		{ "solid\nfacet normal 0 0 1\n" LOOP "outer loop\n", "part.stl:8: 'outer' instead of 'endfacet'" },
		{ "solid\n" FACET "solid\n", "part.stl:9: 'solid' instead of 'facet' or 'endsolid'" },
		{ "solid\n" FACET "endsolid x\n; the end\n" FACET, "part.stl:11: 'facet' instead of 'solid'" },
		{ "solid\n" FACET "endsolid\nendsolid\n", "part.stl:10: 'endsolid' instead of 'solid'" },
		{ FACET, "part.stl:1: 'facet' instead of 'solid'" },
		{ "\n\nsolids\n" FACET, "part.stl:3: 'solids' instead of 'solid'" },
		{ "# Blender\nv 0 0 0\n", "part.stl:1: '#' instead of 'solid'" },
		{ "end", "part.stl:1: 'end' instead of 'solid'" },
		{ "sol", "part.stl:1: 'sol' instead of 'solid'" },
		{ "", "part.stl:1: the file ends where 'solid' is expected" },
		{ "\n\n", "part.stl:1: the file ends where 'solid' is expected" },
		{ "solid\nfacet normal 0 0 1\nouter loop\n\x80 1\n", "part.stl:4: '?' instead of 'vertex'" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		expect_error( *state, cases[i].text, cases[i].message );
	}
}

static void long_words_are_cut_short_in_messages( void** state )
{
	fixture* f = *state;
	char text[5000];
	memset( text, 'x', sizeof text );
	memcpy( text, "solid\n", 6 );
	assert_int_equal( read_bytes( f, text, sizeof text ), bv_error_input );
	assert_true( strlen( f->error.message ) < 120 );
}

// Behind the 84 bytes of a binary file's head, where NUL bytes would make it one.
static void a_nul_byte_is_an_error_of_its_line( void** state )
{
	const char text[] = "solid " FACET FACET "endsolid\n"; // the first facet's first line is the name
	char changed[sizeof text];
	uint64_t line = 1;
	for ( size_t i = 0; i < sizeof text - 3; ++i )
	{
		if ( i >= 84 )
		{
			char message[80];
			memcpy( changed, text, sizeof text );
			changed[i] = 0;
			snprintf( message, sizeof message, "part.stl:%llu: binary data, not STL text",
			          (unsigned long long)line );
			expect_refusal( *state, changed, sizeof text - 1, message );
		}
		line += text[i] == '\n';
	}
	expect_refusal( *state, "solid\n" FACET "endsolid\n\0x", sizeof "solid\n" FACET "endsolid\n" + 1,
	                "part.stl:10: binary data, not STL text" );
}

static void what_follows_the_last_solid_is_a_loss( void** state )
{
	const char* text = "solid\n" FACET "endsolid x\n; the end\n\n  really\n";
	expect_noted( *state, text, strlen( text ), 1, 2, 2,
	              "line 10: the file continues after its last 'endsolid'" );
	static const char filled[] = "solid\n" FACET "endsolid\x1a\n\0";
	expect_noted( *state, filled, sizeof filled, 1, 1, 0, "NUL or Ctrl-Z bytes follow the text" );
}

static const char small[] = "solid small part\n"
							"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1.5 0 -2e1\nvertex 0 1 0\n"
							"endloop\nendfacet\n" FACET "endsolid small part\n\n";

static void a_truncated_text_is_refused_unless_only_a_name_is_cut( void** state )
{
	fixture* f = *state;
	size_t whole = (size_t)( strstr( small, "endsolid" ) - small ) + strlen( "endsolid" );
	for ( size_t size = 0; size < sizeof small; ++size )
	{
		if ( size >= whole )
		{
			expect_scene( f, small, size, 2 );
			expect_position( f, 1, 1.5, 0, -20 );
			expect_object( f, 0, 0, "small part" );
			continue;
		}
		assert_int_equal( read_bytes( f, small, size ), bv_error_input );
		assert_int_equal( strncmp( f->error.message, "part.stl:", 9 ), 0 );
		assert_null( strchr( f->error.message, '\n' ) );
	}
}

// The line is the last that has a word, counted here in another way.
static void where_a_text_ends_too_early_is_said( void** state )
{
	expect_error( *state, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0\n\n\n",
	              "part.stl:5: the file ends where a number is expected" );
	expect_error( *state, "solid\nfacet normal 0", "part.stl:2: the file ends where a number is expected" );
	expect_error( *state, "solid\n" FACET "\n\n",
	              "part.stl:8: the file ends where 'facet' or 'endsolid' is expected" );
	expect_error( *state, "solid\nfacet normal 0 0 1\n" LOOP,
	              "part.stl:7: the file ends where 'endfacet' is expected" );
}

static void a_text_with_one_byte_changed_is_read_or_refused( void** state )
{
	fixture* f = *state;
	char changed[sizeof small];
	for ( size_t i = 0; i < sizeof small - 1; ++i )
	{
		for ( int c = 0; c < 256; ++c )
		{
			memcpy( changed, small, sizeof small );
			changed[i] = (char)c;
			expect_scene_or_line( f, changed, sizeof small - 1 );
		}
	}
}

static void random_bytes_are_refused( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 2000; ++round )
	{
		char bytes[200];
		for ( size_t i = 0; i < sizeof bytes; ++i )
		{
			bytes[i] = (char)( random_bits( f ) >> 56 );
		}
		expect_scene_or_line( f, bytes, round % 2 ? sizeof bytes : sizeof bytes / 3 );
		assert_true( f->error.message[0] );
	}
}

// Without such a locale installed this shows nothing, and does no harm.
static void a_locale_with_a_decimal_comma_changes_nothing( void** state )
{
	fixture* f = *state;
	if ( setlocale( LC_ALL, "de_DE.UTF-8" ) || setlocale( LC_ALL, "fr_FR.UTF-8" ) )
	{
		bv_status status = read_bytes( f, small, sizeof small - 1 );
		setlocale( LC_ALL, "C" );
		assert_int_equal( status, bv_ok );
		expect_position( f, 1, 1.5, 0, -20 );
	}
}

// printf's 17 digits are enough for every double to be found again.
static void texts_of_random_doubles_are_read_exactly( void** state )
{
	fixture* f = *state;
	enum
	{
		triangles = 500
	};
	static bv_vec3 expected[3 * triangles];
	static char text[triangles * 400];
	char* end = text + sprintf( text, "solid random\n" );
	for ( int i = 0; i < 3 * triangles; ++i )
	{
		double x[3];
		for ( int k = 0; k < 3; ++k )
		{
			uint64_t bits = random_bits( f );
			memcpy( &x[k], &bits, sizeof bits );
			x[k] = isfinite( x[k] ) ? x[k] : 1;
		}
		expected[i] = ( bv_vec3 ){ x[0], x[1], x[2] };
		end += sprintf( end, "%s  vertex %.17g %.17G %.16e\n",
		                i % 3 ? "" : "facet normal 0 0 0\nouter loop\n", x[0], x[1], x[2] );
		end += sprintf( end, "%s", i % 3 < 2 ? "" : "endloop\nendfacet\n" );
	}
	strcpy( end, "endsolid random\n" );
	expect_text( f, text, triangles );
	assert_memory_equal( f->import.scene.mesh.positions, expected, sizeof expected );
}

// The last byte of the file is the last of a page, and the next page cannot be read.
static void nothing_behind_the_file_is_read( void** state )
{
	fixture* f = *state;
	size_t page = (size_t)sysconf( _SC_PAGESIZE );
	char* pages = mmap( NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
	assert_true( pages != MAP_FAILED );
	assert_int_equal( mprotect( pages + page, page, PROT_NONE ), 0 );
	for ( size_t size = 0; size < sizeof small; ++size )
	{
		char* file = pages + page - size;
		memcpy( file, small, size );
		bvstl_read_stl( "part.stl", file, size, f->arena, &f->import, &f->error );
	}
	munmap( pages, 2 * page );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( a_facet_is_read_as_written ),
		TEST( the_normal_changes_nothing ),
		TEST( keywords_may_have_any_case ),
		TEST( words_decide_and_not_lines ),
		TEST( lines_may_end_in_a_carriage_return_alone ),
		TEST( end_may_be_a_word_of_its_own ),
		TEST( each_solid_is_an_object ),
		TEST( solids_may_be_empty_when_others_are_not ),
		TEST( a_name_goes_to_the_end_of_its_line ),
		TEST( coordinates_may_be_written_in_every_usual_way ),
		TEST( nan_and_inf_are_passed_on ),
		TEST( what_is_no_decimal_number_is_refused ),
		TEST( malformed_lines_are_named ),
		TEST( long_words_are_cut_short_in_messages ),
		TEST( a_nul_byte_is_an_error_of_its_line ),
		TEST( what_follows_the_last_solid_is_a_loss ),
		TEST( a_truncated_text_is_refused_unless_only_a_name_is_cut ),
		TEST( where_a_text_ends_too_early_is_said ),
		TEST( a_text_with_one_byte_changed_is_read_or_refused ),
		TEST( random_bytes_are_refused ),
		TEST( a_locale_with_a_decimal_comma_changes_nothing ),
		TEST( texts_of_random_doubles_are_read_exactly ),
		TEST( nothing_behind_the_file_is_read ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
