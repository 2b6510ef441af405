// Settings of the splitter that inserts face by face: J. Eckstein, "Echtzeitfähige Kollisionserkennung",
// 1998, section 3.7.4. See split_insertion.c.

#pragma once

#include "offline/hierarchy/split.h"

/// Which faces it begins with.
typedef enum bvlit_insertion_seeds
{
	bvlit_seeds_random, ///< any
	bvlit_seeds_sphere, ///< nearest to points at random on the least ball, far from each other

	/// nearest to the corners of the icosahedron in the least ball, far from each other
	bvlit_seeds_icosahedron,

	bvlit_seeds_points, ///< nearest to the points of table 3.1 in the oriented box
	bvlit_seeds_kinds,  ///< how many kinds there are
} bvlit_insertion_seeds;

/// A row's settings.
typedef struct bvlit_insertion_how
{
	bvlit_insertion_seeds seeds; ///< the first faces
	bool best_first; ///< always the face next that worsens the partition least, else in random order
} bvlit_insertion_how;

/// Face by face.
/// @param how  a bvlit_insertion_how
bvhier_split_function bvlit_split_insertion;
