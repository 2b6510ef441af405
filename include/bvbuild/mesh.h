// Triangle meshes: what readers produce, how it becomes the mesh of record, and what is known of it.
//
// A reader delivers any triangle soup. bvb_mesh_record welds it, drops what has no area or is there twice,
// moves every position to the nearest one that the file can hold, and cleans again. That mesh of record is
// what every later stage, bound and test refers to.

#pragma once

#include "bv/base.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No mesh of record has more triangles.
#define BVB_MAX_TRIANGLES ( 1u << 30 )

/// No coordinate of the mesh of record is larger: sums and differences of such numbers stay finite as floats.
#define BVB_MAX_COORDINATE 0x1p120

/// No mesh of record is smaller along its longest side: volumes and squares of such lengths are still
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
} bvb_mesh;

/// How the file stores positions.
typedef enum bvb_position_form
{
	bvb_positions_float = 0, ///< three binary32 numbers, 12 bytes
	bvb_positions_quantized, ///< three 21-bit steps of one grid, 8 bytes
} bvb_position_form;

/// A grid of positions: origin + step * (i, j, k), 0 <= i, j, k < 2^21. The step is a power of two and
/// the origin a multiple of it, so that decoding is exact in binary64.
typedef struct bvb_grid
{
	bv_vec3 origin; ///< mesh units
	double step;    ///< mesh units; 0 when positions are floats
} bvb_grid;

/// How a mesh becomes the mesh of record.
typedef struct bvb_record_options
{
	double scale;                ///< positions are multiplied by it first; default 1
	bool normalize;              ///< then: AABB centre to 0, half diagonal to 1; default false
	bvb_position_form positions; ///< then: snapped to this form; default bvb_positions_float
} bvb_record_options;

/// The mesh of record and what was done to get it.
typedef struct bvb_record
{
	bvb_mesh mesh;               ///< vertices numbered by first use; no degenerate, no duplicate triangle
	bvb_position_form form;      ///< how its positions are stored
	bvb_grid grid;               ///< of quantised positions
	uint64_t removed_degenerate; ///< triangles dropped for having no area
	uint64_t removed_duplicate;  ///< triangles dropped for repeating an earlier one, winding included
	double largest_displacement; ///< no vertex is farther from its scaled, normalised source, mesh units
} bvb_record;

/// @return the defaults above
bvb_record_options bvb_record_options_default( void );

/// Makes the mesh of record.
/// @param source  any soup; not changed
/// @param arena   the result lives here
/// @return bv_ok; bv_error_input when a referenced coordinate is not finite, an index is out of range or
///         no triangle with an area is left; bv_error_limit when there are too many, too large or too
///         small; bv_error_memory
bv_status bvb_mesh_record( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                           bvb_record* out, bvb_error* error );

/// How the triangles hang together.
typedef struct bvb_topology
{
	uint32_t edges;        ///< distinct vertex pairs joined by a triangle's side
	uint32_t components;   ///< sets of triangles connected through common vertices
	bool closed;           ///< every edge is run through as often forwards as backwards
	bool manifold;         ///< no edge has three triangles or two in one direction, no vertex two fans
	uint32_t double_sided; ///< pairs of triangles that differ only in winding
} bvb_topology;

/// Counts edges and components, and decides whether the mesh is closed and manifold.
/// @param mesh   without degenerate or duplicate triangles
/// @param arena  scratch
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_mesh_topology( const bvb_mesh* mesh, bvb_arena* arena, bvb_topology* out, bvb_error* error );

/// Mass properties of the solid that a closed mesh bounds, at density 1.
typedef struct bvb_mass
{
	double area;            ///< of the surface, square mesh units; valid for open meshes too
	double volume;          ///< cubic mesh units; negative when the triangles face inwards
	bv_vec3 center_of_mass; ///< mesh units
	double inertia[3][3];   ///< about the centre of mass, along the mesh's axes, mesh units^5; volume's sign
} bvb_mass;

/// Integrates over the solid as a sum of signed tetrahedra (exact polyhedral integrals; Eberly 2002,
/// Tonon 2004). For an open mesh only the area means anything.
/// @return whether the volume is a number that a centre can be divided by
bool bvb_mesh_mass( const bvb_mesh* mesh, bvb_mass* out );

/// Cuts a polygon into triangles, ear by ear (Meisters 1975); strictly convex ones become fans. The cuts
/// depend neither on the corner that the list begins with nor on its direction, so that the two sides of a
/// sheet match. Flat or not, simple or not, finite or not: the triangles always use all corners and no
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
