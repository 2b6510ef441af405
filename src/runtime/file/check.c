// Opening a .bvh file: everything is checked once, after which read.c only looks up.

#include "bv/file.h"

#include "runtime/file/check.h"

// In an order in which each check finds checked what it relies on.
static const char* check_content( const bvfile_header* header )
{
	static bvfile_check* const checks[bvfile_section_count] = {
		[bvfile_section_origin] = bvfile_check_origin,
		[bvfile_section_mesh] = bvfile_check_mesh,
		[bvfile_section_positions] = bvfile_check_positions,
		[bvfile_section_triangles] = bvfile_check_triangles,
		[bvfile_section_bounds] = bvfile_check_bounds,
		[bvfile_section_hull] = bvfile_check_hull,
		[bvfile_section_nodes] = bvfile_check_nodes,
		[bvfile_section_edges] = bvfile_check_edges,
		[bvfile_section_source] = bvfile_check_source,
		[bvfile_section_errors] = bvfile_check_errors,
		[bvfile_section_primitives] = bvfile_check_primitives,
		[bvfile_section_mass] = bvfile_check_mass,
		[bvfile_section_adjacency] = bvfile_check_adjacency,
		[bvfile_section_hull_topology] = bvfile_check_hull_topology,
		[bvfile_section_radius] = bvfile_check_radius,
		[bvfile_section_node_quality] = bvfile_check_node_quality,
		[bvfile_section_node_faces] = bvfile_check_node_faces,
		[bvfile_section_parts] = bvfile_check_parts,
		[bvfile_section_part_triangles] = bvfile_check_part_triangles,
		[bvfile_section_body] = bvfile_check_body,
		[bvfile_section_proxy] = bvfile_check_proxy,
	};
	bvfile_content content = {
		.mesh = (const bvfile_mesh*)bvfile_find( header, bvfile_section_mesh ),
		.positions = bvfile_find( header, bvfile_section_positions ),
		.hull = (const bvfile_hull*)bvfile_find( header, bvfile_section_hull ),
		.hierarchy = (const bvfile_hierarchy*)bvfile_find( header, bvfile_section_nodes ),
		.parts = (const bvfile_parts*)bvfile_find( header, bvfile_section_parts ),
	};
	const char* wrong = NULL;
	for ( int i = 0; i < bvfile_section_count && !wrong; ++i )
	{
		const bvfile_entry* entry = bvfile_entry_of( header, (bvfile_section)i );
		content.version = entry ? entry->version : 0;
		wrong = entry ? checks[i]( (const char*)header + entry->offset, entry->bytes, &content ) : NULL;
	}
	return wrong;
}

bv_status bv_file_open_explained( const void* memory, size_t size, const bv_file** file, const char** reason )
{
	if ( !memory || !file || !reason || (uintptr_t)memory % 8 != 0 )
	{
		if ( file )
		{
			*file = NULL;
		}
		if ( reason )
		{
			*reason = "a pointer is null or misaligned";
		}
		return bv_error_argument;
	}

	bv_status status;
	*file = NULL;
	*reason = bvfile_check_header( memory, size, &status );
	*reason = *reason ? *reason : bvfile_check_table( memory, size, &status );
	*reason = *reason ? *reason : check_content( memory );
	if ( *reason )
	{
		return status;
	}
	*file = memory;
	return bv_ok;
}

bv_status bv_file_open( const void* memory, size_t size, const bv_file** file )
{
	const char* reason;
	return bv_file_open_explained( memory, size, file, &reason );
}
