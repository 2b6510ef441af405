// Regions that wait, the one of largest bound first. There is room for some hundreds; when it is used up the
// latest comes first until some are settled, so that memory is bounded however long a search takes. It is
// taken as it is needed, each time as much again as there is: most searches need a few places only.

#pragma once

#include "offline/hausdorff/region.h"

enum
{
	bvhaus_most_ordered = 128,
	bvhaus_most_stacked = 192, // more than what can be open at a time below one region
	bvhaus_most_regions = bvhaus_most_ordered + bvhaus_most_stacked + 16,
	bvhaus_first_regions = 1, // all that many targets ever need
};

/// In place of a region's place: there is none.
#define BVHAUS_NO_PLACE UINT32_MAX

/// Waiting regions, and places for others.
typedef struct bvhaus_queue
{
	bvb_arena* arena;                           ///< where places come from
	bvhaus_region* region[bvhaus_most_regions]; ///< places for regions
	uint32_t ready;                             ///< length of region
	uint32_t used;                              ///< places that were ever taken
	uint32_t heap[bvhaus_most_ordered];         ///< places, the largest bound on top
	uint32_t ordered;                           ///< length of heap
	uint32_t stack[bvhaus_most_stacked];        ///< places, the latest on top
	uint32_t stacked;                           ///< length of stack
	uint32_t unused[bvhaus_most_regions];       ///< places that were given back
	uint32_t unused_count;                      ///< length of unused
} bvhaus_queue;

static inline bvhaus_region* bvhaus_queue_region( const bvhaus_queue* queue, uint32_t place )
{
	return queue->region[place];
}

/// Makes room for the first regions.
/// @param arena  kept
/// @return false when out of memory
bool bvhaus_queue_create( bvhaus_queue* queue, bvb_arena* arena );

/// Makes room for all regions that can ever be there at a time.
/// @return false when out of memory
bool bvhaus_queue_reserve( bvhaus_queue* queue );

/// Empties the queue.
void bvhaus_queue_clear( bvhaus_queue* queue );

/// @return a place for one more region; BVHAUS_NO_PLACE when out of memory
uint32_t bvhaus_queue_take( bvhaus_queue* queue );

/// Gives a place back.
void bvhaus_queue_give_back( bvhaus_queue* queue, uint32_t place );

/// Lets a region wait.
/// @return false when there is no room
bool bvhaus_queue_put( bvhaus_queue* queue, uint32_t place );

/// @return the region that is to be refined next; there must be one
uint32_t bvhaus_queue_next( bvhaus_queue* queue );

/// @return the largest bound of a waiting region; 0 when none waits
double bvhaus_queue_bound( const bvhaus_queue* queue );
