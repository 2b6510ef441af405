// Settings of Klosowski's rules: J. T. Klosowski and others, "Efficient collision detection using bounding volume hierarchies
// of k-DOPs", 1998, section 4.2. See split_klosowski.c.

#pragma once

#include "hierarchy/split.h"

/// Which axis a set is cut across.
typedef enum bvb_klosowski_axis
{
	bvb_klosowski_sum,      ///< where the sum of the parts' volumes is least
	bvb_klosowski_max,      ///< where the larger of the parts' volumes is least
	bvb_klosowski_splatter, ///< along which the midpoints vary most
	bvb_klosowski_longest,  ///< along which the set is longest
} bvb_klosowski_axis;

/// A row's settings.
typedef struct bvb_klosowski_how
{
	bvb_klosowski_axis axis; ///< the rule for it
	bool median;             ///< cut there, not at the mean
} bvb_klosowski_how;
