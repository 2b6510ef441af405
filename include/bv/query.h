// Queries on checked files: which triangles of two meshes intersect under a rigid pose.
//
// Every answer is conservative: two triangles are reported unless they are certainly apart, with the rounding
// of the arithmetic accounted for; triangles that touch intersect.

#pragma once

#include "bv/base.h"
#include "bv/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called for each intersecting pair of triangles, indices into each file's triangles.
/// @return false to end the query
typedef bool bv_pair_callback( void* context, uint32_t triangle_a, uint32_t triangle_b );

/// How many pairs of each kind were compared. Where a box is that of a leaf of one triangle, that triangle is compared with
/// the other's box in its place.
typedef struct bv_test_counts
{
	uint64_t volumes[bv_volume_types][bv_volume_types]; ///< of two volumes: [type in a][type in b]
	uint64_t triangle_obb;  ///< of a triangle, of a or of b, and the other's oriented box
	uint64_t triangle_aabb; ///< of a triangle, of a or of b, and the other's axis-aligned box
} bv_test_counts;

/// Which of two overlapping nodes is opened next, if neither is a leaf. Pairs that are found are the same.
typedef enum bv_expansion
{
	bv_expand_larger = 0, ///< the one with the larger volume (one-sided: Eckstein 1998, section 4.3.1)
	bv_expand_both,       ///< both: all pairs of their children (simultaneous: the same)

	/// That one, or both, for which the least product of tests and of what is left is expected (hybrid: section 4.3.2, where a
	/// tie between the two loses the pair; here the first is opened). What is left is the larger volume of what was opened, its worst
	/// child's, plus that of what was not.
	bv_expand_hybrid,
	bv_expansions, ///< how many there are
} bv_expansion;

/// What bv_collide looks for.
typedef struct bv_collide_options
{
	bv_expansion expansion;     ///< default bv_expand_larger
	bool first;                 ///< end at the first pair; default false: all pairs
	bv_pair_callback* callback; ///< receives each pair; default null
	void* context;              ///< passed to the callback; default null
	bv_test_counts* counts;     ///< pairs tested are added to it; default null
} bv_collide_options;

/// What bv_collide found and what it cost.
typedef struct bv_collide_result
{
	uint64_t pairs;          ///< intersecting pairs of triangles found
	uint64_t volume_tests;   ///< pairs tested of which one is a bounding volume: the sum of bv_test_counts
	uint64_t triangle_tests; ///< pairs of triangles tested
} bv_collide_result;

/// @return the defaults above
bv_collide_options bv_collide_options_default( void );

/// Finds the pairs of triangles of `a` and `b` that intersect. Descends both hierarchies together. Boxes are compared by
/// the 15 separating axes of Gottschalk, Lin and Manocha 1996, balls and rectangle swept spheres by distances, k-DOPs by
/// their intervals along both's directions.
/// Which pairs are found does not depend on the hierarchies, but for triangles that are too near each other, at their
/// distance from the origin, to be told apart: those are found unless volumes show that they are apart.
/// @param b_in_a   takes b's coordinates to a's
/// @param options  null for the defaults
/// @param result   receives counts, also when the callback ended the query
/// @return bv_ok; bv_error_argument when a pointer is null, the pose is not rigid or a file has no hierarchy
bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_pose* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result );

#ifdef __cplusplus
}
#endif
