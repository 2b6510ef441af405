// What tools ask of a .bvh file: its origin, sections, topology, hierarchy, certified errors and quality.
// Games need none of it; what they need is in bv/file.h.
//
//     #include <bv/inspect.h>
//     #include <stdio.h>
//
//     static bool print_node( void* context, const bv_node_info* node )
//     {
//         (void)context;
//         printf( "%*s%u: %s, %u triangles\n", (int)( 2 * node->level ), "", (unsigned)node->index,
//                 bv_volume_type_name( node->volume.type ), (unsigned)node->triangles );
//         return true;
//     }
//
//     // Prints the program that wrote a file, and its hierarchy.
//     void print_file( const bv_file* file )
//     {
//         bv_text tool = bv_file_get_origin( file ).tool;
//         printf( "%.*s\n", (int)tool.length, tool.data );
//         bv_file_visit_nodes( file, print_node, NULL );
//     }
//
#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The origin of a file.
typedef struct bv_file_origin
{
	bv_text tool;            ///< name and version of the program that wrote the file
	bv_text source_name;     ///< file name of the source mesh, without folders
	bv_text source_format;   ///< name of the reader, such as "obj"
	bv_text parameters;      ///< one name=value per line: the options that shape the content, then side files
	uint8_t source_hash[16]; ///< XXH3-128 of the source's bytes, canonical (big-endian) order
} bv_file_origin;

/// @return the origin of the file
bv_file_origin bv_file_get_origin( const bv_file* file );

/// Version and size of a file.
typedef struct bv_file_info
{
	uint16_t version_major; ///< of the format, 1
	uint16_t version_minor; ///< of the format; may be newer than this reader
	uint32_t section_count; ///< number of entries of the section table
	uint64_t bytes;         ///< size of the whole file
} bv_file_info;

/// @return version and size of the file
bv_file_info bv_file_get_info( const bv_file* file );

/// An entry of the section table.
typedef struct bv_section_info
{
	char name[5];     ///< four printable ASCII characters, zero-terminated
	uint16_t version; ///< of the section, from 1
	bool required;    ///< a reader that does not support this version of the section rejects the file
	bool known;       ///< this reader supports this version of the section; unknown sections are skipped
	uint64_t bytes;   ///< size of the content
} bv_section_info;

/// @param index  less than bv_file_info.section_count
/// @return the entry; its name is empty if `index` is out of range
bv_section_info bv_file_get_section( const bv_file* file, uint32_t index );

/// Returns the kind of a triangle's edge.
/// @param triangle  less than bv_mesh_info.triangles
/// @param side      0, 1 or 2: from corner `side` to the next corner
/// @param kind      receives the kind
/// @return false if an index is out of range or the file has no section `edges`
bool bv_file_get_edge( const bv_file* file, uint32_t triangle, uint32_t side, bv_edge_kind* kind );

/// Sentinel for a missing triangle.
#define BV_NO_TRIANGLE 0xffffffffu

/// An edge of the mesh: two vertices joined by a side of a triangle.
typedef struct bv_mesh_edge
{
	uint32_t vertex[2]; ///< in ascending order

	/// The two triangles of the edge. An edge with one triangle, or with three or more, has one of them and
	/// BV_NO_TRIANGLE.
	uint32_t triangle[2];

	bv_edge_kind kind; ///< classification by its triangles
} bv_mesh_edge;

/// @param index  less than bv_mesh_info.edges; edges are in ascending order of their vertices
/// @return false if `index` is out of range or the file has no section `adjacency`
bool bv_file_get_mesh_edge( const bv_file* file, uint32_t index, bv_mesh_edge* edge );

/// The topology of a polyhedral hull whose coplanar triangles are merged into polygons.
typedef struct bv_hull_topology_info
{
	uint32_t polygons;   ///< number of faces
	uint32_t half_edges; ///< directed sides of polygons, two per edge

	/// Vertices that hill climbing from neighbor to neighbor may miss because of rounding.
	uint32_t loose;
} bv_hull_topology_info;

