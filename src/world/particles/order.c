// Sorting. See order.h.
//
// Entries: see src/world/order. Lists: tryMergeSort of S. Stratbuecker, "Collision detection in large particle systems", 2003, section 4.1: a list that is sorted is only
// read; otherwise its elements are dealt alternately into two lists, which are sorted in the same way and merged.

#include "world/particles/order.h"
#include "world/order/numbers.h"

#include <stdbool.h>

enum
{
	most_depth = 34, // each level halves the list
};

static const uint32_t no_number = UINT32_MAX;

uint64_t* bvwnear_sort_entries( uint64_t* entries, uint64_t* room, uint32_t count, uint64_t* steps )
{
	uint32_t passes;
	uint64_t* sorted = bvworder_sort_keys( entries, room, count, &passes );
	*steps += 2 * (uint64_t)count * passes;
	return sorted;
}

static bool is_sorted( bvwnear_list* list, uint32_t first )
{
	if ( first == no_number )
	{
		return true;
	}
	for ( uint32_t i = first, n = list->next[i]; n != no_number; i = n, n = list->next[n] )
	{
		++list->comparisons;
		if ( list->key[n] < list->key[i] )
		{
			return false;
		}
	}
	return true;
}

static void deal( bvwnear_list* list, uint32_t first, uint32_t out[2] )
{
	uint32_t* end[2] = { &out[0], &out[1] };
	int which = 0;
	for ( uint32_t i = first; i != no_number; i = list->next[i], which = !which )
	{
		*end[which] = i;
		end[which] = &list->next[i];
	}
	*end[0] = no_number;
	*end[1] = no_number;
}

static uint32_t merge( bvwnear_list* list, uint32_t a, uint32_t b )
{
	uint32_t first = no_number;
	uint32_t* end = &first;
	while ( a != no_number && b != no_number )
	{
		++list->comparisons;
		bool takes_a = list->key[a] <= list->key[b];
		uint32_t taken = takes_a ? a : b;
		*end = taken;
		end = &list->next[taken];
		if ( takes_a )
		{
			a = list->next[a];
		}
		else
		{
			b = list->next[b];
		}
	}
	*end = a != no_number ? a : b;
	return first;
}

// Two lists that were dealt: how many of them are sorted.
typedef struct dealt_lists
{
	uint32_t half[2];
	int sorted;
} dealt_lists;

uint32_t bvwnear_try_merge_sort( bvwnear_list* list, uint32_t first )
{
	dealt_lists stack[most_depth];
	uint32_t depth = 0;
	for ( ;; )
	{
		list->depth = depth + 1 > list->depth ? depth + 1 : list->depth;
		if ( !is_sorted( list, first ) )
		{
			deal( list, first, stack[depth].half );
			stack[depth].sorted = 0;
			first = stack[depth++].half[0];
			continue;
		}
		// What is sorted returns to those that dealt it.
		for ( ;; )
		{
			if ( depth == 0 )
			{
				return first;
			}
			dealt_lists* above = &stack[depth - 1];
			above->half[above->sorted++] = first;
			if ( above->sorted == 1 )
			{
				first = above->half[1];
				break;
			}
			first = merge( list, above->half[0], above->half[1] );
			--depth;
		}
	}
}
