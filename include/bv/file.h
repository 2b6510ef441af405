// A .bvh file in memory, checked once and then read in place: no parsing, no copy, no allocation.
//
// Map the file or read it into 8-byte aligned memory, call bv_file_open once, and hand the bv_file to the
// queries of bv/query.h. The memory must stay unchanged as long as the bv_file is used. After a successful
// open no function of this library reads outside of it or loops without end, whatever its bytes are.
// The format is specified in formats/bvh/README.md.

#pragma once

#include "bv/base.h"
#include "bv/volume.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A checked file: the caller's memory itself under another name. Nothing to free.
typedef struct bv_file bv_file;

/// Checks all of `memory`: magic, version, byte order, section table, checksums, every offset, count,
/// index and number, in linear time and without allocation.
/// @param memory  the whole file, 8-byte aligned, not copied
/// @param size    its size in bytes
/// @param file    receives the checked file; null on failure
/// @return bv_ok; bv_error_argument when a pointer is null or misaligned; bv_error_unsupported for another
///         major version or byte order, and for sections that must be known and are not; bv_error_damaged for
///         everything else that is not a valid file
bv_status bv_file_open( const void* memory, size_t size, const bv_file** file );

/// bv_file_open that also says what is wrong.
/// @param reason  receives a static phrase such as "a section fails its checksum"; null on success
bv_status bv_file_open_explained( const void* memory, size_t size, const bv_file** file,
                                  const char** reason );

/// A string inside the file: UTF-8 without control characters, `length` bytes, not terminated.
typedef struct bv_text
{
	const char* data; ///< points into the file
	size_t length;    ///< bytes
} bv_text;

/// Where the file came from.
typedef struct bv_file_origin
{
	bv_text tool;            ///< name and version of the program that wrote the file
	bv_text source_name;     ///< the input's file name without folders
	bv_text source_format;   ///< the reader's name, such as "obj"
	bv_text parameters;      ///< what shaped the content, one name=value a line: options, then side files
	uint8_t source_hash[16]; ///< XXH3-128 of the input's bytes, canonical (big-endian) order
} bv_file_origin;

/// @return where the file came from
bv_file_origin bv_file_get_origin( const bv_file* file );

/// The version and size of a file.
typedef struct bv_file_info
{
	uint16_t version_major; ///< of the format, 1
	uint16_t version_minor; ///< of the format; may be greater than what this reader knows
	uint32_t section_count; ///< entries of the section table
	uint64_t bytes;         ///< size of the whole file
} bv_file_info;

/// @return version and size
bv_file_info bv_file_get_info( const bv_file* file );

/// One entry of the section table.
typedef struct bv_section_info
{
	char name[5];     ///< four visible ASCII characters and a terminating zero
	uint16_t version; ///< of the section, from 1

	/// A reader that does not know the section, or not this version of it, refuses the file.
	bool required;

	bool known;     ///< to this reader, in this version; what is not known is passed over
	uint64_t bytes; ///< size of the content
} bv_section_info;

/// @param index  below bv_file_info.section_count
/// @return the entry; an empty name when index is out of range
bv_section_info bv_file_get_section( const bv_file* file, uint32_t index );

/// What the triangles at an edge do there.
typedef enum bv_edge_kind
{
	bv_edge_convex = 0,   ///< two triangles, the solid behind them is convex here; also a sheet's two sides
	bv_edge_concave,      ///< two triangles, the solid behind them is concave here
	bv_edge_flat,         ///< two triangles whose normals' angle has a sine of at most 2^-12
	bv_edge_boundary,     ///< one triangle
	bv_edge_flipped,      ///< two triangles that run through it in one direction
	bv_edge_non_manifold, ///< three triangles or more
	bv_edge_kinds,        ///< how many kinds there are
} bv_edge_kind;

