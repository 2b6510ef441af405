// The PLY reader: small files with values set by hand, messages against what the format says, and what
// Debian's Assimp does not survive.

#include "import_ply.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static void text_is_read_as_written( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "3" ) FACES( "1" ) END "1 2 3\n-4.5 .5e1 6\n7 8 10\n3 2 0 1\n", 3, 1 );
	expect_position( f, 0, 1, 2, 3 );
	expect_position( f, 1, -4.5, 5, 6 );
	expect_position( f, 2, 7, 8, 10 );
	expect_triangle( f, 0, 0, 2, 0, 1 );
}

// 1.5 is 0x3fc00000 and -2 is 0xc0000000 in binary32.
static void little_endian_bytes_are_read_as_written( void** state )
{
	fixture* f = *state;
	expect_bytes( f,
	              BYTES( LITTLE VERTICES( "3" ) FACES( "1" ) END "\0\0\xc0\x3f\0\0\0\0\0\0\0\0"
	                                                             "\0\0\0\0\0\0\0\xc0\0\0\0\0"
	                                                             "\0\0\0\0\0\0\0\0\0\0\xc0\x3f"
	                                                             "\3\2\0\0\0\0\0\0\0\1\0\0\0" ),
	              3, 1 );
	expect_position( f, 0, 1.5, 0, 0 );
	expect_position( f, 1, 0, -2, 0 );
	expect_position( f, 2, 0, 0, 1.5 );
	expect_triangle( f, 0, 0, 2, 0, 1 );
}

static void big_endian_bytes_are_read_as_written( void** state )
{
	fixture* f = *state;
	expect_bytes( f,
	              BYTES( BIG VERTICES( "3" ) FACES( "1" ) END "\x3f\xc0\0\0\0\0\0\0\0\0\0\0"
	                                                          "\0\0\0\0\xc0\0\0\0\0\0\0\0"
	                                                          "\0\0\0\0\0\0\0\0\x3f\xc0\0\0"
	                                                          "\3\0\0\0\2\0\0\0\0\0\0\0\1" ),
	              3, 1 );
	expect_position( f, 0, 1.5, 0, 0 );
	expect_position( f, 1, 0, -2, 0 );
	expect_position( f, 2, 0, 0, 1.5 );
	expect_triangle( f, 0, 0, 2, 0, 1 );
}

// All types in one vertex: what is not a coordinate has the values that would show if it were read as one.
static void every_type_is_read_in_both_byte_orders( void** state )
{
	fixture* f = *state;
	const char* const types[8][2] = { { "char", "int8" },     { "uchar", "uint8" },   { "short", "int16" },
		                              { "ushort", "uint16" }, { "int", "int32" },     { "uint", "uint32" },
		                              { "float", "float32" }, { "double", "float64" } };
	const int sizes[8] = { 1, 1, 2, 2, 4, 4, 4, 8 };
	const char big[8][9] = { "\xfe",
		                     "\xfe",
		                     "\xff\x02",
		                     "\xff\x02",
		                     "\xff\x00\x00\x01",
		                     "\xff\x00\x00\x01",
		                     "\xc0\x20\x00\x00",
		                     "\x3f\xb9\x99\x99\x99\x99\x99\x9a" };
	const double expected[8] = { -2, 254, -254, 65282, -16777215, 4278190081, -2.5, 0.1 };
	for ( int i = 0; i < 32; ++i )
	{
		int type = i % 8;
		bool is_big = i >= 16;
		char bytes[512];
		int size = sprintf( bytes,
		                    "%selement vertex 1\nproperty uchar a\nproperty %s y\nproperty float x\n"
		                    "property float z\nelement face 1\nproperty list uchar uchar vertex_index\n" END,
		                    is_big ? BIG : LITTLE, types[type][i / 8 % 2] );
		bytes[size++] = 7;
		for ( int k = 0; k < sizes[type]; ++k )
		{
			bytes[size++] = big[type][is_big ? k : sizes[type] - 1 - k];
		}
		memset( bytes + size, 0, 12 );
		memcpy( bytes + size + 8, "\3\0\0\0", 4 );
		expect_bytes( f, bytes, (size_t)size + 12, 1, 1 );
		expect_position( f, 0, 0, expected[type], 0 );
	}
}

