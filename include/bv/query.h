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

/// How often each step was taken that bv_costs knows the cost of; bv_collide_result has the pairs of triangles.
typedef struct bv_test_counts
{
	uint64_t volumes[bv_volume_types][bv_volume_types]; ///< pairs of volumes compared: [type in a][type in b]
	uint64_t openings;                                  ///< nodes, of a or of b, whose children were compared
	uint64_t leaves;                                    ///< pairs of leaves whose triangles were compared
} bv_test_counts;

/// What bv_collide looks for.
typedef struct bv_collide_options
{
	bool first;                 ///< end at the first pair; default false: all pairs
	bv_pair_callback* callback; ///< receives each pair; default null
	void* context;              ///< passed to the callback; default null
	bv_test_counts* counts;     ///< what is done is added to it; default null
} bv_collide_options;

/// What bv_collide found and what it cost.
typedef struct bv_collide_result
{
	uint64_t pairs;          ///< intersecting pairs of triangles found
	uint64_t volume_tests;   ///< pairs of volumes compared: the sum of bv_test_counts.volumes
	uint64_t triangle_tests; ///< pairs of triangles compared
} bv_collide_result;

/// @return the defaults above
bv_collide_options bv_collide_options_default( void );

/// Finds the pairs of triangles of `a` and `b` that intersect. Descends both hierarchies together, always
/// into the larger volume (one-sided expansion, Eckstein 1998, section 4.3). Boxes are compared by
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
