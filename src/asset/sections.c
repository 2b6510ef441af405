// What a file may have: names, what needs what, and what there is by default.

#include "base/offline/error.h"
#include "bvbuild/asset.h"

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
	[bvb_section_tree] = { "tree", "the hierarchy; needs mesh", 1u << bvb_section_mesh, true },
	[bvb_section_hull] = { "hull", "the convex hull", 0, true },
	[bvb_section_bounds] = { "bounds", "box, ball, k-DOP and others round the whole mesh", 0, true },
	[bvb_section_mass] = { "mass", "mass properties of the solid, the surface and the hull", 0, true },
	[bvb_section_errors] = { "errors", "certified errors of the nodes, unless --hausdorff 0; needs tree",
	                         1u << bvb_section_tree, true },
	[bvb_section_primitives] = { "primitives", "what the mesh is like, unless --recognize 0", 0, true },
	[bvb_section_edges] = { "edges",
	                        "not by default: convex, concave, flat ...; 2 bytes a triangle; needs mesh",
	                        1u << bvb_section_mesh, false },
	[bvb_section_source] = { "source",
	                         "not by default: face, object, group, material; 8 bytes a triangle; needs mesh",
	                         1u << bvb_section_mesh, false },
	[bvb_section_adjacency] = { "adjacency",
	                            "not by default: vertices and triangles of each edge; 20 bytes; needs mesh",
	                            1u << bvb_section_mesh, false },
	[bvb_section_radius] = { "radius",
	                         "not by default: how far from the origin each node reaches; 4 bytes; needs tree",
	                         1u << bvb_section_tree, false },
	[bvb_section_node_quality] = { "node-quality",
	                               "not by default: areas of nodes, costs of opening; 12 bytes; needs tree",
	                               1u << bvb_section_tree, false },
	[bvb_section_node_faces] = { "node-faces",
	                             "not by default: a slab or box for each node's faces; 41 bytes; needs tree",
	                             1u << bvb_section_tree, false },
	[bvb_section_hull_topology] = { "hull-topology",
	                                "not by default: the hull's polygons, half-edges, neighbours; needs hull",
	                                1u << bvb_section_hull, false },
	[bvb_section_parts] = { "parts", "not by default: convex parts that cover the mesh, as by --decompose", 0,
	                        false },
	[bvb_section_part_triangles] = { "part-triangles",
	                                 "not by default: the triangles of each part; 4 bytes; needs parts, mesh",
	                                 1u << bvb_section_parts | 1u << bvb_section_mesh, false },
	[bvb_section_proxy] = { "proxy", "not by default: a mesh with few triangles, as by --simplify", 0,
	                        false },
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
				return bvb_fail( error, bv_error_argument, "the section '%s' needs '%s'", rows[i].name,
				                 rows[k].name );
			}
		}
	}
	return bv_ok;
}
