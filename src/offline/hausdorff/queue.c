// Waiting regions. See queue.h.

#include "offline/hausdorff/queue.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

static bool add_places( bvhaus_queue* q, uint32_t count )
{
	bvhaus_region* added = bvb_arena_allocate( q->arena, count, sizeof *added );
	for ( uint32_t i = 0; added && i < count; ++i )
	{
		q->region[q->ready++] = added + i;
	}
	return added;
}

bool bvhaus_queue_create( bvhaus_queue* q, bvb_arena* arena )
{
	q->arena = arena;
	q->ready = 0;
	bvhaus_queue_clear( q );
	return add_places( q, bvhaus_first_regions );
}

bool bvhaus_queue_reserve( bvhaus_queue* q )
{
	return q->ready == bvhaus_most_regions || add_places( q, bvhaus_most_regions - q->ready );
}

void bvhaus_queue_clear( bvhaus_queue* q )
{
	q->used = q->ordered = q->stacked = q->unused_count = 0;
}

uint32_t bvhaus_queue_take( bvhaus_queue* q )
{
	if ( q->unused_count > 0 )
	{
		return q->unused[--q->unused_count];
	}
	uint32_t room = bvhaus_most_regions - q->ready;
	if ( q->used == q->ready && !add_places( q, q->ready < room ? q->ready : room ) )
	{
		return BVHAUS_NO_PLACE;
	}
	return q->used++;
}

void bvhaus_queue_give_back( bvhaus_queue* q, uint32_t place )
{
	q->unused[q->unused_count++] = place;
}

static bool is_larger( const bvhaus_queue* q, uint32_t a, uint32_t b )
{
	return bvhaus_queue_region( q, a )->bound > bvhaus_queue_region( q, b )->bound;
}

bool bvhaus_queue_put( bvhaus_queue* q, uint32_t place )
{
	if ( q->ordered == bvhaus_most_ordered || q->stacked > 0 )
	{
		if ( q->stacked == bvhaus_most_stacked )
		{
			return false;
		}
		q->stack[q->stacked++] = place;
		return true;
	}
	uint32_t at = q->ordered++;
	while ( at > 0 && is_larger( q, place, q->heap[( at - 1 ) / 2] ) )
	{
		q->heap[at] = q->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	q->heap[at] = place;
	return true;
}

uint32_t bvhaus_queue_next( bvhaus_queue* q )
{
	if ( q->stacked > 0 )
	{
		return q->stack[--q->stacked];
	}
	uint32_t place = q->heap[0];
	uint32_t last = q->heap[--q->ordered];
	uint32_t at = 0;
	for ( ;; )
	{
		uint32_t child = 2 * at + 1;
		if ( child >= q->ordered )
		{
			break;
		}
		if ( child + 1 < q->ordered && is_larger( q, q->heap[child + 1], q->heap[child] ) )
		{
			child += 1;
		}
		if ( !is_larger( q, q->heap[child], last ) )
		{
			break;
		}
		q->heap[at] = q->heap[child];
		at = child;
	}
	q->heap[at] = last;
	return place;
}

double bvhaus_queue_bound( const bvhaus_queue* q )
{
	double bound = q->ordered > 0 ? bvhaus_queue_region( q, q->heap[0] )->bound : 0;
	for ( uint32_t i = 0; i < q->stacked; ++i )
	{
		bound = bvmath_max( bound, bvhaus_queue_region( q, q->stack[i] )->bound );
	}
	return bound;
}
