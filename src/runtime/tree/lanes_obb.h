// Tests one oriented box against the oriented boxes of a group. Part of lanes_kernels.h. Names and error
// bounds are those of lanes_boxes.h.

#pragma once

#include "runtime/tree/lanes_boxes.h"

// Box a and those of a chunk of lanes.
typedef struct lanes_pair
{
	lanes half[3];    // hb
	lanes scale;      // n
	lanes t[3];       // T
	lanes axis[3][3]; // rows of n B
	lanes to[3];      // T along A_i
	lanes along[3];   // T along n B_j
	lanes turn[3][3]; // n A_i . B_j
	lanes size[3][3]; // their absolute values
} lanes_pair;

LANES_INLINE lanes lanes_obb_along( const lanes_pair* p, int j )
{
	const lanes* axis = p->axis[j];
	return lanes_sum( axis[0] * p->t[0], axis[1] * p->t[1], axis[2] * p->t[2] );
}

// Sets the rest.
LANES_INLINE void lanes_obb_turn( const bvtree_lane_box* box, lanes_pair* p )
{
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

// Sets the first four.
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

// n times how far the boxes are apart along A_i; negative where they overlap.
LANES_INLINE lanes lanes_obb_along_a( const bvtree_lane_box* box, const lanes_pair* p, int i )
{
	const lanes* size = p->size[i];
	lanes radius = lanes_sum( p->half[0] * size[0], p->half[1] * size[1], p->half[2] * size[2] );
	return p->scale * ( lanes_abs( p->to[i] ) - lanes_all( box->half[i] ) ) - radius;
}

// The same along B_j.
LANES_INLINE lanes lanes_obb_along_b( const bvtree_lane_box* box, const lanes_pair* p, int j )
{
	const lanes size[3] = { p->size[0][j], p->size[1][j], p->size[2][j] };
	return ( lanes_abs( p->along[j] ) - p->scale * p->half[j] ) - lanes_dot( box->half, size );
}

LANES_INLINE lanes lanes_obb_faces( const bvtree_lane_box* box, const lanes_pair* p )
{
	return lanes_max( lanes_max3( lanes_obb_along_a( box, p, 0 ), lanes_obb_along_a( box, p, 1 ),
	                              lanes_obb_along_a( box, p, 2 ) ),
	                  lanes_max3( lanes_obb_along_b( box, p, 0 ), lanes_obb_along_b( box, p, 1 ),
	                              lanes_obb_along_b( box, p, 2 ) ) );
}

// The same along m, n times the product of A_i and B_j, and so times that product's length.
LANES_INLINE lanes lanes_obb_edges( const bvtree_lane_box* box, const lanes_pair* p, int i, int j )
{
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	int k = ( j + 1 ) % 3;
	int l = ( j + 2 ) % 3;
	lanes radius_a = lanes_all( box->half[u] ) * p->size[v][j] + lanes_all( box->half[v] ) * p->size[u][j];
	lanes radius_b = p->half[k] * p->size[i][l] + p->half[l] * p->size[i][k];
	lanes offset = p->to[v] * p->turn[u][j] - p->to[u] * p->turn[v][j];
	return lanes_abs( offset ) - ( radius_a + radius_b );
}

LANES_INLINE lanes lanes_obb_row( const bvtree_lane_box* box, const lanes_pair* p, int i )
{
	return lanes_max3( lanes_obb_edges( box, p, i, 0 ), lanes_obb_edges( box, p, i, 1 ),
	                   lanes_obb_edges( box, p, i, 2 ) );
}

static uint32_t lanes_obb( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_obb_decode( group, first, box, &p );
		lanes_obb_turn( box, &p );
		lanes limit = p.scale * lanes_box_limit( group, box, p.half );
		uint32_t left = lanes_asked( first, group->count );
		left &= ~lanes_above( lanes_obb_faces( box, &p ), limit );
		if ( left == 0 )
		{
			continue;
		}
		lanes edges = lanes_max3( lanes_obb_row( box, &p, 0 ), lanes_obb_row( box, &p, 1 ),
		                          lanes_obb_row( box, &p, 2 ) );
		near |= ( left & ~lanes_above( edges, limit ) ) << first;
		lanes_store( size + first, lanes_measure( p.half ) );
	}
	return near;
}

// The square of the gap along A_i x B_j. Of m = R_uj A_v - R_vj A_u the square is at most (1 + 2 d) (R_uj^2 +
// R_vj^2); with R's own error, 64 u n^2 more than what is computed is enough.
LANES_INLINE lanes lanes_obb_edge_square( const bvtree_lane_box* box, const lanes_pair* p, int i, int j,
                                          lanes limit )
{
	lanes first = p->turn[( i + 1 ) % 3][j];
	lanes second = p->turn[( i + 2 ) % 3][j];
	lanes most = ( first * first + second * second ) + ( p->scale * p->scale ) * lanes_all( 64 * 0x1p-24f );
	return lanes_gap_square( lanes_obb_edges( box, p, i, j ) - limit ) / most;
}

