// Settings of Klosowski's rules: J. T. Klosowski and others, "Efficient collision detection using bounding
// volume hierarchies of k-DOPs", 1998, section 4.2. See split_klosowski.c.

#pragma once

#include "offline/hierarchy/split.h"

/// Which axis a set is cut across.
typedef enum bvlit_klosowski_axis
{
	bvlit_klosowski_sum,      ///< where the sum of the parts' volumes is least
	bvlit_klosowski_max,      ///< where the larger of the parts' volumes is least
	bvlit_klosowski_splatter, ///< along which the midpoints vary most
	bvlit_klosowski_longest,  ///< along which the set is longest
} bvlit_klosowski_axis;

/// A row's settings.
typedef struct bvlit_klosowski_how
{
	bvlit_klosowski_axis axis; ///< the rule for it
	bool median;               ///< cut there, not at the mean
} bvlit_klosowski_how;

/// By a cut across an axis.
/// @param how  a bvlit_klosowski_how
bvhier_split_function bvlit_split_klosowski;
