// Pairs of convex polytopes by index, the same on every platform: half of them random, half of them adversarial.
//
// Adversarial pairs are made on a lattice: vectors u and v span a plane through a point c, and w points out of it. Shape a
// has c in a corner, an edge or a face and everything else below the plane, shape b likewise above. Coordinates are
// integers of few digits times a power of two, so that the shapes touch exactly. Then b is moved by a gap: none, one unit
// in the last place of the largest coordinate, or 1e-12 to 1e-3 of the size, apart or into each other. Most pairs are about
// 10 in size; every eighth adversarial one is multiplied by a power of two from 2^-150 to 2^150. Some pairs are
// rotated afterwards, with rounding, or b is placed by a transform.

#pragma once

#include "bv/shape.h"

enum
{
	convex_pair_most = 1000, ///< corners of a shape
};

/// A pair of shapes. The shapes point into it.
typedef struct convex_pair
{
	uint64_t index;
	uint32_t kind;          ///< see convex_pair_kind
	bv_convex shape[2];     ///< a and b
	bool is_placed;         ///< placement is to be used, otherwise null
	bv_transform placement; ///< from coordinates of b to those of a
	int sign[2]; ///< the least and largest sign of the distance that the pair can have, as far as is known
	bv_vec3 points[2][convex_pair_most];
	uint32_t first_neighbor[2][convex_pair_most + 1];
	uint32_t neighbors[2][6 * convex_pair_most];
} convex_pair;

/// @return how many kinds of pairs there are
uint32_t convex_pair_kinds( void );

/// @return a short name of the kind; null if there is no such kind
const char* convex_pair_kind( uint32_t kind );

/// Makes the pair of an index. Even indices give random pairs, odd ones adversarial pairs.
void convex_pair_make( uint64_t index, convex_pair* pair );
