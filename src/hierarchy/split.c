// The table of splitters, and what they share.

#include "hierarchy/split.h"

#include "base/core/vec.h"
#include "bvbuild/fit.h"
#include "bvbuild/hierarchy.h"

#include <string.h>

static const bvb_splitter splitters[] = {
	{ "gottschalk", "mean of the midpoints along the oriented box's longest axis (Gottschalk 1996)",
	  bvb_split_gottschalk, NULL },
	{ "median", "as many on each side, along the longest axis of the volume's box", bvb_split_median, NULL },
	{ "sah", "least sum of surfaces times faces, cut between bins along the box's axes (Wald 2007)",
	  bvb_split_sah, NULL },
};

enum
{
	splitter_count = sizeof splitters / sizeof splitters[0],
};

const bvb_splitter* bvb_splitter_find( const char* name )
{
	for ( int i = 0; i < splitter_count; ++i )
	{
		if ( strcmp( splitters[i].name, name ) == 0 )
		{
			return splitters + i;
		}
	}
	return NULL;
}

const char* bvb_splitter_name( uint32_t index, const char** summary )
{
	if ( index >= splitter_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = splitters[index].summary;
	}
	return splitters[index].name;
}

bv_obb bvb_set_obb( const bvb_face_set* set )
{
	return set->volume->type == bv_volume_obb ? set->volume->obb
	                                          : bvb_volume_fit_type( bv_volume_obb, &set->list ).obb;
}

bv_aabb bvb_set_aabb( const bvb_face_set* set )
{
	return set->volume->type == bv_volume_aabb ? set->volume->aabb
	                                           : bvb_volume_fit_type( bv_volume_aabb, &set->list ).aabb;
}

void bvb_longest_axes( const double half_extents[3], int order[3] )
{
	const double* h = half_extents;
	order[0] = h[0] >= h[1] ? ( h[0] >= h[2] ? 0 : 2 ) : ( h[1] >= h[2] ? 1 : 2 );
	int rest = order[0] == 0 ? 1 : 0;
	int last = 3 - order[0] - rest;
	order[1] = h[rest] >= h[last] ? rest : last;
	order[2] = 3 - order[0] - order[1];
}

// The order is total, so that the result does not depend on how it is reached.
static bool before( const bvb_face_set* set, const uint32_t* place, uint32_t i, double key, uint32_t other )
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
static void sift_down( const bvb_face_set* set, uint32_t* place, uint32_t i, uint32_t count )
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
void bvb_sort_places( const bvb_face_set* set, uint32_t* place )
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
