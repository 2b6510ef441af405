// What methods report to an update. In a file below those of the methods, which the table of methods is above.

#include "world/broadphase/phase.h"

static bool touch( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	++world->tests;
	return bvwphase_boxes_touch( &objects[a].box, &objects[b].box );
}

// @return false if there is no room for the pair
static bool keep( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	if ( !bvwphase_may_pair( objects + a, objects + b ) )
	{
		return true;
	}
	bvwpairs_store* store = bvwphase_store( world );
	uint32_t index = bvwpairs_add( store, a, b );
	if ( index != BVWPAIRS_NONE )
	{
		bvwpairs_entry* e = bvwpairs_at( store, index );
		e->state = touches ? e->state | bvwpairs_touches : e->state & ~(uint32_t)bvwpairs_touches;
	}
	return index != BVWPAIRS_NONE;
}

bool bvwphase_report( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return !touch( world, a, b ) || keep( world, a, b, true );
}

bool bvwphase_report_near( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return keep( world, a, b, touch( world, a, b ) );
}
