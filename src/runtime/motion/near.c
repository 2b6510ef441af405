// A binary heap of pairs of triangles. See near.h.

#include "runtime/motion/near.h"

void bvmotion_near_add( bvmotion_near_pair* heap, uint32_t count, bvmotion_near_pair pair )
{
	uint32_t place = count;
	while ( place > 0 && heap[( place - 1 ) / 2].entry < pair.entry )
	{
		heap[place] = heap[( place - 1 ) / 2];
		place = ( place - 1 ) / 2;
	}
	heap[place] = pair;
}

void bvmotion_near_replace( bvmotion_near_pair* heap, uint32_t count, bvmotion_near_pair pair )
{
	uint32_t place = 0;
	for ( uint32_t child = 1; child < count; child = 2 * place + 1 )
	{
		child += child + 1 < count && heap[child + 1].entry > heap[child].entry;
		if ( !( heap[child].entry > pair.entry ) )
		{
			break;
		}
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = pair;
}

void bvmotion_near_sort( bvmotion_near_pair* heap, uint32_t count )
{
	for ( uint32_t left = count; left > 1; --left )
	{
		bvmotion_near_pair last = heap[0];
		bvmotion_near_replace( heap, left - 1, heap[left - 1] );
		heap[left - 1] = last;
	}
}