/// Counts and properties of the mesh of record: the mesh whose positions are exactly those that the file
/// holds.
typedef struct bv_mesh_info
{
	uint32_t vertices;                     ///< distinct positions
	uint32_t triangles;                    ///< after cleaning
	uint32_t edges;                        ///< distinct vertex pairs joined by a triangle's side
	uint32_t edges_of_kind[bv_edge_kinds]; ///< how many of them are of each bv_edge_kind
	uint32_t components;                   ///< sets of triangles connected through common vertices
	bool closed;                           ///< every edge is run through as often forwards as backwards

	/// No edge has three triangles or two in one direction, no vertex two fans.
	bool manifold;

	bool oriented;               ///< no edge of two triangles is run through twice in one direction
	uint32_t double_sided;       ///< pairs of triangles that differ only in winding
	uint64_t removed_degenerate; ///< source triangles without area, dropped

	/// Source triangles equal to an earlier one in vertices and winding, dropped.
	uint64_t removed_duplicate;

	uint64_t removed_non_finite; ///< source triangles with a coordinate that is no number, dropped
	uint64_t unused_vertices;    ///< source vertices that no triangle refers to
	uint64_t merged_vertices;    ///< other source vertices that became one with another
	double area;                 ///< square mesh units
	double largest_displacement; ///< no vertex of record is farther from its source position, mesh units

	/// Positions and triangles are in the file, not only what is said of them here.
	bool has_triangles;
} bv_mesh_info;

/// @return counts and properties of the mesh
bv_mesh_info bv_file_get_mesh( const bv_file* file );

/// @param index  below bv_mesh_info.vertices
/// @return the position; the origin when index is out of range or the file has no positions
bv_vec3 bv_file_get_vertex( const bv_file* file, uint32_t index );

/// @param index   below bv_mesh_info.triangles
/// @param corner  receives three vertex indices, counter-clockwise seen from outside; zeros when out of
///                range or when the file has no triangles
void bv_file_get_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

/// @param triangle  below bv_mesh_info.triangles
/// @param side      0, 1, 2: from corner `side` to the next
/// @param kind      receives what the triangles at that edge do there
/// @return whether the file has this: it was built with the section `edges`
bool bv_file_get_edge( const bv_file* file, uint32_t triangle, uint32_t side, bv_edge_kind* kind );

/// In place of a triangle's number: there is none.
#define BV_NO_TRIANGLE 0xffffffffu

/// An edge: two vertices that a side of a triangle joins.
typedef struct bv_mesh_edge
{
	uint32_t vertex[2];   ///< the lesser one first
	uint32_t triangle[2]; ///< at a boundary and where there are three or more, one of them and BV_NO_TRIANGLE
	bv_edge_kind kind;    ///< what the triangles do there
} bv_mesh_edge;

/// @param index  below bv_mesh_info.edges; edges ascend by their vertices
/// @return whether the file has this: it was built with the section `adjacency`
bool bv_file_get_mesh_edge( const bv_file* file, uint32_t index, bv_mesh_edge* edge );

/// Where a triangle comes from. Texts are empty where the source has no such name.
typedef struct bv_triangle_source
{
	uint32_t face;    ///< the source's polygon, counted from 0 in the source's order
	bv_text object;   ///< object or instance
	bv_text group;    ///< group within it
	bv_text material; ///< material
} bv_triangle_source;

/// @param triangle  below bv_mesh_info.triangles
/// @return whether the file has this: it was built with the section `source`
bool bv_file_get_source( const bv_file* file, uint32_t triangle, bv_triangle_source* source );

/// What has a mass.
typedef enum bv_mass_of
{
	bv_mass_of_solid = 0, ///< the solid that a closed mesh bounds; only closed meshes with a volume have it
	bv_mass_of_surface,   ///< the surface as a thin sheet, of any mesh
	bv_mass_of_hull,      ///< the convex hull, unless it is flat up to rounding
	bv_mass_of_body,      ///< the body that moves, with the mass that it was given: bv_file_get_body
} bv_mass_of;

/// Of all but bv_mass_of_body the density is 1.
/// @return whether the file has these mass properties; `mass` is filled only then
bool bv_file_get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass );

