// Decodes the oriented boxes of a group. Part of lanes_kernels.h. Names are those of lanes_boxes.h.

#pragma once

#include "runtime/tree/lanes_boxes.h"

LANES_INLINE lanes lanes_obb_along( const lanes_pair* p, int j )
{
	const lanes* axis = p->axis[j];
	return lanes_sum( axis[0] * p->t[0], axis[1] * p->t[1], axis[2] * p->t[2] );
}

// Sets half extents, n, T and n B.
LANES_INLINE void lanes_obb_decode( const bvtree_lane_group* group, uint32_t first,
                                    const bvtree_lane_box* box, lanes_pair* p )
{
	const uint8_t* data = group->data;
	uint32_t n = group->count;
	lanes_words words = lanes_load_words( data + 4 * first );
	for ( int i = 0; i < 3; ++i )
	{
		lanes q = lanes_bytes( data + ( 8 + i ) * n + first );
		p->half[i] = lanes_all( group->extent ) * ( q * q );
		p->t[i] =
			lanes_all( group->step[i] ) * lanes_field( words, bvfile_code_bits * i, bvfile_code_end - 1 ) -
			lanes_all( box->center[i] );
	}

	words = lanes_load_words( data + 4 * n + 4 * first );
	lanes middle = lanes_all( bvfile_rotation_bias );
	lanes x = lanes_field( words, 0, bvfile_code_end - 1 ) - middle;
	lanes y = lanes_field( words, bvfile_code_bits, bvfile_code_end - 1 ) - middle;
	lanes z = lanes_field( words, 2 * bvfile_code_bits, bvfile_code_end - 1 ) - middle;
	lanes w2 = lanes_all( 2 * bvfile_rotation_w );
	lanes ww = lanes_all( bvfile_rotation_w * bvfile_rotation_w );
	lanes x2 = x + x;
	lanes y2 = y + y;
	lanes xx = x * x;
	lanes yy = y * y;
	lanes zz = z * z;
	lanes xy = x2 * y;
	lanes xz = x2 * z;
	lanes yz = y2 * z;
	lanes xw = w2 * x;
	lanes yw = w2 * y;
	lanes zw = w2 * z;
	p->axis[0][0] = ( ww + xx ) - ( yy + zz );
	p->axis[0][1] = xy + zw;
	p->axis[0][2] = xz - yw;
	p->axis[1][0] = xy - zw;
	p->axis[1][1] = ( ww - xx ) + ( yy - zz );
	p->axis[1][2] = yz + xw;
	p->axis[2][0] = xz + yw;
	p->axis[2][1] = yz - xw;
	p->axis[2][2] = ( ww - xx ) - ( yy - zz );
	p->scale = ( ww + xx ) + ( yy + zz );
}

// Sets what axes are computed from.
LANES_INLINE void lanes_obb_turn( const bvtree_lane_box* box, lanes_pair* p )
{
	p->box = box;
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = lanes_dot( box->axis[i], p->t );
	}
	for ( int j = 0; j < 3; ++j )
	{
		p->along[j] = lanes_obb_along( p, j );
		for ( int i = 0; i < 3; ++i )
		{
			p->turn[i][j] = lanes_dot( box->axis[i], p->axis[j] );
			p->size[i][j] = lanes_abs( p->turn[i][j] );
		}
	}
}
