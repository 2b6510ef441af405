// The OBJ reader: elements and messages against what the format's specification says, every truncation of a
// rich file, and memory that runs out.

#include "imports.h"

#include "formats/obj/obj.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static bv_status read_bytes( fixture* f, const void* bytes, size_t size )
{
	return read_exactly( f, bvobj_read_obj, "rock.obj", bytes, size );
}

static void expect_mesh( fixture* f, const char* text, uint32_t vertices, uint32_t triangles )
{
	bv_status status = read_bytes( f, text, strlen( text ) );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	assert_int_equal( f->import.scene.mesh.vertex_count, vertices );
	assert_int_equal( f->import.scene.mesh.triangle_count, triangles );
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( f->import.scene.mesh.triangles[i].corner[k] < vertices );
		}
	}
}

static void expect_error( fixture* f, const char* text, bv_status status, const char* message )
{
	bv_status given = read_bytes( f, text, strlen( text ) );
	assert_string_equal( f->error.message, message );
	assert_int_equal( given, status );
}

static void expect_triangle( const fixture* f, uint32_t index, uint32_t a, uint32_t b, uint32_t c )
{
	const uint32_t* corner = f->import.scene.mesh.triangles[index].corner;
	assert_int_equal( corner[0], a );
	assert_int_equal( corner[1], b );
	assert_int_equal( corner[2], c );
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void a_triangle_is_read_as_written( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 3 1 2\n", 3, 1 );
	expect_triangle( f, 0, 2, 0, 1 );
	assert_true( f->import.scene.mesh.positions[2].z == 10 && f->import.scene.mesh.positions[1].y == 5 );
}

static void coordinates_may_be_written_in_every_usual_way( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v .5 5. +1\nv -.5e1 1E+2 1e-2\nv 007 -0 1.e0\nf 1 2 3\n", 3, 1 );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( x[0].x == 0.5 && x[0].y == 5 && x[0].z == 1 );
	assert_true( x[1].x == -5 && x[1].y == 100 && x[1].z == 0.01 );
	assert_true( x[2].x == 7 && x[2].y == 0 && signbit( x[2].y ) && x[2].z == 1 );
}

static void extra_numbers_of_a_vertex_are_ignored( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v 1 2 3 0.5\nv 4 5 6 1 0 0\nv 7 8 9 1 1 0 0\nf 1 2 3\n", 3, 1 );
	assert_true( f->import.scene.mesh.positions[0].x == 1 && f->import.scene.mesh.positions[2].z == 9 );
}

static void extra_numbers_of_a_vertex_must_be_numbers( void** state )
{
	expect_error( *state, "v 1 2 3 red\n", bv_error_input, "rock.obj:1: 'red' is not a number" );
}

static void nan_and_inf_are_passed_on( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v nan -inf Infinity\nv 1e999 -1e999 NAN(ind)\nv 1e-999 -nan INF\nf 1 2 3\n", 3, 1 );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( isnan( x[0].x ) && x[0].y == -INFINITY && x[0].z == INFINITY );
	assert_true( x[1].x == INFINITY && x[1].y == -INFINITY && isnan( x[1].z ) );
	assert_true( x[2].x == 0 && isnan( x[2].y ) && x[2].z == INFINITY );
}

static void what_is_no_decimal_number_is_refused( void** state )
{
	const char* const words[] = { "0x10", "1e", "1e+",  ".",     "-",   "+",  "1.2.3", "1,5", "--1",
		                          "e5",   "1f", "nanx", "infin", "1_0", "\\", "1e5.0", "abc" };
	for ( size_t i = 0; i < sizeof words / sizeof words[0]; ++i )
	{
		char text[64];
		char message[64];
		snprintf( text, sizeof text, "v 0 0 0\nv 1 %s 2\n", words[i] );
		snprintf( message, sizeof message, "rock.obj:2: '%s' is not a number", words[i] );
		expect_error( *state, text, bv_error_input, message );
	}
}

static void comments_indentation_and_line_ends_make_no_difference( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             "\xef\xbb\xbf# head \\\n\n \t v\t0 0 0#no space\r\n  v 1 0 0 # comment\nv 0 1 0\r\r\n\r\n"
	             "f 1 2 3 # f 9 9 9\n#f 9 9 9\nf 3 2 1",
	             3, 2 );
	expect_triangle( f, 1, 2, 1, 0 );
}

