// Compares one oriented box, or a ball, with the oriented or axis-aligned boxes of a group, by the axes of
// sat.h. Part of lanes_kernels.h. Names and error bounds are those of lanes_boxes.h.
//
// `aligned` is a constant of each kernel: whether the group's boxes have the axes of the grid. Orders of
// operations are kept as they are, because counts of tests that reports state depend on each answer.

#pragma once

#include "runtime/tree/lanes_aabb.h"
#include "runtime/tree/lanes_obb.h"
#include "runtime/volume/sat.h"

LANES_INLINE void lanes_decode( const bvtree_lane_group* group, uint32_t first, const bvtree_lane_box* box,
                                bool aligned, lanes_pair* p )
{
	if ( aligned )
	{
		lanes_aabb_decode( group, first, box, p );
	}
	else
	{
		lanes_obb_decode( group, first, box, p );
	}
}

LANES_INLINE void lanes_turn( const bvtree_lane_box* box, bool aligned, lanes_pair* p )
{
	if ( aligned )
	{
		lanes_aabb_turn( box, p );
	}
	else
	{
		lanes_obb_turn( box, p );
	}
}

LANES_INLINE sat_boxes lanes_axes( const lanes_pair* p )
{
	return ( sat_boxes ){ p->box->half, p->half, p->to, p->along, p->turn, p->size };
}

// n times how far the boxes are apart along A_i; negative where they overlap.
LANES_INLINE lanes lanes_along_a( const lanes_pair* p, int i )
{
	sat_boxes axes = lanes_axes( p );
	sat_axis x = sat_axis_of_a( &axes, i );
	return p->scale * ( x.apart - x.reach_a ) - x.reach_b;
}

// The same along B_j.
LANES_INLINE lanes lanes_along_b( const lanes_pair* p, int j )
{
	sat_boxes axes = lanes_axes( p );
	sat_axis x = sat_axis_of_b( &axes, j );
	return ( x.apart - p->scale * x.reach_b ) - x.reach_a;
}

LANES_INLINE lanes lanes_faces( const lanes_pair* p )
{
	return lanes_max( lanes_max3( lanes_along_a( p, 0 ), lanes_along_a( p, 1 ), lanes_along_a( p, 2 ) ),
	                  lanes_max3( lanes_along_b( p, 0 ), lanes_along_b( p, 1 ), lanes_along_b( p, 2 ) ) );
}

// The same if box a moves by up to its way W in both directions.
LANES_INLINE lanes lanes_faces_of_moving( const lanes_pair* p, const lanes_way* way )
{
	lanes a[3];
	lanes b[3];
	for ( int i = 0; i < 3; ++i )
	{
		a[i] = lanes_along_a( p, i ) - p->scale * lanes_all( fabsf( way->to[i] ) );
		b[i] = lanes_along_b( p, i ) - lanes_abs( way->along[i] );
	}
	return lanes_max( lanes_max3( a[0], a[1], a[2] ), lanes_max3( b[0], b[1], b[2] ) );
}

// The same along m, n times the product of A_i and B_j, and so times that product's length. With the axes of
// the grid m, m.T and hb's part of the radius are as they are, and ha's part is made of cofactors: it errs by
// 3.3 d.
LANES_INLINE lanes lanes_edges( const lanes_pair* p, int i, int j, bool aligned )
{
	sat_boxes axes = lanes_axes( p );
	sat_axis x = sat_axis_of_edges( &axes, i, j, aligned );
	if ( aligned )
	{
		return ( x.apart - x.reach_a ) - x.reach_b;
	}
	return sat_gap( x );
}

LANES_INLINE lanes lanes_row( const lanes_pair* p, int i, bool aligned )
{
	return lanes_max3( lanes_edges( p, i, 0, aligned ), lanes_edges( p, i, 1, aligned ),
	                   lanes_edges( p, i, 2, aligned ) );
}

// The edges of a box that moves. m.W is computed by the formula of m.T.
LANES_INLINE lanes lanes_row_of_moving( const lanes_pair* p, const lanes_way* way, int i, bool aligned )
{
	lanes apart[3];
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	for ( int j = 0; j < 3; ++j )
	{
		int k = ( j + 1 ) % 3;
		int l = ( j + 2 ) % 3;
		lanes moved = aligned
		                  ? way->along[k] * p->turn[i][l] - way->along[l] * p->turn[i][k]
		                  : lanes_all( way->to[v] ) * p->turn[u][j] - lanes_all( way->to[u] ) * p->turn[v][j];
		apart[j] = lanes_edges( p, i, j, aligned ) - lanes_abs( moved );
	}
	return lanes_max3( apart[0], apart[1], apart[2] );
}

