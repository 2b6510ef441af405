// Decodes the axis-aligned boxes of a group. Part of lanes_kernels.h. Names are those of lanes_boxes.h, with
// B the identity, n = 1 and R = A.

#pragma once

#include "runtime/tree/lanes_boxes.h"

// Sets half extents, n and T.
LANES_INLINE void lanes_aabb_decode( const bvtree_lane_group* group, uint32_t first,
                                     const bvtree_lane_box* box, lanes_pair* p )
{
	uint32_t n = group->count;
	for ( int i = 0; i < 3; ++i )
	{
		lanes lower = lanes_bytes( group->data + i * n + first );
		lanes upper = lanes_bytes( group->data + ( 3 + i ) * n + first );
		lanes step = lanes_all( 2 * group->step[i] );
		p->half[i] = step * ( upper - lower );
		p->t[i] = step * ( upper + lower ) - lanes_all( box->center[i] );
	}
	p->scale = lanes_all( 1 );
}

// Sets what axes are computed from.
LANES_INLINE void lanes_aabb_turn( const bvtree_lane_box* box, lanes_pair* p )
{
	p->box = box;
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = lanes_dot( box->axis[i], p->t );
		p->along[i] = p->t[i];
		for ( int j = 0; j < 3; ++j )
		{
			p->turn[i][j] = lanes_all( box->axis[i][j] );
			p->size[i][j] = lanes_all( fabsf( box->axis[i][j] ) );
		}
	}
}