static void a_backslash_continues_a_line( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v 0 \\\n0 0\nv 1 0\\\r\n 0\nv 0 1 0\nf 1 \\\n 2 \\\n 3\nf 3 2 1 \\", 3, 2 );
	expect_error( f, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 \\\n2 \\\n9\n", bv_error_input,
	              "rock.obj:6: face refers to vertex 9 of 3" );
}

static void a_backslash_continues_skipped_lines_but_not_comments( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "curv 0 1 \\\n2 3\n# C:\\models\\\nv 0 0 0\nv 1 0 0\nvn 0 0 1 # \\\nv 0 1 0\nf 1 2 3\n",
	             3, 1 );
}

// Folders end with one on Windows. A true continuation of any of these has other words than keywords.
static void a_backslash_in_front_of_a_statement_is_part_of_the_name( void** state )
{
	static const char* const ends[] = { "\\\n", "\\\r\n", "\\\r\n \t" };
	static const char* const words[] = { "usemtl", "mtllib",  "g",        "o",  "s",
		                                 "usemap", "maplib",  "vn 0 0 1", "vt", "shadow_obj",
		                                 "curv",   "f 2 3 4", "v 0 0 0" };
	for ( size_t i = 0; i < sizeof words / sizeof *words; ++i )
	{
		bool named = i < 8 || ( i > 8 && i < 10 );
		for ( size_t k = 0; k < sizeof ends / sizeof *ends; ++k )
		{
			char text[200];
			snprintf( text, sizeof text, SQUARE "f 1 2 3\n%s%s%sf 1 3 4\ng last\nf 1 2 4\n", words[i],
			          named && i != 7 ? " C:\\my path" : " ", ends[k] );
			uint32_t triangles = i == 11 ? 4 : 3;
			expect_noted( *state, text, strlen( text ), triangles, 1, 0,
			              "line 6: the backslash at its end continues nothing, because a statement follows" );
		}
	}
	fixture* f = *state;
	const char* text = SQUARE "g a\\\nf 1 2 3\nusemtl b\\\nusemtl C:\\\\\nf 1 3 4\n";
	expect_noted( f, text, strlen( text ), 2, 3, 0,
	              "line 5: the backslash at its end continues nothing, because a statement follows" );
	assert_string_equal( f->import.scene.groups[0], "a\\" );
	assert_string_equal( f->import.scene.materials[1], "C:\\\\" );
	text = SQUARE "g left \\\nwheel \\\r\n rim\nf 1 2 3\nusemtl \\\n red\nf 1 3 4\n# C:\\\nf 1 2 4\n";
	expect_noted( f, text, strlen( text ), 3, 0, 0, "" );
	assert_string_equal( f->import.scene.materials[0], "red" );
}

static void texture_and_normal_indices_are_skipped( void** state )
{
	fixture* f = *state;
	expect_mesh( f, SQUARE "f 1/1 2/2 3/3\nf 1//1 2//2 3//3\nf 1/1/1 2/-2/2 4/3/-3\nf 1/ 2// 3/4/\n", 4, 4 );
	expect_triangle( f, 2, 0, 1, 3 );
}

static void negative_indices_count_from_the_vertices_defined_so_far( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1/-1 -2//-1 -4/1/1\n", 4, 2 );
	expect_triangle( f, 0, 0, 1, 2 );
	expect_triangle( f, 1, 3, 2, 0 );
}

