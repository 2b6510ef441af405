// What grids have in common: comparisons of many objects. See cells.h.

#include "world/broadphase/cells.h"

bool bvwphase_compare_with_all( bvw_broadphase* world, uint32_t a )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bool has_room = true;
	for ( uint32_t b = 0; b < world->highest && has_room; ++b )
	{
		has_room = !( objects[b].state & bvwphase_is_live ) ||
		           bvwphase_compare( world, a, b, bvwphase_report_lower );
	}
	return has_room;
}

bool bvwphase_compare_cell( bvw_broadphase* world, const bvwphase_link* links, uint32_t own,
                            const uint32_t* first, uint32_t count )
{
	bool has_room = true;
	for ( uint32_t a = own; a != BVWPHASE_NONE && has_room; a = links[a].next )
	{
		has_room = bvwphase_compare_with_chain( world, a, links, links[a].next, bvwphase_report_all );
		for ( uint32_t i = 0; i < count && has_room; ++i )
		{
			has_room = bvwphase_compare_with_chain( world, a, links, first[i], bvwphase_report_all );
		}
	}
	return has_room;
}
