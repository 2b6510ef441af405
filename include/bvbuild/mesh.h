// Triangle meshes: cleaning, topology, mass properties and winding numbers.
//
// A reader delivers an arbitrary triangle soup. bvb_mesh_record welds it, drops degenerate and duplicate triangles,
// moves every position to the nearest one that the file can store, and cleans again. The result is the mesh of
// record. All later stages, bounds and tests refer to it.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of triangles of a mesh of record.
#define BVB_MAX_TRIANGLES ( 1u << 30 )

/// The largest coordinate of a mesh of record. Sums and differences of such numbers stay finite as floats.
#define BVB_MAX_COORDINATE 0x1p120

/// The smallest extent of a mesh of record along its longest side. Volumes and squares of such lengths are still
/// above zero.
#define BVB_MIN_EXTENT 0x1p-120

/// Three vertex indices, counter-clockwise seen from outside.
typedef struct bvb_triangle
{
	uint32_t corner[3]; ///< below bvb_mesh.vertex_count
} bvb_triangle;

/// Indexed triangles. The arrays live in the arena they were made in.
typedef struct bvb_mesh
{
	bv_vec3* positions;      ///< vertex_count of them
	bvb_triangle* triangles; ///< triangle_count of them
	uint32_t vertex_count;   ///< length of positions
	uint32_t triangle_count; ///< length of triangles
	uint32_t* origin;        ///< of each triangle, its number in the mesh this was made from; null: its own
} bvb_mesh;

/// How the file stores positions.
typedef enum bvb_position_form
{
	bvb_positions_float = 0, ///< three binary32 numbers, 12 bytes
	bvb_positions_quantized, ///< three 21-bit steps of one grid, 8 bytes
} bvb_position_form;

/// @return the word for a bvb_position_form, as in --positions; null past the last
const char* bvb_position_form_name( uint32_t form );

/// A grid of positions: origin + step * (i, j, k), 0 <= i, j, k < 2^21. The step is a power of two and
/// the origin a multiple of it, so that decoding is exact in binary64.
typedef struct bvb_grid
{
	bv_vec3 origin; ///< mesh units
	double step;    ///< mesh units; 0 when positions are floats
} bvb_grid;

/// The up axis of the source and of the result. The conversion is a quarter turn about x, without mirroring or rounding.
typedef enum bvb_up
{
	bvb_up_y = 0,  ///< no rotation: y points up, or the axis does not matter
	bvb_up_z,      ///< from z up to y up: (x, y, z) becomes (x, z, -y)
	bvb_up_y_to_z, ///< from y up to z up: (x, y, z) becomes (x, -z, y)
} bvb_up;

/// @return the word for a bvb_up, as in --up: "y", "z", "y-to-z"; null past the last
const char* bvb_up_name( uint32_t up );

/// The unit of the source's coordinates, which are converted to meters.
typedef enum bvb_units
{
	bvb_units_unsaid = 0, ///< unknown: coordinates are not converted
	bvb_units_millimeter, ///< 0.001 m
	bvb_units_centimeter, ///< 0.01 m
	bvb_units_meter,      ///< coordinates are not converted
	bvb_units_inch,       ///< 0.0254 m
	bvb_units_foot,       ///< the international one, 0.3048 m
} bvb_units;

/// @return the word for a unit, by bvb_units - 1, as in --units: "mm", "cm", "m", "in", "ft"; null past the last
const char* bvb_units_name( uint32_t index );

/// How a mesh becomes the mesh of record.
typedef struct bvb_record_options
{
	bvb_up up;            ///< positions are turned first; default bvb_up_y, not at all
	bvb_units units;      ///< then: become meters; default bvb_units_unsaid
	double scale;         ///< then: multiplied by it; default 1
	double weld;          ///< then: vertices within this distance are merged; default 0 merges equal ones
	bool normalize;       ///< then: AABB center to 0, half diagonal to 1; default false
	bool drop_non_finite; ///< drop triangles with non-finite coordinates; default false: an error
	bvb_position_form positions; ///< then: snapped to this form; default bvb_positions_float
	uint32_t threads;            ///< 0, the default, for all there are; the result is the same
} bvb_record_options;

/// The mesh of record and what was done to get it.
typedef struct bvb_record
{
	bvb_mesh mesh;               ///< vertices numbered by first use; no degenerate, no duplicate triangle;
								 ///< its origin refers to the source's triangles
	bvb_position_form form;      ///< how its positions are stored
	bvb_grid grid;               ///< of quantized positions
	uint64_t removed_degenerate; ///< triangles dropped for having no area
	uint64_t removed_duplicate;  ///< triangles dropped for repeating an earlier one, winding included
	uint64_t removed_non_finite; ///< triangles dropped because a coordinate is not finite
	uint64_t unused_vertices;    ///< vertices of the source that no triangle refers to
	uint64_t merged_vertices;    ///< other vertices of the source that became one with another
	double
		largest_displacement; ///< no vertex is farther from its turned, scaled, normalized source, mesh units
} bvb_record;