/// The body that a simulation moves, as `bvbuild --density` or `--mass` makes it: the solid if there is one,
/// else the hull, else, of a mass, the surface. Masses are in the unit that was meant with the option, which
/// the file does not know: kilograms if it was.
typedef struct bv_body
{
	bv_mass mass;   ///< above 0, also where triangles face inwards
	bv_mass_of of;  ///< the body that it is
	double density; ///< above 0: mass per mesh unit^3, of a surface per ^2
	bool from_mass; ///< the mass was given and the density follows, not the other way round
} bv_body;

/// @return whether the file has a body: it was built with a density or a mass; `body` is filled only then
bool bv_file_get_body( const bv_file* file, bv_body* body );

/// Volumes that enclose every vertex of the mesh exactly.
typedef struct bv_file_bounds
{
	bv_aabb aabb;       ///< the least
	bv_sphere sphere;   ///< the least
	bv_obb obb;         ///< the least in volume, unless another method was asked for
	bv_kdop kdop;       ///< the least with 26 planes; those with fewer are made of some of its planes
	bv_capsule capsule; ///< a small one
	bv_rss rss;         ///< a small one
} bv_file_bounds;

/// @return whether the file has bounds of the whole mesh; `bounds` is filled only then
bool bv_file_get_bounds( const bv_file* file, bv_file_bounds* bounds );

/// The shapes that a mesh is compared with.
typedef enum bv_primitive_kind
{
	bv_primitive_box = 0,  ///< an oriented box
	bv_primitive_sphere,   ///< a ball
	bv_primitive_capsule,  ///< a segment with a radius
	bv_primitive_cylinder, ///< with flat ends
	bv_primitive_kinds,    ///< how many kinds there are
} bv_primitive_kind;

/// A primitive fitted to a mesh so that the two surfaces are near each other. It need not enclose the mesh.
typedef struct bv_primitive
{
	bv_primitive_kind kind;   ///< which of the next four holds
	bv_obb box;               ///< mesh units
	bv_sphere sphere;         ///< mesh units
	bv_capsule capsule;       ///< mesh units
	bv_cylinder cylinder;     ///< mesh units
	bv_interval from_surface; ///< how far a point of the primitive's surface can be from the mesh, mesh units
	bv_interval from_mesh;    ///< how far a point of the mesh can be from the primitive's surface, mesh units
	bv_interval error;        ///< the greater of the two: the Hausdorff distance of the two surfaces
} bv_primitive;

/// @return whether the file has primitives; `primitive` is filled only then
bool bv_file_get_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive );

/// What a mesh is like.
typedef struct bv_recognized
{
	double tolerance;       ///< how near a primitive had to be, mesh units, above 0
	bv_primitive_kind best; ///< the nearest that is no farther; bv_primitive_kinds when there is none
} bv_recognized;

/// @return whether the file has primitives; `recognized` is filled only then
bool bv_file_get_recognized( const bv_file* file, bv_recognized* recognized );

/// How many dimensions the vertices span, which decides what the hull is.
typedef enum bv_hull_kind
{
	bv_hull_point = 0,  ///< one vertex
	bv_hull_segment,    ///< two vertices, the ends
	bv_hull_polygon,    ///< the corners of a flat polygon in order; one face
	bv_hull_polyhedron, ///< triangles, counter-clockwise seen from outside
} bv_hull_kind;

/// The convex hull of all vertices.
typedef struct bv_hull_info
{
	bv_hull_kind kind; ///< what the fields below describe
	uint32_t vertices; ///< corners
	uint32_t faces;    ///< triangles of a polyhedron, 1 for a polygon, else 0
	double volume;     ///< cubic mesh units, 0 unless a polyhedron
	bool of_mesh;      ///< its corners are vertices of the mesh in the file; else they have positions only
} bv_hull_info;

/// @return what the hull is; without any vertices when the file has none
bv_hull_info bv_file_get_hull( const bv_file* file );

/// @param index  below bv_hull_info.vertices
/// @return the mesh vertex that is this corner; 0 when index is out of range or the hull is not over the
/// mesh's vertices
uint32_t bv_file_get_hull_vertex( const bv_file* file, uint32_t index );

/// @param index  below bv_hull_info.vertices
/// @return where this corner is; the origin when index is out of range
bv_vec3 bv_file_get_hull_position( const bv_file* file, uint32_t index );

