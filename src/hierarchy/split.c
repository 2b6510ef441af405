// The table of splitters, and what they share.

#include "hierarchy/split.h"

#include "base/core/vec.h"
#include "bvbuild/hierarchy.h"

#include <string.h>

static const bvb_splitter splitters[] = {
	{ "gottschalk", "mean of the midpoints along the oriented box's longest axis (Gottschalk 1996)",
	  bvb_split_gottschalk },
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

void bvb_longest_axes( const bv_obb* box, int order[3] )
{
	const double* h = box->half_extents;
	order[0] = h[0] >= h[1] ? ( h[0] >= h[2] ? 0 : 2 ) : ( h[1] >= h[2] ? 1 : 2 );
	int rest = order[0] == 0 ? 1 : 0;
	int last = 3 - order[0] - rest;
	order[1] = h[rest] >= h[last] ? rest : last;
	order[2] = 3 - order[0] - order[1];
}

// The order is total, so that the result does not depend on how it is reached.
static bool before( const double* keys, const uint32_t* order, uint32_t i, double key, uint32_t face )
{
	return keys[i] < key || ( keys[i] == key && order[i] < face );
}

static void swap( double* keys, uint32_t* order, uint32_t i, uint32_t j )
{
	double key = keys[i];
	uint32_t face = order[i];
	keys[i] = keys[j];
	order[i] = order[j];
	keys[j] = key;
	order[j] = face;
}

// Restores the heap below `i`, greatest on top.
static void sift_down( double* keys, uint32_t* order, uint32_t i, uint32_t count )
{
	for ( ;; )
	{
		uint32_t child = 2 * i + 1;
		if ( child >= count )
		{
			return;
		}
		if ( child + 1 < count && before( keys, order, child, keys[child + 1], order[child + 1] ) )
		{
			child += 1;
		}
		if ( !before( keys, order, i, keys[child], order[child] ) )
		{
			return;
		}
		swap( keys, order, i, child );
		i = child;
	}
}

// Heapsort (Williams 1964): in place, and n log n for any input, which is what a safeguard must be.
uint32_t bvb_halve( const bvb_face_set* set, double* keys )
{
	int axes[3];
	bvb_longest_axes( set->box, axes );
	bv_vec3 axis = set->box->axis[axes[0]];
	bv_vec3 first = set->faces[set->order[0]].midpoint;
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		keys[i] = bv_dot( axis, bv_sub( set->faces[set->order[i]].midpoint, first ) );
	}

	for ( uint32_t i = set->count / 2; i-- > 0; )
	{
		sift_down( keys, set->order, i, set->count );
	}
	for ( uint32_t end = set->count; end-- > 1; )
	{
		swap( keys, set->order, 0, end );
		sift_down( keys, set->order, 0, end );
	}
	return set->count / 2;
}
