// The subsets of a small set, as bits of a number: the quality and the lower bound of each, computed once.

#pragma once

#include "offline/base/arena.h"
#include "offline/literature/split_branch_and_bound.h"

enum
{
	bvlit_subsets_few = 1 << 6, ///< so many have room in the structure
};

/// What is known of them.
typedef struct bvlit_subsets
{
	const bvhier_face_set* set; ///< at most bvlit_branch_and_bound_most faces
	bool inner_are_free; ///< see bvlit_inner_faces_are_free; qualities are bounds then, but for `rounding`
	double rounding;     ///< of qualities
	double* quality;     ///< of each subset; negative where it is not known yet
	double* bound;       ///< the same
	bvb_arena* arena;    ///< of both, if they are large; else null
	double few[2 * bvlit_subsets_few]; ///< room for both, else
} bvlit_subsets;

/// @param set  kept
/// @param out  must stay where it is
/// @return false when out of memory; bvlit_subsets_end must follow either way
bool bvlit_subsets_begin( const bvhier_face_set* set, bvlit_subsets* out );

/// Frees them.
void bvlit_subsets_end( bvlit_subsets* subsets );

/// @param faces  a bit for each face that is in the subset, by its place in the set
/// @return the quality of the subset's volume
double bvlit_subset_quality( const bvlit_subsets* subsets, uint32_t faces );

/// @return what no set that contains the subset has a better quality than
double bvlit_subset_bound( const bvlit_subsets* subsets, uint32_t faces );

/// @return the faces of the set that are within the subset's volumes, see bvlit_inner_faces
uint32_t bvlit_subset_inner( const bvlit_subsets* subsets, uint32_t faces );
