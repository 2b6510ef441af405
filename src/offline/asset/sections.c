// What a file may have: names, what needs what, and what there is by default.

#include "bvbuild/asset.h"
#include "offline/base/error.h"

#include <stddef.h>

// A section by name.
typedef struct row
{
	const char* name;
	const char* summary;
	bvb_sections needs; // without which it may not be
	bool wanted;        // by default
} row;

static const row rows[bvb_section_count] = {
	[bvb_section_mesh] = { "mesh", "positions and triangles", 0, true },
	[bvb_section_tree] = { "tree", "the hierarchy (needs mesh)", 1u << bvb_section_mesh, true },
	[bvb_section_hull] = { "hull", "the convex hull", 0, true },
	[bvb_section_bounds] = { "bounds", "box, sphere, k-DOP and other volumes around the whole mesh", 0,
	                         true },
	[bvb_section_mass] = { "mass", "mass properties of the solid, the surface and the hull", 0, true },
	[bvb_section_errors] = { "errors",
	                         "certified errors of the nodes (needs tree); absent with --hausdorff 0",
	                         1u << bvb_section_tree, true },
	[bvb_section_primitives] = { "primitives",
	                             "the box, sphere, capsule or cylinder that fits; absent with --recognize 0",
	                             0, true },
	[bvb_section_edges] = { "edges",
	                        "optional: kind of each edge: convex, concave, flat ... (needs mesh); 2 bytes "
	                        "per triangle",
	                        1u << bvb_section_mesh, false },
	[bvb_section_source] = { "source",
	                         "optional: source face, object, group, material (needs mesh); 8 bytes per "
	                         "triangle",
	                         1u << bvb_section_mesh, false },
	[bvb_section_adjacency] = { "adjacency",
	                            "optional: vertices and triangles of each edge (needs mesh); 20 bytes per "
	                            "edge",
	                            1u << bvb_section_mesh, false },
	[bvb_section_radius] = { "radius",
	                         "optional: each node's radius about the origin (needs tree); 4 bytes per node",
	                         1u << bvb_section_tree, false },
	[bvb_section_node_quality] = { "node-quality",
	                               "optional: each node's area and opening cost (needs tree); 12 bytes per "
	                               "node",
	                               1u << bvb_section_tree, false },
	[bvb_section_node_faces] = { "node-faces",
	                             "optional: a slab or box around each node's faces (needs tree); 41 bytes "
	                             "per node",
	                             1u << bvb_section_tree, false },
	[bvb_section_hull_topology] = { "hull-topology",
	                                "optional: the hull's polygons, half-edges and neighbors (needs hull)",
	                                1u << bvb_section_hull, false },
	[bvb_section_parts] = { "parts", "optional: convex parts that cover the mesh; same as --decompose", 0,
	                        false },
	[bvb_section_part_triangles] = { "part-triangles",
	                                 "optional: the triangles of each part (needs parts, mesh); 4 bytes per "
	                                 "entry",
	                                 1u << bvb_section_parts | 1u << bvb_section_mesh, false },
	[bvb_section_proxy] = { "proxy", "optional: the proxy mesh; same as --simplify", 0, false },
};

const char* bvb_section_name( uint32_t index, const char** summary )
{
	if ( index >= bvb_section_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = rows[index].summary;
	}
	return rows[index].name;
}

bvb_sections bvb_sections_default( void )
{
	bvb_sections all = 0;
	for ( int i = 0; i < bvb_section_count; ++i )
	{
		all |= rows[i].wanted ? 1u << i : 0;
	}
	return all;
}

// What is needed stands before what needs it, so that one pass finds what hangs on what.
bvb_sections bvb_sections_without( bvb_sections sections, bvb_section left_out )
{
	sections &= ~( 1u << left_out );
	for ( int i = left_out + 1; i < bvb_section_count; ++i )
	{
		bool lost = ( rows[i].needs >> left_out & 1 ) || ( rows[i].needs & ~sections );
		sections &= lost ? ~( 1u << i ) : ~0u;
	}
	return sections;
}

bv_status bvb_sections_check( bvb_sections sections, bvb_error* error )
{
	for ( int i = 0; i < bvb_section_count; ++i )
	{
		for ( int k = 0; k < bvb_section_count; ++k )
		{
			if ( ( sections >> i & 1 ) && ( rows[i].needs >> k & 1 ) && !( sections >> k & 1 ) )
			{
				return bvbase_fail( error, bv_error_argument, "the section '%s' needs the section '%s'",
				                    rows[i].name, rows[k].name );
			}
		}
	}
	return bv_ok;
}