static void positive_indices_may_refer_forwards( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "f 1 2 3 4\nf 2 3 4\n" SQUARE, 4, 3 );
	expect_triangle( f, 0, 0, 2, 3 );
	expect_triangle( f, 1, 0, 1, 2 );
	expect_triangle( f, 2, 1, 2, 3 );
}

// An arrow head whose reflex corner is vertex 3: the diagonal must be 1-3.
static void concave_polygons_are_cut_inside( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "v 0 0 0\nv 4 3 0\nv 1 0 0\nv 4 -3 0\nf 2 3 4 1\n", 4, 2 );
	for ( uint32_t i = 0; i < 2; ++i )
	{
		int on_diagonal = 0;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t corner = f->import.scene.mesh.triangles[i].corner[k];
			on_diagonal += corner == 0 || corner == 2;
		}
		assert_int_equal( on_diagonal, 2 );
	}
}

static void lines_and_points_are_counted( void** state )
{
	fixture* f = *state;
	expect_mesh( f, SQUARE "p 1\np 1 2 3\nl 1 2\nl 1/1 2/2 3/3 -1\nf 1 2 3\n", 4, 1 );
	assert_int_equal( f->import.points, 4 );
	assert_int_equal( f->import.lines, 4 );
}

static void everything_else_of_the_specification_is_skipped( void** state )
{
	expect_mesh( *state,
	             SQUARE
	             "vt 0 0\nvn 0 0 1\nvp 0 1\ng a b\no x\ns off\nmg 1\nusemtl m\nmtllib a.mtl\ncstype bezier\n"
	             "deg 3 3\nsurf 0 1 0 1 1 2 3\nparm u 0 1\ntrim 0 1 1\nend\ncon 1 0 1 1 2 0 1 1\nlod 3\n"
	             "bevel on\nc_interp on\nshadow_obj a\ntrace_obj a\nctech cparm 1\nstech cparma 1 1\n"
	             "fo 1 2 3\n",
	             4, 1 );
}