/// @return the defaults above
bvb_record_options bvb_record_options_default( void );

/// @return what positions are multiplied by: the meters in a unit, times the scale; of two that are not 1 the product is rounded
double bvb_record_scale( const bvb_record_options* options );

/// Gives triangles that share positions common vertices: equal positions become one vertex, with -0 taken for
/// +0, and vertices are numbered by first use. With a distance above 0 vertices are moved together: going
/// through all positions in lexicographic order, each that has no kept one within the distance is kept, and
/// the others move to the nearest kept one (of several the first). So none moves farther than the distance,
/// no two that are left are within it, and the result does not depend on the order of vertices or triangles.
/// @param source    any soup of finite positions; not changed
/// @param distance  mesh units, not negative
/// @param arena     the result lives here; all triangles are kept, in their order
/// @return bv_ok; bv_error_input when an index is out of range; bv_error_argument for a distance that is no
///         number or negative; bv_error_limit for one above 0 and below 2^-50 of the largest coordinate, or
///         for too many triangles; bv_error_memory
bv_status bvb_mesh_weld( const bvb_mesh* source, double distance, bvb_arena* arena, bvb_mesh* out,
                         bvb_error* error );

/// Makes the mesh of record.
/// @param source  any soup; not changed
/// @param arena   the result lives here
/// @return bv_ok; bv_error_input when a referenced coordinate is not finite, an index is out of range or
///         no triangle with an area is left; bv_error_limit when there are too many, too large or too
///         small; bv_error_memory
bv_status bvb_mesh_record( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                           bvb_record* out, bvb_error* error );

/// Above what snapping to binary32 does to a flat surface with edges of some 1e-3 of its size, below what a
/// contact could feel: 0.014 degrees.
#define BVB_FLAT_SINE 0x1p-12

/// How the triangles hang together.
typedef struct bvb_topology
{
	uint32_t edges;                        ///< distinct vertex pairs joined by a triangle's side
	uint32_t edges_of_kind[bv_edge_kinds]; ///< how many of them are of each bv_edge_kind
	uint32_t components;                   ///< sets of triangles connected through common vertices
	bool closed;                           ///< every edge is run through as often forwards as backwards
	bool manifold;         ///< no edge has three triangles or two in one direction, no vertex two fans
	bool oriented;         ///< no edge of two triangles is run through twice in one direction
	uint32_t double_sided; ///< pairs of triangles that differ only in winding
} bvb_topology;

/// Sentinel for an absent half-edge.
#define BVB_NO_HALF_EDGE UINT32_MAX

/// Sentinel for several half-edges.
#define BVB_MANY_HALF_EDGES ( UINT32_MAX - 1 )

/// An edge: a pair of vertices that a side of a triangle joins.
typedef struct bvb_edge
{
	uint32_t vertex[2];    ///< the lesser one first
	uint32_t half_edge[2]; ///< of kinds with two triangles, both; else the first and BVB_NO_HALF_EDGE or
						   ///< BVB_MANY_HALF_EDGES
	bv_edge_kind kind;     ///< what the triangles do there
} bvb_edge;

/// Who is whose neighbor. Half-edge 3 t + k runs from corner k of triangle t to the next corner. The arrays
/// live in the arena they were made in.
typedef struct bvb_adjacency
{
	bvb_edge* edges;     ///< ascending by vertices
	uint32_t edge_count; ///< length of edges
	uint32_t* edge;      ///< of each half-edge, its edge
	uint32_t* partner;   ///< for each half-edge, the other one of its edge, in either direction;
						 ///< BVB_NO_HALF_EDGE at a boundary, BVB_MANY_HALF_EDGES if there are several
	uint32_t* component; ///< of each triangle, its component, numbered by first triangle
} bvb_adjacency;

/// Counts edges and components, classifies edges, and decides whether the mesh is closed and manifold.
/// Whether an edge that is not flat is convex or concave is decided exactly (Shewchuk 1997).
/// @param mesh       without degenerate or duplicate triangles
/// @param arena      scratch; the adjacency lives here
/// @param adjacency  null when only the counts are wanted
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_mesh_topology( const bvb_mesh* mesh, bvb_arena* arena, bvb_topology* out,
                             bvb_adjacency* adjacency, bvb_error* error );

/// Turns all triangles of a mesh that faces inwards: the tetrahedra between its triangles and the middle of its box have a
/// negative volume together, by more than 2^-20 of the cube of the sum of the box's sides.
/// @param mesh   its triangles become others, if they are turned
/// @param arena  the turned ones live here
/// @return bv_ok; bv_error_memory
bv_status bvb_mesh_face_outwards( bvb_mesh* mesh, bvb_arena* arena, bvb_error* error );

/// Mass properties of the solid that a closed mesh bounds, at density 1: exact polyhedral integrals as a sum
/// of signed tetrahedra (Eberly 2002, Tonon 2004). Mass and inertia are negative when the triangles face
/// inwards. The result is meaningless for an open mesh.
/// @return whether the volume is a number and above its own rounding error, which is 2^-49 of the absolute
///         values of the products that make it up; all 0 otherwise
bool bvb_mass_of_solid( const bvb_mesh* mesh, bv_mass* out );

