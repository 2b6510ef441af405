// What splitters share: the oriented box of a set, and sorting. See split.h.

#include "offline/hierarchy/split.h"

bv_obb bvhier_set_obb( const bvhier_face_set* set )
{
	return set->volume->type == bv_volume_obb ? set->volume->obb
	                                          : bvfit_volume_fit_type( bv_volume_obb, &set->list ).obb;
}

void bvhier_longest_axes( const double half_extents[3], int order[3] )
{
	const double* h = half_extents;
	order[0] = h[0] >= h[1] ? ( h[0] >= h[2] ? 0 : 2 ) : ( h[1] >= h[2] ? 1 : 2 );
	int rest = order[0] == 0 ? 1 : 0;
	int last = 3 - order[0] - rest;
	order[1] = h[rest] >= h[last] ? rest : last;
	order[2] = 3 - order[0] - order[1];
}

// The order is total, so that the result does not depend on how it is reached.
static bool before( const bvhier_face_set* set, const uint32_t* place, uint32_t i, double key,
                    uint32_t other )
{
	const uint32_t* face = set->list.order;
	return set->keys[i] < key || ( set->keys[i] == key && face[place[i]] < face[other] );
}

static void swap( double* keys, uint32_t* place, uint32_t i, uint32_t j )
{
	double key = keys[i];
	uint32_t p = place[i];
	keys[i] = keys[j];
	place[i] = place[j];
	keys[j] = key;
	place[j] = p;
}

// Restores the heap below `i`, greatest on top.
static void sift_down( const bvhier_face_set* set, uint32_t* place, uint32_t i, uint32_t count )
{
	double* keys = set->keys;
	for ( ;; )
	{
		uint32_t child = 2 * i + 1;
		if ( child >= count )
		{
			return;
		}
		if ( child + 1 < count && before( set, place, child, keys[child + 1], place[child + 1] ) )
		{
			child += 1;
		}
		if ( !before( set, place, i, keys[child], place[child] ) )
		{
			return;
		}
		swap( keys, place, i, child );
		i = child;
	}
}

// Heapsort (Williams 1964): in place, and n log n for any input.
void bvhier_sort_places( const bvhier_face_set* set, uint32_t* place )
{
	uint32_t count = set->list.count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		place[i] = i;
	}
	for ( uint32_t i = count / 2; i-- > 0; )
	{
		sift_down( set, place, i, count );
	}
	for ( uint32_t end = count; end-- > 1; )
	{
		swap( set->keys, place, 0, end );
		sift_down( set, place, 0, end );
	}
}
