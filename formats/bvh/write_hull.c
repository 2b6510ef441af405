// HULL: corners by the mesh's vertices or, in files without them, by positions; indices of as few bytes as there need be.

#include "formats/bvh/write.h"

#include <string.h>

// The low bytes come first, on any machine that writes files at all.
static char* write_index( char* to, uint32_t index, uint32_t width )
{
	memcpy( to, &index, width );
	return to + width;
}

uint64_t bvfmt_hull_bytes( const bvb_hull* hull, const bvfile_mesh* mesh, bool own )
{
	bvfile_hull head = { .own = own, .vertices = hull->vertex_count };
	bvfile_hull_view v = bvfile_hull_view_of( (const char*)&head, mesh );
	return sizeof head + v.vertex_bytes * (uint64_t)hull->vertex_count +
	       3 * v.face_bytes * (uint64_t)hull->face_count;
}

void bvfmt_write_hull( const bvb_hull* hull, const bvb_record* record, const bvfile_mesh* mesh, bool own,
                       void* out )
{
	bvfile_hull* head = out;
	*head = ( bvfile_hull ){
		.kind = (uint8_t)hull->kind,
		.own = own,
		.vertices = hull->vertex_count,
		.faces = hull->face_count,
		.volume = hull->volume,
	};
	bvfile_hull_view v = bvfile_hull_view_of( out, mesh );
	char* to = (char*)( head + 1 );
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		if ( own )
		{
			bvfmt_write_position( record, hull->vertices[i], to );
			to += v.vertex_bytes;
		}
		else
		{
			to = write_index( to, hull->vertices[i], v.vertex_bytes );
		}
	}
	for ( uint32_t i = 0; i < 3 * hull->face_count; ++i )
	{
		to = write_index( to, hull->faces[i / 3].corner[i % 3], v.face_bytes );
	}
}
