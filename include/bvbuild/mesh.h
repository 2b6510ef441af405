// Triangle meshes: from a triangle soup to the mesh of record, and its topology, mass properties and winding
// numbers.
//
//     #include <bvbuild/mesh.h>
//
//     // Welds the vertices of a soup within 0.001, and returns whether the result is closed.
//     bool is_closed( const bvb_mesh* soup, bvb_arena* arena, bvb_error* error )
//     {
//         bvb_record_options options = bvb_record_options_default();
//         options.weld = 0.001;
//         bvb_record record;
//         bvb_topology topology;
//         return bvb_mesh_record( soup, &options, arena, &record, error ) == bv_ok &&
//                bvb_mesh_topology( &record.mesh, arena, &topology, NULL, error ) == bv_ok &&
//                topology.closed;
//     }
//
// bvb_mesh_record welds vertices, drops degenerate and duplicate triangles, moves each position to the
// nearest one that the file format can store, and cleans again. The result is called the mesh of record. All
// later stages, bounds and tests refer to it.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of triangles of a mesh of record.
#define BVB_MAX_TRIANGLES ( 1u << 30 )

/// The maximum absolute value of a coordinate of a mesh of record. Sums and differences of such numbers are
/// finite as floats.
#define BVB_MAX_COORDINATE 0x1p120

/// The minimum length of the longest side of the box of a mesh of record. Volumes and squares of such lengths
/// are above zero.
#define BVB_MIN_EXTENT 0x1p-120

/// A triangle.
typedef struct bvb_triangle
{
	/// Vertex indices, counter-clockwise seen from outside; less than bvb_mesh.vertex_count.
	uint32_t corner[3];
} bvb_triangle;

/// An indexed triangle mesh. The arrays live in the arena of the function that made it.
typedef struct bvb_mesh
{
	bv_vec3* positions;      ///< vertex_count positions
	bvb_triangle* triangles; ///< triangle_count triangles
	uint32_t vertex_count;   ///< length of positions
	uint32_t triangle_count; ///< length of triangles
	uint32_t* origin;        ///< index of each triangle in the source mesh; null if it is the same index
} bvb_mesh;

/// The forms in which a file stores positions.
typedef enum bvb_position_form
{
	bvb_positions_float = 0, ///< three binary32 numbers, 12 bytes
	bvb_positions_quantized, ///< three 21-bit coordinates on a grid, 8 bytes
} bvb_position_form;

/// @return the name of a bvb_position_form, as in --positions; null past the last
const char* bvb_position_form_name( uint32_t form );

/// A grid of positions: origin + step * (i, j, k), where 0 <= i, j, k < 2^21. The step is a power of two and
/// the origin is a multiple of it, so that decoding is exact in binary64.
typedef struct bvb_grid
{
	bv_vec3 origin; ///< mesh units
	double step;    ///< mesh units; 0 if positions are floats
} bvb_grid;

/// The up axis of the source and of the result. The conversion is a rotation by 90 degrees about x. It
/// neither mirrors nor rounds.
typedef enum bvb_up
{
	bvb_up_y = 0,  ///< y is up, or the axis does not matter: no rotation
	bvb_up_z,      ///< from z up to y up: (x, y, z) becomes (x, z, -y)
	bvb_up_y_to_z, ///< from y up to z up: (x, y, z) becomes (x, -z, y)
} bvb_up;

/// @return the name of a bvb_up, as in --up: "y", "z", "y-to-z"; null past the last
const char* bvb_up_name( uint32_t up );

/// The unit of the source's coordinates, which are converted to meters.
typedef enum bvb_units
{
	bvb_units_unsaid = 0, ///< unknown: no conversion
	bvb_units_millimeter, ///< 0.001 m
	bvb_units_centimeter, ///< 0.01 m
	bvb_units_meter,      ///< no conversion
	bvb_units_inch,       ///< 0.0254 m
	bvb_units_foot,       ///< international foot, 0.3048 m
} bvb_units;

/// @param index  a bvb_units value minus 1
/// @return the name of the unit, as in --units: "mm", "cm", "m", "in", "ft"; null past the last
const char* bvb_units_name( uint32_t index );

/// Options of bvb_mesh_record, in the order in which they are applied.
typedef struct bvb_record_options
{
	bvb_up up;       ///< rotate the up axis; default bvb_up_y, no rotation
	bvb_units units; ///< convert to meters; default bvb_units_unsaid, no conversion
	double scale;    ///< multiply positions; default 1
	double weld;     ///< merge vertices within this distance, mesh units; default 0, only equal ones

	/// Move the center of the AABB to 0, scale its half diagonal to 1; default false.
	bool normalize;

	/// Drop triangles with an infinite or NaN coordinate. Default false: they are an error.
	bool drop_non_finite;

	bvb_position_form positions; ///< round positions to this form; default bvb_positions_float
	uint32_t threads;            ///< 0, the default, for all processors; same result for any number
} bvb_record_options;

