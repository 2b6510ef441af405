// The hierarchy of a file as used by searches. See walk.h.

#include "runtime/walk.h"

void bv_walk_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t index[3];
	bvh_triangle( view, triangle, index );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvh_position( view, index[k] );
	}
}
