// Edges in the order of what collapsing them costs.

#pragma once

#include "bvbuild/base.h"

/// An edge that waits.
typedef struct bvb_waiting
{
	double cost;
	double square;   ///< of its length
	uint32_t a;      ///< the lesser vertex
	uint32_t b;      ///< the greater one
	uint32_t born_a; ///< which of the vertices that `a` has been it was when this was added
	uint32_t born_b; ///< the same of `b`
} bvb_waiting;

/// A binary heap; of equal costs the shortest edge comes first, then that of the least vertices.
typedef struct bvb_queue
{
	bvb_waiting* heap;
	size_t count;
	size_t room;
	bvb_arena* arena;
} bvb_queue;

/// @return false when out of memory
bool bvb_queue_push( bvb_queue* q, const bvb_waiting* edge );

/// @return false when it is empty
bool bvb_queue_pop( bvb_queue* q, bvb_waiting* out );
