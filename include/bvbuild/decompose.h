// Approximate convex decomposition: covers a mesh with convex parts whose stand-off is as small as their
// number allows. The stand-off is certified.
//
//     #include <bvbuild/decompose.h>
//     #include <stdio.h>
//
//     // Decomposes a mesh of record into at most 16 parts.
//     bv_status split( const bvb_mesh* mesh, bvb_arena* arena, bvb_decomposition* out, bvb_error* error )
//     {
//         bvb_decompose_options options = bvb_decompose_options_default();
//         options.max_parts = 16;
//         bv_status status = bvb_decompose( mesh, &options, arena, out, error );
//         if ( status == bv_ok )
//             printf( "%u parts, stand-off at most %g\n", (unsigned)out->part_count, out->concavity.upper );
//         return status;
//     }
//
// The stand-off is bvb_hausdorff_outside of bvbuild/hausdorff.h: the maximum distance from a point of a part
// to the shape. The shape is the triangles and, in solid mode, everything inside them.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of parts.
#define BVB_MAX_PARTS 4096

/// The maximum number of corners of a part.
#define BVB_MAX_PART_VERTICES 255

/// The shape to be covered.
typedef enum bvb_decompose_mode
{
	/// The default. Solid if the winding number is an integer next to nine tenths of the surface, as it is
	/// for closed meshes, and there is an inside behind it. Otherwise surface.
	bvb_decompose_automatic = 0,

	bvb_decompose_solid,   ///< the triangles and their inside; parts are filled
	bvb_decompose_surface, ///< the triangles only; parts are shells
} bvb_decompose_mode;

/// @return the name of a bvb_decompose_mode, as in --decompose-mode; null past the last
const char* bvb_decompose_mode_name( uint32_t mode );

/// Receives the progress of bvb_decompose.
/// @param done  0 to 1, never decreasing; 1 only when everything is finished
/// @return false to end with the best result so far, as when the time budget is exceeded
typedef bool bvb_decompose_progress( void* context, double done );

/// Options of bvb_decompose.
typedef struct bvb_decompose_options
{
	const char* method;      ///< a name of bvb_decomposer_name; default "planes"
	bvb_decompose_mode mode; ///< default bvb_decompose_automatic

	/// Allowed stand-off, mesh units. Parts that exceed it are cut, and parts are merged if the result does
	/// not exceed it. Values below 2^-12 of the mesh's diagonal are raised to that. With 0, the default,
	/// usually only max_parts limits the number of parts. A convex mesh becomes one part, unless max_vertices
	/// makes its stand-off exceed a tolerance above 0.
	double tolerance;

	uint32_t max_parts;    ///< maximum number of parts, 1 to BVB_MAX_PARTS; default 64
	uint32_t max_vertices; ///< maximum number of corners per part, 4 to BVB_MAX_PART_VERTICES; default 64

	/// Minimum thickness of parts, mesh units; default 0. A part that is thinner along an axis of its box is
	/// thickened along that axis, to between 1 and 1.5 times this value, because it may be thinnest in
	/// another direction. Flat parts always become at least 2^-12 of the mesh's diagonal thick.
	double min_thickness;

	/// Gaps that a ball of this radius cannot enter are treated as filled; mesh units, default 0. The
	/// certified distances do not take this into account.
	double probe_radius;

	uint32_t effort; ///< effort to find better cuts, 0 to BVB_MAX_DECOMPOSE_EFFORT; default 1

	/// Time limit in seconds, after which the best result so far is finished, with a coarser certificate. 0,
	/// the default, for no limit.
	double time_budget;

	/// 0, the default, for all processors. The result is the same for any number, unless the time limit is
	/// reached.
	uint32_t threads;

	bvb_decompose_progress* progress; ///< receives the progress; default null
	void* progress_context;           ///< passed to `progress`
} bvb_decompose_options;

/// The maximum effort.
#define BVB_MAX_DECOMPOSE_EFFORT 2

/// @return the defaults listed in bvb_decompose_options
bvb_decompose_options bvb_decompose_options_default( void );

/// Returns the names of the decomposition methods.
/// @param index    counted from 0
/// @param summary  receives a description and the source of the method; may be null
/// @return the name; null past the last
const char* bvb_decomposer_name( uint32_t index, const char** summary );

/// A convex part: a polyhedron with positive volume.
typedef struct bvb_part
{
	bv_vec3* positions;      ///< positions of its corners, binary32 numbers
	uint32_t vertex_count;   ///< length of positions, 4 to max_vertices
	bvb_triangle* faces;     ///< counter-clockwise seen from outside
	uint32_t face_count;     ///< length of faces
	bv_aabb box;             ///< smallest box around its corners
	bv_mass mass;            ///< mass properties of the filled part at density 1
	bv_interval concavity;   ///< maximum distance from a point of the part to the shape, mesh units
	uint32_t* neighbors;     ///< parts that have a common point with this part, ascending
	uint32_t neighbor_count; ///< length of neighbors
	uint32_t* triangles;     ///< triangles of the mesh that it covers completely or partially, ascending
	uint32_t triangle_count; ///< length of triangles
} bvb_part;

/// A node of the hierarchy over parts. Inner nodes have two children; leaves have one part.
typedef struct bvb_part_node
{
	bv_aabb box;   ///< binary32 numbers; encloses all parts of the subtree
	uint32_t next; ///< next node after its subtree in depth-first order: continue there if the box is missed
	uint32_t part; ///< part of a leaf; BVB_NO_PART for an inner node
} bvb_part_node;

/// Sentinel for a missing part.
#define BVB_NO_PART UINT32_MAX

/// A decomposition. Lives in the arena of the function that made it.
typedef struct bvb_decomposition
{
	bvb_part* parts;       ///< in the order of the hierarchy's leaves
	uint32_t part_count;   ///< length of parts, 1 to max_parts
	bvb_part_node* nodes;  ///< in depth-first order; nodes[0] is the root
	uint32_t node_count;   ///< length of nodes: 2 * part_count - 1
	bool solid;            ///< the inside belongs to the shape; the decision of bvb_decompose_automatic
	bool out_of_time;      ///< the time limit or the progress callback ended the search
	double tolerance;      ///< as in the options
	bv_interval concavity; ///< maximum distance from a point of any part to the shape, mesh units

	/// Upper bound of the distance from any point of the triangles to the nearest part, mesh units. Only
	/// rounding errors make it positive. If the mesh is closed, the bound also holds for points inside it.
	double uncovered;

	uint32_t vertices; ///< number of corners of all parts
	uint64_t steps;    ///< number of cuts that were tried
} bvb_decomposition;

/// Decomposes a mesh. A convex mesh becomes one part, its hull, unless that has too many corners; see
/// bvb_decompose_options.tolerance.
/// @param mesh   without degenerate or duplicate triangles, coordinates up to BVB_MAX_COORDINATE
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for an unknown method or an option that is out of range; bv_error_memory
bv_status bvb_decompose( const bvb_mesh* mesh, const bvb_decompose_options* options, bvb_arena* arena,
                         bvb_decomposition* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
