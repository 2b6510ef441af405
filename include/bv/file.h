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
// Positions are in coordinates of the mesh that the file was made from, in binary64, as all functions return
// and take them. They are stored relative to an offset, which is 0 unless the mesh is far from 0: see
// bv_file_get_offset.
//
// What only tools ask of a file is in bv/inspect.h. A file need not have all sections. Functions that return
// a count return 0 if the section is missing. Functions that return bool return false and leave the result
// unset. All lengths are in mesh units. The file format is specified in formats/bvh/README.md.

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

/// Returns the point that positions are stored relative to. It is (0, 0, 0) unless the mesh is far from 0,
/// compared with its size. bvbuild uses an offset beyond 8 times the size; it is then a round number near the
/// middle of the mesh.
///
/// All functions of libbv add it already. Before you round positions to binary32, for instance for a vertex
/// buffer, subtract the offset in binary64 and place the result at this point; otherwise digits are lost. The
/// difference is the stored position, up to the rounding of the sum.
/// @return the offset, mesh units
bv_vec3 bv_file_get_offset( const bv_file* file );

/// @param index  less than bv_mesh_info.vertices
/// @return the position; the origin if `index` is out of range or the file stores no positions
bv_vec3 bv_file_get_vertex( const bv_file* file, uint32_t index );

/// @param index   less than bv_mesh_info.triangles
/// @param corner  receives three vertex indices, counter-clockwise seen from outside; zeros if `index` is out
///                of range or the file stores no triangles
void bv_file_get_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] );

/// Copies the positions of consecutive vertices, as bv_file_get_vertex returns them.
/// @param first  the first vertex
/// @param count  the most vertices to copy
/// @param out    receives them; may be null if `count` is 0
/// @return how many there were: fewer than `count` at the end of the mesh, 0 if the file stores no positions
uint32_t bv_file_get_vertices( const bv_file* file, uint32_t first, uint32_t count, bv_vec3* out );

/// Copies the corners of consecutive triangles, as bv_file_get_triangle returns them.
/// @param first  the first triangle
/// @param count  the most triangles to copy
/// @param out    receives three vertex indices per triangle; may be null if `count` is 0
/// @return how many there were: fewer than `count` at the end of the mesh, 0 if the file stores no triangles
uint32_t bv_file_get_triangles( const bv_file* file, uint32_t first, uint32_t count, uint32_t ( *out )[3] );

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

/// Bounding volumes of the whole mesh. Each encloses every vertex exactly. If the file has an offset, all but
/// the axis-aligned box are larger than the stored ones, by about 2^-50 of the offset, to cover rounding.
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

#ifdef __cplusplus
}
#endif
