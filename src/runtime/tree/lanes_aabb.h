// Tests one oriented box against the axis-aligned boxes of a group. Part of lanes_kernels.h. Names and error
// bounds are those of lanes_boxes.h, with B the identity, n = 1 and R = A.

#pragma once

#include "runtime/tree/lanes_boxes.h"

// Box a and those of a chunk of lanes.
typedef struct lanes_aligned
{
	lanes half[3]; // hb
	lanes t[3];    // T
	lanes to[3];   // T along A_i
} lanes_aligned;

LANES_INLINE void lanes_aabb_decode( const bvtree_lane_group* group, uint32_t first,
                                     const bvtree_lane_box* box, lanes_aligned* p )
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
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = lanes_dot( box->axis[i], p->t );
	}
}

// How far the boxes are apart along A_i; negative where they overlap.
LANES_INLINE lanes lanes_aabb_along_a( const bvtree_lane_box* box, const lanes_aligned* p, int i )
{
	const float* axis = box->axis[i];
	const float size[3] = { fabsf( axis[0] ), fabsf( axis[1] ), fabsf( axis[2] ) };
	return ( lanes_abs( p->to[i] ) - lanes_all( box->half[i] ) ) - lanes_dot( size, p->half );
}

// The same along a coordinate.
LANES_INLINE lanes lanes_aabb_along_b( const bvtree_lane_box* box, const lanes_aligned* p, int j )
{
	float radius = ( box->half[0] * fabsf( box->axis[0][j] ) + box->half[1] * fabsf( box->axis[1][j] ) ) +
	               box->half[2] * fabsf( box->axis[2][j] );
	return ( lanes_abs( p->t[j] ) - p->half[j] ) - lanes_all( radius );
}

LANES_INLINE lanes lanes_aabb_faces( const bvtree_lane_box* box, const lanes_aligned* p )
{
	return lanes_max( lanes_max3( lanes_aabb_along_a( box, p, 0 ), lanes_aabb_along_a( box, p, 1 ),
	                              lanes_aabb_along_a( box, p, 2 ) ),
	                  lanes_max3( lanes_aabb_along_b( box, p, 0 ), lanes_aabb_along_b( box, p, 1 ),
	                              lanes_aabb_along_b( box, p, 2 ) ) );
}

// The same along m, the product of A_i and coordinate j, and so times that product's length. Here m, m.T and
// hb's part of the radius are as they are, and ha's part is made of cofactors: it errs by 3.3 d.
LANES_INLINE lanes lanes_aabb_edges( const bvtree_lane_box* box, const lanes_aligned* p, int i, int j )
{
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	int k = ( j + 1 ) % 3;
	int l = ( j + 2 ) % 3;
	const float* axis = box->axis[i];
	float radius_a = box->half[u] * fabsf( box->axis[v][j] ) + box->half[v] * fabsf( box->axis[u][j] );
	lanes radius_b = p->half[k] * lanes_all( fabsf( axis[l] ) ) + p->half[l] * lanes_all( fabsf( axis[k] ) );
	lanes offset = p->t[k] * lanes_all( axis[l] ) - p->t[l] * lanes_all( axis[k] );
	return ( lanes_abs( offset ) - lanes_all( radius_a ) ) - radius_b;
}

LANES_INLINE lanes lanes_aabb_row( const bvtree_lane_box* box, const lanes_aligned* p, int i )
{
	return lanes_max3( lanes_aabb_edges( box, p, i, 0 ), lanes_aabb_edges( box, p, i, 1 ),
	                   lanes_aabb_edges( box, p, i, 2 ) );
}

static uint32_t lanes_aabb( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_aligned p;
		lanes_aabb_decode( group, first, box, &p );
		lanes limit = lanes_box_limit( group, box, p.half );
		uint32_t left = lanes_asked( first, group->count );
		left &= ~lanes_above( lanes_aabb_faces( box, &p ), limit );
		if ( left == 0 )
		{
			continue;
		}
		lanes edges = lanes_max3( lanes_aabb_row( box, &p, 0 ), lanes_aabb_row( box, &p, 1 ),
		                          lanes_aabb_row( box, &p, 2 ) );
		near |= ( left & ~lanes_above( edges, limit ) ) << first;
		lanes_store( size + first, lanes_measure( p.half ) );
	}
	return near;
}