/// @param index   below bv_hull_info.faces, of a polyhedron
/// @param corner  receives three hull vertices (not mesh vertices); zeros when out of range
void bv_file_get_hull_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

/// How the parts of a polyhedron's hull hang together: coplanar triangles merged into polygons.
typedef struct bv_hull_topology_info
{
	uint32_t polygons;   ///< faces
	uint32_t half_edges; ///< directed sides of polygons, twice the number of edges
	uint32_t loose;      ///< vertices that climbing from neighbor to neighbor may miss for rounding's sake
} bv_hull_topology_info;

/// @return counts; all 0 when the file has none: it was not built with the section `hull-topology`, or the
/// hull is no polyhedron
bv_hull_topology_info bv_file_get_hull_topology( const bv_file* file );

/// A polygon of the hull.
typedef struct bv_hull_facet
{
	bv_vec3 normal; ///< unit, outward

	/// Dot( normal, x ) <= offset for every corner x of the hull, in binary64 arithmetic.
	double offset;

	uint32_t first_edge; ///< its first half-edge
	uint32_t

		/// So many half-edges, one after another, are its sides, counter-clockwise seen from outside.
		edge_count;
} bv_hull_facet;

/// @param index  below bv_hull_topology_info.polygons
/// @return whether there is such a polygon; `facet` is filled only then
bool bv_file_get_hull_facet( const bv_file* file, uint32_t index, bv_hull_facet* facet );

/// A directed side of a polygon of the hull.
typedef struct bv_hull_half_edge
{
	uint32_t origin;  ///< hull vertex where it starts
	uint32_t twin;    ///< the half-edge that runs the other way
	uint32_t next;    ///< the next one round its polygon
	uint32_t polygon; ///< its polygon
} bv_hull_half_edge;

/// @param index  below bv_hull_topology_info.half_edges
/// @return whether there is such a half-edge; `edge` is filled only then
bool bv_file_get_hull_half_edge( const bv_file* file, uint32_t index, bv_hull_half_edge* edge );

/// The neighbors of a hull vertex. Going from vertex to neighbor as long as a dot product grows ends at a
/// vertex where no other's is greater, but for those that are loose.
/// @param vertex     below bv_hull_info.vertices
/// @param neighbors  receives a place in the file; null when there are none
/// @return how many there are
uint32_t bv_file_get_hull_neighbors( const bv_file* file, uint32_t vertex, const uint32_t** neighbors );

/// @param vertices  receives a place in the file, of as many hull vertices as bv_hull_topology_info.loose,
///                  ascending; null when the file has no topology of the hull
void bv_file_get_hull_loose( const bv_file* file, const uint32_t** vertices );

/// Convex parts that together cover the mesh, as a whole. The shape that they are compared with is the
/// triangles and, where it is solid, everything inside of them.
typedef struct bv_decomposition_info
{
	uint32_t parts;    ///< how many there are, up to 4096
	uint32_t vertices; ///< corners of all parts together
	uint32_t faces;    ///< triangles of all parts together
	bool solid;        ///< parts are filled: the inside of the mesh belongs to the shape
	bool out_of_time;  ///< a time budget ended the search for better ones
	double

		/// How far parts were allowed to stand off, mesh units; 0 where their number alone counted.
		tolerance;

	bv_interval concavity; ///< how far a point of any part can be from the shape, mesh units

	/// No point of the triangles is farther from all parts, nor, if the mesh is closed, of the inside; mesh
	/// units.
	double uncovered;

	bool has_triangles; ///< the file has bv_file_get_part_triangles
} bv_decomposition_info;

/// @return the decomposition as a whole; without any parts when the file has none
bv_decomposition_info bv_file_get_decomposition( const bv_file* file );

/// A convex polyhedron with a volume.
typedef struct bv_part
{
	uint32_t vertices;     ///< corners, 4 to 255
	uint32_t faces;        ///< triangles: 2 * vertices - 4
	bv_aabb box;           ///< the least around its corners
	bv_mass mass;          ///< of the filled part; its mass is its volume
	bv_interval concavity; ///< how far one of its points can be from the shape, mesh units
} bv_part;

