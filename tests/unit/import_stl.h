// What the tests of the STL reader share: reading bytes as part.stl, and what is expected of the result.

#pragma once

#include "imports.h"

#include "formats/stl/stl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bv_status read_bytes( fixture* f, const void* bytes, size_t size )
{
	return read_exactly( f, bvstl_read_stl, "part.stl", bytes, size );
}

// Each triangle has three vertices of its own and is a face.
static inline void expect_scene( fixture* f, const void* bytes, size_t size, uint32_t triangles )
{
	bv_status status = read_bytes( f, bytes, size );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	const bvb_scene* scene = &f->import.scene;
	assert_int_equal( scene->mesh.vertex_count, 3 * triangles );
	assert_int_equal( scene->mesh.triangle_count, triangles );
	for ( uint32_t i = 0; i < 3 * triangles; ++i )
	{
		assert_int_equal( scene->mesh.triangles[i / 3].corner[i % 3], i );
		assert_int_equal( scene->faces[i / 3], i / 3 );
	}
	assert_true( scene->segment_count > 0 && scene->segments[0].first_triangle == 0 );
}

static inline void expect_text( fixture* f, const char* text, uint32_t triangles )
{
	expect_scene( f, text, strlen( text ), triangles );
}

static inline void expect_refusal( fixture* f, const void* bytes, size_t size, const char* message )
{
	bv_status status = read_bytes( f, bytes, size );
	assert_string_equal( f->error.message, message );
	assert_int_equal( status, bv_error_input );
}

static inline void expect_error( fixture* f, const char* text, const char* message )
{
	expect_refusal( f, text, strlen( text ), message );
}

static inline void expect_position( const fixture* f, uint32_t index, double x, double y, double z )
{
	const bv_vec3* given = &f->import.scene.mesh.positions[index];
	assert_true( given->x == x && given->y == y && given->z == z );
}

static inline void expect_object( const fixture* f, uint32_t segment, uint32_t first, const char* name )
{
	assert_true( segment < f->import.scene.segment_count );
	const bvb_segment* s = &f->import.scene.segments[segment];
	assert_int_equal( s->first_triangle, first );
	assert_string_equal( f->import.scene.objects[s->object], name );
	assert_true( s->material == BVB_NO_NAME && s->group == BVB_NO_NAME );
}

// What every changed file has to be: a scene as it should be, or a line about this file.
static inline void expect_scene_or_line( fixture* f, const char* bytes, size_t size )
{
	bv_status status = read_bytes( f, bytes, size );
	if ( status != bv_ok )
	{
		assert_int_equal( status, bv_error_input );
		assert_int_equal( strncmp( f->error.message, "part.stl:", 9 ), 0 );
		for ( const char* c = f->error.message; *c; ++c )
		{
			assert_true( *c >= 0x20 && *c < 0x7f );
		}
		return;
	}
	const bvb_scene* scene = &f->import.scene;
	assert_true( scene->mesh.triangle_count > 0 && scene->segment_count > 0 );
	assert_int_equal( scene->mesh.vertex_count, 3 * scene->mesh.triangle_count );
	for ( uint32_t i = 0; i < scene->mesh.vertex_count; ++i )
	{
		assert_int_equal( scene->mesh.triangles[i / 3].corner[i % 3], i );
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		assert_true( scene->segments[i].object < scene->object_count );
	}
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )
