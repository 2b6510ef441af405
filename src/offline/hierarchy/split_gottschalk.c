// Gottschalk's rule: a plane normal to the oriented box's longest axis, through the mean of the faces'
// midpoints; the next axis when all midpoints lie on one side. S. Gottschalk, M. C. Lin, D. Manocha,
// "OBBTree", 1996, section 4. For more than two parts the one with the most faces is cut again, along its own
// box.

#include "offline/hierarchy/split.h"

#include "offline/hierarchy/bisect.h"
#include "runtime/math/vec.h"

// In the table of splitters.c.
bvhier_split_function bvhier_split_gottschalk;

static bv_vec3 mean_midpoint( const bvfit_face_list* list )
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
static uint32_t divide( const bvfit_face_list* list, bv_vec3 axis, bv_vec3 mean, uint8_t* part )
{
	uint32_t below = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		part[i] = !( bv_dot( axis, bv_sub( list->faces[list->order[i]].midpoint, mean ) ) < 0 );
		below += !part[i];
	}
	return below;
}

static void cut( const bvfit_face_list* list, const bv_obb* box, uint8_t* part )
{
	int axes[3];
	bvhier_longest_axes( box->half_extents, axes );
	bv_vec3 mean = mean_midpoint( list );
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t below = divide( list, box->axis[axes[i]], mean, part );
		if ( below > 0 && below < list->count )
		{
			break;
		}
	}
}

// Of a part of the node the box is not known yet.
static void bisect( const bvhier_face_set* set, const void* how, uint8_t* part )
{
	(void)how;
	bv_volume box = bvfit_volume_fit_type( bv_volume_obb, &set->list );
	cut( &set->list, &box.obb, part );
}

bool bvhier_split_gottschalk( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	if ( degree > 2 )
	{
		return bvhier_bisect( set, degree, bisect, how, part );
	}
	bv_obb box = bvhier_set_obb( set );
	cut( &set->list, &box, part );
	return true;
}