// The square of the gap along A_i and coordinate j. That of m is the sum of two coordinates' squares; with 64
// u more it is no divisor that is 0.
LANES_INLINE lanes lanes_aabb_edge_square( const bvtree_lane_box* box, const lanes_aligned* p, int i, int j,
                                           lanes limit )
{
	float first = box->axis[i][( j + 1 ) % 3];
	float second = box->axis[i][( j + 2 ) % 3];
	float inverse = 1 / ( ( first * first + second * second ) + 64 * 0x1p-24f );
	return lanes_gap_square( lanes_aabb_edges( box, p, i, j ) - limit ) * lanes_all( inverse );
}

LANES_INLINE lanes lanes_aabb_row_square( const bvtree_lane_box* box, const lanes_aligned* p, int i,
                                          lanes limit )
{
	return lanes_max3( lanes_aabb_edge_square( box, p, i, 0, limit ),
	                   lanes_aabb_edge_square( box, p, i, 1, limit ),
	                   lanes_aabb_edge_square( box, p, i, 2, limit ) );
}

// The square of the gap that faces leave.
LANES_INLINE lanes lanes_aabb_faces_square( const bvtree_lane_box* box, const lanes_aligned* p, lanes limit )
{
	lanes a =
		lanes_gap_together( lanes_aabb_along_a( box, p, 0 ) - limit, lanes_aabb_along_a( box, p, 1 ) - limit,
	                        lanes_aabb_along_a( box, p, 2 ) - limit );
	lanes b =
		lanes_gap_together( lanes_aabb_along_b( box, p, 0 ) - limit, lanes_aabb_along_b( box, p, 1 ) - limit,
	                        lanes_aabb_along_b( box, p, 2 ) - limit );
	return lanes_max( a, b );
}

static void lanes_aabb_gap( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] )
{
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_aligned p;
		lanes_aabb_decode( group, first, box, &p );
		lanes limit = lanes_gap_limit( group, box, p.half, p.t );
		lanes faces = lanes_aabb_faces( box, &p ) - limit;
		lanes together = lanes_aabb_faces_square( box, &p, limit );
		lanes edges = lanes_all( 0 );
		if ( !lanes_is_point( box ) )
		{
			// Where axes are nearly parallel the square of a large gap overflows.
			edges = lanes_max3( lanes_aabb_row_square( box, &p, 0, limit ),
			                    lanes_aabb_row_square( box, &p, 1, limit ),
			                    lanes_aabb_row_square( box, &p, 2, limit ) );
			edges = lanes_min( edges, lanes_all( 0x1p120f ) );
		}
		lanes_store( gap + first, lanes_gap_left( faces, together, edges, box ) );
	}
}

static uint32_t lanes_aabb_ball( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
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
		lanes_aligned p;
		lanes at[3];
		lanes_aabb_decode( group, first, &point, &p );
		for ( int j = 0; j < 3; ++j )
		{
			at[j] = lanes_abs( p.t[j] );
		}
		near |= lanes_ball_bounds( at, p.half, p.t, ball, first, group->count, least, most );
	}
	return near;
}

// As lanes_obb_inside.
static uint32_t lanes_aabb_inside( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                   uint32_t* inside )
{
	uint32_t near = 0;
	*inside = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_aligned p;
		lanes within[3];
		lanes_aabb_decode( group, first, box, &p );
		lanes limit = lanes_box_limit( group, box, p.half );
		for ( int i = 0; i < 3; ++i )
		{
			const float* axis = box->axis[i];
			const float size[3] = { fabsf( axis[0] ), fabsf( axis[1] ), fabsf( axis[2] ) };
			within[i] = ( lanes_all( box->half[i] ) - lanes_abs( p.to[i] ) ) - lanes_dot( size, p.half );
		}
		uint32_t asked = lanes_asked( first, group->count );
		near |= ( asked & ~lanes_above( lanes_aabb_faces( box, &p ), limit ) ) << first;
		*inside |= ( asked & lanes_above( lanes_min3( within[0], within[1], within[2] ), limit ) ) << first;
	}
	return near;
}
