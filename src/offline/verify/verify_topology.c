// How mesh and hull hang together, found again. See verify.h.

#include "offline/verify/verify.h"

#include "formats/bvh/write.h"
#include "offline/base/error.h"

#include <string.h>

// The edges of the adjacency are those of the triangles.
bv_status bvverify_section_adjacency( bvverify_verification* v, bvb_error* error )
{
	const bvfile_edge* stored =
		(const bvfile_edge*)bvfile_find( (const bvfile_header*)v->file, bvfile_section_adjacency );
	for ( uint32_t i = 0; stored && i < v->adjacency->edge_count; ++i )
	{
		bvfile_edge edge = bvfmt_stored_edge( v->adjacency->edges + i );
		if ( memcmp( stored + i, &edge, sizeof edge ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "edge %u of the adjacency section differs from that of the triangles", i );
		}
	}
	return bv_ok;
}

// What the triangles do at each edge is what EDGE says.
bv_status bvverify_section_edges( bvverify_verification* v, bvb_error* error )
{
	bool has_kinds = bvfile_find( (const bvfile_header*)v->file, bvfile_section_edges );
	uint64_t half_edges = 3 * (uint64_t)bv_file_get_mesh( v->file ).triangles;
	for ( uint64_t h = 0; has_kinds && h < half_edges; ++h )
	{
		bv_edge_kind kind;
		bv_file_get_edge( v->file, (uint32_t)( h / 3 ), (uint32_t)( h % 3 ), &kind );
		if ( kind != v->adjacency->edges[v->adjacency->edge[h]].kind )
		{
			return bvbase_fail( error, bv_error_damaged, "triangle %u: the stored kind of edge %u is wrong",
			                    (uint32_t)( h / 3 ), (uint32_t)( h % 3 ) );
		}
	}
	return bv_ok;
}

// The topology of the hull is what merging its triangles again gives.
bv_status bvverify_section_hull_topology( bvverify_verification* v, bvb_error* error )
{
	const bvb_mesh* hull = v->hull;
	const bvfile_entry* entry =
		bvfile_entry_of( (const bvfile_header*)v->file, bvfile_section_hull_topology );
	if ( !entry || !hull )
	{
		return bv_ok;
	}
	bvb_hull again = {
		.kind = bv_hull_polyhedron,
		.vertices = bvb_arena_allocate( v->scratch, hull->vertex_count, sizeof *again.vertices ),
		.vertex_count = hull->vertex_count,
		.faces = hull->triangles,
		.face_count = hull->triangle_count,
		.volume = bv_file_get_hull( v->file ).volume,
	};
	for ( uint32_t i = 0; again.vertices && i < hull->vertex_count; ++i )
	{
		again.vertices[i] = i;
	}
	bvb_hull_polygons found;
	bv_status status = again.vertices
	                       ? bvb_hull_merge( hull->positions, &again, 0, v->scratch, &found, error )
	                       : bvbase_fail_memory( error );
	if ( status == bv_error_argument )
	{
		return bvbase_fail( error, bv_error_damaged, "the hull is not a closed surface" );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	uint64_t bytes = bvfmt_hull_topology_bytes( &found );
	void* section = bvb_arena_allocate( v->scratch, bytes, 1 );
	if ( !section )
	{
		return bvbase_fail_memory( error );
	}
	bvfmt_encode_hull_topology( &found, section );
	return bytes == entry->bytes && memcmp( (const char*)v->file + entry->offset, section, bytes ) == 0
	           ? bv_ok
	           : bvbase_fail( error, bv_error_damaged,
	                          "the hull's stored topology differs from that of its triangles" );
}
