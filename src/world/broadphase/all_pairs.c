// Every object with every other one: what other methods are compared with.

#include "world/broadphase/phase.h"

static uint64_t bytes( const bvw_broadphase_options* options )
{
	(void)options;
	return 0;
}

static void begin( bvw_broadphase* world )
{
	(void)world;
}

static void change( bvw_broadphase* world, uint32_t number )
{
	(void)world;
	(void)number;
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)world;
	(void)number;
	(void)from;
}

static bool find( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		uint32_t a = changed[i];
		for ( uint32_t b = 0; b < world->highest && ( objects[a].state & bvwphase_is_live ); ++b )
		{
			// Of two changed ones, the greater number reports.
			bool is_other = b != a && ( objects[b].state & bvwphase_is_live ) &&
			                ( b < a || !( objects[b].state & bvwphase_is_changed ) );
			if ( is_other && !bvwphase_report( world, a, b ) )
			{
				return false;
			}
		}
	}
	return true;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( query->objects[i].state & bvwphase_is_live )
		{
			bvwphase_look_at( query, i );
		}
	}
}

const bvwphase_method bvwphase_all_pairs = {
	"all-pairs", "every object with every other one", bytes, begin, change, move, change, find, overlap, NULL,
};