/// @param index  below bv_decomposition_info.parts
/// @return whether there is such a part; `part` is filled only then
bool bv_file_get_part( const bv_file* file, uint32_t index, bv_part* part );

/// @param part   below bv_decomposition_info.parts
/// @param index  below bv_part.vertices
/// @return where the corner is; binary32 numbers; the origin when one of the two is out of range
bv_vec3 bv_file_get_part_vertex( const bv_file* file, uint32_t part, uint32_t index );

/// @param part    below bv_decomposition_info.parts
/// @param index   below bv_part.faces
/// @param corner  receives three of the part's corners, counter-clockwise seen from outside; zeros when out
///                of range
void bv_file_get_part_triangle( const bv_file* file, uint32_t part, uint32_t index, uint32_t corner[3] );

/// Parts that have a point in common with a part.
/// @param neighbors  receives a place in the file, of parts, ascending; null when there are none
/// @return how many there are
uint32_t bv_file_get_part_neighbors( const bv_file* file, uint32_t part, const uint32_t** neighbors );

/// Triangles of the mesh of which a part was made to cover at least a piece.
/// @param triangles  receives a place in the file, of triangles, ascending; null when there are none, or when
///                   the file was not built with the section `part-triangles`
/// @return how many there are
uint32_t bv_file_get_part_triangles( const bv_file* file, uint32_t part, const uint32_t** triangles );

/// Called for each part that is found.
/// @return false to end the visit
typedef bool bv_part_callback( void* context, uint32_t part );

/// Visits the parts whose boxes meet a box, touching included, in ascending order: those that a narrow phase
/// is to look at.
/// @param box       in the file's coordinates; null for all parts
/// @param callback  called once for each
/// @param context   passed on
/// @return whether none of the calls has ended the visit
bool bv_file_visit_parts( const bv_file* file, const bv_aabb* box, bv_part_callback* callback,
                          void* context );

/// A mesh with few triangles that stands for the mesh. Where that is closed and faces outwards the proxy
/// encloses it: no vertex has moved inwards.
typedef struct bv_proxy
{
	uint32_t vertices;      ///< distinct positions
	uint32_t triangles;     ///< no more than the mesh has
	double tolerance;       ///< how far the two were allowed to be from each other, mesh units
	bv_interval from_proxy; ///< how far a point of the proxy's triangles can be from the mesh's, mesh units
	bv_interval from_mesh;  ///< how far a point of the mesh's triangles can be from the proxy's, mesh units
	uint32_t enclosed;      ///< triangles of the mesh that are proved to be inside of the proxy or on it
} bv_proxy;

/// @return whether the file has a proxy; `proxy` is filled only then
bool bv_file_get_proxy( const bv_file* file, bv_proxy* proxy );

/// @param index  below bv_proxy.vertices
/// @return the position: binary32 numbers, if the mesh's are; the origin when index is out of range or there
/// is no proxy
bv_vec3 bv_file_get_proxy_vertex( const bv_file* file, uint32_t index );

/// @param index   below bv_proxy.triangles
/// @param corner  receives three vertices of the proxy, counter-clockwise seen from outside; zeros when out
///                of range
void bv_file_get_proxy_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

/// The hierarchy as a whole.
typedef struct bv_hierarchy_info
{
	uint32_t nodes;                    ///< all nodes
	uint32_t leaves;                   ///< nodes without children
	uint32_t depth;                    ///< the deepest leaf's level; 0 when the root is a leaf
	uint32_t of_type[bv_volume_types]; ///< how many nodes have a volume of each type
	bv_costs

		/// What tests were said to cost when it was built; of prisms, where there are none, what rectangle
		/// swept spheres cost.
		costs;
} bv_hierarchy_info;

/// @return the hierarchy as a whole; without any nodes when the file has none
bv_hierarchy_info bv_file_get_hierarchy( const bv_file* file );

/// Mean and largest value of a measure in a set of nodes.
typedef struct bv_error_summary
{
	bv_interval mean; ///< every node counts the same
	bv_interval max;  ///< of the largest value
} bv_error_summary;

