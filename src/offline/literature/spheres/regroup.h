// Groups of patches made better: which patch goes with which, so that the spheres round few groups protrude
// little.

#pragma once

#include "offline/literature/spheres/patch.h"

enum
{
	bvlit_most_matched = 8,
};

/// What to divide, and how it is divided.
typedef struct bvlit_groups
{
	const bvlit_leaf_surface* surface;
	bvlit_known_sides* sides;  ///< of each thread
	int team;                  ///< how many threads there may be; the result is the same for any number
	const bvlit_patch** patch; ///< what is divided
	uint32_t patch_count;      ///< length of patch

	/// of each patch: those of different ones stay apart; null where all may be together
	const uint32_t* division;

	uint32_t* group;      ///< of each patch, below group_count; those of one are in one division
	uint32_t group_count; ///< at most; at least 1
} bvlit_groups;

/// Moves patches between groups. The sum of the fourth powers of how far the groups' spheres protrude does
/// not grow.
/// @param arena  scratch memory
/// @return false when out of memory; groups are as they were then
bool bvlit_regroup( bvlit_groups* groups, bvb_arena* arena );

/// Pairs up a few patches: of all ways to the one whose spheres protrude least, by the sum of fourth powers.
/// @param count    at most bvlit_most_matched; of an odd number one stays single
/// @param partner  receives of each which one it is paired with, or itself
void bvlit_match( const bvlit_leaf_surface* surface, bvlit_known_sides* sides,
                  const bvlit_patch* const* patch, uint32_t count, uint32_t* partner );
