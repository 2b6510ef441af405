// Waiting regions. See queue.h.

#include "hausdorff/queue.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"

bool bvb_queue_create( bvb_queue* q, bvb_arena* arena )
{
	for ( int i = 0; i < bvb_chunks; ++i )
	{
		q->chunk[i] = bvb_arena_allocate( arena, bvb_chunk, sizeof( bvb_region ) );
		if ( !q->chunk[i] )
		{
			return false;
		}
	}
	bvb_queue_clear( q );
	return true;
}

void bvb_queue_clear( bvb_queue* q )
{
	q->used = q->ordered = q->stacked = q->unused_count = 0;
}

uint32_t bvb_queue_take( bvb_queue* q )
{
	return q->unused_count > 0 ? q->unused[--q->unused_count] : q->used++;
}

void bvb_queue_give_back( bvb_queue* q, uint32_t place )
{
	q->unused[q->unused_count++] = place;
}

static bool is_larger( const bvb_queue* q, uint32_t a, uint32_t b )
{
	return bvb_queue_region( q, a )->bound > bvb_queue_region( q, b )->bound;
}

bool bvb_queue_put( bvb_queue* q, uint32_t place )
{
	if ( q->ordered == bvb_most_ordered || q->stacked > 0 )
	{
		if ( q->stacked == bvb_most_stacked )
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

uint32_t bvb_queue_next( bvb_queue* q )
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

double bvb_queue_bound( const bvb_queue* q )
{
	double bound = q->ordered > 0 ? bvb_queue_region( q, q->heap[0] )->bound : 0;
	for ( uint32_t i = 0; i < q->stacked; ++i )
	{
		bound = bv_max( bound, bvb_queue_region( q, q->stack[i] )->bound );
	}
	return bound;
}
