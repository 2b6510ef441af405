// Settings of the splitter that inserts face by face: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.4.
// See split_insertion.c.

#pragma once

#include "hierarchy/split.h"

/// Which faces it begins with.
typedef enum bvb_insertion_seeds
{
	bvb_seeds_random,      ///< any
	bvb_seeds_sphere,      ///< nearest to points at random on the least ball, far from each other
	bvb_seeds_icosahedron, ///< nearest to the corners of the icosahedron in the least ball, far from each other
	bvb_seeds_points,      ///< nearest to the points of table 3.1 in the oriented box
	bvb_seeds_kinds,       ///< how many kinds there are
} bvb_insertion_seeds;

/// A row's settings.
typedef struct bvb_insertion_how
{
	bvb_insertion_seeds seeds; ///< the first faces
	bool best_first; ///< always the face next that worsens the partition least, else in random order
} bvb_insertion_how;
