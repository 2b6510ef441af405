// Moving features by index, the same on every platform: a vertex and a triangle, or two edges.
//
// Adversarial ones are made so that they touch at a known time. With u = time - contact, the edges are the vectors
// A + u A' and B + u B' of small integers, and what lies between the features is a vector that vanishes at u = 0: u C for a
// simple root of the coplanarity cubic, u (p A + q B) for a double one, with A' = B for a triple one. Points then get
// barycentric weights in steps of 1/4, between 0 and 1 or next to it. All vectors can be in one plane, in a plane that
// turns, or on one line. Afterwards one coordinate can be moved by a unit in the last place or by a small part of itself,
// all can be rotated, with rounding, be scaled, or be far from the origin.

#pragma once

#include "bv/base.h"

/// A query of moving features.
typedef struct moving_pair
{
	uint64_t index;
	uint32_t kind;    ///< see moving_pair_kind
	bool is_edges;    ///< both ends of an edge, and of another; otherwise a vertex and three corners
	bool is_touching; ///< there is a contact at this time by construction
	double contact;
	bv_vec3 start[4];
	bv_vec3 end[4];
} moving_pair;

/// @return how many kinds of pairs there are
uint32_t moving_pair_kinds( void );

/// @return a short name of the kind; null if there is no such kind
const char* moving_pair_kind( uint32_t kind );

/// Makes the pair of an index. Even indices are a vertex and a face, odd ones edges.
void moving_pair_make( uint64_t index, moving_pair* pair );
