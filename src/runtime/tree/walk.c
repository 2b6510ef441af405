// The hierarchy of a file as used by searches. See walk.h.

#include "runtime/tree/walk.h"

void bvtree_walk_corners( const bvfile_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t index[3];
	bvfile_triangle( view, triangle, index );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvfile_position( view, index[k] );
	}
}