/// @return the counts; all 0 if the file has no section `hull-topology` or the hull is not a polyhedron
bv_hull_topology_info bv_file_get_hull_topology( const bv_file* file );

/// A polygon of the hull.
typedef struct bv_hull_facet
{
	bv_vec3 normal;      ///< unit vector, outward
	double offset;       ///< dot( normal, x ) <= offset for each corner x of the hull, evaluated in binary64
	uint32_t first_edge; ///< first half-edge of the polygon
	uint32_t edge_count; ///< number of consecutive half-edges, counter-clockwise seen from outside
} bv_hull_facet;

/// @param index  less than bv_hull_topology_info.polygons
/// @return false if `index` is out of range; `facet` is set otherwise
bool bv_file_get_hull_facet( const bv_file* file, uint32_t index, bv_hull_facet* facet );

/// A directed side of a polygon of the hull.
typedef struct bv_hull_half_edge
{
	uint32_t origin;  ///< hull vertex at its start
	uint32_t twin;    ///< the half-edge in the opposite direction
	uint32_t next;    ///< the next half-edge of the polygon
	uint32_t polygon; ///< the polygon to its left
} bv_hull_half_edge;

/// @param index  less than bv_hull_topology_info.half_edges
/// @return false if `index` is out of range; `edge` is set otherwise
bool bv_file_get_hull_half_edge( const bv_file* file, uint32_t index, bv_hull_half_edge* edge );

/// Returns the neighbors of a hull vertex, for hill climbing. Moving to a neighbor as long as a dot product
/// grows ends at a vertex with the maximum dot product, unless a loose vertex exceeds it. See
/// bv_file_get_hull_loose.
/// @param vertex     less than bv_hull_info.vertices
/// @param neighbors  receives a pointer into the file; null if there are no neighbors
/// @return the number of neighbors
uint32_t bv_file_get_hull_neighbors( const bv_file* file, uint32_t vertex, const uint32_t** neighbors );

/// Returns the vertices that hill climbing may miss. The result of a climb must be compared with each.
/// @param vertices  receives a pointer into the file, to bv_hull_topology_info.loose hull vertices in
///                  ascending order; null if the file has no hull topology
void bv_file_get_hull_loose( const bv_file* file, const uint32_t** vertices );

/// The cost of each step of a query. The costs add up. Only their ratios matter.
typedef struct bv_costs
{
	double volumes[bv_volume_types][bv_volume_types]; ///< to test two volumes, by type; symmetric, positive
	double triangles;                                 ///< to test two triangles, positive

	/// To access the children of a node, however many; positive.
	double opening;

	/// To access the triangles of two leaves, however many; positive.
	double leaf;
} bv_costs;

/// Properties of the hierarchy.
typedef struct bv_hierarchy_info
{
	uint32_t nodes;                    ///< number of nodes, leaves included
	uint32_t leaves;                   ///< number of nodes without children
	uint32_t depth;                    ///< level of the deepest leaf; 0 if the root is a leaf
	uint32_t of_type[bv_volume_types]; ///< number of nodes per volume type

	/// The costs used by the build. Types that this version of the file's hierarchy does not know have those of a
	/// rectangle swept sphere.
	bv_costs costs;
} bv_hierarchy_info;

/// @return the hierarchy; it has no nodes if the file has no hierarchy
bv_hierarchy_info bv_file_get_hierarchy( const bv_file* file );

/// Mean and maximum of a measure over a set of nodes.
typedef struct bv_error_summary
{
	bv_interval mean; ///< unweighted mean over the nodes
	bv_interval max;  ///< maximum
} bv_error_summary;

