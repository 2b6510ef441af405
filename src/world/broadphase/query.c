// Queries of a broad phase, for all methods. See query.h.

#include "world/broadphase/query.h"

#include "world/broadphase/order.h"

bv_status bvw_broadphase_overlap( const bvw_broadphase* world, const bv_aabb* box, const bvw_filter* filter,
                                  uint32_t* numbers, uint32_t most, bvw_found* found )
{
	if ( !world || !box || !found || ( !numbers && most > 0 ) || !bvwphase_box_is_valid( box ) )
	{
		return bv_error_argument;
	}
	bvwphase_query q = { .objects = bvwphase_objects( world ),
		                 .box = *box,
		                 .category = filter && filter->category != 0 ? filter->category : UINT64_MAX,
		                 .mask = filter && filter->mask != 0 ? filter->mask : UINT64_MAX,
		                 .numbers = numbers,
		                 .most = most };
	bvwphase_methods[world->options.method]->overlap( world, &q );
	*found = ( bvw_found ){ q.count, q.tests };
	if ( q.count > most )
	{
		return bv_error_memory;
	}
	bvwphase_sort_numbers( numbers, q.count );
	return bv_ok;
}