/// The mesh of record and the changes that led to it.
typedef struct bvb_record
{
	/// Without degenerate or duplicate triangles. Vertices are numbered by first use. `origin` refers to the
	/// source mesh. Positions are relative to `offset`.
	bvb_mesh mesh;

	/// The point that positions are relative to, mesh units: the place of a vertex is its position plus this.
	/// Each coordinate is 0 unless the mesh is farther from 0 along that axis than 8 times its size; then it
	/// is a round number near the middle of the mesh, so that positions have as many digits as near 0.
	bv_vec3 offset;

	bv_vec3 center; ///< subtracted by bvb_record_options.normalize, after rotation and scale; otherwise 0
	double radius;  ///< what bvb_record_options.normalize divided by; otherwise 1

	bvb_position_form form;      ///< form of its positions
	bvb_grid grid;               ///< grid of quantized positions
	uint64_t removed_degenerate; ///< dropped triangles without area
	uint64_t removed_duplicate;  ///< dropped triangles equal to an earlier one in vertices and winding
	uint64_t removed_non_finite; ///< dropped triangles with an infinite or NaN coordinate
	uint64_t unused_vertices;    ///< vertices of the source that no triangle refers to
	uint64_t merged_vertices;    ///< other vertices of the source that were merged with another vertex

	/// Upper bound of the distance of a vertex from its rotated, scaled and normalized source position, mesh
	/// units.
	double largest_displacement;
} bvb_record;

/// @return the defaults listed in bvb_record_options
bvb_record_options bvb_record_options_default( void );

/// @return the factor by which positions are multiplied: meters per unit times scale. If neither is 1, the
/// product is rounded.
double bvb_record_scale( const bvb_record_options* options );

/// Merges vertices and renumbers them by first use. All triangles are kept, in their order.
///
/// With distance 0, equal positions are merged; -0 equals +0. With a positive distance, positions are visited
/// in lexicographic order. A position is kept if no kept position is within the distance. All others move to
/// the nearest kept position, or to the first one if several are equally near. Therefore no vertex moves
/// farther than the distance, no two remaining vertices are within it, and the result does not depend on the
/// order of vertices or triangles.
/// @param source    any soup with finite positions; not changed
/// @param distance  mesh units, not negative
/// @param arena     the result lives here
/// @return bv_ok; bv_error_input if an index is out of range; bv_error_argument if the distance is NaN or
/// negative; bv_error_limit if it is positive and below 2^-50 of the largest coordinate, or for too many
/// triangles; bv_error_memory
bv_status bvb_mesh_weld( const bvb_mesh* source, double distance, bvb_arena* arena, bvb_mesh* out,
                         bvb_error* error );

/// Makes the mesh of record.
/// @param source  any soup; not changed
/// @param arena   the result lives here
/// @return bv_ok; bv_error_input if a coordinate used by a triangle is not finite, an index is out of range
/// or no triangle with an area remains; bv_error_limit if there are too many triangles or the mesh is too
/// large or too small; bv_error_memory
bv_status bvb_mesh_record( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                           bvb_record* out, bvb_error* error );

/// The maximum sine of the angle of a flat edge: 0.014 degrees. Rounding to binary32 changes the angles of a
/// flat surface by less, if its edges are about 1e-3 of its size. Larger angles may matter for contacts.
#define BVB_FLAT_SINE 0x1p-12

/// Connectivity of a mesh.
typedef struct bvb_topology
{
	uint32_t edges;                        ///< distinct pairs of vertices joined by a side of a triangle
	uint32_t edges_of_kind[bv_edge_kinds]; ///< number of edges per bv_edge_kind
	uint32_t components;                   ///< sets of triangles connected by common vertices
	bool closed;                           ///< each edge is traversed equally often in both directions
	bool manifold;                         ///< oriented, at most two triangles per edge, one fan per vertex
	bool oriented;                         ///< no edge with two triangles is traversed twice in one direction
	uint32_t double_sided;                 ///< pairs of triangles that differ only in winding
} bvb_topology;

/// Sentinel for a missing half-edge.
#define BVB_NO_HALF_EDGE UINT32_MAX

/// Sentinel for more than one half-edge.
#define BVB_MANY_HALF_EDGES ( UINT32_MAX - 1 )

/// An edge: two vertices joined by a side of a triangle.
typedef struct bvb_edge
{
	uint32_t vertex[2]; ///< in ascending order

	/// Both half-edges if the edge has two triangles. Otherwise the first half-edge, and BVB_NO_HALF_EDGE or
	/// BVB_MANY_HALF_EDGES.
	uint32_t half_edge[2];

	bv_edge_kind kind; ///< classification by its triangles
} bvb_edge;

