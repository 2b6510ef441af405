// How deep two meshes overlap: the shortest translation that separates them, as a proven interval.
//
//     #include <bv/depth.h>
//     #include <stdio.h>
//
//     // Prints how to move mesh b so that it no longer overlaps mesh a.
//     void print_depth( const bv_file* a, const bv_file* b, const bv_transform* b_in_a )
//     {
//         static double scratch[BV_MESH_DEPTH_SCRATCH_AMPLE / sizeof( double )];
//         bv_mesh_depth_result r;
//         if ( bv_mesh_depth( a, b, b_in_a, NULL, scratch, sizeof scratch, &r ) == bv_ok )
//         {
//             printf( "moving b by %g %g %g separates\n", r.way.x, r.way.y, r.way.z );
//             printf( "%g is enough, less than %g is not\n", r.upper, r.lower );
//         }
//     }
//
// A closed mesh stands for a solid: all points that the surface winds around, and the surface itself. A mesh that is not closed
// stands for its surface. The depth of two meshes is the infimum of the lengths of all translations after which these point sets
// have no point in common. `upper` is the length of one that was tested; `lower` is proven by balls and boxes inside of both solids.
//
// Experimental: may change until the next minor version.
//
// Local search of the upper bound: C. Je, M. Tang, Y. Lee, M. Lee, Y. J. Kim, "PolyDepth: Real-time penetration depth
// computation using iterative contact-space projection", 2012.

#pragma once

#include "bv/base.h"
#include "bv/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The least size of the scratch memory of bv_mesh_depth, and a size that is enough for nearly all queries, bytes.
#define BV_MESH_DEPTH_SCRATCH_LEAST 24576
#define BV_MESH_DEPTH_SCRATCH_AMPLE 262144

/// Options of bv_mesh_depth. Zero-initialized options are the defaults.
typedef struct bv_mesh_depth_options
{
	/// The query ends when `upper` is at most `factor` * `lower` + `absolute`. At least 1; default 0, which stands for 1.5.
	double factor;

	double absolute; ///< 0 to BV_MAX_LENGTH, in coordinates of `a`; default 0

	/// A direction that is tried before others, such as that of the previous frame; of any length. Default 0: none.
	bv_vec3 direction;

	/// Give up soon after this many tests of volumes and triangles; default 0, no limit. The interval is then wider, but holds.
	uint64_t most_tests;

	/// The most translations that are examined for the lower bound; default 0, which stands for 4,096. Without a limit of tests
	/// this ends a query whose factor cannot be reached.
	uint32_t most_translations;
} bv_mesh_depth_options;

/// Result of bv_mesh_depth. All vectors are in coordinates of `a`.
typedef struct bv_mesh_depth_result
{
	double lower; ///< no shorter translation separates the meshes; 0 if they are apart

	/// The length of `way`, rounded up; 0 if the meshes are apart. Infinity, with `way` 0, only if every translation that
	/// was tried leads out of the range of BV_MAX_LENGTH.
	double upper;

	bv_vec3 way; ///< a translation of `b` that separates the meshes

	/// The placement after this translation: its rotation is that of `b_in_a`, its translation the rounded sum. The proof
	/// is of this placement.
	bv_transform apart;

	bool reached; ///< `upper` is at most `factor` * `lower` + `absolute`

	/// `touches` is set if it is known what touches after the translation: the meshes are then at most about 1e-4 of its length
	/// from a contact of these triangles. The other members are 0 without it.
	bool touches;
	uint32_t triangle[2];  ///< of a, and of b
	bv_feature feature[2]; ///< of these triangles
	bv_vec3 point[2];      ///< on a, and on b
	bv_vec3 normal;        ///< unit vector from a to b at this contact

	uint64_t volume_tests;   ///< bounding volumes, and pairs of them, tested
	uint64_t triangle_tests; ///< triangles, and pairs of them, tested
	uint32_t translations;   ///< examined for the lower bound
} bv_mesh_depth_result;

/// @return the defaults listed in bv_mesh_depth_options
bv_mesh_depth_options bv_mesh_depth_options_default( void );

/// Finds the shortest translation of a mesh that separates it from another one.
///
/// The solid of a mesh is defined by winding numbers. The proofs therefore also hold for meshes that intersect themselves,
/// face inward, or have cavities and nested components. bv_mesh_info.closed says whether a mesh has a solid. If one of the
/// meshes is not closed, its surface must get out of the other's solid. If neither is closed, the surfaces must get apart, and
/// `lower` is 0.
///
/// The interval always holds for a sound file (bvinspect --verify), with rounding errors taken into account. Its width is not guaranteed: `reached` says whether it is
/// within the factor. Thin solids that are no plates or beams, and overlap deeply, need many translations, because each
/// one proves no more than their thickness. Depths below about 2^-40 of the coordinates, touching included, are not resolved: `lower` is then 0. The solid
/// errors of the files, if there are any, bound how thick solids are; they save examining large regions, and prove nothing
/// else.
///
/// Exchanging the meshes gives another interval that contains the same true depth.
/// @param b_in_a   from coordinates of `b` to coordinates of `a`; null for the identity
/// @param options  null for the defaults
/// @param scratch  memory of the caller, 8-byte aligned; need not be initialized, and holds nothing afterwards. More of it can
///                 narrow the interval
/// @param scratch_bytes  its size, at least BV_MESH_DEPTH_SCRATCH_LEAST
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, the transform is invalid or its
/// translation exceeds BV_MAX_LENGTH, an option is out of range, the memory is misaligned or too small, or a file has no
/// hierarchy
bv_status bv_mesh_depth( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                         const bv_mesh_depth_options* options, void* scratch, size_t scratch_bytes,
                         bv_mesh_depth_result* result );

#ifdef __cplusplus
}
#endif
