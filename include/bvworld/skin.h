// Skinned meshes: hierarchies that follow bones, and vertices only where they are wanted.
//
//     #include <bvworld/skin.h>
//
//     // Poses a character, and finds where a shot hits it first. Only triangles near the shot are moved.
//     bv_status shoot( bvw_skin* hero, const float* matrices, uint32_t count, const bv_ray* shot,
//                      const bv_aabb* around_shot, bv_ray_result* hit )
//     {
//         bvw_bones bones = { .floats = matrices, .count = count };
//         bv_transform in_place = bv_transform_identity();
//         bv_status status = bvw_skin_near( hero, &bones, around_shot, 1, NULL );
//         return status ? status : bv_mesh_cast_ray( bvw_skin_file( hero ), &in_place, shot, NULL, hit );
//     }
//
// A skinned vertex is ( w_1 M_1 p + ... + w_n M_n p ) / ( w_1 + ... + w_n ), with weights w, matrices M of bones, and its position p in the
// file. So it is between its places under its bones. A skin has, for each node, the bones that move its vertices, and for each bone the
// box of the vertices that it moves. The node is in the box that encloses these boxes as the bones move them (L. Kavan, J. Zara, "Fast collision
// detection for skeletally deformable models", 2005). Rounding errors are covered: volumes enclose vertices as they are stored later. Vertices
// that no triangle has stay where the file has them; bvbuild writes none.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bvworld/deform.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bones are numbered from 0. There are at most so many.
#define BVW_MAX_BONES 65536u

/// The most pairs of a bone and a weight that a set has of each vertex.
#define BVW_MAX_INFLUENCES 8u

/// The most regions of bvw_skin_near.
#define BVW_MAX_REGIONS 16u

/// Bones and weights of vertices, in arrays of the caller. Pairs whose weight is 0 do not count; their bones can be any numbers.
typedef struct bvw_influences
{
	const void* bones;       ///< numbers of bones, `count` of each vertex
	const float* weights;    ///< one for each of these; finite, not negative
	uint32_t bone_bytes;     ///< of a number: 1, 2 or 4
	uint32_t count;          ///< of pairs per vertex, 1 to BVW_MAX_INFLUENCES
	uint32_t bones_stride;   ///< bytes from those of a vertex to the next; default 0: bone_bytes * count
	uint32_t weights_stride; ///< bytes from those of a vertex to the next; default 0: 4 * count
} bvw_influences;

/// Which bones move which vertices. The weights of a vertex are divided by their sum, which must be positive.
typedef struct bvw_weights
{
	bvw_influences set;  ///< pairs, for example JOINTS_0 and WEIGHTS_0 of glTF
	bvw_influences more; ///< further pairs of the same vertices, for example JOINTS_1; default: `count` is 0
	uint32_t vertices;   ///< how many the arrays are of
	uint32_t bones;      ///< numbers of bones are smaller; 1 to BVW_MAX_BONES
	const uint32_t*
		index; ///< as bvw_vertices.index: of each vertex of the file, its number in the arrays. Null: the same number
} bvw_weights;

/// A skin: a block of memory of the caller. It must not be moved.
typedef struct bvw_skin bvw_skin;

/// @return the size of the memory that a skin needs, bytes; 0 if an argument is not as bvw_skin_begin takes it. Takes as long as that
size_t bvw_skin_bytes( const bvw_deform* deform, const bvw_weights* weights );

/// Makes a skin. Vertices in the pose of rest are those of the file that the deformable mesh was made from.
/// @param deform   the mesh that is posed, with options.rebuild_triangles 0; must remain valid. It can have several skins, and can be
///                 refitted by other functions as well
/// @param weights  as many as the file has vertices, or more with an index; copied
/// @param memory   8-byte aligned; remains the caller's
/// @param bytes    its size, at least bvw_skin_bytes( deform, weights )
/// @param out      receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null or misaligned, a number is out of range, a weight is NaN, infinite or
/// negative, the weights of a vertex have no positive sum, or the mesh can be rebuilt; bv_error_memory if the memory is too small. `*out` is unchanged on errors
bv_status bvw_skin_begin( bvw_deform* deform, const bvw_weights* weights, void* memory, size_t bytes,
                          bvw_skin** out );

/// @return the file of the deformable mesh: bvw_deform_file. Null for null
const bv_file* bvw_skin_file( const bvw_skin* skin );