/// Errors of a set of nodes. The error of a node is the maximum distance from a point of its decoded volume
/// to the triangles of its subtree, in mesh units.
typedef struct bv_errors_of
{
	bv_error_summary surface; ///< over points of the volume's boundary
	bv_error_summary solid;   ///< over all points of the volume
} bv_errors_of;

/// Errors of one level of the hierarchy.
typedef struct bv_level_errors
{
	bv_errors_of level; ///< errors of the nodes of this level

	/// Errors of the nodes of this level and the leaves above it, which together hold all triangles.
	bv_errors_of cut;
} bv_level_errors;

/// Certified errors of the hierarchy. Each interval contains the true value. Each node was measured until
/// upper <= lower * ( 1 + relative ) or upper <= lower + floor * (diameter of its volume).
typedef struct bv_file_errors
{
	double relative;     ///< relative tolerance of the measurement
	double floor;        ///< absolute tolerance as a fraction of the diameter of a node's volume
	bv_interval surface; ///< surface error of the root, mesh units
	bv_interval solid;   ///< solid error of the root, mesh units
	bv_errors_of all;    ///< errors of all nodes
} bv_file_errors;

/// @return whether the file has errors; `errors` is set only then
bool bv_file_get_errors( const bv_file* file, bv_file_errors* errors );

/// @param level  0 to bv_hierarchy_info.depth
/// @return whether the file has errors and the level exists; `errors` is set only then
bool bv_file_get_level_errors( const bv_file* file, uint32_t level, bv_level_errors* errors );

/// A node, as passed to a bv_node_callback.
typedef struct bv_node_info
{
	uint32_t index;          ///< number of the node; 0 for the root; siblings have consecutive numbers
	uint32_t level;          ///< 0 for the root
	uint32_t children;       ///< number of children; 0 for a leaf
	uint32_t first_child;    ///< number of the first child; 0 for a leaf
	uint32_t first_triangle; ///< first triangle of the subtree; its triangles are consecutive in the file
	uint32_t triangles;      ///< number of triangles of the subtree, at least 1
	bv_volume volume;        ///< decoded volume; encloses all triangles of the subtree
	bool has_errors;         ///< the next two members are set
	double surface_upper;    ///< upper bound of the surface error, mesh units
	double solid_upper;      ///< upper bound of the solid error, mesh units
} bv_node_info;

/// Returns the radius of a node: an upper bound of the distance from the origin (0, 0, 0) of the mesh to any
/// point of the node's volume. A rotation about the origin by an angle moves no point of the volume by more
/// than that angle (in radians) times the radius.
/// @param node    less than bv_hierarchy_info.nodes
/// @param radius  receives the radius, mesh units
/// @return false if `node` is out of range or the file has no section `radius`
bool bv_file_get_node_radius( const bv_file* file, uint32_t node, double* radius );

/// Data for choosing the node to open (Eckstein 1998, section 4.3). The area of a flat volume is that of both
/// sides.
typedef struct bv_node_quality
{
	double area;  ///< surface area of the node's decoded volume, square mesh units
	double worst; ///< largest area of its children; for a leaf its own area

	/// Cost of testing its children, or the triangles of a leaf, against another node, in the unit of
	/// bv_costs.
	double cost;
} bv_node_quality;

/// @param node  less than bv_hierarchy_info.nodes
/// @return false if `node` is out of range or the file has no section `node-quality`
bool bv_file_get_node_quality( const bv_file* file, uint32_t node, bv_node_quality* quality );

/// A box whose faces approximate the triangles of a subtree, for queries that run out of time (Eckstein 1998,
/// section 8.2). The box encloses the triangles. Its axis[2] is their mean normal, unless that vanishes, as
/// it does for closed surfaces.
typedef struct bv_node_faces
{
	bool two;   ///< the box is thin: the two faces at center -+ half_extents[2] * axis[2] suffice
	bv_obb box; ///< mesh units
} bv_node_faces;

/// @param node  less than bv_hierarchy_info.nodes
/// @return false if `node` is out of range or the file has no section `node-faces`
bool bv_file_get_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces );

