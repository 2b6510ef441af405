// What the tests of the PLY reader share: a fixture, expectations, and pieces of headers.

#pragma once

#include "imports.h"

#include "formats/ply/ply.h"

#include <stdlib.h>
#include <string.h>

#define TEXT           "ply\nformat ascii 1.0\n"
#define LITTLE         "ply\nformat binary_little_endian 1.0\n"
#define BIG            "ply\nformat binary_big_endian 1.0\n"
#define XYZ            "property float x\nproperty float y\nproperty float z\n"
#define VERTICES( n )  "element vertex " n "\n" XYZ
#define FACES( n )     "element face " n "\nproperty list uchar int vertex_indices\n"
#define STRIPS( type ) "element tristrips 1\nproperty list int " type " vertex_indices\n"
#define END            "end_header\n"
#define SQUARE         "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
#define CHARS( n )     "element vertex " n "\nproperty char x\nproperty char y\nproperty char z\n"

// The bytes of a literal without its NUL.
#define BYTES( literal ) literal, sizeof( literal ) - 1

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

static bv_status read_bytes( fixture* f, const void* bytes, size_t size )
{
	return read_exactly( f, bvply_read_ply, "scan.ply", bytes, size );
}

static inline void expect_bytes( fixture* f, const char* bytes, size_t size, uint32_t vertices,
                                 uint32_t triangles )
{
	bv_status status = read_bytes( f, bytes, size );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	const bvb_scene* s = &f->import.scene;
	assert_int_equal( s->mesh.vertex_count, vertices );
	assert_int_equal( s->mesh.triangle_count, triangles );
	assert_int_equal( s->segment_count, 1 );
	assert_int_equal( s->object_count, 1 );
	assert_string_equal( s->objects[0], "" );
	assert_int_equal( s->material_count + s->group_count, 0 );
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( s->mesh.triangles[i].corner[k] < vertices );
		}
	}
}

static inline void expect_mesh( fixture* f, const char* text, uint32_t vertices, uint32_t triangles )
{
	expect_bytes( f, text, strlen( text ), vertices, triangles );
}

static inline void expect_refusal( fixture* f, const char* bytes, size_t size, bv_status status,
                                   const char* message )
{
	bv_status given = read_bytes( f, bytes, size );
	assert_string_equal( f->error.message, message );
	assert_int_equal( given, status );
}

static inline void expect_error( fixture* f, const char* text, const char* message )
{
	expect_refusal( f, text, strlen( text ), bv_error_input, message );
}

static inline void expect_triangle( const fixture* f, uint32_t index, uint32_t face, uint32_t a, uint32_t b,
                                    uint32_t c )
{
	const uint32_t* corner = f->import.scene.mesh.triangles[index].corner;
	assert_int_equal( corner[0], a );
	assert_int_equal( corner[1], b );
	assert_int_equal( corner[2], c );
	assert_int_equal( f->import.scene.faces[index], face );
}

static inline void expect_position( const fixture* f, uint32_t index, double x, double y, double z )
{
	bv_vec3 p = f->import.scene.mesh.positions[index];
	assert_true( p.x == x && p.y == y && p.z == z );
}