static void malformed_lines_are_named( void** state )
{
	const struct
	{
		const char* text;
		const char* message;
	} cases[] = {
		{ SQUARE "f 1 2 9\n", "rock.obj:5: face refers to vertex 9 of 4" },
		{ "f 1 2 3\nf 1 2 9\n" SQUARE, "rock.obj:2: face refers to vertex 9 of 4" },
		{ SQUARE "f 1 2 -5\n", "rock.obj:5: face refers to vertex -5 of 4" },
		{ SQUARE "f 0 1 2\n", "rock.obj:5: face refers to vertex 0 of 4" },
		{ SQUARE "f 1 2 4294967297\n", "rock.obj:5: face refers to vertex 4294967297 of 4" },
		{ SQUARE "f 1 2\nf 3\n", "rock.obj: no faces (line 5: face has 2 corners instead of 3 or more)" },
		{ SQUARE "f 1 9\n", "rock.obj:5: face refers to vertex 9 of 4" },
		{ SQUARE "f 1 2 x\n", "rock.obj:5: 'x' is not a vertex index" },
		{ SQUARE "f 1 2 3.0\n", "rock.obj:5: '3.0' is not a vertex index" },
		{ SQUARE "f 1 2 3/1/1/1\n", "rock.obj:5: '3/1/1/1' is not a vertex index" },
		{ SQUARE "f 1 2 3/a\n", "rock.obj:5: '3/a' is not a vertex index" },
		{ SQUARE "f 1 2 /3\n", "rock.obj:5: '/3' is not a vertex index" },
		{ SQUARE "f 1 2 -\n", "rock.obj:5: '-' is not a vertex index" },
		{ SQUARE "f 1 2 18446744073709551619\n",
		  "rock.obj:5: face refers to vertex 18446744073709551619 of 4" },
		{ SQUARE "f 1 2 -18446744073709551617/1\n",
		  "rock.obj:5: face refers to vertex -18446744073709551617 of 4" },
		{ SQUARE "l 1 7\n", "rock.obj:5: line refers to vertex 7 of 4" },
		{ "v 1 2\n", "rock.obj:1: vertex has 2 coordinates instead of 3" },
		{ "\r\n\n# x\nv\n", "rock.obj:4: vertex has 0 coordinates instead of 3" },
		{ "hello world\n", "rock.obj:1: 'hello' is not an OBJ keyword" },
		{ "V 1 2 3\n", "rock.obj:1: 'V' is not an OBJ keyword" },
		{ "v1 2 3\n", "rock.obj:1: 'v1' is not an OBJ keyword" },
		{ "v 0 0 0\nv\xc2\xa0"
		  "0 0 0\n",
		  "rock.obj:2: 'v<U+00A0>0' is not an OBJ keyword" },
		{ "v 0\xe2\x80\x83"
		  "0 0\n",
		  "rock.obj:1: '0<U+2003>0' is not a number" },
		{ "v \xf0\x9f\xaa\xa8\xff 0 0\n", "rock.obj:1: '<U+1FAA8>?' is not a number" },
		{ "v\xc2\x85 0 0 0\n", "rock.obj:1: binary data, not OBJ text" },
		{ "v 0 0 0\n\x01\x80\xff 1\n", "rock.obj:2: binary data, not OBJ text" },
		{ "", "rock.obj: no faces" },
		{ SQUARE, "rock.obj: no faces" },
		{ SQUARE "l 1 2 3\np 1\n", "rock.obj: no faces (1 points, 2 lines)" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		expect_error( *state, cases[i].text, bv_error_input, cases[i].message );
	}
}

static void inclusion_of_another_file_is_not_supported( void** state )
{
	expect_error( *state, "call part.obj\n", bv_error_unsupported,
	              "rock.obj:1: 'call' (including another file) is not supported" );
}

static void long_tokens_are_cut_short_in_messages( void** state )
{
	fixture* f = *state;
	char text[5000];
	memset( text, 'x', sizeof text );
	memcpy( text, "v ", 2 );
	assert_int_equal( read_bytes( f, text, sizeof text ), bv_error_input );
	assert_true( strlen( f->error.message ) < 100 );
}

static void a_nul_byte_is_an_error_of_its_line( void** state )
{
	fixture* f = *state;
	const struct
	{
		const char* text;
		size_t size;
		const char* message;
	} cases[] = {
		{ "\0", 1, "rock.obj:1: binary data, not OBJ text" },
		{ "v 0 0 0\nv 1 0\0 0\n", 18, "rock.obj:2: binary data, not OBJ text" },
		{ "v 0 0 0\n# \0\nx", 13, "rock.obj:2: binary data, not OBJ text" },
		{ SQUARE "f 1 2 3\n\0x", 42, "rock.obj:6: binary data, not OBJ text" },
		{ SQUARE "f 1 2 3\n\x1a\nv", 43, "rock.obj:6: binary data, not OBJ text" },
		{ "v 0 0\n\0", 7, "rock.obj:1: vertex has 2 coordinates instead of 3" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		assert_int_equal( read_bytes( f, cases[i].text, cases[i].size ), bv_error_input );
		assert_string_equal( f->error.message, cases[i].message );
	}
}

// Programs that write whole blocks, or for DOS.
static void nul_bytes_and_control_z_may_follow_the_text( void** state )
{
	static const char* const ends[] = { "\n", "\n\x1a", "\x1a", "\n\x1a\r\n", "\r\n\x1a\x1a \n" };
	for ( size_t i = 0; i < sizeof ends / sizeof *ends; ++i )
	{
		for ( size_t zeros = 0; zeros < 3; ++zeros )
		{
			char text[100] = SQUARE "f 1 2 3\nf 1 3 4";
			size_t size = strlen( strcat( text, ends[i] ) ) + zeros;
			bool filled = i > 0 || zeros > 0;
			expect_noted( *state, text, size, 2, filled, 0,
			              filled ? "NUL or Ctrl-Z bytes follow the text" : "" );
		}
	}
}

static void faces_with_too_few_corners_are_losses( void** state )
{
	fixture* f = *state;
	const char* text = SQUARE "f 1 2 3\nf 1 \\\n2\nf\nfo 4\nf 1 3 4\n";
	expect_noted( f, text, strlen( text ), 2, 3, 3, "line 6: face has 2 corners instead of 3 or more" );
	assert_true( f->import.scene.faces[0] == 0 && f->import.scene.faces[1] == 4 );
}

static void lines_and_points_without_vertices_lose_nothing( void** state )
{
	const char* text = SQUARE "f 1 2 3\nl 1\np\nl\n";
	expect_noted( *state, text, strlen( text ), 1, 3, 0, "line 6: line has 1 vertices instead of 2 or more" );
	assert_true( ( (fixture*)*state )->import.lines == 0 );
}

static void random_bytes_are_refused( void** state )
{
	fixture* f = *state;
	uint64_t random = 1;
	for ( int round = 0; round < 2000; ++round )
	{
		char bytes[200];
		for ( size_t i = 0; i < sizeof bytes; ++i )
		{
			random = random * 6364136223846793005u + 1442695040888963407u;
			bytes[i] = (char)( random >> 56 );
		}
		assert_int_equal( read_bytes( f, bytes, sizeof bytes ), bv_error_input );
		for ( const char* c = f->error.message; *c; ++c )
		{
			assert_true( *c >= 0x20 && *c < 0x7f );
		}
	}
}

static char* polygon_text( uint32_t corners )
{
	char* text = malloc( 40u * corners + 100 );
	char* end = text;
	for ( uint32_t i = 0; i < corners; ++i )
	{
		end += sprintf( end, "v %.9f %.9f 0\n", cos( 6.283185307179586 * i / corners ),
		                sin( 6.283185307179586 * i / corners ) );
	}
	*end++ = 'f';
	for ( uint32_t i = 0; i < corners; ++i )
	{
		end += sprintf( end, " %u", i + 1 );
	}
	strcpy( end, "\n" );
	return text;
}

static void faces_of_up_to_16384_corners_are_read( void** state )
{
	char* text = polygon_text( 16384 );
	expect_mesh( *state, text, 16384, 16382 );
	free( text );
	text = polygon_text( 16385 );
	expect_error( *state, text, bv_error_limit, "rock.obj:16386: face has more than 16384 corners" );
	free( text );
}

static const char rich[] =
	"\xef\xbb\xbf# rich\r\nmtllib a.mtl\no x\nv 0 0 0 # origin\n  v 1.25e0 0 0 1\n"
	"\tv +1. .5e0 -1.25E-1 1 0 0\nv 0 1 \\\n 0\nv nan inf -Infinity\nvt 0 0\nvn 0 0 1\n"
	"usemtl m\\\nn\ns off\nf 1 2 3\nf 1/1 2/1 3/1 4/1\nf 1//1 2//1 3//1\n"
	"f -1/1/1 -2/1/1 \\\r\n -3/1/1 -4 -5\nl 1 2 3\np 1 2\ncurv 0 1 1 2\nf 1 2 7\n"
	"v 0.12345678901234567890123 3 3\nv 1e999 9007199254740993 0\n";

static void every_truncation_ends_in_a_mesh_or_a_message( void** state )
{
	fixture* f = *state;
	for ( size_t size = 0; size < sizeof rich; ++size )
	{
		bv_status status = read_bytes( f, rich, size );
		assert_true( status == bv_ok || ( status == bv_error_input && f->error.message[0] ) );
	}
	assert_int_equal( read_bytes( f, rich, sizeof rich - 1 ), bv_ok );
	assert_int_equal( f->import.scene.mesh.triangle_count, 1 + 2 + 1 + 3 + 1 );
}

// The last byte of the text is the last of a page, and the next page cannot be read.
static void nothing_behind_the_text_is_read( void** state )
{
	fixture* f = *state;
	size_t page = (size_t)sysconf( _SC_PAGESIZE );
	char* pages = mmap( NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
	assert_true( pages != MAP_FAILED );
	assert_int_equal( mprotect( pages + page, page, PROT_NONE ), 0 );
	for ( size_t size = 0; size < sizeof rich; ++size )
	{
		char* text = pages + page - size;
		memcpy( text, rich, size );
		bvobj_read_obj( "rock.obj", text, size, f->arena, &f->import, &f->error );
	}
	munmap( pages, 2 * page );
}

static void an_arena_that_is_full_is_an_error( void** state )
{
	(void)state;
	fixture f = { .arena = bvb_arena_create_limited( 1 << 17 ) };
	char* text = polygon_text( 10000 );
	assert_int_equal( read_bytes( &f, text, strlen( text ) ), bv_error_memory );
	assert_string_equal( f.error.message, "out of memory" );
	free( text );
	bvb_arena_destroy( f.arena );
}

// Files.

static void write_file( const char* path, const char* bytes, size_t size )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, size, file ), size );
	assert_int_equal( fclose( file ), 0 );
}

