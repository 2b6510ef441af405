// Edges in the order of what collapsing them costs. See queue.h.

#include "offline/simplify/queue.h"

#include <string.h>

static bool comes_first( const bvsimplify_waiting* x, const bvsimplify_waiting* y )
{
	return x->cost != y->cost       ? x->cost < y->cost
	       : x->square != y->square ? x->square < y->square
	       : x->a != y->a           ? x->a < y->a
	                                : x->b < y->b;
}

// Twice as much room; what is left behind is no more than what is used.
static bool grow( bvsimplify_queue* q )
{
	size_t room = q->room ? 2 * q->room : 1024;
	bvsimplify_waiting* heap = bvb_arena_allocate( q->arena, room, sizeof *heap );
	if ( !heap )
	{
		return false;
	}
	if ( q->count > 0 )
	{
		memcpy( heap, q->heap, q->count * sizeof *heap );
	}
	q->heap = heap;
	q->room = room;
	return true;
}

bool bvsimplify_queue_push( bvsimplify_queue* q, const bvsimplify_waiting* edge )
{
	if ( q->count == q->room && !grow( q ) )
	{
		return false;
	}
	size_t at = q->count++;
	while ( at > 0 && comes_first( edge, q->heap + ( at - 1 ) / 2 ) )
	{
		q->heap[at] = q->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	q->heap[at] = *edge;
	return true;
}

bool bvsimplify_queue_pop( bvsimplify_queue* q, bvsimplify_waiting* out )
{
	if ( q->count == 0 )
	{
		return false;
	}
	*out = q->heap[0];
	bvsimplify_waiting last = q->heap[--q->count];
	size_t at = 0;
	for ( size_t child = 1; child < q->count; child = 2 * at + 1 )
	{
		child += child + 1 < q->count && comes_first( q->heap + child + 1, q->heap + child );
		if ( !comes_first( q->heap + child, &last ) )
		{
			break;
		}
		q->heap[at] = q->heap[child];
		at = child;
	}
	q->heap[at] = last;
	return true;
}
