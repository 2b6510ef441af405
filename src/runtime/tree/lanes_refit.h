// New oriented boxes for the children of a node that is refitted, as codes. Part of lanes_kernels.h. See refit_lanes.c.
//
// Units are powers of two, and all codes times units are binary32 numbers (bvfile_snap_finest): products with units and sums of origins
// and codes are exact, and comparisons give back what rounding took away.

#pragma once

#include "runtime/tree/lanes_boxes.h"

LANES_INLINE lanes lanes_clamped( lanes code, lanes_number most )
{
	return lanes_max( lanes_min( code, lanes_all( most ) ), lanes_all( 0 ) );
}

static void lanes_refit_axes( const bvtree_lane_group* group, bvtree_lane_refit* out )
{
	uint32_t count = group->count;
	// Decoding takes where centers are relative to.
	const bvtree_lane_box none = { .slack = 0 };
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_obb_decode( group, first, &none, &p );
		lanes inverse = lanes_all( 1 ) / p.scale;
		for ( int j = 0; j < 3; ++j )
		{
			for ( int i = 0; i < 3; ++i )
			{
				lanes_store( out->axis[j][i] + first, p.axis[j][i] * inverse );
			}
		}
	}
}

// Where the middle of each box is.
static void lanes_refit_centers( bvtree_lane_refit* r, uint32_t count )
{
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes half = lanes_load( r->inverse + first ) * lanes_all( 0.5f );
		lanes middle[3];
		for ( int k = 0; k < 3; ++k )
		{
			middle[k] = ( lanes_load( r->lower[k] + first ) + lanes_load( r->upper[k] + first ) ) * half;
		}
		for ( int i = 0; i < 3; ++i )
		{
			lanes sum = lanes_load( r->axis[0][i] + first ) * middle[0];
			sum = sum + lanes_load( r->axis[1][i] + first ) * middle[1];
			sum = sum + lanes_load( r->axis[2][i] + first ) * middle[2];
			lanes_store( r->middle[i] + first, lanes_load( r->center[i] + first ) + sum );
		}
	}
}

// In mesh units: the unit of a tiny box is too small for the offset of a center that the grid of its siblings moved far away.
//
// With u = 2^-24 and the sum of absolute values of coordinates as the size of a vector: the offset of the center errs by u of itself, and
// its products with an axis by 6u, as those of vertices do (refit_points.h). The last difference errs by u of both. The margin is 2^-19 of
// both sizes, four times that. 2^-110 is what products of tiny numbers can lose, and far from any step.
static void lanes_refit_settle( bvtree_lane_refit* r, uint32_t count, const bvtree_lane_frame* frame )
{
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes inverse = lanes_load( r->inverse + first );
		lanes offset[3];
		lanes size = lanes_load( r->reach + first ) * inverse;
		for ( int i = 0; i < 3; ++i )
		{
			lanes origin = lanes_all( frame->origin[i] );
			lanes steps = ( lanes_load( r->middle[i] + first ) - origin ) * lanes_all( frame->inverse[i] );
			lanes code = lanes_whole( lanes_clamped( steps + lanes_all( 0.5f ), bvfile_code_range ) );
			lanes_store_whole( r->code[i] + first, code );
			lanes snapped = origin + lanes_all( frame->step[i] ) * code;
			offset[i] = snapped - lanes_load( r->center[i] + first );
			size = size + lanes_abs( offset[i] );
		}
		lanes margin = lanes_all( 0x1p-19f ) * size + lanes_all( 0x1p-110f );
		for ( int k = 0; k < 3; ++k )
		{
			lanes along = lanes_load( r->axis[k][0] + first ) * offset[0];
			along = along + lanes_load( r->axis[k][1] + first ) * offset[1];
			along = along + lanes_load( r->axis[k][2] + first ) * offset[2];
			lanes upper = lanes_load( r->upper[k] + first ) * inverse - along;
			lanes lower = along - lanes_load( r->lower[k] + first ) * inverse;
			lanes_store( r->extent[k] + first, lanes_max( upper, lower ) + margin );
		}
	}
}

static void lanes_refit_extents( const bvtree_lane_refit* r, uint32_t count, float unit, uint8_t code[3][8] )
{
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lanes extent = lanes_load( r->extent[k] + first );
			lanes square = extent * lanes_all( 1 / unit );
			lanes root = lanes_sqrt( square );
			lanes one = lanes_all( 1 );
			lanes q = lanes_whole( root );
			q = q + lanes_select( lanes_less( q, root ), one, lanes_all( 0 ) );
			lanes less = q - one;
			lanes_mask is_enough = lanes_less( less * less, square );
			q = lanes_select( is_enough, q, lanes_max( less, lanes_all( 0 ) ) );
			// Not the square, which is 0 for a box beside one that is larger by far.
			q = q + lanes_select( lanes_less( q * q * lanes_all( unit ), extent ), one, lanes_all( 0 ) );
			lanes_store_bytes( code[k] + first, q );
		}
	}
}
