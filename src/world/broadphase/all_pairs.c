// Every object with every other one: what other methods are compared with.

#include "world/broadphase/query.h"

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

const bvwphase_method bvwphase_all_pairs = {
	.name = "all-pairs",
	.help = "every object with every other one",
	.find = find,
	.finds_known = true,
	.overlap = bvwphase_look_at_all,
};