static void text_of_whole_types_is_read_to_their_ends( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             TEXT "element vertex 2\nproperty int x\nproperty uint y\nproperty char z\n"
	                  "property short a\nproperty ushort b\n" FACES( "1" ) END
	             "-2147483648 4294967295 -128 -32768 65535\n+2147483647 0 127 32767 -0\n03 0 01 1\n",
	             2, 1 );
	expect_position( f, 0, -2147483648.0, 4294967295.0, -128 );
	expect_position( f, 1, 2147483647.0, 0, 127 );
}

static void text_of_float_type_keeps_all_its_digits( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "1" ) FACES( "1" ) END "0.1 16777217 1e300 3 0 0 0", 1, 1 );
	expect_position( f, 0, 0.1, 16777217, 1e300 );
}

static void nan_and_inf_are_passed_on( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "1" ) FACES( "1" ) END "nan -inf 1e999\n3 0 0 0\n", 1, 1 );
	bv_vec3 p = f->import.scene.mesh.positions[0];
	assert_true( isnan( p.x ) && p.y == -INFINITY && p.z == INFINITY );
	expect_bytes( f,
	              BYTES( LITTLE VERTICES( "1" ) FACES( "1" ) END "\1\0\x80\x7f\0\0\x80\xff\0\0\x80\x7f"
	                                                             "\3\0\0\0\0\0\0\0\0\0\0\0\0" ),
	              1, 1 );
	p = f->import.scene.mesh.positions[0];
	assert_true( isnan( p.x ) && p.y == -INFINITY && p.z == INFINITY );
}

static void text_may_break_its_lines_anywhere( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             "ply\r\nformat ascii 1.0\r\n" VERTICES( "4" ) FACES( "2" ) END
	             "\n 0 0 0 1\r\n0 0 1\t1 0 0\v1\f\n\n0 3 0\n1 2 3 0 2 3",
	             4, 2 );
	expect_triangle( f, 1, 1, 0, 2, 3 );
}

static void header_lines_may_be_indented_commented_and_end_as_on_windows( void** state )
{
	fixture* f = *state;
	const char body[] = "\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0";
	const char* const headers[] = {
		"ply\r\nformat binary_little_endian 1.0\r\ncomment\r\nelement vertex 1\r\nproperty float x\r\n"
		"property float y\r\nproperty float z\r\nelement face 1\r\n"
		"property list uchar int vertex_indices\r\nend_header\r\n",
		"ply \ncomment format\n  format\tbinary_little_endian  1.0   \nobj_info end_header\n\n" VERTICES(
			"1" ) "comment element face 9\n" FACES( "1" ) "end_header \n",
		LITTLE "Created by Blender3D 247 - www.blender.org, source file:\n" VERTICES( "1" ) FACES( "1" ) END,
	};
	for ( int i = 0; i < 3; ++i )
	{
		char bytes[1024];
		size_t size = strlen( headers[i] );
		memcpy( bytes, headers[i], size );
		memcpy( bytes + size, body, sizeof body - 1 );
		expect_bytes( f, bytes, size + sizeof body - 1, 1, 1 );
	}
}

// The first byte of the body is what a careless reader would take for a part of the line end.
static void the_body_begins_right_after_the_newline( void** state )
{
	fixture* f = *state;
	expect_bytes( f,
	              BYTES( LITTLE "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n"
	                            "element face 1\nproperty list uchar uchar vertex_indices\n" END
	                            "\r\n \3\0\0\0" ),
	              1, 1 );
	expect_position( f, 0, 13, 10, 32 );
}

static void polygons_are_cut_and_keep_their_number( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "4" ) FACES( "3" ) END SQUARE "3 0 1 2\n4 0 1 2 3\n3 1 2 3\n", 4, 4 );
	expect_triangle( f, 0, 0, 0, 1, 2 );
	expect_triangle( f, 3, 2, 1, 2, 3 );
	assert_int_equal( f->import.scene.faces[1], 1 );
	assert_int_equal( f->import.scene.faces[2], 1 );
}

static void faces_of_few_corners_are_counted_and_take_a_number( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "4" ) FACES( "6" ) END SQUARE "1 0\n3 0 1 2\n2 0 1\n0\n2 2 3\n3 1 2 3\n",
	             4, 2 );
	expect_triangle( f, 0, 1, 0, 1, 2 );
	expect_triangle( f, 1, 5, 1, 2, 3 );
	assert_int_equal( f->import.points, 1 );
	assert_int_equal( f->import.lines, 2 );
}

