// Wavefront OBJ, written. See write.h.

#include "formats/obj/write.h"

#include "offline/export/output.h"
#include "runtime/math/vec.h"

// Every digit that binary64 has: a hull's thinnest triangles turn when their corners move by the ninth.
static void put_vertex( bvexport_output* o, bv_vec3 p )
{
	const double at[3] = { p.x, p.y, p.z };
	bvexport_output_text( o, "v" );
	for ( int k = 0; k < 3; ++k )
	{
		bvexport_output_text( o, " " );
		bvexport_output_number( o, at[k] );
	}
	bvexport_output_text( o, "\n" );
}

// @param first  how many vertices the objects before have; the first one's number is 1
static void put_face( bvexport_output* o, const bvb_triangle* triangle, uint64_t first )
{
	bvexport_output_text( o, "f" );
	for ( int k = 0; k < 3; ++k )
	{
		bvexport_output_text( o, " " );
		bvexport_output_count( o, first + triangle->corner[k] + 1 );
	}
	bvexport_output_text( o, "\n" );
}

bv_status bvobj_write_obj( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                           bvb_error* error )
{
	bvexport_output o = { 0 };
	uint64_t first = 0;
	bvexport_output_text( &o, "# bvbuild " BV_VERSION "\n" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		const bvb_export_object* object = from->objects + i;
		const bvb_mesh* mesh = &object->mesh;
		bvexport_output_text( &o, "o " );
		bvexport_output_text( &o, object->name );
		bvexport_output_text( &o, "\n" );
		if ( object->standoff > 0 )
		{
			bvexport_output_text( &o, "# stands off its volume by up to " );
			bvexport_output_number( &o, object->standoff );
			bvexport_output_text( &o, "\n" );
		}
		for ( uint32_t k = 0; k < mesh->vertex_count; ++k )
		{
			put_vertex( &o, bvmath_moved( mesh->positions[k], from->offset ) );
		}
		for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
		{
			put_face( &o, mesh->triangles + k, first );
		}
		first += mesh->vertex_count;
	}
	return bvexport_output_finish( &o, arena, data, size, error );
}
