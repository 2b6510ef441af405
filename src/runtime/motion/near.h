// Pairs of triangles that may touch in a window of time, and a heap that keeps the pairs with the first entries.

#pragma once

#include <stdint.h>

/// Two triangles of meshes.
typedef struct bvmotion_near_pair
{
	double entry; ///< they do not touch before this part of a window, from -1 to 1; not used in mode mixed
	uint32_t triangle[2];
} bvmotion_near_pair;

// The root of a heap is the pair with the last entry.

/// Adds a pair to a heap, which has room for one more.
/// @param count  of pairs in the heap before
void bvmotion_near_add( bvmotion_near_pair* heap, uint32_t count, bvmotion_near_pair pair );

/// Puts a pair in the place of the root.
/// @param count  of pairs in the heap, above 0
void bvmotion_near_replace( bvmotion_near_pair* heap, uint32_t count, bvmotion_near_pair pair );

/// Makes a heap a list, the first entry first.
void bvmotion_near_sort( bvmotion_near_pair* heap, uint32_t count );
