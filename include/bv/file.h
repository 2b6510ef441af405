// Opens a .bvh file in memory and reads what it holds: mesh, hull, hierarchy, bounds, convex parts and more.
//
//     #include <bv/file.h>
//     #include <stdio.h>
//
//     // Prints the corners of the convex hull. The memory is 8-byte aligned and holds a whole .bvh file.
//     bv_status print_hull( const void* memory, size_t size )
//     {
//         const bv_file* file;
//         bv_status status = bv_file_open( memory, size, &file );
//         uint32_t count = status == bv_ok ? bv_file_get_hull( file ).vertices : 0;
//         for ( uint32_t i = 0; i < count; ++i )
//         {
//             bv_vec3 corner = bv_file_get_hull_position( file, i );
//             printf( "%g %g %g\n", corner.x, corner.y, corner.z );
//         }
//         return status;
//     }
//
// A file is checked once, when it is opened, and then read in place: nothing is parsed, copied or allocated.
// Map the file or read it into 8-byte aligned memory, and pass that memory to bv_file_open. The memory must
// remain valid and unchanged as long as the bv_file is in use. After bv_file_open has succeeded, no function
// of this library reads outside of the memory or loops forever, whatever bytes the file contains.
//
// A file need not have all sections. Functions that return a count return 0 if the section is missing.
// Functions that return bool return false and leave the result unset. All lengths are in mesh units. The file
// format is specified in formats/bvh/README.md.

#pragma once

#include "bv/base.h"
#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A checked file. It points to the caller's memory; there is nothing to free.
typedef struct bv_file bv_file;

/// Checks the complete file: magic number, version, byte order, section table, checksums, and all offsets,
/// counts, indices and numbers. Takes linear time and allocates nothing.
/// @param memory  the whole file, 8-byte aligned; not copied
/// @param size    size of the file in bytes
/// @param file    receives the checked file; null on failure
/// @return bv_ok; bv_error_argument if a pointer is null or misaligned; bv_error_unsupported for another
/// major version or byte order, or for a required section that this reader does not know; bv_error_damaged if
/// the file is invalid in any other way
bv_status bv_file_open( const void* memory, size_t size, const bv_file** file );

/// Same as bv_file_open, and also explains a failure.
/// @param reason  receives a static phrase such as "a section fails its checksum"; null on success
bv_status bv_file_open_explained( const void* memory, size_t size, const bv_file** file,
                                  const char** reason );

/// A string inside the file: UTF-8 without control characters, not zero-terminated.
typedef struct bv_text
{
	const char* data; ///< points into the file
	size_t length;    ///< bytes
} bv_text;

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

/// Classifies edges by their triangles.
typedef enum bv_edge_kind
{
	bv_edge_convex = 0,   ///< two triangles, convex; also the edges between the two sides of a sheet
	bv_edge_concave,      ///< two triangles, concave
	bv_edge_flat,         ///< two triangles, and the sine of the angle between their normals is at most 2^-12
	bv_edge_boundary,     ///< one triangle
	bv_edge_flipped,      ///< two triangles that traverse the edge in the same direction
	bv_edge_non_manifold, ///< three or more triangles
	bv_edge_kinds,        ///< the number of kinds
} bv_edge_kind;

/// Properties of the mesh of record: the mesh with exactly the positions that the file stores. The removed_*
/// members count triangles of the source that were dropped.
typedef struct bv_mesh_info
{
	uint32_t vertices;                     ///< distinct positions
	uint32_t triangles;                    ///< triangles after cleaning
	uint32_t edges;                        ///< distinct pairs of vertices joined by a side of a triangle
	uint32_t edges_of_kind[bv_edge_kinds]; ///< number of edges per bv_edge_kind
	uint32_t components;                   ///< sets of triangles connected by common vertices
	bool closed;                           ///< each edge is traversed equally often in both directions
	bool manifold;                         ///< oriented, at most two triangles per edge, one fan per vertex
	bool oriented;                         ///< no edge with two triangles is traversed twice in one direction
	uint32_t double_sided;                 ///< pairs of triangles that differ only in winding
	uint64_t removed_degenerate;           ///< triangles without area
	uint64_t removed_duplicate;            ///< triangles equal to an earlier one in vertices and winding
	uint64_t removed_non_finite;           ///< triangles with an infinite or NaN coordinate
	uint64_t unused_vertices;              ///< source vertices that no triangle refers to
	uint64_t merged_vertices;              ///< other source vertices that were merged with another vertex
	double area;                           ///< square mesh units

	/// Upper bound of the distance of a vertex from its source position, after scaling and normalizing, mesh
	/// units.
	double largest_displacement;

	bool has_triangles; ///< the file stores positions and triangles, not only these numbers
} bv_mesh_info;