// Projects the way of box a onto the axes of both boxes.
LANES_INLINE void lanes_way_begin( const lanes_pair* p, bool aligned, lanes_way* out )
{
	const float* way = p->box->way;
	for ( int i = 0; i < 3; ++i )
	{
		const float* axis = p->box->axis[i];
		const lanes* other = p->axis[i];
		out->to[i] = ( axis[0] * way[0] + axis[1] * way[1] ) + axis[2] * way[2];
		out->along[i] = aligned ? lanes_all( way[i] ) : lanes_dot( way, other );
	}
}

// Whether boxes are apart along any of the fifteen axes. Edges are left out where faces separate all lanes.
// @param moving  a constant of each kernel: whether the box moves along its way
LANES_INLINE uint32_t lanes_meet( const bvtree_lane_group* group, const bvtree_lane_box* box, bool aligned,
                                  bool moving, float size[8] )
{
	lanes_way way;
	uint32_t near = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_decode( group, first, box, aligned, &p );
		lanes_turn( box, aligned, &p );
		lanes limit = p.scale * lanes_box_limit( group, box, p.half );
		if ( moving )
		{
			lanes_way_begin( &p, aligned, &way );
			limit = limit + p.scale * lanes_all( lanes_way_limit( box ) );
		}
		uint32_t left = lanes_asked( first, group->count );
		left &= ~lanes_above( moving ? lanes_faces_of_moving( &p, &way ) : lanes_faces( &p ), limit );
		if ( left == 0 )
		{
			continue;
		}
		lanes rows[3];
		for ( int i = 0; i < 3; ++i )
		{
			rows[i] = moving ? lanes_row_of_moving( &p, &way, i, aligned ) : lanes_row( &p, i, aligned );
		}
		lanes edges = lanes_max3( rows[0], rows[1], rows[2] );
		near |= ( left & ~lanes_above( edges, limit ) ) << first;
		lanes_store( size + first, lanes_measure( p.half ) );
	}
	return near;
}

// The square of the gap along A_i x B_j. Of m = R_uj A_v - R_vj A_u the square is at most (1 + 2 d) (R_uj^2 +
// R_vj^2); with R's own error, 64 u n^2 more than what is computed is enough. With the axes of the grid, it
// is the sum of two squares of coordinates of A_i; with 64 u more it is no divisor that is 0.
LANES_INLINE lanes lanes_edge_square( const lanes_pair* p, int i, int j, bool aligned, lanes limit )
{
	lanes first = aligned ? p->turn[i][( j + 1 ) % 3] : p->turn[( i + 1 ) % 3][j];
	lanes second = aligned ? p->turn[i][( j + 2 ) % 3] : p->turn[( i + 2 ) % 3][j];
	lanes most = ( first * first + second * second ) + ( p->scale * p->scale ) * lanes_all( 64 * 0x1p-24f );
	lanes square = lanes_gap_square( lanes_edges( p, i, j, aligned ) - limit );
	return aligned ? square * ( lanes_all( 1 ) / most ) : square / most;
}

LANES_INLINE lanes lanes_row_square( const lanes_pair* p, int i, bool aligned, lanes limit )
{
	return lanes_max3( lanes_edge_square( p, i, 0, aligned, limit ),
	                   lanes_edge_square( p, i, 1, aligned, limit ),
	                   lanes_edge_square( p, i, 2, aligned, limit ) );
}

LANES_INLINE lanes lanes_edges_square( const lanes_pair* p, bool aligned, lanes limit )
{
	lanes square =
		lanes_max3( lanes_row_square( p, 0, aligned, limit ), lanes_row_square( p, 1, aligned, limit ),
	                lanes_row_square( p, 2, aligned, limit ) );
	// Where axes are nearly parallel the square of a large gap overflows, unless n divides it.
	return aligned ? lanes_min( square, lanes_all( 0x1p120f ) ) : square;
}

