// The offline half of the table of sections. BVFILE_SECTIONS in layout.h is the half that readers have.

#pragma once

#include "runtime/file/layout.h"

/// A row for each section, in any order, of what only writers, verification and reports need. Each of them
/// expands the columns that it walks, so that none depends on another: write.c, verify.c, sections.c, and
/// json.c and file.c of the reports. A row has:
///
/// - the section, as in BVFILE_SECTIONS; bvfmt_size_SECTION and bvfmt_write_SECTION write it
/// - the option that asks for it, or bvb_section_count, and whether that is on by default
/// - the option's name and its summary in help; of two sections with the same option one has them
/// - what prepares it for writing, proves it, and reports it as JSON; null for nothing. They are
///   bvfmt_prepare_SECTION, bvverify_section_SECTION and bvreport_json_put_SECTION, which are declared for
///   all sections
/// - what it holds, for tables of sections
// clang-format off
#define BVFMT_OFFLINE_SECTIONS( ROW )                                                                     \
	ROW( origin, bvb_section_count, false, NULL, NULL,                                                    \
	     bvfmt_prepare_origin, NULL, NULL, "source and build parameters" )                                \
	ROW( mesh, bvb_section_count, false, NULL, NULL,                                                      \
	     bvfmt_prepare_mesh, bvverify_section_mesh, bvreport_json_put_mesh,                               \
	     "counts, flags and coordinate frame of the mesh" )                                               \
	ROW( positions, bvb_section_mesh, true, "mesh",                                                       \
	     "positions and triangles",                                                                       \
	     NULL, NULL, NULL, "positions" )                                                                  \
	ROW( triangles, bvb_section_mesh, true, NULL, NULL,                                                   \
	     bvfmt_prepare_triangles, NULL, NULL, "triangles" )                                               \
	ROW( bounds, bvb_section_bounds, true, "bounds",                                                      \
	     "box, sphere, k-DOP and other volumes around the whole mesh",                                    \
	     NULL, bvverify_section_bounds, bvreport_json_put_bounds, "bounding volumes of the whole mesh" )  \
	ROW( hull, bvb_section_hull, true, "hull",                                                            \
	     "the convex hull",                                                                               \
	     NULL, NULL, bvreport_json_put_hull, "convex hull" )                                              \
	ROW( mass, bvb_section_mass, true, "mass",                                                            \
	     "mass properties of the solid, the surface and the hull",                                        \
	     NULL, bvverify_section_mass, NULL, "mass properties" )                                           \
	ROW( nodes, bvb_section_tree, true, "tree",                                                           \
	     "the hierarchy (needs mesh)",                                                                    \
	     bvfmt_prepare_nodes, bvverify_section_nodes, bvreport_json_put_nodes, "nodes of the hierarchy" ) \
	ROW( edges, bvb_section_edges, false, "edges",                                                        \
	     "optional: kind of each edge: convex, concave, flat ... (needs mesh); 2 bytes per triangle",     \
	     NULL, bvverify_section_edges, NULL, "kind of each edge" )                                        \
	ROW( source, bvb_section_source, false, "source",                                                     \
	     "optional: source face, object, group, material (needs mesh); 8 bytes per triangle",             \
	     bvfmt_prepare_source, NULL, NULL, "source face, object, group and material of each triangle" )   \
	ROW( errors, bvb_section_errors, true, "errors",                                                      \
	     "certified errors of the nodes (needs tree); absent with --hausdorff 0",                         \
	     NULL, bvverify_section_errors, NULL, "certified errors of the nodes" )                           \
	ROW( primitives, bvb_section_primitives, true, "primitives",                                          \
	     "the box, sphere, capsule or cylinder that fits; absent with --recognize 0",                     \
	     NULL, bvverify_section_primitives, bvreport_json_put_primitives, "primitives" )                  \
	ROW( adjacency, bvb_section_adjacency, false, "adjacency",                                            \
	     "optional: vertices and triangles of each edge (needs mesh); 20 bytes per edge",                 \
	     NULL, bvverify_section_adjacency, NULL, "vertices and triangles of each edge" )                  \
	ROW( hull_topology, bvb_section_hull_topology, false, "hull-topology",                                \
	     "optional: the hull's polygons, half-edges and neighbors (needs hull)",                          \
	     NULL, bvverify_section_hull_topology, NULL, "topology of the hull" )                             \
	ROW( radius, bvb_section_radius, false, "radius",                                                     \
	     "optional: each node's radius about the origin (needs tree); 4 bytes per node",                  \
	     NULL, bvverify_section_radius, NULL, "radius of each node about the origin" )                    \
	ROW( node_quality, bvb_section_node_quality, false, "node-quality",                                   \
	     "optional: each node's area and opening cost (needs tree); 12 bytes per node",                   \
	     NULL, bvverify_section_node_quality, NULL, "area and opening cost of each node" )                \
	ROW( node_faces, bvb_section_node_faces, false, "node-faces",                                         \
	     "optional: a slab or box around each node's faces (needs tree); 41 bytes per node",              \
	     NULL, bvverify_section_node_faces, NULL, "faces that represent each node’s triangles" )          \
	ROW( parts, bvb_section_parts, false, "parts",                                                        \
	     "optional: convex parts that cover the mesh; same as --decompose",                               \
	     bvfmt_prepare_parts, bvverify_section_parts, bvreport_json_put_parts, "convex parts" )           \
	ROW( part_triangles, bvb_section_part_triangles, false, "part-triangles",                             \
	     "optional: the triangles of each part (needs parts, mesh); 4 bytes per entry",                   \
	     NULL, NULL, NULL, "triangles of each convex part" )                                              \
	ROW( body, bvb_section_count, false, NULL, NULL,                                                      \
	     NULL, NULL, bvreport_json_put_body, "the body’s density and mass" )                              \
	ROW( proxy, bvb_section_proxy, false, "proxy",                                                        \
	     "optional: the proxy mesh; same as --simplify",                                                  \
	     bvfmt_prepare_proxy, bvverify_section_proxy, bvreport_json_put_proxy, "proxy mesh" )             \
	ROW( clip, bvb_section_count, false, NULL, NULL,                                                      \
	     bvfmt_prepare_clip, bvverify_section_clip, bvreport_json_put_clip,                               \
	     "boxes of each node over a clip" )
// clang-format on

#define BVFILE_ROW( ... ) +1
_Static_assert( 0 BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) == bvfile_section_count,
                "each section has a row in both halves" );
#undef BVFILE_ROW
