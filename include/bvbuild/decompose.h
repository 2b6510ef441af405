// Approximate convex decomposition: convex parts that together cover a mesh and stand off it as little as their number
// allows, with certified bounds of how far.
//
// What counts is the outside measure of bvbuild/hausdorff.h: how far a point of a part can be from the shape, which is
// the triangles and, in solid mode, everything inside of them.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of parts of a decomposition.
#define BVB_MAX_PARTS 4096

/// The largest number of corners of a part.
#define BVB_MAX_PART_VERTICES 255

/// What is to be covered.
typedef enum bvb_decompose_mode
{
	/// Solid if the winding number is a whole one next to nine tenths of the surface, as next to closed ones, and there is an inside
	/// behind it; else surface. The default.
	bvb_decompose_automatic = 0,
	bvb_decompose_solid,   ///< triangles and their inside: parts are filled
	bvb_decompose_surface, ///< triangles only: parts are shells
} bvb_decompose_mode;

/// @return the word for a bvb_decompose_mode, as in --decompose-mode; null past the last
const char* bvb_decompose_mode_name( uint32_t mode );

/// Told about long work. Its result is the caller's wish to go on.
/// @param done  0 .. 1, never less than before; 1 when all is done, and only then
/// @return false to end with what there is, as when time is up
typedef bool bvb_decompose_progress( void* context, double done );

/// How to decompose.
typedef struct bvb_decompose_options
{
	const char* method;      ///< a name of bvb_decomposer_name; default "planes"
	bvb_decompose_mode mode; ///< default bvb_decompose_automatic

	/// Mesh units: parts are cut as long as they may stand off farther, and merged where they do not. What is below 2^-12 of the
	/// mesh's diagonal counts as that: with 0, the default, only max_parts ends it before. A convex mesh is one part, however far off few
	/// corners are.
	double tolerance;

	uint32_t max_parts;    ///< 1 .. BVB_MAX_PARTS; default 64
	uint32_t max_vertices; ///< corners of each part, 4 .. BVB_MAX_PART_VERTICES; default 64

	/// Mesh units: parts thinner than this along an axis of their box become this thick along it, or up to half as much again, since
	/// that need not be where they are thinnest. What is flat always becomes 2^-12 of the mesh's diagonal thick at least.
	/// Default 0.
	double min_thickness;

	/// Mesh units: gaps that no ball of this radius enters count as filled. Certified distances know nothing of that. Default 0.
	double probe_radius;

	uint32_t effort; ///< 0 .. BVB_MAX_DECOMPOSE_EFFORT: how much is tried to find better cuts; default 1

	/// Seconds after which the best result so far is finished, and certified roughly; 0, the default: none.
	double time_budget;

	uint32_t threads; ///< 0, the default, means all processors; the result is the same for any number, unless
					  ///< time is up
	bvb_decompose_progress* progress; ///< null, the default, for none
	void* progress_context;           ///< passed on
} bvb_decompose_options;

/// No effort is larger.
#define BVB_MAX_DECOMPOSE_EFFORT 2

/// @return the defaults above
bvb_decompose_options bvb_decompose_options_default( void );

/// @return the name of the decomposer `index`, with what it does and whose it is in `summary` unless that is null; null past
///         the last
const char* bvb_decomposer_name( uint32_t index, const char** summary );

/// A convex part: always a polyhedron with a volume.
typedef struct bvb_part
{
	bv_vec3* positions;      ///< of its corners, binary32 numbers
	uint32_t vertex_count;   ///< length of positions, 4 .. max_vertices
	bvb_triangle* faces;     ///< counter-clockwise seen from outside
	uint32_t face_count;     ///< length of faces
	bv_aabb box;             ///< the least around its corners
	bv_mass mass;            ///< of the filled part at density 1; its mass is its volume
	bv_interval concavity;   ///< how far one of its points can be from the shape, mesh units
	uint32_t* neighbors;     ///< parts that have a point in common with it, ascending
	uint32_t neighbor_count; ///< length of neighbors
	uint32_t* triangles;     ///< of the mesh, ascending: those of which it was made to cover at least a piece
	uint32_t triangle_count; ///< length of triangles
} bvb_part;

/// A node of the hierarchy over parts: a box, and either two nodes or one part.
typedef struct bvb_part_node
{
	bv_aabb box; ///< binary32 numbers; encloses all parts below
	uint32_t
		next; ///< the node behind its subtree, in depth-first order: where to go on when the box is missed
	uint32_t part; ///< of a leaf: the part; else BVB_NO_PART
} bvb_part_node;

/// Sentinel for an absent part.
#define BVB_NO_PART UINT32_MAX

/// Parts that cover a mesh. Lives in the arena it was made in.
typedef struct bvb_decomposition
{
	bvb_part* parts;       ///< in the order of the hierarchy's leaves
	uint32_t part_count;   ///< length of parts, 1 .. max_parts
	bvb_part_node* nodes;  ///< depth first, nodes[0] is the root
	uint32_t node_count;   ///< length of nodes: 2 * part_count - 1
	bool solid;            ///< whether the inside counts as the shape: what bvb_decompose_automatic came to
	bool out_of_time;      ///< the time budget, or the one told of the progress, ended the search
	double tolerance;      ///< as in the options
	bv_interval concavity; ///< how far a point of any part can be from the shape, mesh units

	/// No point of the triangles is farther from all parts, nor, if the mesh is closed, of the inside; mesh units: rounding.
	double uncovered;

	uint32_t vertices; ///< corners of all parts together
	uint64_t steps;    ///< cuts that were tried
} bvb_decomposition;

/// Decomposes a mesh. A convex one becomes one part, its hull.
/// @param mesh   of record: without degenerate or duplicate triangles, coordinates up to BVB_MAX_COORDINATE
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for an unknown method or an option out of range; bv_error_memory
bv_status bvb_decompose( const bvb_mesh* mesh, const bvb_decompose_options* options, bvb_arena* arena,
                         bvb_decomposition* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
