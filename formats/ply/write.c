// PLY, written (Turk 1994, "The PLY polygon file format"). See write.h.

#include "formats/ply/write.h"

#include "offline/base/error.h"
#include "offline/export/output.h"
#include "runtime/math/vec.h"

#include <string.h>

static bool is_single( const bvb_export* from )
{
	bool single = true;
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		const bvb_mesh* mesh = &from->objects[i].mesh;
		for ( uint32_t k = 0; k < mesh->vertex_count && single; ++k )
		{
			bv_vec3 p = mesh->positions[k];
			single = (float)p.x == p.x && (float)p.y == p.y && (float)p.z == p.z;
		}
	}
	return single;
}

static void put_comments( bvexport_output* o, const bvb_export_object* object, uint32_t index )
{
	bvexport_output_text( o, "comment object " );
	bvexport_output_count( o, index );
	bvexport_output_text( o, " " );
	bvexport_output_text( o, object->name );
	if ( strcmp( object->name, object->color_name ) != 0 )
	{
		bvexport_output_text( o, ", color " );
		bvexport_output_text( o, object->color_name );
	}
	if ( object->standoff > 0 )
	{
		bvexport_output_text( o, ", stands off its volume by up to " );
		bvexport_output_number( o, object->standoff );
	}
	bvexport_output_text( o, "\n" );
}

static void put_header( bvexport_output* o, const bvb_export* from, bool single, uint64_t vertices,
                        uint64_t faces )
{
	static const char* const coordinates[] = { " x\n", " y\n", " z\n" };
	static const char colors[] = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
	bvexport_output_text( o, "ply\nformat binary_little_endian 1.0\ncomment bvbuild " BV_VERSION "\n" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		put_comments( o, from->objects + i, i );
	}
	bvexport_output_text( o, "element vertex " );
	bvexport_output_count( o, vertices );
	bvexport_output_text( o, "\n" );
	for ( int k = 0; k < 3; ++k )
	{
		bvexport_output_text( o, single ? "property float" : "property double" );
		bvexport_output_text( o, coordinates[k] );
	}
	bvexport_output_text( o, colors );
	bvexport_output_text( o, "element face " );
	bvexport_output_count( o, faces );
	bvexport_output_text( o, "\nproperty list uchar int vertex_indices\n" );
	bvexport_output_text( o, colors );
	bvexport_output_text( o, "property int object\nend_header\n" );
}

// Little endian, whatever the machine.
static unsigned char* store( unsigned char* to, uint64_t value, int bytes )
{
	for ( int i = 0; i < bytes; ++i )
	{
		*to++ = (unsigned char)( value >> 8 * i );
	}
	return to;
}

static unsigned char* store_number( unsigned char* to, double value, bool single )
{
	uint64_t bits = 0;
	float rounded = (float)value;
	uint32_t low;
	memcpy( &bits, &value, sizeof bits );
	memcpy( &low, &rounded, sizeof low );
	return single ? store( to, low, 4 ) : store( to, bits, 8 );
}

static void put_vertices( bvexport_output* o, const bvb_export_object* object, bool single, bv_vec3 offset )
{
	for ( uint32_t i = 0; i < object->mesh.vertex_count; ++i )
	{
		unsigned char record[27];
		bv_vec3 p = bvmath_moved( object->mesh.positions[i], offset );
		unsigned char* end = store_number( record, p.x, single );
		end = store_number( end, p.y, single );
		end = store_number( end, p.z, single );
		memcpy( end, object->color, 3 );
		bvexport_output_bytes( o, record, (size_t)( end - record ) + 3 );
	}
}

static void put_faces( bvexport_output* o, const bvb_export_object* object, uint32_t index, uint64_t first )
{
	for ( uint32_t i = 0; i < object->mesh.triangle_count; ++i )
	{
		unsigned char record[20] = { 3 };
		unsigned char* end = record + 1;
		for ( int k = 0; k < 3; ++k )
		{
			end = store( end, first + object->mesh.triangles[i].corner[k], 4 );
		}
		memcpy( end, object->color, 3 );
		end = store( end + 3, index, 4 );
		bvexport_output_bytes( o, record, sizeof record );
	}
}

bv_status bvply_write_ply( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                           bvb_error* error )
{
	uint64_t vertices = 0;
	uint64_t faces = 0;
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		vertices += from->objects[i].mesh.vertex_count;
		faces += from->objects[i].mesh.triangle_count;
	}
	if ( vertices > INT32_MAX || faces > INT32_MAX )
	{
		return bvbase_fail( error, bv_error_limit, "too large for PLY (largest index: 2^31 - 1)" );
	}
	bvexport_output o = { 0 };
	bool single = is_single( from ) && bvmath_is_zero( from->offset );
	put_header( &o, from, single, vertices, faces );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		put_vertices( &o, from->objects + i, single, from->offset );
	}
	uint64_t first = 0;
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		put_faces( &o, from->objects + i, i, first );
		first += from->objects[i].mesh.vertex_count;
	}
	return bvexport_output_finish( &o, arena, data, size, error );
}
