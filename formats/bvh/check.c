// Opening a .bvh file: one pass that checks everything, after which read.c only looks up.
//
// Nodes are stored depth first, siblings side by side, and leaves take the triangles one after another. A
// file in that order needs no recursion, no marks and no memory to be recognised as a tree in which each node
// has one parent and each triangle one leaf: two running counters do it.

#include "bv/file.h"

#include "formats/bvh/check.h"

static bool is_ball( const float* ball )
{
	return bvh_all_finite( ball, 4 ) && ball[3] >= 0;
}

// Lower bounds, then as many upper ones.
static bool are_slabs( const float* bound, uint32_t count )
{
	bool ordered = bvh_all_finite( bound, 2 * count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		ordered = ordered && bound[i] <= bound[count + i];
	}
	return ordered;
}

static bool is_volume( bv_volume_type type, const char* packed )
{
	switch ( type )
	{
	case bv_volume_obb:
	case bv_volume_rss: return bvh_is_box( (const bv_packed_obb*)packed );
	case bv_volume_sphere: return is_ball( (const float*)packed );
	default: return are_slabs( (const float*)packed, bv_packed_bytes( type ) / 8 );
	}
}

static uint64_t node_section_bytes( const bvh_hierarchy* hierarchy )
{
	uint64_t bytes = sizeof *hierarchy + sizeof( bvh_node ) * (uint64_t)hierarchy->nodes;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		bytes += bv_packed_bytes( (bv_volume_type)i ) * (uint64_t)hierarchy->of_type[i];
	}
	return bytes;
}

static bool are_costs( const bv_costs* costs )
{
	const double of_triangles[] = { costs->triangles, costs->triangle_obb, costs->triangle_aabb };
	bool good = bvh_all_finite_double( of_triangles, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		good = good && of_triangles[i] > 0;
	}
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		good = good && bvh_all_finite_double( costs->volumes[i], bv_volume_types );
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			good = good && costs->volumes[i][k] > 0 && costs->volumes[i][k] == costs->volumes[k][i];
		}
	}
	return good;
}

// Each type's volumes are in the order of the nodes.
static const char* check_volumes( const bvh_hierarchy* hierarchy, const bvh_node* node )
{
	const char* volume[bv_volume_types];
	uint32_t next[bv_volume_types] = { 0 };
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		volume[i] = bvh_volumes_of( hierarchy, node, i );
	}
	for ( uint32_t i = 0; i < hierarchy->nodes; ++i )
	{
		uint32_t type = node[i].volume >> BVH_TYPE_SHIFT;
		if ( type >= bv_volume_types || next[type] == hierarchy->of_type[type] ||
		     node[i].volume != ( type << BVH_TYPE_SHIFT | next[type] ) )
		{
			return "a node has a volume that is not its own";
		}
		if ( !is_volume( (bv_volume_type)type, volume[type] ) )
		{
			return "a node's volume is none of its type";
		}
		next[type] += 1;
		volume[type] += bv_packed_bytes( (bv_volume_type)type );
	}

	// The section's size says how many there are of all types, but not that these are as many as nodes.
	return memcmp( next, hierarchy->of_type, sizeof next ) == 0 ? NULL : "a volume belongs to no node";
}

static const char* check_nodes( const char* section, uint64_t bytes, const bvh_mesh* mesh )
{
	const bvh_hierarchy* hierarchy = (const bvh_hierarchy*)section;
	if ( bytes < sizeof *hierarchy || hierarchy->nodes == 0 || hierarchy->reserved[0] ||
	     hierarchy->reserved[1] || bytes != node_section_bytes( hierarchy ) )
	{
		return "the node section has a wrong size";
	}
	if ( !are_costs( &hierarchy->costs ) )
	{
		return "a cost is not above 0, or not the same for two types either way";
	}

	const bvh_node* node = (const bvh_node*)( hierarchy + 1 );
	uint32_t next[BV_MAX_DEPTH + 1] = { 0 }; // the next node to check on each level ...
	uint32_t last[BV_MAX_DEPTH + 1] = { 0 }; // ... and the last of its siblings
	uint32_t level = 0;
	uint32_t placed = 1;
	uint32_t triangles = 0;
	uint32_t leaves = 0;
	uint32_t depth = 0;
	for ( ;; )
	{
		uint32_t index = next[level]++;
		uint32_t first = node[index].first;
		uint32_t count = node[index].count & ~BVH_LEAF;
		if ( node[index].count & BVH_LEAF )
		{
			if ( first != triangles || count == 0 || count > mesh->triangles - triangles )
			{
				return "a leaf has triangles that are not its own";
			}
			triangles += count;
			leaves += 1;
		}
		else
		{
			if ( level == BV_MAX_DEPTH )
			{
				return "the hierarchy is too deep";
			}
			if ( first != placed || count < 2 || count > bvh_max_children ||
			     count > hierarchy->nodes - placed )
			{
				return "a node has children that are not its own";
			}
			level += 1;
			next[level] = first;
			last[level] = first + count - 1;
			placed += count;
			depth = level > depth ? level : depth;
			continue;
		}
		while ( level > 0 && next[level] > last[level] )
		{
			level -= 1;
		}
		if ( level == 0 )
		{
			break;
		}
	}
	if ( placed != hierarchy->nodes || triangles != mesh->triangles )
	{
		return "the hierarchy does not hold every node and triangle";
	}
	if ( leaves != hierarchy->leaves || depth != hierarchy->depth )
	{
		return "the hierarchy is not what its head says";
	}
	return check_volumes( hierarchy, node );
}

static const char* check_hierarchy( const char* section, uint64_t bytes, const bvh_content* content )
{
	return check_nodes( section, bytes, content->mesh );
}

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
		[bvh_section_nodes] = check_hierarchy,
		[bvh_section_edges] = bvh_check_edges,
		[bvh_section_source] = bvh_check_source,
		[bvh_section_errors] = bvh_check_errors,
		[bvh_section_primitives] = bvh_check_primitives,
		[bvh_section_mass] = bvh_check_mass,
		[bvh_section_adjacency] = bvh_check_adjacency,
		[bvh_section_hull_topology] = bvh_check_hull_topology,
	};
	bvh_content content = {
		.mesh = (const bvh_mesh*)bvh_find( header, bvh_section_mesh ),
		.positions = bvh_find( header, bvh_section_positions ),
		.hull = (const bvh_hull*)bvh_find( header, bvh_section_hull ),
		.hierarchy = (const bvh_hierarchy*)bvh_find( header, bvh_section_nodes ),
	};
	const char* wrong = NULL;
	for ( int i = 0; i < bvh_section_count && !wrong; ++i )
	{
		const bvh_entry* entry = bvh_entry_of( header, (bvh_section)i );
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
