// Wavefront OBJ, written. See write.h.

#include "formats/obj/write.h"

#include "formats/output.h"

// Every digit that binary64 has: a hull's thinnest triangles turn when their corners move by the ninth.
static void put_vertex( bvb_output* o, bv_vec3 p )
{
	const double at[3] = { p.x, p.y, p.z };
	bvb_output_text( o, "v" );
	for ( int k = 0; k < 3; ++k )
	{
		bvb_output_text( o, " " );
		bvb_output_number( o, at[k] );
	}
	bvb_output_text( o, "\n" );
}

// @param first  how many vertices the objects before have; the first one's number is 1
static void put_face( bvb_output* o, const bvb_triangle* triangle, uint64_t first )
{
	bvb_output_text( o, "f" );
	for ( int k = 0; k < 3; ++k )
	{
		bvb_output_text( o, " " );
		bvb_output_count( o, first + triangle->corner[k] + 1 );
	}
	bvb_output_text( o, "\n" );
}

bv_status bvb_write_obj( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                         bvb_error* error )
{
	bvb_output o = { 0 };
	uint64_t first = 0;
	bvb_output_text( &o, "# bvbuild " BV_VERSION "\n" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		const bvb_export_object* object = from->objects + i;
		const bvb_mesh* mesh = &object->mesh;
		bvb_output_text( &o, "o " );
		bvb_output_text( &o, object->name );
		bvb_output_text( &o, "\n" );
		if ( object->standoff > 0 )
		{
			bvb_output_text( &o, "# stands off its volume by up to " );
			bvb_output_number( &o, object->standoff );
			bvb_output_text( &o, "\n" );
		}
		for ( uint32_t k = 0; k < mesh->vertex_count; ++k )
		{
			put_vertex( &o, mesh->positions[k] );
		}
		for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
		{
			put_face( &o, mesh->triangles + k, first );
		}
		first += mesh->vertex_count;
	}
	return bvb_output_finish( &o, arena, data, size, error );
}