// The square of the gap that faces leave, times n squared.
LANES_INLINE lanes lanes_faces_square( const lanes_pair* p, lanes limit )
{
	lanes a = lanes_gap_together( lanes_along_a( p, 0 ) - limit, lanes_along_a( p, 1 ) - limit,
	                              lanes_along_a( p, 2 ) - limit );
	lanes b = lanes_gap_together( lanes_along_b( p, 0 ) - limit, lanes_along_b( p, 1 ) - limit,
	                              lanes_along_b( p, 2 ) - limit );
	return lanes_max( a, b );
}

// The largest gap along the fifteen axes, and those along the axes of either box together.
LANES_INLINE void lanes_gap( const bvtree_lane_group* group, const bvtree_lane_box* box, bool aligned,
                             float gap[8] )
{
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_decode( group, first, box, aligned, &p );
		lanes_turn( box, aligned, &p );
		lanes limit = p.scale * lanes_gap_limit( group, box, p.half, p.t );
		lanes edges = lanes_all( 0 );
		if ( !lanes_is_point( box ) )
		{
			edges = lanes_edges_square( &p, aligned, limit );
		}
		lanes faces = ( lanes_faces( &p ) - limit ) / p.scale;
		lanes together = lanes_faces_square( &p, limit ) / ( p.scale * p.scale );
		lanes_store( gap + first, lanes_gap_left( faces, together, edges, box ) );
	}
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

// Quotients by n are one inverse and a product each: 2 u of T's place more than lanes_obb_gap_of_point has.
LANES_INLINE uint32_t lanes_ball( const bvtree_lane_group* group, const bvtree_lane_ball* ball, bool aligned,
                                  float least[8], float most[8] )
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
		lanes_decode( group, first, &point, aligned, &p );
		lanes inverse = lanes_all( 1 ) / p.scale;
		for ( int j = 0; j < 3; ++j )
		{
			at[j] = lanes_abs( aligned ? p.t[j] : lanes_obb_along( &p, j ) ) * inverse;
		}
		near |= lanes_ball_bounds( at, p.half, p.t, ball, first, group->count, least, most );
	}
	return near;
}

// A box is inside if along each A_i its middle is off by no more than what is left beside its radius. Then T
// is not longer than the half extents, and the errors of lanes_boxes.h hold.
LANES_INLINE uint32_t lanes_inside( const bvtree_lane_group* group, const bvtree_lane_box* box, bool aligned,
                                    uint32_t* inside )
{
	uint32_t near = 0;
	*inside = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes within[3];
		lanes_decode( group, first, box, aligned, &p );
		lanes_turn( box, aligned, &p );
		lanes limit = p.scale * lanes_box_limit( group, box, p.half );
		sat_boxes axes = lanes_axes( &p );
		for ( int i = 0; i < 3; ++i )
		{
			sat_axis x = sat_axis_of_a( &axes, i );
			within[i] = p.scale * ( x.reach_a - x.apart ) - x.reach_b;
		}
		uint32_t asked = lanes_asked( first, group->count );
		near |= ( asked & ~lanes_above( lanes_faces( &p ), limit ) ) << first;
		*inside |= ( asked & lanes_above( lanes_min3( within[0], within[1], within[2] ), limit ) ) << first;
	}
	return near;
}

static uint32_t lanes_obb( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	return lanes_meet( group, box, false, false, size );
}

static uint32_t lanes_aabb( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	return lanes_meet( group, box, true, false, size );
}

static uint32_t lanes_obb_moving( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	return lanes_meet( group, box, false, true, size );
}

static uint32_t lanes_aabb_moving( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] )
{
	return lanes_meet( group, box, true, true, size );
}

static void lanes_obb_gap( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] )
{
	if ( lanes_is_point( box ) )
	{
		lanes_obb_gap_of_point( group, box, gap );
		return;
	}
	lanes_gap( group, box, false, gap );
}

static void lanes_aabb_gap( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] )
{
	lanes_gap( group, box, true, gap );
}

static uint32_t lanes_obb_ball( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
                                float most[8] )
{
	return lanes_ball( group, ball, false, least, most );
}

static uint32_t lanes_aabb_ball( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
                                 float most[8] )
{
	return lanes_ball( group, ball, true, least, most );
}

static uint32_t lanes_obb_inside( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                  uint32_t* inside )
{
	return lanes_inside( group, box, false, inside );
}

static uint32_t lanes_aabb_inside( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                   uint32_t* inside )
{
	return lanes_inside( group, box, true, inside );
}
