// The OFF reader: values and messages are compared with Geomview's description of the format, meshes survive
// a round trip, and a damaged file never yields a different mesh.

#include "imports.h"

#include "formats/off/off.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bv_status read_bytes( fixture* f, const void* bytes, size_t size )
{
	return read_exactly( f, bvoff_read_off, "rock.off", bytes, size );
}

static bv_status read_text( fixture* f, const char* text )
{
	return read_bytes( f, text, strlen( text ) );
}

static void expect_mesh( fixture* f, const char* text, uint32_t vertices, uint32_t triangles )
{
	bv_status status = read_text( f, text );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	assert_int_equal( f->import.scene.mesh.vertex_count, vertices );
	assert_int_equal( f->import.scene.mesh.triangle_count, triangles );
}

static void expect_error( fixture* f, const char* text, bv_status status, const char* message )
{
	bv_status given = read_text( f, text );
	assert_string_equal( f->error.message, message );
	assert_int_equal( given, status );
}

static void expect_vertex( const fixture* f, uint32_t index, double x, double y, double z )
{
	const bv_vec3* v = &f->import.scene.mesh.positions[index];
	assert_true( v->x == x && v->y == y && v->z == z );
}

static void expect_triangle( const fixture* f, uint32_t index, uint32_t a, uint32_t b, uint32_t c )
{
	const uint32_t* corner = f->import.scene.mesh.triangles[index].corner;
	assert_int_equal( corner[0], a );
	assert_int_equal( corner[1], b );
	assert_int_equal( corner[2], c );
}

// What all the variants below stand for.
static void expect_corner( fixture* f, const char* text )
{
	expect_mesh( f, text, 3, 1 );
	expect_vertex( f, 0, 1, 2, 3 );
	expect_vertex( f, 1, 4, 5, 6 );
	expect_vertex( f, 2, 7, 8, 10 );
	expect_triangle( f, 0, 2, 0, 1 );
}

static void a_triangle_is_read_as_written( void** state )
{
	expect_corner( *state, "OFF\n3 1 3\n1 2 3\n4 5 6\n7 8 10\n3 2 0 1\n" );
}

static void all_belongs_to_one_object_without_a_name( void** state )
{
	fixture* f = *state;
	expect_corner( f, "OFF\n3 1 3\n1 2 3\n4 5 6\n7 8 10\n3 2 0 1\n" );
	assert_int_equal( f->import.scene.segment_count, 1 );
	assert_int_equal( f->import.scene.object_count, 1 );
	assert_string_equal( f->import.scene.objects[0], "" );
	assert_int_equal( f->import.scene.segments[0].material, BVB_NO_NAME );
	assert_int_equal( f->import.scene.segments[0].group, BVB_NO_NAME );
}

#define CORNER "1 2 3\n4 5 6\n7 8 10\n3 2 0 1\n"

static void the_keyword_may_be_missing_and_share_the_counts_line( void** state )
{
	const char* const heads[] = {
		"OFF\n3 1 3\n", "3 1 3\n", "OFF 3 1 3\n", "off\n3 1 3\n",  "Off 3 1 3\n",  "OFF3 1 3\n",
		"OFF\n3 1\n",   "3 1\n",   "OFF 3 1\n",   "OFF\n\n3 1 3 ", "OFF\n3 1 99 ", "\xef\xbb\xbfOFF\n3 1 3\n"
	};
	for ( size_t i = 0; i < sizeof heads / sizeof heads[0]; ++i )
	{
		char text[100];
		snprintf( text, sizeof text, "%s\n" CORNER, heads[i] );
		expect_corner( *state, text );
	}
}

