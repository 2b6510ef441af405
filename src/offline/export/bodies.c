// What is exported of a mesh as it is: its triangles, its hull, its parts and its proxy. See export.h.

#include "offline/export/export.h"

#include "offline/base/error.h"
#include "runtime/file/local.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bvexport_paint( bvb_export_object* object, double hue )
{
	hue = 6 * ( hue - floor( hue ) );
	for ( int k = 0; k < 3; ++k )
	{
		double away = fabs( hue - 2 * k );
		away = away > 3 ? 6 - away : away;
		double full = 2 - away;
		full = full < 0 ? 0 : full > 1 ? 1 : full;
		object->color[k] = (uint8_t)rint( 255 * ( 0.35 + 0.55 * full ) );
	}
}

// Hues that follow one another by the golden ratio are far apart, however many there are.
void bvexport_name_object( bvb_export_object* object, uint32_t index, const char* name )
{
	snprintf( object->name, sizeof object->name, "%s", name );
	snprintf( object->color_name, sizeof object->color_name, "%.95s", name );
	bvexport_paint( object, 0.55 + 0.61803398874989485 * index );
}

void bvexport_collide( bvb_export_object* object, bvb_collider collider )
{
	object->collider = collider;
	object->can_be_named = true;
}

bool bvexport_make_objects( uint32_t count, bvb_arena* arena, bvb_export* out )
{
	*out = ( bvb_export ){ .objects = bvb_arena_allocate( arena, count, sizeof *out->objects ),
		                   .object_count = count };
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

bv_status bvexport_gather_mesh( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                bvb_export* out, bvb_error* error )
{
	(void)value;
	bv_mesh_info info = bv_file_get_mesh( file );
	if ( !info.has_triangles )
	{
		return bvbase_fail( error, bv_error_input, "has no triangles" );
	}
	if ( !bvexport_make_objects( 1, arena, out ) ||
	     !make_mesh( info.vertices, info.triangles, arena, &out->objects->mesh ) )
	{
		return bvbase_fail_memory( error );
	}
	bvb_mesh* mesh = &out->objects->mesh;
	bvexport_name_object( out->objects, 0, "mesh" );
	out->objects->can_be_named = true;
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		mesh->positions[i] = bvfile_local_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, mesh->triangles[i].corner );
	}
	return bv_ok;
}

// A flat one is a polygon, whose corners are in order.
bv_status bvexport_gather_hull( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                bvb_export* out, bvb_error* error )
{
	(void)value;
	bv_hull_info info = bv_file_get_hull( file );
	if ( info.vertices == 0 || info.faces == 0 )
	{
		return bvbase_fail( error, bv_error_input, "%s",
		                    info.vertices == 0 ? "has no hull" : "its hull has no faces" );
	}
	bool flat = info.kind == bv_hull_polygon;
	if ( !bvexport_make_objects( 1, arena, out ) ||
	     !make_mesh( info.vertices, flat ? info.vertices - 2 : info.faces, arena, &out->objects->mesh ) )
	{
		return bvbase_fail_memory( error );
	}
	bvb_mesh* mesh = &out->objects->mesh;
	bvexport_name_object( out->objects, 0, "hull" );
	bvexport_collide( out->objects, bvb_collider_convex );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		mesh->positions[i] = bvfile_local_hull_position( file, i );
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

bv_status bvexport_gather_parts( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                 bvb_export* out, bvb_error* error )
{
	(void)value;
	uint32_t parts = bv_file_get_decomposition( file ).parts;
	if ( parts == 0 )
	{
		return bvbase_fail( error, bv_error_input, "has no convex parts (bvbuild --decompose makes them)" );
	}
	if ( !bvexport_make_objects( parts, arena, out ) )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bvb_export_object* object = out->objects + i;
		bvfile_local_part( file, i, &part );
		if ( !make_mesh( part.vertices, part.faces, arena, &object->mesh ) )
		{
			return bvbase_fail_memory( error );
		}
		char name[sizeof object->name];
		snprintf( name, sizeof name, "part_%u", i );
		bvexport_name_object( object, i, name );
		bvexport_collide( object, bvb_collider_convex );
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			object->mesh.positions[k] = bvfile_local_part_vertex( file, i, k );
		}
		for ( uint32_t k = 0; k < part.faces; ++k )
		{
			bv_file_get_part_triangle( file, i, k, object->mesh.triangles[k].corner );
		}
	}
	return bv_ok;
}

bv_status bvexport_gather_proxy( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                 bvb_export* out, bvb_error* error )
{
	(void)value;
	bv_proxy proxy;
	if ( !bv_file_get_proxy( file, &proxy ) )
	{
		return bvbase_fail( error, bv_error_input, "has no proxy mesh (bvbuild --simplify makes one)" );
	}
	if ( !bvexport_make_objects( 1, arena, out ) ||
	     !make_mesh( proxy.vertices, proxy.triangles, arena, &out->objects->mesh ) )
	{
		return bvbase_fail_memory( error );
	}
	bvb_mesh* mesh = &out->objects->mesh;
	bvexport_name_object( out->objects, 0, "proxy" );
	bvexport_collide( out->objects, bvb_collider_mesh );
	for ( uint32_t i = 0; i < proxy.vertices; ++i )
	{
		mesh->positions[i] = bvfile_local_proxy_vertex( file, i );
	}
	for ( uint32_t i = 0; i < proxy.triangles; ++i )
	{
		bv_file_get_proxy_triangle( file, i, mesh->triangles[i].corner );
	}
	return bv_ok;
}
