// A heap of pairs of nodes: none comes before the one at half its index. The first one is at index 1.

#pragma once

#include "runtime/tree/pair_search.h"

/// @return whether a pair is processed before another one
static inline bool bvtree_heap_comes_before( bv_search_order order, const bvtree_node_pair* x,
                                             const bvtree_node_pair* y )
{
	return order == bv_search_by_gap ? x->gap < y->gap || ( x->gap == y->gap && x->rank < y->rank )
	                                 : x->rank < y->rank;
}

/// @param count  of the heap; grows by 1
static inline void bvtree_heap_push( bv_search_order order, bvtree_node_pair* heap, uint32_t* count,
                                     const bvtree_node_pair* pair )
{
	uint32_t at = ++*count;
	for ( ; at > 1 && bvtree_heap_comes_before( order, pair, heap + at / 2 ); at /= 2 )
	{
		heap[at] = heap[at / 2];
	}
	heap[at] = *pair;
}

/// @param count  of the heap, above 0; decreases by 1
/// @return the first pair
static inline bvtree_node_pair bvtree_heap_pop( bv_search_order order, bvtree_node_pair* heap,
                                                uint32_t* count )
{
	const bvtree_node_pair first = heap[1];
	const bvtree_node_pair* last = heap + *count;
	uint32_t left = --*count;
	uint32_t at = 1;
	for ( uint32_t next = 2; next <= left; next = 2 * at )
	{
		if ( next < left && bvtree_heap_comes_before( order, heap + next + 1, heap + next ) )
		{
			next += 1;
		}
		if ( !bvtree_heap_comes_before( order, heap + next, last ) )
		{
			break;
		}
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = *last;
	return first;
}

/// Sorts a few pairs: the first one comes last, and of equal ones the first.
static inline void bvtree_heap_sort( bv_search_order order, bvtree_node_pair* pairs, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		const bvtree_node_pair pair = pairs[i];
		uint32_t at = i;
		for ( ; at > 0 && !bvtree_heap_comes_before( order, &pair, pairs + at - 1 ); --at )
		{
			pairs[at] = pairs[at - 1];
		}
		pairs[at] = pair;
	}
}
