// Opening a .bvh file: everything is checked once, after which read.c only looks up.

#include "bv/file.h"

#include "formats/bvh/check.h"

// In an order in which each check finds checked what it relies on.
static const char* check_content( const bvh_header* header )
{
	static bvh_check* const checks[bvh_section_count] = {
		[bvh_section_origin] = bvh_check_origin,
		[bvh_section_mesh] = bvh_check_mesh,
		[bvh_section_positions] = bvh_check_positions,
		[bvh_section_triangles] = bvh_check_triangles,
		[bvh_section_bounds] = bvh_check_bounds,
		[bvh_section_hull] = bvh_check_hull,
		[bvh_section_nodes] = bvh_check_nodes,
		[bvh_section_edges] = bvh_check_edges,
		[bvh_section_source] = bvh_check_source,
		[bvh_section_errors] = bvh_check_errors,
		[bvh_section_primitives] = bvh_check_primitives,
		[bvh_section_mass] = bvh_check_mass,
		[bvh_section_adjacency] = bvh_check_adjacency,
		[bvh_section_hull_topology] = bvh_check_hull_topology,
		[bvh_section_radius] = bvh_check_radius,
		[bvh_section_node_quality] = bvh_check_node_quality,
		[bvh_section_node_faces] = bvh_check_node_faces,
		[bvh_section_parts] = bvh_check_parts,
		[bvh_section_part_triangles] = bvh_check_part_triangles,
		[bvh_section_body] = bvh_check_body,
		[bvh_section_proxy] = bvh_check_proxy,
	};
	bvh_content content = {
		.mesh = (const bvh_mesh*)bvh_find( header, bvh_section_mesh ),
		.positions = bvh_find( header, bvh_section_positions ),
		.hull = (const bvh_hull*)bvh_find( header, bvh_section_hull ),
		.hierarchy = (const bvh_hierarchy*)bvh_find( header, bvh_section_nodes ),
		.parts = (const bvh_parts*)bvh_find( header, bvh_section_parts ),
	};
	const char* wrong = NULL;
	for ( int i = 0; i < bvh_section_count && !wrong; ++i )
	{
		const bvh_entry* entry = bvh_entry_of( header, (bvh_section)i );
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
	*reason = bvh_check_header( memory, size, &status );
	*reason = *reason ? *reason : bvh_check_table( memory, size, &status );
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
