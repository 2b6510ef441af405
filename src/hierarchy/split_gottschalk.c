// Gottschalk's rule: a plane normal to the oriented box's longest axis, through the mean of the faces'
// midpoints; the next axis when all midpoints lie on one side. S. Gottschalk, M. C. Lin, D. Manocha,
// "OBBTree", 1996, section 4.

#include "hierarchy/split.h"

#include "base/core/vec.h"

static bv_vec3 mean_midpoint( const bvb_face_set* set )
{
	// Relative to one of them: the mean of equal midpoints is then exactly that midpoint, and nothing seems
	// separable.
	bv_vec3 first = set->faces[set->order[0]].midpoint;
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 1; i < set->count; ++i )
	{
		sum = bv_add( sum, bv_sub( set->faces[set->order[i]].midpoint, first ) );
	}
	return bv_add( first, bv_scale( 1.0 / set->count, sum ) );
}

// Faces below the plane come first; the order among them is not kept, but does not depend on anything else
// either.
static uint32_t partition( const bvb_face_set* set, bv_vec3 axis, bv_vec3 mean )
{
	uint32_t low = 0;
	uint32_t high = set->count;
	while ( low < high )
	{
		uint32_t face = set->order[low];
		if ( bv_dot( axis, bv_sub( set->faces[face].midpoint, mean ) ) < 0 )
		{
			low += 1;
		}
		else
		{
			high -= 1;
			set->order[low] = set->order[high];
			set->order[high] = face;
		}
	}
	return low;
}

uint32_t bvb_split_gottschalk( const bvb_face_set* set, uint32_t degree, uint32_t* parts )
{
	(void)degree; // two half spaces, whatever is wanted
	int axes[3];
	bvb_longest_axes( set->box, axes );
	bv_vec3 mean = mean_midpoint( set );
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t below = partition( set, set->box->axis[axes[i]], mean );
		if ( below > 0 && below < set->count )
		{
			parts[0] = below;
			parts[1] = set->count - below;
			return 2;
		}
	}
	return 1;
}
