// How mesh and hull hang together, found again. See verify.h.

#include "offline/verify/verify.h"

#include "formats/bvh/write.h"
#include "offline/base/error.h"

#include <string.h>

bv_status bvverify_adjacency( const bv_file* file, const bvb_adjacency* found, bvb_error* error )
{
	const bvfile_edge* stored =
		(const bvfile_edge*)bvfile_find( (const bvfile_header*)file, bvfile_section_adjacency );
	for ( uint32_t i = 0; stored && i < found->edge_count; ++i )
	{
		bvfile_edge edge = bvfmt_stored_edge( found->edges + i );
		if ( memcmp( stored + i, &edge, sizeof edge ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "edge %u of the adjacency section differs from that of the triangles", i );
		}
	}
	bool has_kinds = bvfile_find( (const bvfile_header*)file, bvfile_section_edges );
	uint64_t half_edges = 3 * (uint64_t)bv_file_get_mesh( file ).triangles;
	for ( uint64_t h = 0; has_kinds && h < half_edges; ++h )
	{
		bv_edge_kind kind;
		bv_file_get_edge( file, (uint32_t)( h / 3 ), (uint32_t)( h % 3 ), &kind );
		if ( kind != found->edges[found->edge[h]].kind )
		{
			return bvbase_fail( error, bv_error_damaged, "triangle %u: the stored kind of edge %u is wrong",
			                    (uint32_t)( h / 3 ), (uint32_t)( h % 3 ) );
		}
	}
	return bv_ok;
}

bv_status bvverify_hull_topology( const bv_file* file, const bvb_mesh* hull, bvb_arena* scratch,
                                  bvb_error* error )
{
	const bvfile_entry* entry = bvfile_entry_of( (const bvfile_header*)file, bvfile_section_hull_topology );
	if ( !entry )
	{
		return bv_ok;
	}
	bvb_hull again = {
		.kind = bv_hull_polyhedron,
		.vertices = bvb_arena_allocate( scratch, hull->vertex_count, sizeof *again.vertices ),
		.vertex_count = hull->vertex_count,
		.faces = hull->triangles,
		.face_count = hull->triangle_count,
		.volume = bv_file_get_hull( file ).volume,
	};
	for ( uint32_t i = 0; again.vertices && i < hull->vertex_count; ++i )
	{
		again.vertices[i] = i;
	}
	bvb_hull_polygons found;
	bv_status status = again.vertices ? bvb_hull_merge( hull->positions, &again, 0, scratch, &found, error )
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
	void* section = bvb_arena_allocate( scratch, bytes, 1 );
	if ( !section )
	{
		return bvbase_fail_memory( error );
	}
	bvfmt_encode_hull_topology( &found, section );
	return bytes == entry->bytes && memcmp( (const char*)file + entry->offset, section, bytes ) == 0
	           ? bv_ok
	           : bvbase_fail( error, bv_error_damaged,
	                          "the hull's stored topology differs from that of its triangles" );
}