static void edges_are_counted_in_any_encoding( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             TEXT VERTICES( "4" ) FACES( "1" ) "element edge 3\nproperty int vertex1\n"
	                                               "property int vertex2\n" END SQUARE
	                                               "3 0 1 2\n0 1\n1 2\n2 3\n",
	             4, 1 );
	assert_int_equal( f->import.lines, 3 );
	expect_bytes( f,
	              BYTES( BIG "element edge 2\nproperty uchar vertex1\nproperty uchar vertex2\n"
	                         "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n" FACES(
								 "1" ) END "\0\1\1\2\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0" ),
	              1, 1 );
	assert_int_equal( f->import.lines, 2 );
}

// Triangles of a strip a b c d e: abc, cbd, cde. Every other one is turned, so that all face the same way.
static void strips_alternate_and_end_at_minus_one( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             TEXT STRIPS( "int" ) VERTICES( "5" ) END "17 0 1 2 3 4 -1 -1 4 -1 0 1 -1 2 1 0 0 4\n" SQUARE
	                                                      "0 0 1\n",
	             5, 6 );
	expect_triangle( f, 0, 0, 0, 1, 2 );
	expect_triangle( f, 1, 1, 2, 1, 3 );
	expect_triangle( f, 2, 2, 2, 3, 4 );
	expect_triangle( f, 3, 3, 2, 1, 0 );
	expect_triangle( f, 4, 4, 0, 1, 0 );
	expect_triangle( f, 5, 5, 0, 0, 4 );
	assert_int_equal( f->import.points, 1 );
	assert_int_equal( f->import.lines, 1 );
}

// Two of a point, ended by -1 and by the file, and three of a line; with nothing between two -1 there is none.
static void strips_too_short_for_a_triangle_are_points_and_lines( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             TEXT FACES( "1" ) STRIPS( "int" ) VERTICES( "4" ) END
	             "3 0 1 2\n14 2 -1 0 1 -1 -1 2 3 -1 1 3 -1 -1 0\n" SQUARE,
	             4, 1 );
	assert_int_equal( f->import.points, 2 );
	assert_int_equal( f->import.lines, 3 );
}

static void strips_are_read_from_bytes_and_beside_faces( void** state )
{
	fixture* f = *state;
	expect_bytes( f,
	              BYTES( BIG "element vertex 4\nproperty char x\nproperty char y\nproperty char z\n" FACES(
					  "1" ) STRIPS( "short" ) END "\0\0\0\1\0\0\1\1\0\0\1\0"
	                                              "\3\0\0\0\3\0\0\0\2\0\0\0\1"
	                                              "\0\0\0\5\0\0\0\1\0\2\0\3\xff\xff" ),
	              4, 3 );
	expect_triangle( f, 0, 0, 3, 2, 1 );
	expect_triangle( f, 1, 1, 0, 1, 2 );
	expect_triangle( f, 2, 2, 2, 1, 3 );
}

static void faces_may_come_before_vertices( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT FACES( "2" ) VERTICES( "4" ) END "3 1 2 3\n4 0 1 2 3\n" SQUARE, 4, 3 );
	expect_triangle( f, 0, 0, 1, 2, 3 );
	expect_error( f, TEXT FACES( "2" ) VERTICES( "4" ) END "3 1 2 3\n3 0 1 4\n" SQUARE,
	              "scan.ply:11: face 1 refers to vertex 4 of 4" );
}

static void unknown_elements_and_properties_are_skipped( void** state )
{
	fixture* f = *state;
	expect_mesh( f,
	             TEXT "element material 2\nproperty list char float colour\nproperty int id\n"
	                  "element vertex 3\nproperty uchar red\nproperty float z\nproperty list int short tags\n"
	                  "property float x\nproperty float y\nelement empty 0\n"
	                  "element face 1\nproperty int material_index\n"
	                  "property list uchar float texcoord\nproperty list int uint vertex_index\n"
	                  "property double vertex_indexes\nelement x 1\nproperty list uint double y\n" END
	                  "3 .5 .5 .5 7\n0 8\n"
	                  "255 3 0 1 2\n0 6 2 9 -9 4 5\n1 30 1 1 10 20\n"
	                  "1 6 0 0 1 0 1 1 3 2 1 0 0.5\n0\n",
	             3, 1 );
	expect_position( f, 0, 1, 2, 3 );
	expect_position( f, 1, 4, 5, 6 );
	expect_position( f, 2, 10, 20, 30 );
	expect_triangle( f, 0, 0, 2, 1, 0 );
}

