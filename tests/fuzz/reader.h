// What the fuzzers of our own readers share: no input may make a reader read outside its bytes, overflow, loop
// or deliver a broken scene.

#pragma once

#include "bvbuild/import.h"

#include <stdlib.h>
#include <string.h>

typedef bv_status fuzzed_reader( const char* name, const char* data, size_t size, bvb_arena* arena,
                                 bvb_import* out, bvb_error* error );

static inline void check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

static inline void check_names( const char** names, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		check( strlen( names[i] ) < (size_t)1 << 30 );
	}
}

static inline void check_scene( const bvb_scene* scene )
{
	const bvb_mesh* mesh = &scene->mesh;
	check( mesh->triangle_count > 0 && scene->segment_count > 0 );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			check( mesh->triangles[i].corner[k] < mesh->vertex_count );
		}
		check( i == 0 || scene->faces[i] >= scene->faces[i - 1] );
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		const bvb_segment* s = &scene->segments[i];
		check( i == 0 ? s->first_triangle == 0 : s->first_triangle > s[-1].first_triangle );
		check( s->first_triangle < mesh->triangle_count && s->object < scene->object_count );
		check( s->material < scene->material_count || s->material == BVB_NO_NAME );
		check( s->group < scene->group_count || s->group == BVB_NO_NAME );
	}
	check_names( scene->objects, scene->object_count );
	check_names( scene->materials, scene->material_count );
	check_names( scene->groups, scene->group_count );
}

// The bytes get a block of exactly their size, so that a read behind the end is seen.
static inline int fuzz_reader( fuzzed_reader* read, const uint8_t* data, size_t size )
{
	static const char name[] = "fuzz.file";
	bvb_arena* arena = bvb_arena_create_limited( (size_t)1 << 28 );
	char* bytes = malloc( size ? size : 1 );
	if ( arena && bytes )
	{
		memcpy( bytes, data, size );
		bvb_import import = { 0 };
		bvb_error error = { .message = "" };
		bv_status status = read( name, bytes, size, arena, &import, &error );
		if ( status == bv_ok )
		{
			check_scene( &import.scene );
		}
		else
		{
			check( status == bv_error_input || status == bv_error_unsupported || status == bv_error_limit ||
			       status == bv_error_memory );
			check( strncmp( error.message, name, sizeof name - 1 ) == 0 || status == bv_error_memory );
			check( !strchr( error.message, '\n' ) );
		}
	}
	free( bytes );
	bvb_arena_destroy( arena );
	return 0;
}