// Texture coordinates are 2 numbers, normals 3, colors any.
static void what_the_keyword_promises_is_skipped( void** state )
{
	const struct
	{
		const char* keyword;
		const char* more;
	} cases[] = {
		{ "OFF", "" },
		{ "COFF", "255 0 0 255" },
		{ "COFF", "0.5 .5 1" },
		{ "COFF", "7" },
		{ "COFF", "" },
		{ "NOFF", "0 0 1" },
		{ "CNOFF", "0 0 1 .1 .2 .3 1" },
		{ "NCOFF", "255 255 255 255 0 0 1" },
		{ "STOFF", "0.25 0.75" },
		{ "STCOFF", "1 0 0 1 0.25 0.75" },
		{ "STNOFF", "0 -1 0 0.25 0.75" },
		{ "STCNOFF", "0 -1 0 1 0 0 1 0.25 0.75" },
		{ "OFF", "0 -1 0" },
		{ "OFF", "9 9 9 9 9 9" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char text[300];
		const char* more = cases[i].more;
		snprintf( text, sizeof text, "%s\n3 1 0\n1 2 3 %s\n4 5 6 %s\n7 8 10 %s\n3 2 0 1\n", cases[i].keyword,
		          more, more, more );
		expect_corner( *state, text );
	}
}

static void faces_may_have_colors( void** state )
{
	const char* const colors[] = {
		"",        " ",      " 5",   " 255 0 0", " 255 0 0 128", " 0.5 0.5 1", " .1 1e-1 0.1 1.0",
		"\t1 2 3", " 1#red", "# red"
	};
	for ( size_t i = 0; i < sizeof colors / sizeof colors[0]; ++i )
	{
		char text[200];
		fixture* f = *state;
		const char* color = colors[i];
		snprintf( text, sizeof text,
		          "OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 1\n3 0 1 2%s\n4 0 1 2 3%s\n3 2 3 0%s", color, color,
		          color );
		expect_mesh( f, text, 4, 4 );
		expect_triangle( f, 0, 0, 1, 2 );
		expect_triangle( f, 3, 2, 3, 0 );
		assert_int_equal( f->import.scene.faces[2], 1 );
		assert_int_equal( f->import.scene.faces[3], 2 );
	}
}

static void comments_blanks_and_line_ends_make_no_difference( void** state )
{
	expect_corner(
		*state,
		"# head\n\n \t OFF# keyword\r\n#\n  3\t1 3 # counts\r\n # none\n\n 1 2 3# a\r\n\r\n\v4  5\t6   "
		"\f# 9 9 9\n#7 8 9\n7 8 10#\n  \n3  2 0 1#3 0 0 0\r\n#\n\n# end" );
}

static void a_record_may_go_on_in_the_next_lines( void** state )
{
	fixture* f = *state;
	expect_corner( f, "OFF\n3 1 3\n1\n2 # y\n3\n4 5\n6\n7\n\n8 10\n3\n2 0 1\n" );
	expect_corner( f, "NOFF\n3 1 3\n1 2 3\n0 0 1\n4 5 6\n0 0 1\n7 8 10\n0 0 1\n3 2\n0\n1" );
}

// An arrow head whose reflex corner is vertex 2: the diagonal must be 0-2.
static void concave_polygons_are_cut_inside( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "OFF 4 1 0\n0 0 0\n4 3 0\n1 0 0\n4 -3 0\n4 1 2 3 0\n", 4, 2 );
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

static void faces_of_one_and_two_corners_are_counted( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "OFF 3 5 0\n0 0 0\n1 0 0\n0 1 0\n1 0\n3 0 1 2\n2 0 1 .5 .5 .5\n1 2\n3 2 1 0\n", 3, 2 );
	assert_int_equal( f->import.points, 2 );
	assert_int_equal( f->import.lines, 1 );
	assert_int_equal( f->import.scene.faces[0], 1 );
	assert_int_equal( f->import.scene.faces[1], 4 );
	expect_error( f, "OFF 2 3 0\n0 0 0\n1 0 0\n1 0\n1 1\n2 0 1\n", bv_error_input,
	              "rock.off: no faces (2 points, 1 lines)" );
}

static void nan_and_inf_are_passed_on( void** state )
{
	fixture* f = *state;
	expect_mesh( f, "OFF 3 1 0\nnan -inf 1e999\n0 0 0\n-1e999 0 1e-999\n3 0 1 2\n", 3, 1 );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( isnan( x[0].x ) && x[0].y == -INFINITY && x[0].z == INFINITY );
	assert_true( x[2].x == -INFINITY && x[2].z == 0 );
}

#define THREE "0 0 0\n1 0 0\n0 1 0\n"