static void header_errors_are_named( void** state )
{
	static const struct
	{
		const char* text;
		const char* message;
	} cases[] = {
		{ "", "scan.ply:1: not a PLY file: the first line is not 'ply'" },
		{ "solid x\n", "scan.ply:1: not a PLY file: the first line is not 'ply'" },
		{ "ply 1\n", "scan.ply:1: not a PLY file: the first line is not 'ply'" },
		{ " ply\n", "scan.ply:1: not a PLY file: the first line is not 'ply'" },
		{ "ply", "scan.ply:1: the file ends within the header" },
		{ "ply\n", "scan.ply:2: the file ends within the header" },
		{ TEXT "end_header", "scan.ply:3: the file ends within the header" },
		{ "ply\n" END, "scan.ply:2: the header has no format line" },
		{ "ply\nformat\n", "scan.ply:2: a format line needs an encoding and a version" },
		{ "ply\nformat ascii\n", "scan.ply:2: a format line needs an encoding and a version" },
		{ "ply\nformat utf8 1.0\n", "scan.ply:2: 'utf8' is not a PLY encoding" },
		{ "ply\nformat ascii 1.0 x\n", "scan.ply:2: 'x' is unexpected at the end of the line" },
		{ TEXT "format ascii 1.0\n", "scan.ply:3: duplicate format line" },
		{ TEXT "elements 4\n", "scan.ply:3: 'elements' is not a PLY keyword" },
		{ TEXT "\1\x80 4\n", "scan.ply:3: '?\?' is not a PLY keyword" },
		{ TEXT "element\n", "scan.ply:3: an element needs a name and a count" },
		{ TEXT "element vertex\n", "scan.ply:3: an element needs a name and a count" },
		{ TEXT "element vertex many\n", "scan.ply:3: 'many' is not a whole number" },
		{ TEXT "element vertex 1.5\n", "scan.ply:3: '1.5' is not a whole number" },
		{ TEXT "element vertex 9999999999999999999\n", "scan.ply:3: '9999999999999999999' is too large" },
		{ TEXT "element vertex -1\n", "scan.ply:3: '-1' is not a count" },
		{ TEXT "element vertex 1 2\n", "scan.ply:3: '2' is unexpected at the end of the line" },
		{ TEXT VERTICES( "1" ) VERTICES( "1" ), "scan.ply:7: duplicate element vertex" },
		{ TEXT FACES( "1" ) FACES( "1" ), "scan.ply:5: duplicate element face" },
		{ TEXT STRIPS( "int" ) STRIPS( "int" ), "scan.ply:5: duplicate element tristrips" },
		{ TEXT "property float x\n", "scan.ply:3: property before the first element" },
		{ TEXT "element vertex 1\nproperty\n", "scan.ply:4: a property needs a type and a name" },
		{ TEXT "element vertex 1\nproperty float\n", "scan.ply:4: a property needs a type and a name" },
		{ TEXT "element vertex 1\nproperty list\n", "scan.ply:4: a property needs a type and a name" },
		{ TEXT "element vertex 1\nproperty list int\n", "scan.ply:4: a property needs a type and a name" },
		{ TEXT "element vertex 1\nproperty list int int\n",
		  "scan.ply:4: a property needs a type and a name" },
		{ TEXT "element vertex 1\nproperty half x\n", "scan.ply:4: 'half' is not a PLY type" },
		{ TEXT "element vertex 1\nproperty list int64 int a\n", "scan.ply:4: 'int64' is not a PLY type" },
		{ TEXT "element vertex 1\nproperty list int long a\n", "scan.ply:4: 'long' is not a PLY type" },
		{ TEXT "element vertex 1\nproperty list float int a\n",
		  "scan.ply:4: 'float' is not a valid type for a list's length" },
		{ TEXT "element vertex 1\nproperty float x y\n",
		  "scan.ply:4: 'y' is unexpected at the end of the line" },
		{ TEXT "element vertex 1\nproperty list uchar float x\n", "scan.ply:4: 'x' must not be a list" },
		{ TEXT VERTICES( "1" ) "property double y\n", "scan.ply:7: 'y' is a duplicate property" },
		{ TEXT FACES( "1" ) "property list uchar int vertex_index\n",
		  "scan.ply:5: 'vertex_index' is a duplicate property" },
		{ TEXT "element face 1\nproperty int vertex_indices\n",
		  "scan.ply:4: 'vertex_indices' must be a list" },
		{ TEXT "element face 1\nproperty list uchar float vertex_index\n",
		  "scan.ply:4: 'vertex_index' must be a list of whole numbers" },
		{ TEXT STRIPS( "double" ), "scan.ply:4: 'vertex_indices' must be a list of whole numbers" },
		{ TEXT "element vertex 1\nproperty float y\nproperty float z\n" END "1 2 3\n",
		  "scan.ply:3: element vertex has no property x" },
		{ TEXT "element vertex 1\nproperty float x\nproperty float Y\nproperty float z\n" END "1 2 3\n",
		  "scan.ply:3: element vertex has no property y" },
		{ TEXT "element vertex 1\nproperty float x\nproperty float y\n" END "1 2 3\n",
		  "scan.ply:3: element vertex has no property z" },
		{ TEXT VERTICES( "1" ) "element face 1\nproperty list uchar int indices\n" END "0 0 0\n3 0 0 0\n",
		  "scan.ply:7: element face has no property vertex_indices" },
		{ TEXT "element edge 9000000000000000000\n" END "0\n", "scan.ply:3: element edge has no properties" },
		{ TEXT "end_header now\n", "scan.ply:3: 'now' is unexpected at the end of the line" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		expect_error( *state, cases[i].text, cases[i].message );
	}
	expect_refusal( *state, BYTES( TEXT "element vertex 1\nproperty float\0\0\0\0\0\0\0\0 x\n" ),
	                bv_error_input, "scan.ply:4: 'float?\?\?\?\?\?\?\?' is not a PLY type" );
	expect_refusal( *state, BYTES( "ply\nformat ascii 1.1\n" ), bv_error_unsupported,
	                "scan.ply:2: '1.1' is not a supported version of PLY" );
	expect_refusal( *state, BYTES( "ply\rformat ascii 1.0\r" ), bv_error_unsupported,
	                "scan.ply:1: lines that end in a lone carriage return are not supported" );
}

static void errors_in_text_name_the_line( void** state )
{
	static const struct
	{
		const char* text;
		const char* message;
	} cases[] = {
		{ SQUARE "3 0 1 2\n3 0 1 9\n", "scan.ply:15: face 1 refers to vertex 9 of 4" },
		{ SQUARE "\r\n3 0 1\n4\n3 0 1 9\n", "scan.ply:16: face 0 refers to vertex 4 of 4" },
		{ SQUARE "3 0 1 2\n3 0 -1 2\n", "scan.ply:15: face 1 refers to vertex -1 of 4" },
		{ SQUARE "3 0 1 2\n3 0 1.0 2\n", "scan.ply:15: '1.0' is not a whole number" },
		{ SQUARE "3 0 1 2\n3 0 1x 2\n", "scan.ply:15: '1x' is not a whole number" },
		{ SQUARE "3 0 1 2\n3 0 2147483648 2\n", "scan.ply:15: '2147483648' does not fit int32" },
		{ SQUARE "3 0 1 2\n3 0 1 9999999999999999999\n", "scan.ply:15: '9999999999999999999' is too large" },
		{ SQUARE "3 0 1 2\n259 0 1 2\n", "scan.ply:15: '259' does not fit uint8" },
		{ SQUARE "3 0 1 2\n-3 0 1 2\n", "scan.ply:15: '-3' does not fit uint8" },
		{ SQUARE "3 0 1 2\n3 0 1\n", "scan.ply:16: the file ends within face 1 of 2" },
		{ SQUARE "3 0 1 2 3 0\n1 2 3 0 1 2\n", "scan.ply:15: '3' is more than the header says" },
		{ SQUARE "3 0 1 2\n1 2\n3 0 1 2\n", "scan.ply:16: '3' follows the last element" },
		{ SQUARE "3 0 1 2\n1 1 1\n", "scan.ply:15: '1' follows the last element" },
		{ "0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n3 0 1 2\n3 0 1 4\n",
		  "scan.ply:15: face 1 refers to vertex 4 of 4" },
		{ "0 0 0\n1 zero 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "scan.ply:11: 'zero' is not a number" },
		{ "0 0 0\n1 0x1 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "scan.ply:11: '0x1' is not a number" },
		{ "comment\n" SQUARE "3 0 1 2\n3 0 1 2\n", "scan.ply:10: 'comment' is not a number" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char text[512];
		snprintf( text, sizeof text, "%s%s", TEXT VERTICES( "4" ) FACES( "2" ) END, cases[i].text );
		expect_error( *state, text, cases[i].message );
	}
	expect_error( *state, TEXT VERTICES( "4" ) STRIPS( "int" ) END SQUARE "5 0 1 -2 2 3\n",
	              "scan.ply:14: tristrips 0 refers to vertex -2 of 4" );
	expect_error( *state, TEXT VERTICES( "4" ) STRIPS( "uint" ) END SQUARE "5 0 1 2 3 4294967295\n",
	              "scan.ply:14: tristrips 0 refers to vertex 4294967295 of 4" );
	expect_error( *state,
	              TEXT "element a\x80_name_that_is_longer_than_31_bytes 1\nproperty list char int b\n" END
	                   "-1\n",
	              "scan.ply:6: a?_name_that_is_longer_than_31_ 0 has a list of -1 values" );
}

// Where in a message the offset stands, counted from the first byte of the body.
static void expect_error_at( fixture* f, const char* bytes, size_t size, int offset, const char* message )
{
	const char* end = strstr( bytes, END );
	assert_non_null( end );
	char text[256];
	snprintf( text, sizeof text, "scan.ply: byte %d: %s", (int)( end + strlen( END ) - bytes ) + offset,
	          message );
	expect_refusal( f, bytes, size, bv_error_input, text );
}

static void errors_in_bytes_name_the_byte( void** state )
{
	fixture* f = *state;
	expect_error_at( f,
	                 BYTES( LITTLE CHARS( "1" ) FACES( "2" ) END "\0\0\0"
	                                                             "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                             "\3\0\0\0\0\1\0\0\0\0\0\0\0" ),
	                 21, "face 1 refers to vertex 1 of 1" );
	expect_error_at( f,
	                 BYTES( BIG CHARS( "1" ) FACES( "2" ) END "\0\0\0"
	                                                          "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                          "\3\0\0\0\0\0\0\0\0\xff\xff\xff\xfe" ),
	                 25, "face 1 refers to vertex -2 of 1" );
	expect_error_at( f,
	                 BYTES( BIG CHARS( "1" ) FACES( "2" ) END "\0\0\0"
	                                                          "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                          "\3\0\0\0\0\0\0\0\0\0\0" ),
	                 25, "the file ends within face 1 of 2" );
	expect_error_at( f,
	                 BYTES( BIG CHARS( "1" ) "element face 1\nproperty list char uchar vertex_index\n" END
	                                         "\0\0\0"
	                                         "\xfd\0\0\0" ),
	                 3, "face 0 has a list of -3 values" );
	expect_error_at(
		f, BYTES( BIG "element tag 1\nproperty list uint int a\n" CHARS( "1" ) END "\x40\0\0\0\0\0\0" ), 4,
		"the file ends within tag 0 of 1" );
	expect_error_at( f,
	                 BYTES( BIG CHARS( "1" ) FACES( "2" ) END "\0\0\0"
	                                                          "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                          "\0\0\0\1\0" ),
	                 17, "4 bytes follow the last element" );
}

// Values in a line that the header does not tell of, and lines behind those that it counts.
static void what_the_header_leaves_out_is_a_loss( void** state )
{
	fixture* f = *state;
#define HEAD TEXT VERTICES( "4" ) FACES( "2" ) END
	static const struct
	{
		const char* body;
		uint64_t losses;
		const char* warning;
	} cases[] = {
		{ "0 0 0 255 0 0\n1 0 0 255 0 0\n1 1 0 255 0 0\n0 1 0 255 0 0\n3 0 1 2\n3 0 2 3\n", 4,
		  "line 10: vertex 0 has more values than the header says" },
		{ SQUARE "3 0 1 2 3\n\n3 0 2 3 red\n", 2, "line 14: face 0 has more values than the header says" },
		{ SQUARE "3 0 1 2\n3 0 2 3\n3 0 1 2\nend\n", 2, "line 16: the file continues after its elements" },
		{ "0 0 0 3\n1 0 0 3\n1 1 0 3\n0 1 0 3\n3 0 1 2 3\n3 0 2 3 3\n3 0 1 2 3\n", 7,
		  "line 10: vertex 0 has more values than the header says" },
		{ "0 0 0 1 0 0\n1 1 0\n0 1 0 3 0 1 2\n3 0 2 3\n", 0, "" },
		{ "0 0\n0 1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n", 0, "" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		char text[512];
		snprintf( text, sizeof text, "%s%s", HEAD, cases[i].body );
		expect_noted( f, text, strlen( text ), 2, cases[i].losses, cases[i].losses, cases[i].warning );
		const bvb_mesh* m = &f->import.scene.mesh;
		assert_true( m->vertex_count == 4 && m->positions[2].x == 1 && m->positions[2].y == 1 );
		assert_true( m->triangles[1].corner[1] == 2 && m->triangles[1].corner[2] == 3 );
	}
	const char* none = TEXT VERTICES( "4" ) FACES( "3" ) END SQUARE "3 0 1 2\n0\n3 0 2 3\n";
	expect_noted( f, none, strlen( none ), 2, 1, 1, "face 1 has 0 corners" );
	expect_noted( f,
	              BYTES( BIG CHARS( "1" ) FACES( "1" ) END "\0\0\0"
	                                                       "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                       "\0\0\1\0" ),
	              1, 1, 1, "4 bytes follow the last element" );
}

static void blanks_and_zeros_may_follow_the_last_element( void** state )
{
	fixture* f = *state;
	expect_mesh( f, TEXT VERTICES( "4" ) FACES( "1" ) END SQUARE "3 0 1 2 \r\n\t\n\n", 4, 1 );
	expect_bytes( f,
	              BYTES( BIG CHARS( "1" ) FACES( "1" ) END "\0\0\0"
	                                                       "\3\0\0\0\0\0\0\0\0\0\0\0\0"
	                                                       "\n\0\0 \0" ),
	              1, 1 );
	expect_noted( f, BYTES( TEXT VERTICES( "4" ) FACES( "1" ) END SQUARE "3 0 1 2\x1a\r\n\0" ), 1, 1, 0,
	              "NUL or Ctrl-Z bytes follow the text" );
}

static void a_file_without_faces_says_what_it_has( void** state )
{
	fixture* f = *state;
	expect_error( f, TEXT END, "scan.ply: no faces" );
	expect_error( f, TEXT VERTICES( "4" ) END SQUARE, "scan.ply: no faces (4 points, 0 lines)" );
	expect_error( f, TEXT VERTICES( "4" ) FACES( "0" ) END SQUARE, "scan.ply: no faces (4 points, 0 lines)" );
	expect_error( f, TEXT VERTICES( "4" ) "element face 0\n" END SQUARE,
	              "scan.ply: no faces (4 points, 0 lines)" );
	expect_error( f, TEXT VERTICES( "4" ) FACES( "2" ) END SQUARE "2 0 1\n1 0\n",
	              "scan.ply: no faces (4 points, 1 lines)" );
	expect_error( f, TEXT FACES( "1" ) END "3 0 0 0\n", "scan.ply:6: face 0 refers to vertex 0 of 0" );
}

// What Debian's Assimp 5.2.5 hangs on, aborts on, crashes on, and asks gigabytes for.
static void what_assimp_does_not_survive_is_refused_at_once( void** state )
{
	fixture* f = *state;
	clock_t start = clock();
	expect_error( f, TEXT "element vertex 3\nproperty float x\nprope",
	              "scan.ply:5: the file ends within the header" );
	expect_error( f, TEXT VERTICES( "4" ) FACES( "1" ) END "0 0 0\n1 0 0\n",
	              "scan.ply:3: element vertex has 4 entries, too many for the remaining 12 bytes" );
	expect_error( f, TEXT VERTICES( "3" ) FACES( "1" ) END "0 0 0\n1 0 0\n0 1 0\n3 0 1 200000000\n",
	              "scan.ply:13: face 0 refers to vertex 200000000 of 3" );
	expect_error( f, LITTLE VERTICES( "2000000000" ) FACES( "1" ) END "1",
	              "scan.ply:3: element vertex has 2000000000 entries, too many for the remaining 1 bytes" );
	expect_refusal( f, BYTES( LITTLE VERTICES( "1" ) FACES( "2000000000" ) END "\0\0\0\0\0\0\0\0\0\0\0\0" ),
	                bv_error_input,
	                "scan.ply:7: element face has 2000000000 entries, too many for the remaining 0 bytes" );
	expect_error( f, TEXT VERTICES( "1" ) FACES( "9223372036854775807" ) END "0 0 0\n",
	              "scan.ply:7: element face has 9223372036854775807 entries, too many for the remaining 0 "
	              "bytes" );
	expect_error( f,
	              TEXT "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
	                   "property list int int a\n" END "0 0 0 2000000000 1 2 3\n",
	              "scan.ply:10: the file ends within vertex 0 of 1" );
	assert_true( clock() - start < CLOCKS_PER_SEC / 10 );
}

// The vertices would fit, were it not for what the list before them takes.
static void room_is_checked_again_where_an_element_begins( void** state )
{
	expect_refusal( *state,
	                BYTES( LITTLE "element a 1\nproperty list uchar uchar b\n" CHARS( "3" ) END
	                       "\7\0\0\0\0\0\0\0\0\0\0" ),
	                bv_error_input,
	                "scan.ply:5: element vertex has 3 entries, too many for the remaining 3 bytes" );
}

static void faces_of_up_to_16384_corners_are_read( void** state )
{
	fixture* f = *state;
	for ( int corners = 16384; corners <= 16385; ++corners )
	{
		char* bytes = calloc( 1, 70000 );
		int size = sprintf( bytes,
		                    LITTLE CHARS( "1" ) "element face 1\n"
		                                        "property list ushort ushort vertex_index\n" END "%c%c%c%c%c",
		                    1, 2, 3, corners & 255, corners >> 8 );
		bv_status status = read_bytes( f, bytes, (size_t)size + 2 * (size_t)corners );
		free( bytes );
		if ( corners == 16384 )
		{
			assert_int_equal( status, bv_ok );
			assert_int_equal( f->import.scene.mesh.triangle_count, 16382 );
		}
		else
		{
			assert_int_equal( status, bv_error_limit );
			assert_non_null( strstr( f->error.message, ": face has more than 16384 corners" ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( text_is_read_as_written ),
		TEST( little_endian_bytes_are_read_as_written ),
		TEST( big_endian_bytes_are_read_as_written ),
		TEST( every_type_is_read_in_both_byte_orders ),
		TEST( text_of_whole_types_is_read_to_their_ends ),
		TEST( text_of_float_type_keeps_all_its_digits ),
		TEST( nan_and_inf_are_passed_on ),
		TEST( text_may_break_its_lines_anywhere ),
		TEST( header_lines_may_be_indented_commented_and_end_as_on_windows ),
		TEST( the_body_begins_right_after_the_newline ),
		TEST( polygons_are_cut_and_keep_their_number ),
		TEST( faces_of_few_corners_are_counted_and_take_a_number ),
		TEST( edges_are_counted_in_any_encoding ),
		TEST( strips_alternate_and_end_at_minus_one ),
		TEST( strips_too_short_for_a_triangle_are_points_and_lines ),
		TEST( strips_are_read_from_bytes_and_beside_faces ),
		TEST( faces_may_come_before_vertices ),
		TEST( unknown_elements_and_properties_are_skipped ),
		TEST( header_errors_are_named ),
		TEST( errors_in_text_name_the_line ),
		TEST( errors_in_bytes_name_the_byte ),
		TEST( what_the_header_leaves_out_is_a_loss ),
		TEST( blanks_and_zeros_may_follow_the_last_element ),
		TEST( a_file_without_faces_says_what_it_has ),
		TEST( what_assimp_does_not_survive_is_refused_at_once ),
		TEST( room_is_checked_again_where_an_element_begins ),
		TEST( faces_of_up_to_16384_corners_are_read ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
