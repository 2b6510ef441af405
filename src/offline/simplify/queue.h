// Edges in the order of what collapsing them costs.

#pragma once

#include "bvbuild/base.h"

/// An edge that waits.
typedef struct bvsimplify_waiting
{
	double cost;
	double square;   ///< of its length
	uint32_t a;      ///< the lesser vertex
	uint32_t b;      ///< the greater one
	uint32_t born_a; ///< which of the vertices that `a` has been it was when this was added
	uint32_t born_b; ///< the same of `b`
} bvsimplify_waiting;

/// A binary heap; of equal costs the shortest edge comes first, then that of the least vertices.
typedef struct bvsimplify_queue
{
	bvsimplify_waiting* heap;
	size_t count;
	size_t room;
	bvb_arena* arena;
} bvsimplify_queue;

/// @return false when out of memory
bool bvsimplify_queue_push( bvsimplify_queue* q, const bvsimplify_waiting* edge );

/// @return false when it is empty
bool bvsimplify_queue_pop( bvsimplify_queue* q, bvsimplify_waiting* out );