/// Mass properties of the surface as a thin sheet whose mass is its area; for any soup.
/// @return whether the area is above 0 and a number; all 0 otherwise
bool bvb_mass_of_surface( const bvb_mesh* mesh, bv_mass* out );

/// Chooses the body to which a density or a mass applies: the solid, else the hull, else the surface, which has no density.
/// @param has        indexed by bv_mass_of: whether that body exists
/// @param from_mass  a mass is given, not a density
/// @return whether there is one
bool bvb_body_choose( const bool has[3], bool from_mass, bv_mass_of* of );

/// Gives a body of density 1 another density or mass. One whose mass is negative, because triangles face inwards, is turned over.
/// @param value  the mass or the density
/// @return whether everything stays in the range of binary64
bool bvb_body_fill( const bv_mass* base, bv_mass_of of, bool from_mass, double value, bv_body* out );

/// Chooses a body and sets its density or mass: bvb_body_choose, then bvb_body_fill.
/// @param bodies  indexed by bv_mass_of; only elements with `has` are read
/// @return bv_ok; bv_error_argument if `value` is not a positive number; bv_error_input if there is no body; bv_error_limit
bv_status bvb_body_make( const bv_mass bodies[3], const bool has[3], bool from_mass, double value,
                         bv_body* out, bvb_error* error );

/// The axes about which a body turns freely: eigenvectors of its inertia.
/// @param moments  receives the moments of inertia about them, ascending by magnitude
/// @param axes     receives unit vectors along them. In the first two the component of largest magnitude is
///                 positive, of equal ones the first; the third is their cross product, so that the frame
///                 is right-handed
void bvb_principal_axes( const bv_mass* mass, double moments[3], bv_vec3 axes[3] );

/// The generalized winding number of a soup, ready for many points (Jacobson, Kavan, Sorkine-Hornung 2013).
/// Lives in the arena it was made in.
typedef struct bvb_winding bvb_winding;

/// Prepares a tree in which each node knows how to close its triangles: seen from outside of a node's box,
/// few triangles over its boundary edges have the same solid angle as all triangles in it (section 4 of the
/// paper), in exact arithmetic, not as an approximation.
/// Takes O(n log n) time for n triangles. Memory: at most about 90 bytes per triangle, 24 per vertex and 180 per open edge.
/// @param mesh   any triangle soup; not kept; triangles with a coordinate that is not finite are ignored
/// @param arena  the result lives here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_winding_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_winding** out, bvb_error* error );

/// How often the surface wraps around `point`: 1 inside and 0 outside of a closed mesh that faces outwards, in
/// between for open ones; above 1/2 is what is called inside. On the surface either side's value may come
/// out, or what rounding makes of an edge between them, but always a number. It is 0 for a point that is not
/// finite, or 2^61 times as far away as the mesh's largest coordinate. May be called from several threads at
/// once. Takes a ray through a tree of the triangles, and a solid angle for each open edge.
double bvb_winding_number( const bvb_winding* winding, bv_vec3 point );

/// @return how many edges are not run through as often one way as the other
uint32_t bvb_winding_open_edges( const bvb_winding* winding );

/// @return whether the mesh has no open edges; its winding number then changes only at triangles
bool bvb_winding_is_closed( const bvb_winding* winding );

/// How the winding number changes near a point: at what straight lines lead to from there that stay within a ball and pass
/// through no triangle.
typedef struct bvb_winding_slope
{
	double change;    ///< it differs by no more from that of the ball's center; 0 for closed meshes
	double curvature; ///< it differs by no more from that and what the gradient adds

	/// Per mesh unit, at the center; 0 when an open edge is in the ball, where the others are infinite.
	bv_vec3 gradient;
} bvb_winding_slope;

/// Bounds how the winding number changes near a point. Takes a step for each open edge.
/// @param radius  of the ball, mesh units
bvb_winding_slope bvb_winding_bound_slope( const bvb_winding* winding, bv_vec3 center, double radius );

/// Cuts a polygon into triangles, ear by ear (Meisters 1975); strictly convex ones become fans. The cuts
/// depend neither on the corner that the list begins with nor on its direction, also where corners coincide,
/// so that the two sides of a sheet match. Flat or not, simple or not, finite or not: the triangles always use all corners and no
/// others.
/// @param positions  indexed by `corner`
/// @param corner     `count` vertex indices in order, at least 3, less than 2^31 of them
/// @param scratch    2 * count integers
/// @param out        receives count - 2 triangles
/// @return the number of steps taken, some nanoseconds each, at most a few times count^2: for bounding the
///         time
uint64_t bvb_triangulate( const bv_vec3* positions, const uint32_t* corner, uint32_t count, uint32_t* scratch,
                          bvb_triangle* out );

#ifdef __cplusplus
}
#endif