/// Matrices of bones, in an array of the caller. Set one of the two pointers.
///
/// Each moves a vertex from where the file has it: the product of the bone's transform and the inverse of that in the pose of rest (glTF:
/// joint * inverseBindMatrix). Any affine matrix is allowed, also one that mirrors, shears or flattens.
typedef struct bvw_bones
{
	const double* matrices; ///< column-major: element 4 * column + row; translation in elements 12 to 14
	const float* floats;    ///< the same in binary32
	uint32_t
		stride; ///< bytes from a matrix to the next, a multiple of the size of a number; default 0: 128 or 64
	uint32_t count; ///< of matrices, at least bvw_weights.bones
} bvw_bones;

/// Poses the mesh: moves the volumes of all nodes, but no vertices. Takes time linear in the number of nodes.
///
/// Afterwards, the volume of each node encloses the skinned triangles of the node. The triangles in the file are not the skinned ones, unless
/// bvw_skin_exact makes them so: each is somewhere in the axis-aligned box of its leaf. So what can be asked of the file is what depends on
/// volumes only: bv_file_visit_nodes. For triangles, call bvw_skin_exact first. bvw_deform_quality and bvw_deform_self_collide need
/// all vertices. The file has no certified errors until then.
///
/// This is not faster than bvw_skin_refit for axis-aligned boxes, and little faster for others, because leaves have few vertices. It saves time for
/// prisms. What is fast is bvw_skin_near.
/// @param bones   finite, with a last row 0 0 0 1 up to 1e-6; as far as vertices use them, such that vertices stay in the range of
///                BVW_MAX_POSITION
/// @param report  null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null or misaligned or a number is out of range
bv_status bvw_skin_pose( bvw_skin* skin, const bvw_bones* bones, bvw_deform_report* report );

/// Moves vertices as the last pose has them.
///
/// With a region, these are the vertices of all leaves that reach into it. Afterwards, the file has exactly the skinned triangles there: a
/// triangle of the file touches the region if and only if it is a skinned triangle that touches it. So a query whose result depends on
/// triangles in the region only has the same result as if all were skinned: all triangles that touch a shape within the region, the
/// first hit of a segment within it, the closest point if it is nearer than the region's boundary. Other triangles still are somewhere in
/// the boxes of their leaves, outside of the region. Volumes stay as they are. Regions of several calls count together until the next pose.
///
/// Without a region, these are all vertices, and the result is that of bvw_deform_refit with the skinned positions.
/// @param region  mesh units, not NaN, can be infinite; null for everything
/// @param report  null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if the skin is null, the region is not a box, or the mesh has been refitted
/// or posed by another skin since bvw_skin_pose
bv_status bvw_skin_exact( bvw_skin* skin, const bv_aabb* region, bvw_deform_report* report );

/// Poses the mesh near regions only: takes about as long as there are nodes and triangles near them, and a little for each vertex elsewhere.
/// Afterwards, queries within one of the regions have the results that they have after bvw_skin_exact with it. Volumes of leaves in a region are as
/// small as with all vertices skinned. Volumes elsewhere are those of earlier poses: they need not enclose their triangles, so that other
/// queries have no meaningful results. bvw_skin_exact needs another bvw_skin_pose first.
/// @param regions  as of bvw_skin_exact
/// @param count    1 to BVW_MAX_REGIONS
/// @param report   `nodes` are those whose volumes were set
/// @return as bvw_skin_pose; also bv_error_argument if a region is not a box, or there are too many or none
bv_status bvw_skin_near( bvw_skin* skin, const bvw_bones* bones, const bv_aabb* regions, uint32_t count,
                         bvw_deform_report* report );

/// Poses the mesh and moves all vertices: as bvw_skin_pose and bvw_skin_exact without a region, in less time than both.
/// @return as bvw_skin_pose
bv_status bvw_skin_refit( bvw_skin* skin, const bvw_bones* bones, bvw_deform_report* report );

/// Copies skinned positions of consecutive vertices, as the last pose has them; before the first one, those of rest. They are computed in
/// binary64, in the order of the pairs, and then rounded to what the file of a deformable mesh stores.
/// @param first  the first vertex of the file
/// @param count  the most vertices to copy
/// @param out    receives them; may be null if `count` is 0
/// @return how many there were: fewer than `count` at the end of the mesh, 0 for null
uint32_t bvw_skin_get_positions( const bvw_skin* skin, uint32_t first, uint32_t count, bv_vec3* out );

#ifdef __cplusplus
}
#endif
