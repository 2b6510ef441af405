// Sorting in place. See numbers.h.
//
// Based on: heap sort (J. Williams, "Algorithm 232: Heapsort", 1964). Short lists: insertion sort.

#include "world/order/numbers.h"

enum
{
	short_list = 24, // below, insertion takes less time
};

static void insert( uint32_t* numbers, uint64_t count )
{
	for ( uint64_t i = 1; i < count; ++i )
	{
		uint32_t value = numbers[i];
		uint64_t k = i;
		for ( ; k > 0 && numbers[k - 1] > value; --k )
		{
			numbers[k] = numbers[k - 1];
		}
		numbers[k] = value;
	}
}

static void sift( uint32_t* heap, uint64_t at, uint64_t count )
{
	uint32_t value = heap[at];
	for ( uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && heap[child + 1] > heap[child];
		if ( heap[child] <= value )
		{
			break;
		}
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = value;
}

void bvworder_sort_numbers( uint32_t* numbers, uint64_t count )
{
	if ( count < short_list )
	{
		insert( numbers, count );
		return;
	}
	for ( uint64_t i = count / 2; i > 0; --i )
	{
		sift( numbers, i - 1, count );
	}
	for ( uint64_t last = count; last > 1; --last )
	{
		uint32_t greatest = numbers[0];
		numbers[0] = numbers[last - 1];
		numbers[last - 1] = greatest;
		sift( numbers, 0, last - 1 );
	}
}
