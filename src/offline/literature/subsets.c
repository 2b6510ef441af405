// The subsets of a small set. See subsets.h.

#include "offline/literature/subsets.h"

#include "offline/literature/lower_bound.h"
#include "runtime/math/vec.h"

bool bvlit_subsets_begin( const bvhier_face_set* set, bvlit_subsets* out )
{
	size_t count = (size_t)1 << set->list.count;
	out->set = set;
	out->inner_are_free = bvlit_inner_faces_are_free( set->build );
	out->rounding = out->inner_are_free ? bvlit_quality_rounding( set->build, set->volume ) : 0;
	out->arena = NULL;
	out->quality = out->few;
	if ( count > bvlit_subsets_few )
	{
		out->arena = bvbase_arena_create_scratch( set->worker->arena );
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

void bvlit_subsets_end( bvlit_subsets* subsets )
{
	bvb_arena_destroy( subsets->arena );
}

// A subset's faces in the order of the set.
typedef struct subset
{
	uint32_t order[bvlit_branch_and_bound_most];
	bv_vec3 corners[3 * bvlit_branch_and_bound_most];
	bvfit_face_list list;
} subset;

static void list_subset( const bvlit_subsets* subsets, uint32_t faces, subset* out )
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

double bvlit_subset_quality( const bvlit_subsets* subsets, uint32_t faces )
{
	if ( subsets->quality[faces] < 0 )
	{
		subset sub;
		list_subset( subsets, faces, &sub );
		bvhier_build_fit( subsets->set->build, subsets->set->worker, &sub.list, &subsets->quality[faces] );
	}
	return subsets->quality[faces];
}

double bvlit_subset_bound( const bvlit_subsets* subsets, uint32_t faces )
{
	if ( subsets->inner_are_free )
	{
		return bvmath_max( bvlit_subset_quality( subsets, faces ) - subsets->rounding, 0 );
	}
	if ( subsets->bound[faces] < 0 )
	{
		subset sub;
		list_subset( subsets, faces, &sub );
		subsets->bound[faces] = bvlit_lower_bound( subsets->set->build, &sub.list );
	}
	return subsets->bound[faces];
}

uint32_t bvlit_subset_inner( const bvlit_subsets* subsets, uint32_t faces )
{
	subset sub;
	list_subset( subsets, faces, &sub );
	return bvlit_inner_faces( subsets->set->build, &sub.list, subsets->set->list.order,
	                          subsets->set->list.count );
}