/// Adjacency of a mesh. Half-edge 3 t + k goes from corner k of triangle t to the next corner. The arrays
/// live in the arena of the function that made them.
typedef struct bvb_adjacency
{
	bvb_edge* edges;     ///< in ascending order of their vertices
	uint32_t edge_count; ///< length of edges
	uint32_t* edge;      ///< edge of each half-edge

	/// The other half-edge of each half-edge's edge, in either direction. BVB_NO_HALF_EDGE at a boundary,
	/// BVB_MANY_HALF_EDGES if there are several.
	uint32_t* partner;

	uint32_t* component; ///< component of each triangle; components are numbered by their first triangle
} bvb_adjacency;

/// Counts edges and components, classifies edges, and determines whether the mesh is closed and manifold.
/// Whether an edge is convex or concave is decided in exact arithmetic (Shewchuk 1997).
/// @param mesh       without degenerate or duplicate triangles
/// @param arena      for scratch memory; the adjacency lives here
/// @param adjacency  receives the adjacency; null if only the counts are needed
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_mesh_topology( const bvb_mesh* mesh, bvb_arena* arena, bvb_topology* out,
                             bvb_adjacency* adjacency, bvb_error* error );

/// Reverses all triangles of a mesh that faces inward. A mesh faces inward if its signed volume about the
/// center of its box is negative, by more than 2^-20 of the cube of the sum of the box's sides.
/// @param mesh   receives new triangles if it faces inward
/// @param arena  the new triangles live here
/// @return bv_ok; bv_error_memory
bv_status bvb_mesh_face_outwards( bvb_mesh* mesh, bvb_arena* arena, bvb_error* error );

/// Computes mass properties of the solid bounded by a closed mesh, at density 1, by polyhedral integrals as a
/// sum over signed tetrahedra (Eberly 2002, Tonon 2004). Mass and inertia are negative if the triangles face
/// inward. The result for an open mesh is meaningless.
/// @return whether the volume is finite and above its rounding error, which is 2^-49 of the sum of the
/// absolute values of its terms; if not, `out` is all 0
bool bvb_mass_of_solid( const bvb_mesh* mesh, bv_mass* out );

/// Computes mass properties of the surface as a thin sheet at density 1, so that its mass is its area. Works
/// for any soup.
/// @return whether the area is positive and finite; if not, `out` is all 0
bool bvb_mass_of_surface( const bvb_mesh* mesh, bv_mass* out );

/// Whether a body with a density that is nowhere negative, or nowhere positive, can have such mass properties
/// within a box. The solid of a mesh cannot if shells that face inward cancel others beside them: its center
/// of mass may be anywhere, and its inertia not positive.
/// @param mass  mass not 0
/// @param box   of the mesh
/// @return whether the center of mass is in the box, the second moments are within those of the box, and
/// moments of inertia are positive and fulfill the triangle inequality, up to rounding errors
bool bvb_body_is_possible( const bv_mass* mass, const bv_aabb* box );

/// Chooses the body that a density or a mass applies to: the first one that exists of the solid, the hull and
/// the surface. The surface is chosen only if a mass is given.
/// @param has        which bodies exist and are possible, indexed by bv_mass_of
/// @param from_mass  a mass is given, not a density
/// @param of         receives the choice
/// @return whether there is such a body
bool bvb_body_choose( const bool has[3], bool from_mass, bv_mass_of* of );

/// Scales a body of density 1 to a given density or mass. If its mass is negative because its triangles face
/// inward, the signs are reversed.
/// @param value  the mass or the density
/// @return whether all results are in the range of binary64
bool bvb_body_fill( const bv_mass* base, bv_mass_of of, bool from_mass, double value, bv_body* out );

/// Chooses and scales a body: bvb_body_choose among those that are possible, then bvb_body_fill.
/// @param bodies  mass properties at density 1, indexed by bv_mass_of
/// @param has     which of the bodies exist
/// @param box     of the mesh
/// @param value   the mass or the density
/// @return bv_ok; bv_error_argument if the value is not positive and finite; bv_error_input if there is no
/// suitable body; bv_error_limit if a result is out of range
bv_status bvb_body_make( const bv_mass bodies[3], const bool has[3], const bv_aabb* box, bool from_mass,
                         double value, bv_body* out, bvb_error* error );

/// Computes the principal axes of inertia: the eigenvectors of the inertia tensor.
/// @param moments  receives the principal moments, in ascending order of their absolute values
/// @param axes     receives unit vectors of a right-handed frame. In the first two, the component of largest
///                 absolute value is positive, or the first such component. The third is their cross product.
void bvb_principal_axes( const bv_mass* mass, double moments[3], bv_vec3 axes[3] );

