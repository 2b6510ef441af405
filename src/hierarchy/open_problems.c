// The open problems of branch and bound in a heap (Williams 1964), in one of three orders: J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.7.1.
//  - lower: the least lower bound;
//  - estimate: the least lower bound * placed faces + upper bound * free ones, where the optimum is presumed;
//  - gain: the greatest (upper bound - lower bound) * free faces.

#include "hierarchy/open_problems.h"

#include <string.h>

// The least is looked at first.
typedef double order_function( const bvb_problem* p );

static double lower_order( const bvb_problem* p )
{
	return p->lower;
}

static double estimate_order( const bvb_problem* p )
{
	return p->lower * p->placed + p->upper * p->unplaced;
}

static double gain_order( const bvb_problem* p )
{
	return -( p->upper - p->lower ) * p->unplaced;
}

static order_function* const orders[] = {
	[bvb_order_lower] = lower_order,
	[bvb_order_estimate] = estimate_order,
	[bvb_order_gain] = gain_order,
};

void bvb_problems_begin( bvb_arena* arena, bvb_branch_and_bound_order order, bvb_open_problems* out )
{
	out->order = order;
	out->count = 0;
	out->room = bvb_problems_few;
	out->failed = false;
	out->more = NULL;
	out->parent = arena;
	out->arena = NULL;
}

void bvb_problems_end( bvb_open_problems* problems )
{
	bvb_arena_destroy( problems->arena );
}

static bool before( const bvb_problem* a, const bvb_problem* b )
{
	return a->key < b->key || ( a->key == b->key && a->serial < b->serial );
}

static bvb_problem* heap_of( bvb_open_problems* problems )
{
	return problems->more ? problems->more : problems->few;
}

static bool make_room( bvb_open_problems* problems )
{
	if ( problems->count < problems->room )
	{
		return true;
	}
	if ( !problems->arena )
	{
		problems->arena = bvb_arena_create_scratch( problems->parent );
	}
	bvb_problem* heap = problems->arena
	                        ? bvb_arena_allocate( problems->arena, 2 * (size_t)problems->room, sizeof *heap )
	                        : NULL;
	if ( !heap )
	{
		problems->failed = true;
		return false;
	}
	memcpy( heap, heap_of( problems ), problems->count * sizeof *heap );
	problems->more = heap;
	problems->room *= 2;
	return true;
}

void bvb_problems_push( bvb_open_problems* problems, const bvb_problem* p )
{
	if ( !make_room( problems ) )
	{
		return;
	}
	bvb_problem added = *p;
	added.key = orders[problems->order]( p );
	bvb_problem* heap = heap_of( problems );
	uint32_t i = problems->count++;
	for ( ; i > 0 && before( &added, &heap[( i - 1 ) / 2] ); i = ( i - 1 ) / 2 )
	{
		heap[i] = heap[( i - 1 ) / 2];
	}
	heap[i] = added;
}

bvb_problem bvb_problems_pop( bvb_open_problems* problems )
{
	bvb_problem* heap = heap_of( problems );
	bvb_problem first = heap[0];
	bvb_problem last = heap[--problems->count];
	uint32_t i = 0;
	for ( uint32_t child = 1; child < problems->count; child = 2 * i + 1 )
	{
		child += child + 1 < problems->count && before( &heap[child + 1], &heap[child] );
		if ( !before( &heap[child], &last ) )
		{
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}
