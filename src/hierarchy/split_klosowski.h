// The rows of Klosowski's rules in the table of splitters. See split_klosowski.c.

#pragma once

#include "hierarchy/split.h"

/// How the cut of one axis is judged.
/// @param part   the two parts
/// @param below  how many faces are in part 0, neither none nor all
/// @param keys   of the faces, along the axis; may be overwritten
/// @return small is good
typedef double bvb_klosowski_score( const bvb_face_set* set, const uint8_t* part, uint32_t below,
                                    double* keys );

/// A row's settings.
typedef struct bvb_klosowski_how
{
	bvb_klosowski_score* score; ///< the axis' rule; null for the longest one that separates the faces
	bool median;                ///< cut there, not at the mean
} bvb_klosowski_how;

/// sum, max, splatter, longest, each with the mean first and then with the median.
extern const bvb_klosowski_how bvb_klosowski_hows[8];
