// What can be exported, and the formats that it can be written in. See bvbuild/export.h.

#include "bvbuild/export.h"

#include "base/offline/error.h"
#include "formats/gltf/write.h"
#include "formats/obj/write.h"

#include <stdio.h>
#include <string.h>

// @return whether there was memory
static bool make_objects( uint32_t count, bvb_arena* arena, bvb_export* out )
{
	*out = ( bvb_export ){ bvb_arena_allocate( arena, count, sizeof *out->objects ), count };
	return out->objects;
}

// @return whether there was memory
static bool make_mesh( uint32_t vertices, uint32_t triangles, bvb_arena* arena, bvb_mesh* out )
{
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, triangles, sizeof *out->triangles ),
		.vertex_count = vertices,
		.triangle_count = triangles,
	};
	return out->positions && out->triangles;
}

static bv_status gather_mesh( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	if ( !info.has_triangles )
	{
		return bvb_fail( error, bv_error_input, "has no triangles" );
	}
	if ( !make_objects( 1, arena, out ) ||
	     !make_mesh( info.vertices, info.triangles, arena, &out->objects->mesh ) )
	{
		return bvb_fail_memory( error );
	}
	bvb_mesh* mesh = &out->objects->mesh;
	strcpy( out->objects->name, "mesh" );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		mesh->positions[i] = bv_file_get_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, mesh->triangles[i].corner );
	}
	return bv_ok;
}

// A flat one is a polygon, whose corners are in order.
static bv_status gather_hull( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error )
{
	bv_hull_info info = bv_file_get_hull( file );
	if ( info.vertices == 0 || info.faces == 0 )
	{
		return bvb_fail( error, bv_error_input, "%s",
		                 info.vertices == 0 ? "has no hull" : "its hull has no faces" );
	}
	bool flat = info.kind == bv_hull_polygon;
	if ( !make_objects( 1, arena, out ) ||
	     !make_mesh( info.vertices, flat ? info.vertices - 2 : info.faces, arena, &out->objects->mesh ) )
	{
		return bvb_fail_memory( error );
	}
	bvb_mesh* mesh = &out->objects->mesh;
	strcpy( out->objects->name, "hull" );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		mesh->positions[i] = bv_file_get_hull_position( file, i );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( flat )
		{
			mesh->triangles[i] = ( bvb_triangle ){ { 0, i + 1, i + 2 } };
		}
		else
		{
			bv_file_get_hull_triangle( file, i, mesh->triangles[i].corner );
		}
	}
	return bv_ok;
}

static bv_status gather_parts( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error )
{
	uint32_t parts = bv_file_get_decomposition( file ).parts;
	if ( parts == 0 )
	{
		return bvb_fail( error, bv_error_input, "has no convex parts (bvbuild --decompose makes them)" );
	}
	if ( !make_objects( parts, arena, out ) )
	{
		return bvb_fail_memory( error );
	}
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bvb_export_object* object = out->objects + i;
		bv_file_get_part( file, i, &part );
		if ( !make_mesh( part.vertices, part.faces, arena, &object->mesh ) )
		{
			return bvb_fail_memory( error );
		}
		snprintf( object->name, sizeof object->name, "part_%u", i );
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			object->mesh.positions[k] = bv_file_get_part_vertex( file, i, k );
		}
		for ( uint32_t k = 0; k < part.faces; ++k )
		{
			bv_file_get_part_triangle( file, i, k, object->mesh.triangles[k].corner );
		}
	}
	return bv_ok;
}

// Something that can be exported.
typedef struct content
{
	const char* name;
	const char* summary;
	bv_status ( *gather )( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error );
} content;

static const content contents[] = {
	{ "mesh", "the triangles", gather_mesh },
	{ "hull", "the convex hull", gather_hull },
	{ "parts", "the convex parts, each an object of its own", gather_parts },
};

// A format that can be written.
typedef struct format
{
	const char* extension;
	const char* summary;
	bv_status ( *write )( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
	                      bvb_error* error );
} format;

static const format formats[] = {
	{ "obj", "Wavefront OBJ; numbers read back equal", bvb_write_obj },
	{ "glb", "binary glTF 2.0, in colours; numbers of quantised positions are rounded", bvb_write_glb },
};

enum
{
	content_count = sizeof contents / sizeof contents[0],
	format_count = sizeof formats / sizeof formats[0],
};

const char* bvb_export_name( uint32_t index, const char** summary )
{
	if ( index >= content_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = contents[index].summary;
	}
	return contents[index].name;
}

const char* bvb_export_format( uint32_t index, const char** summary )
{
	if ( index >= format_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = formats[index].summary;
	}
	return formats[index].extension;
}

bv_status bvb_export_gather( const bv_file* file, const char* what, bvb_arena* arena, bvb_export* out,
                             bvb_error* error )
{
	*out = ( bvb_export ){ 0 };
	for ( int i = 0; i < content_count; ++i )
	{
		if ( strcmp( contents[i].name, what ) == 0 )
		{
			return contents[i].gather( file, arena, out, error );
		}
	}
	return bvb_fail( error, bv_error_argument, "nothing that can be exported is called '%s'", what );
}

// Letters without their case, whatever the locale.
static bool is_equal( const char* a, const char* b )
{
	while ( *a && ( *a >= 'A' && *a <= 'Z' ? *a + ( 'a' - 'A' ) : *a ) == *b )
	{
		++a;
		++b;
	}
	return *a == *b;
}

// By what follows the last dot of the last part of the path.
static const format* find_format( const char* path )
{
	const char* slash = strrchr( path, '/' );
	const char* dot = strrchr( slash ? slash : path, '.' );
	for ( int i = 0; dot && i < format_count; ++i )
	{
		if ( is_equal( dot + 1, formats[i].extension ) )
		{
			return formats + i;
		}
	}
	return NULL;
}

bool bvb_export_knows( const char* path )
{
	return find_format( path );
}

bv_status bvb_export_encode( const bvb_export* from, const char* path, bvb_arena* arena, const void** data,
                             size_t* size, bvb_error* error )
{
	const format* found = find_format( path );
	*data = NULL;
	*size = 0;
	return found ? found->write( from, arena, data, size, error )
	             : bvb_fail( error, bv_error_unsupported, "%s: no such format can be written", path );
}