static bv_status import_file( fixture* f, const char* path )
{
	bvb_import_options options = bvb_import_options_default();
	f->error.message[0] = 0;
	return bvb_import_file( path, &options, f->arena, &f->import, &f->error );
}

// The hash is what `xxh128sum` prints for these bytes.
static void a_file_is_read_and_hashed( void** state )
{
	fixture* f = *state;
	const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	write_file( "a.OBJ", text, sizeof text - 1 );
	assert_int_equal( import_file( f, "a.OBJ" ), bv_ok );
	assert_string_equal( f->import.format, "obj" );
	assert_int_equal( f->import.scene.mesh.triangle_count, 1 );
	assert_memory_equal( f->import.hash, "\xa1\x0f\x8a\x3d\x6e\x04\x7f\xe8\x31\xde\xb6\x63\x01\xa9\x09\x71",
	                     16 );
}

static void names_may_hold_any_bytes( void** state )
{
	fixture* f = *state;
	write_file( "\xff\n \\.x.obj", "v 0 0\n", 6 );
	assert_int_equal( import_file( f, "\xff\n \\.x.obj" ), bv_error_input );
	assert_string_equal( f->error.message, "\xff? \\.x.obj:1: vertex has 2 coordinates instead of 3" );
}

static void what_is_no_regular_file_is_refused( void** state )
{
	fixture* f = *state;
	assert_int_equal( import_file( f, "missing.obj" ), bv_error_input );
	assert_string_equal( f->error.message, "missing.obj: No such file or directory" );

	assert_int_equal( mkdir( "folder.obj", 0700 ), 0 );
	assert_int_equal( import_file( f, "folder.obj" ), bv_error_input );
	assert_string_equal( f->error.message, "folder.obj: is a directory" );

	assert_int_equal( mkfifo( "pipe.obj", 0600 ), 0 );
	assert_int_equal( import_file( f, "pipe.obj" ), bv_error_input );
	assert_string_equal( f->error.message, "pipe.obj: is not a regular file" );

	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket.obj" };
	int socket_file = socket( AF_UNIX, SOCK_STREAM, 0 );
	if ( socket_file >= 0 && bind( socket_file, (struct sockaddr*)&address, sizeof address ) == 0 )
	{
		assert_int_equal( import_file( f, "socket.obj" ), bv_error_input );
		assert_string_equal( f->error.message, "socket.obj: is not a regular file" );
	}
	close( socket_file );

	assert_int_equal( import_file( f, "/dev/null" ), bv_error_input );
	assert_string_equal( f->error.message, "/dev/null: is not a regular file" );

	write_file( "empty.obj", "", 0 );
	assert_int_equal( import_file( f, "empty.obj" ), bv_error_input );
	assert_string_equal( f->error.message, "empty.obj: is empty" );
}

