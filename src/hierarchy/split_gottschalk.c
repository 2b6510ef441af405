// Gottschalk's rule: a plane normal to the oriented box's longest axis, through the mean of the faces'
// midpoints; the next axis when all midpoints lie on one side. S. Gottschalk, M. C. Lin, D. Manocha,
// "OBBTree", 1996, section 4.

#include "hierarchy/split.h"

#include "base/core/vec.h"

static bv_vec3 mean_midpoint( const bvb_face_list* list )
{
	// Relative to one of them: the mean of equal midpoints is then exactly that midpoint, and nothing seems
	// separable.
	bv_vec3 first = list->faces[list->order[0]].midpoint;
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 1; i < list->count; ++i )
	{
		sum = bv_add( sum, bv_sub( list->faces[list->order[i]].midpoint, first ) );
	}
	return bv_add( first, bv_scale( 1.0 / list->count, sum ) );
}

// Faces below the plane are the first part. Returns how many there are.
static uint32_t divide( const bvb_face_list* list, bv_vec3 axis, bv_vec3 mean, uint8_t* part )
{
	uint32_t below = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		part[i] = !( bv_dot( axis, bv_sub( list->faces[list->order[i]].midpoint, mean ) ) < 0 );
		below += !part[i];
	}
	return below;
}

bool bvb_split_gottschalk( const bvb_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	(void)degree; // two half spaces, whatever is wanted
	(void)how;
	bv_obb box = bvb_set_obb( set );
	int axes[3];
	bvb_longest_axes( box.half_extents, axes );
	bv_vec3 mean = mean_midpoint( &set->list );
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t below = divide( &set->list, box.axis[axes[i]], mean, part );
		if ( below > 0 && below < set->list.count )
		{
			break;
		}
	}
	return true;
}
