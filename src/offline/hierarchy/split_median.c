// As many faces in every part, in the order of their midpoints along the longest axis of the node's box: of
// the axis-aligned one if that is its volume, else of the oriented one. Also the frame's safeguard against
// lopsided splits.

#include "offline/hierarchy/split.h"

#include "runtime/math/vec.h"

static const bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static bv_vec3 longest_axis( const bvhier_face_set* set )
{
	int axes[3];
	if ( set->volume->type == bv_volume_aabb )
	{
		bv_vec3 size = bv_sub( set->volume->aabb.upper, set->volume->aabb.lower );
		bvhier_longest_axes( ( double[3] ){ size.x, size.y, size.z }, axes );
		return upright[axes[0]];
	}
	bv_obb box = bvhier_set_obb( set );
	bvhier_longest_axes( box.half_extents, axes );
	return box.axis[axes[0]];
}

bool bvhier_split_median( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	(void)how;
	const bvfit_face_list* list = &set->list;
	bv_vec3 axis = longest_axis( set );
	bv_vec3 first = list->faces[list->order[0]].midpoint;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		set->keys[i] = bv_dot( axis, bv_sub( list->faces[list->order[i]].midpoint, first ) );
	}
	uint32_t* place = (uint32_t*)list->corners;
	bvhier_sort_places( set, place );
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		part[place[i]] = (uint8_t)( (uint64_t)i * degree / list->count );
	}
	return true;
}
