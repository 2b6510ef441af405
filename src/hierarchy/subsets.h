// The subsets of a small set, as bits of a number: the quality and the lower bound of each, computed once.

#pragma once

#include "base/offline/arena.h"
#include "hierarchy/split_branch_and_bound.h"

enum
{
	bvb_subsets_few = 1 << 6, ///< so many have room in the structure
};

/// What is known of them.
typedef struct bvb_subsets
{
	const bvb_face_set* set; ///< at most bvb_branch_and_bound_most faces
	bool inner_are_free;     ///< see bvb_inner_faces_are_free; qualities are bounds then, but for `rounding`
	double rounding;         ///< of qualities
	double* quality;         ///< of each subset; negative where it is not known yet
	double* bound;           ///< the same
	bvb_arena* arena;        ///< of both, if they are large; else null
	double few[2 * bvb_subsets_few]; ///< room for both, else
} bvb_subsets;

/// @param set  kept
/// @param out  must stay where it is
/// @return false when out of memory; bvb_subsets_end must follow either way
bool bvb_subsets_begin( const bvb_face_set* set, bvb_subsets* out );

/// Frees them.
void bvb_subsets_end( bvb_subsets* subsets );

/// @param faces  a bit for each face that is in the subset, by its place in the set
/// @return the quality of the subset's volume
double bvb_subset_quality( const bvb_subsets* subsets, uint32_t faces );

/// @return what no set that contains the subset has a better quality than
double bvb_subset_bound( const bvb_subsets* subsets, uint32_t faces );

/// @return the faces of the set that are within the subset's volumes, see bvb_inner_faces
uint32_t bvb_subset_inner( const bvb_subsets* subsets, uint32_t faces );