/// Errors of a set of nodes: how far a point of a node's decoded volume can be from the triangles below it,
/// mesh units.
typedef struct bv_errors_of
{
	bv_error_summary surface; ///< points of the volumes' boundaries
	bv_error_summary solid;   ///< all their points
} bv_errors_of;

/// Errors of one level.
typedef struct bv_level_errors
{
	bv_errors_of level; ///< the nodes of this level
	bv_errors_of cut;   ///< its nodes and the leaves above it, which together hold every triangle
} bv_level_errors;

/// Certified errors of the hierarchy. Every interval contains the true value.
typedef struct bv_file_errors
{
	double relative;     ///< each node was measured until upper <= lower * (1 + relative) ...
	double floor;        ///< ... or upper <= lower + floor * the diameter of its volume
	bv_interval surface; ///< of the root's boundary, mesh units
	bv_interval solid;   ///< of all points of the root, mesh units
	bv_errors_of all;    ///< of all nodes
} bv_file_errors;

/// @return whether the file has errors; `errors` is filled only then
bool bv_file_get_errors( const bv_file* file, bv_file_errors* errors );

/// @param level  up to bv_hierarchy_info.depth
/// @return whether the file has errors and the level exists; `errors` is filled only then
bool bv_file_get_level_errors( const bv_file* file, uint32_t level, bv_level_errors* errors );

/// A node during bv_file_visit_nodes.
typedef struct bv_node_info
{
	uint32_t index;          ///< its number: 0 for the root; those of siblings follow one another
	uint32_t level;          ///< 0 for the root
	uint32_t children;       ///< 0 for a leaf
	uint32_t first_child;    ///< number of the first of them; 0 for a leaf
	uint32_t first_triangle; ///< the triangles below are a range of the file's triangles
	uint32_t triangles;      ///< length of that range, at least 1
	bv_volume volume;        ///< decoded; encloses all triangles below
	bool has_errors;         ///< the next two are known

	/// No point of the volume's boundary is farther from these triangles, mesh units.
	double surface_upper;

	double solid_upper; ///< nor is any point of the volume
} bv_node_info;

/// How far from the mesh's origin, (0, 0, 0), a node's volume reaches: a rotation about the origin by an
/// angle moves none of its points by more than that angle times this.
/// @param node    a node's number, below bv_hierarchy_info.nodes
/// @param radius  receives a bound that no point of the volume exceeds, mesh units
/// @return whether the file has this: it was built with the section `radius`
bool bv_file_get_node_radius( const bv_file* file, uint32_t node, double* radius );

/// What choosing the node to open goes by (Eckstein 1998, section 4.3). The area of a flat volume is that of
/// both sides.
typedef struct bv_node_quality
{
	double area;  ///< of the surface of the node's decoded volume, square mesh units
	double worst; ///< the largest area of its children; of a leaf its own
	double cost;  ///< of comparing its children, or of a leaf its triangles, with others, as in bv_costs
} bv_node_quality;

/// @param node  a node's number, below bv_hierarchy_info.nodes
/// @return whether the file has this: it was built with the section `node-quality`
bool bv_file_get_node_quality( const bv_file* file, uint32_t node, bv_node_quality* quality );

/// Faces that stand for all triangles below a node when time is up (Eckstein 1998, section 8.2): those of a
/// box that encloses them, or only two of these. Its axis[2] is the triangles' mean normal, unless that
/// vanishes as those of closed surfaces do.
typedef struct bv_node_faces
{
	bool two;   ///< the box is thin: its faces at center -+ half_extents[2] * axis[2] will do
	bv_obb box; ///< mesh units
} bv_node_faces;

/// @param node  a node's number, below bv_hierarchy_info.nodes
/// @return whether the file has this: it was built with the section `node-faces`
bool bv_file_get_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces );

/// Called for each node, a parent before its children.
/// @return false to end the visit
typedef bool bv_node_callback( void* context, const bv_node_info* node );

/// Visits all nodes of the hierarchy depth first.
/// @param callback  called once a node
/// @param context   passed on
/// @return whether every node was visited, which without a hierarchy are none
bool bv_file_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context );

#ifdef __cplusplus
}
#endif