/// A clip: an animation of the mesh, over which the nodes of the hierarchy have boxes. The file has no skeleton; it says
/// where triangles get, not how they move.
typedef struct bv_clip
{
	bv_text name;     ///< as in the source; may be empty
	double start;     ///< time of the first key, seconds; before it the pose is the first one
	double end;       ///< time of the last key, seconds; after it the pose is the last one
	uint32_t samples; ///< evenly spaced times from start to end at which the hierarchy was judged, at least 1
	uint32_t segments; ///< intervals of equal length from start to end, at least 1
	uint32_t record;   ///< sample whose pose is the mesh of the file
	bool moves;        ///< false if no vertex moves
	bool frames;       ///< the file has the positions of vertices at all samples
	double step; ///< grid of boxes and positions, mesh units: positions are rounded by at most half of it
	uint32_t candidates; ///< number of hierarchies that were tried
	uint32_t chosen;     ///< the candidate that the file has
} bv_clip;

/// @return whether the file has a clip; `clip` is set only then
bool bv_file_get_clip( const bv_file* file, bv_clip* clip );

/// In place of a segment: the whole clip.
#define BV_CLIP_WHOLE 0xffffffffu

/// A box of a node over a time.
typedef struct bv_clip_box
{
	bv_aabb box; ///< encloses all triangles of the node's subtree at every time, between samples too

	/// Upper bound of the distance of a point of the box from the triangles of the subtree, each at the time of the
	/// segment at which they are nearest.
	double error;
} bv_clip_box;

/// Returns the box of a node over a segment of a clip, both ends included.
/// @param node     less than bv_hierarchy_info.nodes
/// @param segment  less than bv_clip.segments, or BV_CLIP_WHOLE
/// @return false if an index is out of range or the file has no clip; `box` is set otherwise
bool bv_file_get_clip_box( const bv_file* file, uint32_t node, uint32_t segment, bv_clip_box* box );

/// A sample of a clip.
typedef struct bv_clip_sample
{
	double time; ///< seconds

	/// Expected cost of a query on the hierarchy if its volumes are fitted to the pose, in the unit of bv_costs; 0 for a
	/// pose without an area.
	double cost;

	double rebuilt; ///< expected cost of a hierarchy that is built for the pose; 0 if none was
} bv_clip_sample;

/// @param sample  less than bv_clip.samples
/// @return false if `sample` is out of range or the file has no clip; `out` is set otherwise
bool bv_file_get_clip_sample( const bv_file* file, uint32_t sample, bv_clip_sample* out );

/// A hierarchy that was tried for a clip.
typedef struct bv_clip_candidate
{
	uint32_t sample; ///< whose pose it was built for
	uint32_t nodes;  ///< number of nodes
	double cost;     ///< sum of bv_clip_sample.cost over all samples
} bv_clip_candidate;

/// @param index  less than bv_clip.candidates
/// @return false if `index` is out of range or the file has no clip; `out` is set otherwise
bool bv_file_get_clip_candidate( const bv_file* file, uint32_t index, bv_clip_candidate* out );

/// Returns the position of a vertex at a sample, rounded to the grid of the clip.
/// @param sample  less than bv_clip.samples
/// @param vertex  less than bv_mesh_info.vertices
/// @return false if an index is out of range or bv_clip.frames is false; `out` is set otherwise
bool bv_file_get_clip_position( const bv_file* file, uint32_t sample, uint32_t vertex, bv_vec3* out );

/// Called for each node.
/// @return false to end the visit
typedef bool bv_node_callback( void* context, const bv_node_info* node );

/// Visits all nodes of the hierarchy depth first, each parent before its children.
/// @param callback  called once per node
/// @param context   passed to the callback
/// @return whether all nodes were visited; true also without a hierarchy
bool bv_file_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context );

#ifdef __cplusplus
}
#endif