/// @return properties of the mesh
bv_mesh_info bv_file_get_mesh( const bv_file* file );

/// @param index  less than bv_mesh_info.vertices
/// @return the position; the origin if `index` is out of range or the file stores no positions
bv_vec3 bv_file_get_vertex( const bv_file* file, uint32_t index );

/// @param index   less than bv_mesh_info.triangles
/// @param corner  receives three vertex indices, counter-clockwise seen from outside; zeros if `index` is out
///                of range or the file stores no triangles
void bv_file_get_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

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

/// The origin of a triangle. A text is empty if the source has no such name.
typedef struct bv_triangle_source
{
	uint32_t face;    ///< polygon of the source, counted from 0 in the order of the source
	bv_text object;   ///< name of the object or instance
	bv_text group;    ///< name of the group within the object
	bv_text material; ///< name of the material
} bv_triangle_source;

/// @param triangle  less than bv_mesh_info.triangles
/// @return false if `triangle` is out of range or the file has no section `source`
bool bv_file_get_source( const bv_file* file, uint32_t triangle, bv_triangle_source* source );

/// The bodies whose mass properties a file can have.
typedef enum bv_mass_of
{
	bv_mass_of_solid = 0, ///< the solid bounded by the mesh; only for closed meshes with a volume
	bv_mass_of_surface,   ///< the surface as a thin sheet, for any mesh
	bv_mass_of_hull,      ///< the convex hull, unless it is flat up to rounding
	bv_mass_of_body,      ///< the body of bv_file_get_body, with its given density or mass
} bv_mass_of;

/// The density is 1, except for bv_mass_of_body.
/// @param mass  receives the mass properties
/// @return whether the file has these mass properties; `mass` is set only then
bool bv_file_get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass );

/// The body that a simulation moves, created by `bvbuild --density` or `--mass`. It is the solid, if there is
/// one, and otherwise the hull. If a mass was given and there is neither, it is the surface. The unit of mass
/// is that of the option; the file does not record it.
typedef struct bv_body
{
	bv_mass mass;   ///< positive, even if the triangles face inward
	bv_mass_of of;  ///< the body that was chosen
	double density; ///< positive; mass per mesh unit^3, for a surface per mesh unit^2
	bool from_mass; ///< the mass was given and the density follows from it; otherwise the reverse
} bv_body;

/// @return whether the file has a body, because it was built with a density or a mass; `body` is set only
/// then
bool bv_file_get_body( const bv_file* file, bv_body* body );

/// Bounding volumes of the whole mesh. Each encloses every vertex exactly.
typedef struct bv_file_bounds
{
	bv_aabb aabb;       ///< smallest axis-aligned box
	bv_sphere sphere;   ///< smallest sphere
	bv_obb obb;         ///< oriented box of smallest volume, unless the file was built with another method
	bv_kdop kdop;       ///< smallest 26-DOP; smaller k-DOPs use a subset of its planes
	bv_capsule capsule; ///< a small capsule, not necessarily the smallest
	bv_rss rss;         ///< a small rectangle swept sphere, not necessarily the smallest
} bv_file_bounds;

/// @return whether the file has bounds of the whole mesh; `bounds` is set only then
bool bv_file_get_bounds( const bv_file* file, bv_file_bounds* bounds );

/// The primitives that a mesh is compared with.
typedef enum bv_primitive_kind
{
	bv_primitive_box = 0,  ///< oriented box
	bv_primitive_sphere,   ///< sphere
	bv_primitive_capsule,  ///< capsule
	bv_primitive_cylinder, ///< cylinder with flat ends
	bv_primitive_kinds,    ///< the number of kinds
} bv_primitive_kind;