static void malformed_lines_are_named( void** state )
{
	const struct
	{
		const char* text;
		const char* message;
	} cases[] = {
		{ "", "rock.off:1: the counts of vertices and faces are missing" },
		{ "# only\n\n", "rock.off:3: the counts of vertices and faces are missing" },
		{ "ply\n", "rock.off:1: 'ply' is not an OFF keyword" },
		{ "OFFX\n", "rock.off:1: 'OFFX' is not an OFF keyword" },
		{ "CCOFF\n", "rock.off:1: 'CCOFF' is not an OFF keyword" },
		{ "coff\n", "rock.off:1: 'coff' is not an OFF keyword" },
		{ "SOFF\n", "rock.off:1: 'SOFF' is not an OFF keyword" },
		{ "{ OFF\n", "rock.off:1: '{' is not an OFF keyword" },
		{ "-3 1 0\n", "rock.off:1: '-3' is not an OFF keyword" },
		{ "O\xc3\x96 FF\n", "rock.off:1: 'O<U+00D6>' is not an OFF keyword" },
		{ "\n\xff\xfeO\n", "rock.off:2: binary data, not OFF text" },
		{ "OFF\n", "rock.off:2: expected a line with the counts of vertices, faces and edges" },
		{ "OFF 3\n1 0\n", "rock.off:1: expected a line with the counts of vertices, faces and edges" },
		{ "OFF 3 1 3 0\n", "rock.off:1: expected a line with the counts of vertices, faces and edges" },
		{ "OFF\n3.0 1 0\n", "rock.off:2: '3.0' is not a count" },
		{ "OFF\n3 -1 0\n", "rock.off:2: '-1' is not a count" },
		{ "OFF\n3 1 x\n", "rock.off:2: 'x' is not a count" },
		{ "OFF\n0 1 0\n", "rock.off:2: the file has faces but no vertices" },
		{ "OFF\n0 0 0\n", "rock.off: no faces" },
		{ "OFF\n3 0 0\n" THREE, "rock.off: no faces (3 points, 0 lines)" },
		{ "OFF\n3 1\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "rock.off:4: vertex has 2 numbers instead of 3" },
		{ "NOFF 3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "rock.off:4: vertex has 3 numbers instead of 6" },
		{ "OFF 3 1\n0 0 0\n1 0 0 1\n0 1 0\n3 0 1 2\n",
		  "rock.off:3: vertex has 4 numbers, the first vertex has 3" },
		{ "OFF 3 1\n0 0 0\n1 red 0\n0 1 0\n3 0 1 2\n", "rock.off:3: 'red' is not a number" },
		{ "OFF 3 1\n0 0 0\n1 0x1 0\n0 1 0\n3 0 1 2\n", "rock.off:3: '0x1' is not a number" },
		{ "OFF 4 1\n" THREE "3 0 1 2\n", "rock.off:5: vertex has 4 numbers, the first vertex has 3" },
		{ "OFF 3 1\n" THREE "     ", "rock.off:5: the file ends after 0 of 1 faces" },
		{ "OFF 3 2\n" THREE "3 0 1 2\n#   \n", "rock.off:7: the file ends after 1 of 2 faces" },
		{ "OFF 3 2\n" THREE "3 0 1 2\n3 0 1\n", "rock.off:7: the file ends after 1 of 2 faces" },
		{ "OFF 3 2\n" THREE "3 0 1 2\n1 0\n3 2 1 0\n",
		  "rock.off:7: the file continues after the 2 faces of its header" },
		{ "OFF 3 2\n" THREE "3 0 1 2\n0\n3 2 1 0\n",
		  "rock.off:7: the file continues after the 2 faces of its header" },
		{ "OFF 3 1\n" THREE "0\n", "rock.off: no faces (line 5: face has 0 corners)" },
		{ "OFF 3 1\n" THREE "3 0 1 3\n", "rock.off:5: face refers to vertex 3, outside 0 to 2" },
		{ "OFF 3 1\n" THREE "3 0 1 -1\n", "rock.off:5: face refers to vertex -1, outside 0 to 2" },
		{ "OFF 3 1\n" THREE "3 0 1 4294967296\n",
		  "rock.off:5: face refers to vertex 4294967296, outside 0 to 2" },
		{ "OFF 3 1\n" THREE "3 0 1 -18446744073709551615\n",
		  "rock.off:5: face refers to vertex -18446744073709551615, outside 0 to 2" },
		{ "OFF 3 1\n" THREE "3 0 1 2.0\n", "rock.off:5: '2.0' is not a vertex index" },
		{ "OFF 3 1\n" THREE "3 0 1 -x\n", "rock.off:5: '-x' is not a vertex index" },
		{ "OFF 3 1\n" THREE "3 0 1 +2\n", "rock.off:5: '+2' is not a vertex index" },
		{ "OFF 3 1\n" THREE "0 0 1 2\n", "rock.off:5: face has 0 corners" },
		{ "OFF 3 1\n" THREE "-3 0 1 2\n", "rock.off:5: '-3' is not a corner count" },
		{ "OFF 3 1\n" THREE "3.0 0 1 2\n", "rock.off:5: '3.0' is not a corner count" },
		{ "OFF 3 2\n" THREE "3 0 1\n3 2 1 0\n", "rock.off:6: face refers to vertex 3, outside 0 to 2" },
		{ "OFF 3 2\n" THREE "4 0 1 2\n2 2 1 0\n",
		  "rock.off:5: face has 4 corners, but only 3 are on its line" },
		{ "OFF 3 1\n" THREE "3 0 1 2 red\n", "rock.off:5: 'red' is not a number" },
		{ "OFF 3 1\n" THREE "3 0 1 2 1 2 3 4 5\n",
		  "rock.off:5: a face's color has 5 numbers instead of 1, 3 or 4" },
		{ "OFF 3 1\n" THREE "3 0 1 2 1 2\n",
		  "rock.off:5: a face's color has 2 numbers instead of 1, 3 or 4" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		expect_error( *state, cases[i].text, bv_error_input, cases[i].message );
	}
}

static void lines_beyond_the_counts_are_losses( void** state )
{
	fixture* f = *state;
	const char* text = "OFF 3 1\n" THREE "3 0 1 2\n# more\n\n3 2 1 0 # again\n}\n\n";
	expect_noted( f, text, strlen( text ), 1, 2, 2,
	              "line 8: the file continues after the 1 faces of its header" );
	expect_triangle( f, 0, 0, 1, 2 );
	text = "OFF 3 2\n" THREE "0 # nothing\n3 0 1 2\n";
	expect_noted( f, text, strlen( text ), 1, 1, 1, "line 5: face has 0 corners" );
	assert_int_equal( f->import.scene.faces[0], 1 );
}

static void nul_bytes_and_control_z_may_follow_the_text( void** state )
{
	static const char text[] = "OFF 3 1\n" THREE "3 0 1 2\x1a\r\n\0\0";
	for ( size_t size = sizeof text - 5; size <= sizeof text; ++size )
	{
		expect_noted( *state, text, size, 1, 1, 0, "NUL or Ctrl-Z bytes follow the text" );
	}
}

static void other_dimensions_and_the_binary_form_are_not_supported( void** state )
{
	const char* const keywords[] = { "4OFF", "nOFF", "4nOFF", "STCN4nOFF", "C4OFF" };
	for ( size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i )
	{
		char text[100];
		snprintf( text, sizeof text, "%s\n3 1 3\n", keywords[i] );
		expect_error( *state, text, bv_error_unsupported,
		              "rock.off:1: 4OFF and nOFF are not supported: vertices must have 3 coordinates" );
	}
	expect_error( *state, "COFF BINARY\n", bv_error_unsupported, "rock.off:1: binary OFF is not supported" );
	fixture* f = *state;
	assert_int_equal( read_bytes( f, "OFF BINARY\n\0\0\0\3\0\0\0\1", 19 ), bv_error_unsupported );
	assert_string_equal( f->error.message, "rock.off:1: binary OFF is not supported" );
}

static void a_nul_byte_is_an_error_of_its_line( void** state )
{
	fixture* f = *state;
	const struct
	{
		const char* text;
		size_t size;
		unsigned line;
	} cases[] = {
		{ "\0", 1, 1 },
		{ "OFF\n3 1\0 0\n", 11, 2 },
		{ "OFF\n3 1 0\n0 0 0\n1 0 \0\n         0", 32, 4 },
		{ "OFF\n3 1 0\n" THREE "3 0 1\0 2\n", 37, 6 },
		{ "OFF\n3 1 0\n" THREE "3 0 1 -\0 2\n", 39, 6 },
		{ "OFF\n3 1 0\n" THREE "3 0 1 2\n\0x", 38, 7 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char message[64];
		snprintf( message, sizeof message, "rock.off:%u: binary data, not OFF text", cases[i].line );
		assert_int_equal( read_bytes( f, cases[i].text, cases[i].size ), bv_error_input );
		assert_string_equal( f->error.message, message );
	}
}

// A limited arena does not see what the builder allocates, but billions of vertices would not fit anywhere.
static void counts_are_not_believed( void** state )
{
	const struct
	{
		const char* counts;
		const char* message;
	} cases[] = {
		{ "353535235358 6", "353535235358 vertices and 6 faces" },
		{ "3 4000000000", "3 vertices and 4000000000 faces" },
		{ "99999999999999999999999999 1", "99999999999999999999999999 vertices and 1 faces" },
		{ "1 99999999999999999999999999", "1 vertices and 99999999999999999999999999 faces" },
		{ "1 99999999999999999999999999990000", "1 vertices and 9999999999999999999999999999... faces" },
		{ "3 3", "3 vertices and 3 faces" },
		{ "4 1", "4 vertices and 1 faces" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char text[200];
		char message[200];
		snprintf( text, sizeof text, "OFF\n%s 0\n" THREE "1 0", cases[i].counts );
		snprintf( message, sizeof message, "rock.off:2: the file is too short for %s", cases[i].message );
		expect_error( *state, text, bv_error_input, message );
	}
}

// As small as vertices and faces can be, without an end of the last line.
static void the_shortest_files_are_long_enough( void** state )
{
	expect_mesh( *state, "3 1\n0 0 0\n0 0 0\n0 0 0\n3 0 1 2", 3, 1 );
	expect_error( *state, "1 1\n0 0 0\n1 0", bv_error_input, "rock.off: no faces (1 points, 0 lines)" );
}

static char* polygon_text( uint32_t corners )
{
	char* text = malloc( 40u * corners + 100 );
	char* end = text + sprintf( text, "OFF %u 1 0\n", corners );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		end += sprintf( end, "%.9f %.9f 0\n", cos( 6.283185307179586 * i / corners ),
		                sin( 6.283185307179586 * i / corners ) );
	}
	end += sprintf( end, "%u", corners );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		end += sprintf( end, " %u", i );
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
	expect_error( *state, text, bv_error_limit, "rock.off:16387: face has more than 16384 corners" );
	free( text );
}

static double random_coordinate( fixture* f )
{
	uint64_t bits = random_bits( f );
	double x;
	memcpy( &x, &bits, sizeof x );
	return random_bits( f ) % 4 && isfinite( x ) ? x : (double)( bits >> 40 ) / 1024;
}

static char* write_random_blank( fixture* f, char* end )
{
	static const char* const blanks[] = { " ", " ", " ", "\t", "  ", "\r", " \t " };
	return end + sprintf( end, "%s", blanks[random_bits( f ) % 7] );
}

static char* write_random_line_end( fixture* f, char* end )
{
	static const char* const ends[] = { "\n", "\n", "\n", "\r\n", " \n", " # 1 2 3\n", "#\n\n" };
	return end + sprintf( end, "%s", ends[random_bits( f ) % 7] );
}

// 17 digits are enough for any double.
static void random_meshes_come_back_exactly( void** state )
{
	fixture* f = *state;
	enum
	{
		most = 200
	};
	static char text[most * 300];
	for ( int round = 0; round < 300; ++round )
	{
		bv_vec3 positions[most];
		uint32_t corners[most][3];
		uint32_t vertices = 3 + (uint32_t)( random_bits( f ) % ( most - 3 ) );
		uint32_t triangles = 1 + (uint32_t)( random_bits( f ) % most );
		uint32_t colors = (uint32_t)( random_bits( f ) % 5 );
		char* end = text + sprintf( text, "%s\n%u %u 0\n", colors ? "COFF" : "OFF", vertices, triangles );
		for ( uint32_t i = 0; i < vertices; ++i )
		{
			positions[i] =
				( bv_vec3 ){ random_coordinate( f ), random_coordinate( f ), random_coordinate( f ) };
			end += sprintf( end, "%.17g", positions[i].x );
			end = write_random_blank( f, end );
			end += sprintf( end, "%.17g", positions[i].y );
			end = write_random_blank( f, end );
			end += sprintf( end, "%.17g", positions[i].z );
			for ( uint32_t k = 0; k < colors; ++k )
			{
				end += sprintf( end, " %u", (unsigned)( random_bits( f ) % 256 ) );
			}
			end = write_random_line_end( f, end );
		}
		for ( uint32_t i = 0; i < triangles; ++i )
		{
			*end++ = '3';
			for ( int k = 0; k < 3; ++k )
			{
				corners[i][k] = (uint32_t)( random_bits( f ) % vertices );
				end = write_random_blank( f, end );
				end += sprintf( end, "%u", corners[i][k] );
			}
			end = write_random_line_end( f, end );
		}
		expect_mesh( f, text, vertices, triangles );
		assert_memory_equal( f->import.scene.mesh.positions, positions, vertices * sizeof *positions );
		assert_memory_equal( f->import.scene.mesh.triangles, corners, triangles * sizeof *corners );
	}
}

static void every_truncation_is_refused_up_to_the_last_corner( void** state )
{
	fixture* f = *state;
	static const char text[] = "OFF\n3 2 3\n1 2 3\n4 5 6\n7 8 10\n3 2 0 1\n3 0 1 2 # c\n";
	size_t last = strlen( text ) - strlen( " # c\n" );
	for ( size_t size = 0; size < sizeof text; ++size )
	{
		bv_status status = read_bytes( f, text, size );
		assert_int_equal( status, size < last ? bv_error_input : bv_ok );
		assert_int_equal( f->import.scene.mesh.triangle_count, size < last ? 0 : 2 );
	}

	// A color that is cut leaves another color, unless it ends within a number or after two.
	static const char colored[] = "COFF 3 1\n1 2 3 1\n4 5 6 1\n7 8 10 1\n3 2 0 1 .5 1e-1 0 1";
	last = strlen( colored ) - strlen( " .5 1e-1 0 1" );
	for ( size_t size = 0; size < sizeof colored; ++size )
	{
		size_t more = size - last;
		bool cut = size > last && ( more == 2 || ( more >= 5 && more <= 9 ) );
		assert_int_equal( read_bytes( f, colored, size ), size < last || cut ? bv_error_input : bv_ok );
	}
}

static const char rich[] =
	"# head\nSTCNOFF # all\n4 5 6 # counts\r\n0 0 0 0 0 1 255 0 0 255 .5 .5\n"
	"1 0 0 0 0 1 255 0 0 255 .5 .5\n1 1 0 0 0 1 0 0 0 255 .5 1e0\n"
	"0 1.5 -0.25 0 0 1 255 0 0 255 .5 nan\n# faces\n3 0 1 2\n4 0 1 2 3 0.5 0.5 0.5 1\n2 0 1 7\n"
	"1 3\n\n3 3 2 1 # end\n";

static void no_changed_byte_does_harm( void** state )
{
	fixture* f = *state;
	assert_int_equal( read_bytes( f, rich, sizeof rich - 1 ), bv_ok );
	char text[sizeof rich];
	memcpy( text, rich, sizeof rich );
	for ( size_t i = 0; i < sizeof rich - 1; ++i )
	{
		for ( int value = 0; value < 256; ++value )
		{
			text[i] = (char)value;
			bv_status status = read_bytes( f, text, sizeof rich - 1 );
			assert_true( status == bv_ok || status == bv_error_input || status == bv_error_unsupported ||
			             status == bv_error_limit );
			const bvb_mesh* mesh = &f->import.scene.mesh;
			for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
			{
				const uint32_t* corner = mesh->triangles[t].corner;
				assert_true( corner[0] < mesh->vertex_count && corner[1] < mesh->vertex_count &&
				             corner[2] < mesh->vertex_count );
			}
		}
		text[i] = rich[i];
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
		memcpy( bytes, "OFF ", round % 2 ? 4 : 0 );
		assert_int_equal( read_bytes( f, bytes, sizeof bytes ), bv_error_input );
		for ( const char* c = f->error.message; *c; ++c )
		{
			assert_true( *c >= 0x20 && *c < 0x7f );
		}
	}
}

// What was read says the same as `original`, points and lines included.
static bool same_as( const fixture* f, const bvb_import* original )
{
	const bvb_mesh* a = &f->import.scene.mesh;
	const bvb_mesh* b = &original->scene.mesh;
	return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
	       memcmp( a->positions, b->positions, a->vertex_count * sizeof *a->positions ) == 0 &&
	       memcmp( a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles ) == 0 &&
	       f->import.points == original->points && f->import.lines == original->lines;
}

// Of integer coordinates, whose numbers could be counts and indices too.
static const char* const tables[] = {
	"OFF\n4 4 6\n1 1 1\n2 2 0\n2 0 2\n0 2 2\n3 0 1 2\n3 1 0 3\n3 2 3 0\n3 3 2 1\n",
	"COFF\n4 2 6\n1 1 1 3 0 1 2\n2 2 0 3 0 1 2\n2 0 2 3 2 1 0\n0 2 2 3 1 2 0\n3 0 1 2\n3 1 0 3\n",
	"NOFF\n4 2 6\n1 1 1 3 0 1\n2 2 0 3 0 2\n2 0 2 3 2 1\n0 2 2 3 1 0\n4 0 1 2 3\n4 3 2 1 0\n",
	"4 3 6\n1 1 1\n2 2 0\n2 0 2\n0 2 2\n3 0 1 2 3 1 2\n3 1 0 3 3 1 2\n3 2 3 0 3 1 2\n",
};

// Applies an edit at every place of every table: what is read then must be refused or the same mesh as
// before. How often it may be the same is for the caller to know.
static int expect_no_other_mesh( fixture* f, size_t ( *edit )( const char* text, size_t at, char* out ) )
{
	int same = 0;
	int refused = 0;
	for ( size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i )
	{
		assert_int_equal( read_text( f, tables[i] ), bv_ok );
		bvb_import original = f->import;
		for ( size_t at = 0; tables[i][at]; ++at )
		{
			char text[1000];
			size_t size = edit( tables[i], at, text );
			if ( size == 0 )
			{
				continue;
			}
			bool read = read_bytes( f, text, size ) == bv_ok && f->import.losses == 0;
			if ( read && !same_as( f, &original ) )
			{
				fail_msg( "becomes another mesh:\n%.*s", (int)size, text );
			}
			same += read;
			refused += !read;
		}
	}
	assert_true( refused > 0 );
	return same;
}

static bool begins_line( const char* text, size_t at )
{
	return at == 0 || text[at - 1] == '\n';
}

static size_t without_line( const char* text, size_t at, char* out )
{
	size_t line = strcspn( text + at, "\n" ) + 1;
	memcpy( out, text, at );
	strcpy( out + at, text + at + line );
	return begins_line( text, at ) ? strlen( out ) : 0;
}

// Without its keyword, a plain file is still one: the first. The table with colors reads as well.
static void a_missing_line_is_noticed( void** state )
{
	assert_int_equal( expect_no_other_mesh( *state, without_line ), 3 );
}

static size_t with_line_twice( const char* text, size_t at, char* out )
{
	size_t line = strcspn( text + at, "\n" ) + 1;
	memcpy( out, text, at + line );
	strcpy( out + at + line, text + at );
	return begins_line( text, at ) ? strlen( out ) : 0;
}

static void a_repeated_line_is_noticed( void** state )
{
	assert_int_equal( expect_no_other_mesh( *state, with_line_twice ), 0 );
}

static size_t with_lines_joined( const char* text, size_t at, char* out )
{
	strcpy( out, text );
	out[at] = ' ';
	return text[at] == '\n' && text[at + 1] ? strlen( out ) : 0;
}

// Three keywords may stand before the counts.
static void joined_lines_are_noticed( void** state )
{
	assert_int_equal( expect_no_other_mesh( *state, with_lines_joined ), 3 );
}

// A face that loses its number of corners may become a point or a line, which the format allows; so those are
// left out, and the edges too.
static size_t without_number( const char* text, size_t at, char* out )
{
	size_t length = strspn( text + at, "0123456789" );
	bool begins = length > 0 && at > 0 && text[at - 1] == ' ';
	memcpy( out, text, at );
	strcpy( out + at, text + at + length );
	return begins ? strlen( out ) : 0;
}

// All but the four counts of edges.
static void a_missing_number_is_noticed( void** state )
{
	assert_int_equal( expect_no_other_mesh( *state, without_number ), 4 );
}

static size_t with_line_broken( const char* text, size_t at, char* out )
{
	strcpy( out, text );
	out[at] = '\n';
	return text[at] == ' ' ? strlen( out ) : 0;
}

// Vertices without colors may be broken at two places, with normals at five, faces at three or four. A
// color in a line of its own is no color.
static void a_broken_line_is_the_same_or_noticed( void** state )
{
	int vertices = 4 * ( 2 + 0 + 5 + 2 );
	int faces = 4 * 3 + 2 * 3 + 2 * 4 + 3 * 0;
	assert_int_equal( expect_no_other_mesh( *state, with_line_broken ), vertices + faces );
}

static void an_arena_that_is_full_is_an_error( void** state )
{
	(void)state;
	fixture f = { .arena = bvb_arena_create_limited( 1 << 17 ) };
	char* text = polygon_text( 10000 );
	assert_int_equal( read_text( &f, text ), bv_error_memory );
	assert_string_equal( f.error.message, "out of memory" );
	free( text );
	bvb_arena_destroy( f.arena );
}

static void files_named_off_come_here( void** state )
{
	fixture* f = *state;
	char path[] = "/tmp/bvb-test-off-XXXXXX.OFF";
	int handle = mkstemps( path, 4 );
	assert_true( handle >= 0 );
	static const char text[] = "OFF\n3 2\n" CORNER "3 0 1 9";
	assert_int_equal( write( handle, text, sizeof text - 1 ), sizeof text - 1 );
	close( handle );
	bvb_import_options options = bvb_import_options_default();
	bv_status status = bvb_import_file( path, &options, f->arena, &f->import, &f->error );
	unlink( path );
	assert_int_equal( status, bv_error_input );
	assert_string_equal( f->import.format, "off" );
	assert_non_null( strstr( f->error.message, ".OFF:7: face refers to vertex 9, outside 0 to 2" ) );
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( a_triangle_is_read_as_written ),
		TEST( all_belongs_to_one_object_without_a_name ),
		TEST( the_keyword_may_be_missing_and_share_the_counts_line ),
		TEST( what_the_keyword_promises_is_skipped ),
		TEST( faces_may_have_colors ),
		TEST( comments_blanks_and_line_ends_make_no_difference ),
		TEST( a_record_may_go_on_in_the_next_lines ),
		TEST( concave_polygons_are_cut_inside ),
		TEST( faces_of_one_and_two_corners_are_counted ),
		TEST( nan_and_inf_are_passed_on ),
		TEST( malformed_lines_are_named ),
		TEST( lines_beyond_the_counts_are_losses ),
		TEST( nul_bytes_and_control_z_may_follow_the_text ),
		TEST( other_dimensions_and_the_binary_form_are_not_supported ),
		TEST( a_nul_byte_is_an_error_of_its_line ),
		TEST( counts_are_not_believed ),
		TEST( the_shortest_files_are_long_enough ),
		TEST( faces_of_up_to_16384_corners_are_read ),
		TEST( random_meshes_come_back_exactly ),
		TEST( every_truncation_is_refused_up_to_the_last_corner ),
		TEST( no_changed_byte_does_harm ),
		TEST( random_bytes_are_refused ),
		TEST( a_missing_line_is_noticed ),
		TEST( a_repeated_line_is_noticed ),
		TEST( joined_lines_are_noticed ),
		TEST( a_missing_number_is_noticed ),
		TEST( a_broken_line_is_the_same_or_noticed ),
		TEST( an_arena_that_is_full_is_an_error ),
		TEST( files_named_off_come_here ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
