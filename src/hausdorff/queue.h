// Regions that wait, the one of largest bound first. There is room for some hundreds; when it is used up the latest comes
// first until some are settled, so that memory is bounded however long a search takes. It is taken as it is needed, each time
// as much again as there is: most searches need a few places only.

#pragma once

#include "hausdorff/region.h"

enum
{
	bvb_most_ordered = 128,
	bvb_most_stacked = 192, // more than what can be open at a time below one region
	bvb_most_regions = bvb_most_ordered + bvb_most_stacked + 16,
	bvb_first_regions = 1, // all that many targets ever need
};

/// In place of a region's place: there is none.
#define BVB_NO_PLACE UINT32_MAX

/// Waiting regions, and places for others.
typedef struct bvb_queue
{
	bvb_arena* arena;                     ///< where places come from
	bvb_region* region[bvb_most_regions]; ///< places for regions
	uint32_t ready;                       ///< length of region
	uint32_t used;                        ///< places that were ever taken
	uint32_t heap[bvb_most_ordered];      ///< places, the largest bound on top
	uint32_t ordered;                     ///< length of heap
	uint32_t stack[bvb_most_stacked];     ///< places, the latest on top
	uint32_t stacked;                     ///< length of stack
	uint32_t unused[bvb_most_regions];    ///< places that were given back
	uint32_t unused_count;                ///< length of unused
} bvb_queue;

static inline bvb_region* bvb_queue_region( const bvb_queue* queue, uint32_t place )
{
	return queue->region[place];
}

/// Makes room for the first regions.
/// @param arena  kept
/// @return false when out of memory
bool bvb_queue_create( bvb_queue* queue, bvb_arena* arena );

/// Makes room for all regions that can ever be there at a time.
/// @return false when out of memory
bool bvb_queue_reserve( bvb_queue* queue );

/// Empties the queue.
void bvb_queue_clear( bvb_queue* queue );

/// @return a place for one more region; BVB_NO_PLACE when out of memory
uint32_t bvb_queue_take( bvb_queue* queue );

/// Gives a place back.
void bvb_queue_give_back( bvb_queue* queue, uint32_t place );

/// Lets a region wait.
/// @return false when there is no room
bool bvb_queue_put( bvb_queue* queue, uint32_t place );

/// @return the region that is to be refined next; there must be one
uint32_t bvb_queue_next( bvb_queue* queue );

/// @return the largest bound of a waiting region; 0 when none waits
double bvb_queue_bound( const bvb_queue* queue );