/// A data structure for the generalized winding number of a soup (Jacobson, Kavan, Sorkine-Hornung 2013).
/// Lives in the arena of the function that made it.
typedef struct bvb_winding bvb_winding;

/// Prepares winding number queries. Builds a tree whose nodes store triangles that close their boundary: seen
/// from outside the node's box, these have the same solid angle as all triangles of the node (section 4 of
/// the paper). This replacement is exact, not an approximation.
///
/// Takes O(n log n) time for n triangles. Uses at most about 90 bytes per triangle, 24 bytes per vertex and
/// 1,000 bytes per open edge.
/// @param mesh   any soup; not kept; triangles with an infinite or NaN coordinate are ignored
/// @param arena  the result lives here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_winding_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_winding** out, bvb_error* error );

/// Returns the winding number of a point: how often the surface wraps around it. For a closed mesh that faces
/// outward it is 1 inside and 0 outside. For an open mesh it is a fraction; points above 1/2 are considered
/// inside. On the surface it is the value of either side, or near an edge between them a value affected by
/// rounding, but never NaN. It is 0 for a point that is not finite, or 2^61 times as far away as the largest
/// coordinate of the mesh.
///
/// Takes one ray query in a tree of the triangles, and some solid angles per open edge: bvb_winding_bounds is
/// faster with many of these. May be called from several threads at once.
double bvb_winding_number( const bvb_winding* winding, bv_vec3 point );

/// Estimates the winding number of a point, by the vector areas of what closes groups of distant open edges
/// (Barill, Dickson, Schmidt, Levin, Jacobson 2018, "Fast winding numbers for soups and clouds"). The error is some
/// 0.01, without a bound. Takes O(log n) time for n open edges, if few of them are long.
/// @param work  grows by the number of open edges and of nodes above them that were looked at; may be null
double bvb_winding_estimate( const bvb_winding* winding, bv_vec3 point, uint64_t* work );

/// Bounds the winding number of a point closely enough to decide whether it reaches a threshold.
///
/// Distant open edges are summed up by a tree over them, with a bound of the error. Takes O(log n) time for n
/// open edges, unless many of them are long or near the point, or the winding number is next to the threshold.
/// @param threshold  such as 1/2
/// @param work       grows by the number of open edges and of nodes above them that were looked at; may be null
/// @return an interval that contains the winding number but not the threshold, unless both ends are
///         bvb_winding_number
bv_interval bvb_winding_bounds( const bvb_winding* winding, bv_vec3 point, double threshold, uint64_t* work );

/// Decides whether the winding number of a point is at least 1/2. Takes as long as bvb_winding_bounds, or less.
bool bvb_winding_is_inside( const bvb_winding* winding, bv_vec3 point );

/// @return number of open edges: those not traversed equally often in both directions
uint32_t bvb_winding_open_edges( const bvb_winding* winding );

/// @return whether there are no open edges, so that the winding number changes only at triangles
bool bvb_winding_is_closed( const bvb_winding* winding );

/// Bounds of the change of the winding number in a ball. They hold for points that a straight line from the
/// center reaches without leaving the ball or passing through a triangle.
typedef struct bvb_winding_slope
{
	double change;    ///< maximum difference from the value at the center; 0 for closed meshes
	double curvature; ///< maximum difference from the linear approximation with `gradient`

	/// Gradient at the center, per mesh unit. If an open edge is in the ball, it is 0 and the other two
	/// members are infinite.
	bv_vec3 gradient;
} bvb_winding_slope;

/// Bounds the change of the winding number in a ball. Takes O(log n) time for n open edges, if few of them are
/// near the ball.
/// @param center  of the ball, mesh units
/// @param radius  of the ball, mesh units
/// @param work    grows as for bvb_winding_bounds; may be null
bvb_winding_slope bvb_winding_bound_slope( const bvb_winding* winding, bv_vec3 center, double radius,
                                           uint64_t* work );

/// Triangulates a polygon by ear clipping (Meisters 1975). Strictly convex polygons become fans. The polygon
/// need not be planar, simple or finite: the triangles always use exactly the given corners. The diagonals
/// depend neither on the first corner of the list nor on its direction, even if corners coincide, so that the
/// two sides of a sheet match.
/// @param positions  indexed by `corner`
/// @param corner     `count` vertex indices in order
/// @param count      from 3 to 2^31 - 1
/// @param scratch    2 * count integers
/// @param out        receives count - 2 triangles
/// @return number of steps taken, to bound the time: a step takes some nanoseconds, and there are at most a
/// few times count^2
uint64_t bvb_triangulate( const bv_vec3* positions, const uint32_t* corner, uint32_t count, uint32_t* scratch,
                          bvb_triangle* out );

#ifdef __cplusplus
}
#endif
