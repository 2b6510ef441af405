// What methods report to an update and to queries. In a file below those of the methods, which the table of methods is above.

#include "world/broadphase/query.h"

static bool touch( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	++world->tests;
	return bvwphase_boxes_touch( &objects[a].box, &objects[b].box );
}

// Pairs end at once, also if the update fails later: then all methods list the same pairs.
void bvwphase_set_touching( bvw_broadphase* world, uint32_t index, bool touches )
{
	bvwpairs_entry* e = bvwpairs_at( bvwphase_store( world ), index );
	bool is_reported = ( e->state & bvwpairs_is_reported ) != 0;
	e->state = touches ? e->state | bvwpairs_touches : e->state & ~(uint32_t)bvwpairs_touches;
	if ( !touches && is_reported )
	{
		bvw_pair* ended = bvwphase_at( world, world->ended_at );
		ended[world->ended_count++] = ( bvw_pair ){ e->object[0], e->object[1] };
		e->state &= ~(uint32_t)bvwpairs_is_reported;
	}
	if ( touches && !is_reported && !( e->state & bvwpairs_is_listed ) )
	{
		e->state |= bvwpairs_is_listed;
		( (uint32_t*)bvwphase_at( world, world->differing_at ) )[world->differing_count++] = index;
	}
}

// @return false if there is no room for the pair
static bool keep( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	if ( !bvwphase_may_pair( objects + a, objects + b ) )
	{
		return true;
	}
	uint32_t index = bvwpairs_add( bvwphase_store( world ), a, b );
	if ( index != BVWPAIRS_NONE )
	{
		bvwphase_set_touching( world, index, touches );
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

void bvwphase_look_at_all( const bvw_broadphase* world, bvwphase_query* query )
{
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( query->objects[i].state & bvwphase_is_live )
		{
			bvwphase_look_at( query, i );
		}
	}
}
