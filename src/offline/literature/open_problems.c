// The open problems of branch and bound in a heap (Williams 1964), in one of three orders: J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.1.
//  - lower: the least lower bound;
//  - estimate: the least lower bound * placed faces + upper bound * free ones, where the optimum is presumed;
//  - gain: the greatest (upper bound - lower bound) * free faces.

#include "offline/literature/open_problems.h"

#include <string.h>

// The least is looked at first.
typedef double order_function( const bvlit_problem* p );

static double lower_order( const bvlit_problem* p )
{
	return p->lower;
}

static double estimate_order( const bvlit_problem* p )
{
	return p->lower * p->placed + p->upper * p->unplaced;
}

static double gain_order( const bvlit_problem* p )
{
	return -( p->upper - p->lower ) * p->unplaced;
}

static order_function* const orders[] = {
	[bvlit_order_lower] = lower_order,
	[bvlit_order_estimate] = estimate_order,
	[bvlit_order_gain] = gain_order,
};

void bvlit_problems_begin( bvb_arena* arena, bvlit_branch_and_bound_order order, bvlit_open_problems* out )
{
	out->order = order;
	out->count = 0;
	out->room = bvlit_problems_few;
	out->failed = false;
	out->more = NULL;
	out->parent = arena;
	out->arena = NULL;
}

void bvlit_problems_end( bvlit_open_problems* problems )
{
	bvb_arena_destroy( problems->arena );
}

static bool before( const bvlit_problem* a, const bvlit_problem* b )
{
	return a->key < b->key || ( a->key == b->key && a->serial < b->serial );
}

static bvlit_problem* heap_of( bvlit_open_problems* problems )
{
	return problems->more ? problems->more : problems->few;
}

static bool make_room( bvlit_open_problems* problems )
{
	if ( problems->count < problems->room )
	{
		return true;
	}
	if ( !problems->arena )
	{
		problems->arena = bvbase_arena_create_scratch( problems->parent );
	}
	bvlit_problem* heap =
		problems->arena ? bvb_arena_allocate( problems->arena, 2 * (size_t)problems->room, sizeof *heap )
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

void bvlit_problems_push( bvlit_open_problems* problems, const bvlit_problem* p )
{
	if ( !make_room( problems ) )
	{
		return;
	}
	bvlit_problem added = *p;
	added.key = orders[problems->order]( p );
	bvlit_problem* heap = heap_of( problems );
	uint32_t i = problems->count++;
	for ( ; i > 0 && before( &added, &heap[( i - 1 ) / 2] ); i = ( i - 1 ) / 2 )
	{
		heap[i] = heap[( i - 1 ) / 2];
	}
	heap[i] = added;
}

bvlit_problem bvlit_problems_pop( bvlit_open_problems* problems )
{
	bvlit_problem* heap = heap_of( problems );
	bvlit_problem first = heap[0];
	bvlit_problem last = heap[--problems->count];
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