static void a_name_without_an_extension_is_not_supported( void** state )
{
	fixture* f = *state;
	write_file( "plain", "v", 1 );
	assert_int_equal( import_file( f, "plain" ), bv_error_unsupported );
	assert_int_equal( import_file( f, "./plain" ), bv_error_unsupported );
	assert_string_equal( f->error.message, "./plain: cannot tell the format: the name has no extension" );
}

static void limits_that_are_not_positive_are_the_callers_mistake( void** state )
{
	fixture* f = *state;
	const bvb_import_options bad[] = { { .timeout = 0, .memory_bytes = 1 },
		                               { .timeout = -1, .memory_bytes = 1 },
		                               { .timeout = NAN, .memory_bytes = 1 },
		                               { .timeout = 1 } };
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvb_import_file( "a.obj", &bad[i], f->arena, &f->import, &f->error ),
		                  bv_error_argument );
	}
}

static char folder[] = "/tmp/bvb-test-obj-XXXXXX";

static int enter_scratch_folder( void** state )
{
	(void)state;
	return mkdtemp( folder ) && chdir( folder ) == 0 ? 0 : -1;
}

static int leave_scratch_folder( void** state )
{
	(void)state;
	const char* const names[] = { "a.OBJ",      "\xff\n \\.x.obj", "folder.obj", "pipe.obj",
		                          "socket.obj", "empty.obj",       "plain" };
	for ( size_t i = 0; i < sizeof names / sizeof names[0]; ++i )
	{
		remove( names[i] );
	}
	return chdir( "/" ) == 0 ? rmdir( folder ) : -1;
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( a_triangle_is_read_as_written ),
		TEST( coordinates_may_be_written_in_every_usual_way ),
		TEST( extra_numbers_of_a_vertex_are_ignored ),
		TEST( extra_numbers_of_a_vertex_must_be_numbers ),
		TEST( nan_and_inf_are_passed_on ),
		TEST( what_is_no_decimal_number_is_refused ),
		TEST( comments_indentation_and_line_ends_make_no_difference ),
		TEST( a_backslash_continues_a_line ),
		TEST( a_backslash_continues_skipped_lines_but_not_comments ),
		TEST( a_backslash_in_front_of_a_statement_is_part_of_the_name ),
		TEST( texture_and_normal_indices_are_skipped ),
		TEST( negative_indices_count_from_the_vertices_defined_so_far ),
		TEST( positive_indices_may_refer_forwards ),
		TEST( concave_polygons_are_cut_inside ),
		TEST( lines_and_points_are_counted ),
		TEST( everything_else_of_the_specification_is_skipped ),
		TEST( malformed_lines_are_named ),
		TEST( inclusion_of_another_file_is_not_supported ),
		TEST( long_tokens_are_cut_short_in_messages ),
		TEST( a_nul_byte_is_an_error_of_its_line ),
		TEST( nul_bytes_and_control_z_may_follow_the_text ),
		TEST( faces_with_too_few_corners_are_losses ),
		TEST( lines_and_points_without_vertices_lose_nothing ),
		TEST( random_bytes_are_refused ),
		TEST( faces_of_up_to_16384_corners_are_read ),
		TEST( every_truncation_ends_in_a_mesh_or_a_message ),
		TEST( nothing_behind_the_text_is_read ),
		TEST( an_arena_that_is_full_is_an_error ),
		TEST( a_file_is_read_and_hashed ),
		TEST( names_may_hold_any_bytes ),
		TEST( what_is_no_regular_file_is_refused ),
		TEST( a_name_without_an_extension_is_not_supported ),
		TEST( limits_that_are_not_positive_are_the_callers_mistake ),
	};
	return cmocka_run_group_tests( tests, enter_scratch_folder, leave_scratch_folder );
}
