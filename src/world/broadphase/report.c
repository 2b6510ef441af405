// What methods report to an update and to queries. In a file below those of the methods, which the table of methods is above.

#include "world/broadphase/pairs.h"
#include "world/broadphase/query.h"

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
	return !bvwphase_may_pair( objects + a, objects + b ) ||
	       bvwphase_keeper_of( world )->keep( world, a, b, touches );
}

bvw_pair* bvwphase_room_for_pairs( bvw_broadphase* world )
{
	const bvwphase_keeper* keeper = bvwphase_keeper_of( world );
	return keeper->room ? keeper->room( world ) : NULL;
}

void bvwphase_take_pairs( bvw_broadphase* world, uint32_t count )
{
	bvwphase_keeper_of( world )->take( world, count );
}

bool bvwphase_keep( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return bvwphase_keeper_of( world )->keep( world, a, b, true );
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