/// A primitive fitted to a mesh so that the two surfaces are close to each other. It need not enclose the
/// mesh. All lengths are in mesh units.
typedef struct bv_primitive
{
	bv_primitive_kind kind;   ///< selects one of the next four members
	bv_obb box;               ///< for bv_primitive_box
	bv_sphere sphere;         ///< for bv_primitive_sphere
	bv_capsule capsule;       ///< for bv_primitive_capsule
	bv_cylinder cylinder;     ///< for bv_primitive_cylinder
	bv_interval from_surface; ///< maximum distance from a point of the primitive's surface to the mesh
	bv_interval from_mesh;    ///< maximum distance from a point of the mesh to the primitive's surface
	bv_interval error;        ///< maximum of the two: the Hausdorff distance of the surfaces
} bv_primitive;

/// @return whether the file has primitives; `primitive` is set only then
bool bv_file_get_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive );

/// The result of primitive recognition.
typedef struct bv_recognized
{
	double tolerance; ///< largest accepted error, mesh units, positive

	/// Kind with the smallest error.upper, if that is within the tolerance. If others exceed it by at most a
	/// tenth of the tolerance, the first of them all. bv_primitive_kinds if no kind fits.
	bv_primitive_kind best;
} bv_recognized;

/// @return whether the file has primitives; `recognized` is set only then
bool bv_file_get_recognized( const bv_file* file, bv_recognized* recognized );

/// The kind of a convex hull, determined by the dimension of the set of vertices.
typedef enum bv_hull_kind
{
	bv_hull_point = 0,  ///< one vertex
	bv_hull_segment,    ///< two vertices, the ends
	bv_hull_polygon,    ///< a flat polygon: one face, with its vertices in order around it
	bv_hull_polyhedron, ///< triangles, counter-clockwise seen from outside
} bv_hull_kind;

/// The convex hull of all vertices.
typedef struct bv_hull_info
{
	bv_hull_kind kind; ///< dimension of the hull
	uint32_t vertices; ///< number of corners
	uint32_t faces;    ///< number of triangles for a polyhedron, 1 for a polygon, otherwise 0
	double volume;     ///< cubic mesh units; 0 unless a polyhedron

	/// The corners are vertices of the mesh in the file; otherwise they only have positions.
	bool of_mesh;
} bv_hull_info;

/// @return the hull; it has no vertices if the file has no hull
bv_hull_info bv_file_get_hull( const bv_file* file );

/// @param index  less than bv_hull_info.vertices
/// @return the mesh vertex of this corner; 0 if `index` is out of range or bv_hull_info.of_mesh is false
uint32_t bv_file_get_hull_vertex( const bv_file* file, uint32_t index );

/// @param index  less than bv_hull_info.vertices
/// @return the position of this corner; the origin if `index` is out of range
bv_vec3 bv_file_get_hull_position( const bv_file* file, uint32_t index );

/// @param index   less than bv_hull_info.faces of a polyhedron
/// @param corner  receives three hull vertices (not mesh vertices); zeros if `index` is out of range
void bv_file_get_hull_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

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

/// A decomposition into convex parts, which together cover the mesh. The parts are compared with the shape:
/// the triangles and, if `solid` is set, everything inside them.
typedef struct bv_decomposition_info
{
	uint32_t parts;        ///< number of parts, at most 4096
	uint32_t vertices;     ///< number of corners of all parts
	uint32_t faces;        ///< number of triangles of all parts
	bool solid;            ///< the inside of the mesh belongs to the shape
	bool out_of_time;      ///< a time limit or a progress callback ended the search for better parts
	double tolerance;      ///< allowed stand-off of the parts, mesh units; 0 if only their number was limited
	bv_interval concavity; ///< maximum distance from a point of any part to the shape, mesh units

	/// Upper bound of the distance from any point of the triangles to the nearest part, mesh units. If the
	/// mesh is closed, the bound also holds for points inside it.
	double uncovered;

	bool has_triangles; ///< the file has the section `part-triangles`
} bv_decomposition_info;

/// @return the decomposition; it has no parts if the file has no decomposition
bv_decomposition_info bv_file_get_decomposition( const bv_file* file );

