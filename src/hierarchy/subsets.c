// The subsets of a small set. See subsets.h.

#include "hierarchy/subsets.h"

#include "base/core/vec.h"
#include "hierarchy/lower_bound.h"

bool bvb_subsets_begin( const bvb_face_set* set, bvb_subsets* out )
{
	size_t count = (size_t)1 << set->list.count;
	out->set = set;
	out->inner_are_free = bvb_inner_faces_are_free( set->build );
	out->rounding = out->inner_are_free ? bvb_quality_rounding( set->build, set->volume ) : 0;
	out->arena = NULL;
	out->quality = out->few;
	if ( count > bvb_subsets_few )
	{
		out->arena = bvb_arena_create_scratch( set->worker->arena );
		out->quality = out->arena ? bvb_arena_allocate( out->arena, 2 * count, sizeof *out->quality ) : NULL;
	}
	if ( !out->quality )
	{
		return false;
	}
	out->bound = out->quality + count;
	for ( size_t i = 0; i < 2 * count; ++i )
	{
		out->quality[i] = -1;
	}
	return true;
}

void bvb_subsets_end( bvb_subsets* subsets )
{
	bvb_arena_destroy( subsets->arena );
}

// A subset's faces in the order of the set.
typedef struct subset
{
	uint32_t order[bvb_branch_and_bound_most];
	bv_vec3 corners[3 * bvb_branch_and_bound_most];
	bvb_face_list list;
} subset;

static void list_subset( const bvb_subsets* subsets, uint32_t faces, subset* out )
{
	out->list = subsets->set->list;
	out->list.order = out->order;
	out->list.corners = out->corners;
	out->list.count = 0;
	for ( uint32_t i = 0; i < subsets->set->list.count; ++i )
	{
		if ( faces >> i & 1 )
		{
			out->order[out->list.count++] = subsets->set->list.order[i];
		}
	}
}

double bvb_subset_quality( const bvb_subsets* subsets, uint32_t faces )
{
	if ( subsets->quality[faces] < 0 )
	{
		subset sub;
		list_subset( subsets, faces, &sub );
		bvb_build_fit( subsets->set->build, subsets->set->worker, &sub.list, &subsets->quality[faces] );
	}
	return subsets->quality[faces];
}

double bvb_subset_bound( const bvb_subsets* subsets, uint32_t faces )
{
	if ( subsets->inner_are_free )
	{
		return bv_max( bvb_subset_quality( subsets, faces ) - subsets->rounding, 0 );
	}
	if ( subsets->bound[faces] < 0 )
	{
		subset sub;
		list_subset( subsets, faces, &sub );
		subsets->bound[faces] = bvb_lower_bound( subsets->set->build, &sub.list );
	}
	return subsets->bound[faces];
}

uint32_t bvb_subset_inner( const bvb_subsets* subsets, uint32_t faces )
{
	subset sub;
	list_subset( subsets, faces, &sub );
	return bvb_inner_faces( subsets->set->build, &sub.list, subsets->set->list.order,
	                        subsets->set->list.count );
}
