// HULL: corners by the mesh's vertices or, in files without them, by positions; indices of as few bytes as
// there need be.

#include "formats/bvh/write.h"

#include <string.h>

// The low bytes come first, on any machine that writes files at all.
static char* write_index( char* to, uint32_t index, uint32_t width )
{
	memcpy( to, &index, width );
	return to + width;
}

// Files without the mesh have no positions that the hull could refer to.
static bool has_own( const bvfmt_writing* w )
{
	return !bvfmt_wants( w, bvb_section_mesh );
}

uint64_t bvfmt_size_hull( const bvfmt_writing* w )
{
	const bvb_hull* hull = &w->asset->hull;
	if ( !bvfmt_wants( w, bvb_section_hull ) )
	{
		return 0;
	}
	bvfile_hull head = { .own = has_own( w ), .vertices = hull->vertex_count };
	bvfile_hull_view v = bvfile_hull_view_of( (const char*)&head, &w->mesh );
	return sizeof head + v.vertex_bytes * (uint64_t)hull->vertex_count +
	       3 * v.face_bytes * (uint64_t)hull->face_count;
}

bv_status bvfmt_write_hull( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvb_hull* hull = &w->asset->hull;
	bvfile_hull* head = out;
	*head = ( bvfile_hull ){
		.kind = (uint8_t)hull->kind,
		.own = has_own( w ),
		.vertices = hull->vertex_count,
		.faces = hull->face_count,
		.volume = hull->volume,
	};
	bvfile_hull_view v = bvfile_hull_view_of( out, &w->mesh );
	char* to = (char*)( head + 1 );
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		if ( head->own )
		{
			bvfmt_write_position( &w->asset->record, hull->vertices[i], to );
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
	return bv_ok;
}