/// A convex part: a polyhedron with positive volume.
typedef struct bv_part
{
	uint32_t vertices;     ///< number of corners, 4 to 255
	uint32_t faces;        ///< number of triangles: 2 * vertices - 4
	bv_aabb box;           ///< smallest box around the corners
	bv_mass mass;          ///< mass properties of the filled part at density 1
	bv_interval concavity; ///< maximum distance from a point of the part to the shape, mesh units
} bv_part;

/// @param index  less than bv_decomposition_info.parts
/// @return false if `index` is out of range; `part` is set otherwise
bool bv_file_get_part( const bv_file* file, uint32_t index, bv_part* part );

/// @param part   less than bv_decomposition_info.parts
/// @param index  less than bv_part.vertices
/// @return the position of the corner, which is stored as binary32; the origin if an index is out of range
bv_vec3 bv_file_get_part_vertex( const bv_file* file, uint32_t part, uint32_t index );

/// @param part    less than bv_decomposition_info.parts
/// @param index   less than bv_part.faces
/// @param corner  receives three corners of the part, counter-clockwise seen from outside; zeros if an index
///                is out of range
void bv_file_get_part_triangle( const bv_file* file, uint32_t part, uint32_t index, uint32_t corner[3] );

/// Returns the parts that have a common point with a part.
/// @param neighbors  receives a pointer into the file, to parts in ascending order; null if there are no
///                   neighbors
/// @return the number of neighbors
uint32_t bv_file_get_part_neighbors( const bv_file* file, uint32_t part, const uint32_t** neighbors );

/// Returns the triangles that a part covers completely or partially.
/// @param triangles  receives a pointer into the file, to triangles in ascending order; null if there are no
///                   triangles or the file has no section `part-triangles`
/// @return the number of triangles
uint32_t bv_file_get_part_triangles( const bv_file* file, uint32_t part, const uint32_t** triangles );

/// Called for each part found.
/// @return false to end the visit
typedef bool bv_part_callback( void* context, uint32_t part );

/// Visits the parts whose boxes intersect or touch a box, in ascending order. These are the candidates for a
/// narrow phase.
/// @param box       in coordinates of the file; null for all parts
/// @param callback  called once per part
/// @param context   passed to the callback
/// @return false if the callback ended the visit
bool bv_file_visit_parts( const bv_file* file, const bv_aabb* box, bv_part_callback* callback,
                          void* context );

/// A simplified mesh. If the mesh is closed and faces outward, the proxy mesh encloses it.
typedef struct bv_proxy
{
	uint32_t vertices;      ///< distinct positions
	uint32_t triangles;     ///< not more than the mesh has
	double tolerance;       ///< allowed distance between the two meshes, mesh units
	bv_interval from_proxy; ///< maximum distance from a point of the proxy mesh to the mesh, mesh units
	bv_interval from_mesh;  ///< maximum distance from a point of the mesh to the proxy mesh, mesh units
	uint32_t enclosed;      ///< triangles of the mesh that are proved to be inside the proxy mesh or on it
} bv_proxy;

/// @return whether the file has a proxy mesh; `proxy` is set only then
bool bv_file_get_proxy( const bv_file* file, bv_proxy* proxy );

/// @param index  less than bv_proxy.vertices
/// @return the position, a binary32 number if those of the mesh are; the origin if `index` is out of range or
/// there is no proxy mesh
bv_vec3 bv_file_get_proxy_vertex( const bv_file* file, uint32_t index );

/// @param index   less than bv_proxy.triangles
/// @param corner  receives three vertices of the proxy mesh, counter-clockwise seen from outside; zeros if
///                out of range
void bv_file_get_proxy_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

/// Properties of the hierarchy.
typedef struct bv_hierarchy_info
{
	uint32_t nodes;                    ///< number of nodes, leaves included
	uint32_t leaves;                   ///< number of nodes without children
	uint32_t depth;                    ///< level of the deepest leaf; 0 if the root is a leaf
	uint32_t of_type[bv_volume_types]; ///< number of nodes per volume type

	/// The costs used by the build. If there are no prisms, a prism has the costs of a rectangle swept
	/// sphere.
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