LANES_INLINE lanes lanes_obb_row_square( const bvtree_lane_box* box, const lanes_pair* p, int i, lanes limit )
{
	return lanes_max3( lanes_obb_edge_square( box, p, i, 0, limit ),
	                   lanes_obb_edge_square( box, p, i, 1, limit ),
	                   lanes_obb_edge_square( box, p, i, 2, limit ) );
}

// The square of the gap that faces leave, times n squared.
LANES_INLINE lanes lanes_obb_faces_square( const bvtree_lane_box* box, const lanes_pair* p, lanes limit )
{
	lanes a =
		lanes_gap_together( lanes_obb_along_a( box, p, 0 ) - limit, lanes_obb_along_a( box, p, 1 ) - limit,
	                        lanes_obb_along_a( box, p, 2 ) - limit );
	lanes b =
		lanes_gap_together( lanes_obb_along_b( box, p, 0 ) - limit, lanes_obb_along_b( box, p, 1 ) - limit,
	                        lanes_obb_along_b( box, p, 2 ) - limit );
	return lanes_max( a, b );
}

// Of a point: the axes of the other box alone say how far it is.
static void lanes_obb_gap_of_point( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] )
{
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes beyond[3];
		lanes_obb_decode( group, first, box, &p );
		lanes limit = p.scale * lanes_gap_limit( group, box, p.half, p.t );
		for ( int j = 0; j < 3; ++j )
		{
			beyond[j] = ( lanes_abs( lanes_obb_along( &p, j ) ) - p.scale * p.half[j] ) - limit;
		}
		lanes faces = lanes_max3( beyond[0], beyond[1], beyond[2] ) / p.scale;
		lanes together = lanes_gap_together( beyond[0], beyond[1], beyond[2] ) / ( p.scale * p.scale );
		lanes_store( gap + first, lanes_gap_left( faces, together, lanes_all( 0 ), box ) );
	}
}

static void lanes_obb_gap( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] )
{
	if ( lanes_is_point( box ) )
	{
		lanes_obb_gap_of_point( group, box, gap );
		return;
	}
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_obb_decode( group, first, box, &p );
		lanes_obb_turn( box, &p );
		lanes limit = p.scale * lanes_gap_limit( group, box, p.half, p.t );
		lanes faces = ( lanes_obb_faces( box, &p ) - limit ) / p.scale;
		lanes together = lanes_obb_faces_square( box, &p, limit ) / ( p.scale * p.scale );
		lanes edges =
			lanes_max3( lanes_obb_row_square( box, &p, 0, limit ), lanes_obb_row_square( box, &p, 1, limit ),
		                lanes_obb_row_square( box, &p, 2, limit ) );
		lanes_store( gap + first, lanes_gap_left( faces, together, edges, box ) );
	}
}

// Quotients by n are one inverse and a product each: 2 u of T's place more than lanes_obb_gap_of_point has.
static uint32_t lanes_obb_ball( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
                                float most[8] )
{
	bvtree_lane_box point = { .center = { ball->center[0], ball->center[1], ball->center[2] } };
	uint32_t near = 0;
	for ( uint32_t first = 0; first < BVFILE_LANES; first += lanes_width )
	{
		if ( !lanes_in( first, group->count ) )
		{
			lanes_ball_none( first, least, most );
			continue;
		}
		lanes_pair p;
		lanes at[3];
		lanes_obb_decode( group, first, &point, &p );
		lanes inverse = lanes_all( 1 ) / p.scale;
		for ( int j = 0; j < 3; ++j )
		{
			at[j] = lanes_abs( lanes_obb_along( &p, j ) ) * inverse;
		}
		near |= lanes_ball_bounds( at, p.half, p.t, ball, first, group->count, least, most );
	}
	return near;
}

// A box is inside if along each A_i its middle is off by no more than what is left beside its radius. Then T
// is not longer than the half extents, and the errors of lanes_boxes.h hold.
static uint32_t lanes_obb_inside( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                  uint32_t* inside )
{
	uint32_t near = 0;
	*inside = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes apart[3];
		lanes within[3];
		lanes_obb_decode( group, first, box, &p );
		lanes_obb_turn( box, &p );
		lanes limit = p.scale * lanes_box_limit( group, box, p.half );
		for ( int i = 0; i < 3; ++i )
		{
			const lanes* size = p.size[i];
			lanes radius = lanes_sum( p.half[0] * size[0], p.half[1] * size[1], p.half[2] * size[2] );
			lanes at = lanes_abs( p.to[i] );
			apart[i] = p.scale * ( at - lanes_all( box->half[i] ) ) - radius;
			within[i] = p.scale * ( lanes_all( box->half[i] ) - at ) - radius;
		}
		lanes of_a = lanes_max3( apart[0], apart[1], apart[2] );
		lanes of_b = lanes_max3( lanes_obb_along_b( box, &p, 0 ), lanes_obb_along_b( box, &p, 1 ),
		                         lanes_obb_along_b( box, &p, 2 ) );
		uint32_t asked = lanes_asked( first, group->count );
		near |= ( asked & ~lanes_above( lanes_max( of_a, of_b ), limit ) ) << first;
		*inside |= ( asked & lanes_above( lanes_min3( within[0], within[1], within[2] ), limit ) ) << first;
	}
	return near;
}
