// Triangles against one oriented box. Part of lanes_kernels.h.
//
// Thirteen separating axes: the box's three, the triangle's normal and the products of edges (S. Gottschalk,
// "Collision queries using oriented bounding boxes", 2000; T. Akenine-Moeller, "Fast 3D triangle-box overlap
// testing", 2001), in the box's frame.
//
// Along an axis m of that frame a point of the box is at most at the sum of half_i |m_i|, and one that is off
// by r in each coordinate at most at r times the sum of |m_i| more. So it is enough to grow the half extents
// by r, whatever m is, and however it was rounded. In units of 2^-24, l the largest coordinate of an edge in
// the box's frame, H the sum of half extents: corners of a triangle that touches are within sqrt 3 l + H, and
// err by 4 of that; along m by 3 more; the radius by 3 H; axes that are not orthogonal make 16 H. Both ends
// of an edge are off its place along the edge's products by l. That is less than 14 l + 27 H; 32 of each are
// taken. Where denormal numbers are flushed to zero the corners err by less than 2^-100 more, and the sums
// along m by less than 2^-120.

#pragma once

#include "base/core/lanes_triangles.h"

static const float lanes_triangle_rounding = 32 * 0x1p-24f;
static const float lanes_triangle_underflow = 0x1p-120f;

// A triangle in a box's frame.
typedef struct lanes_placed
{
	lanes_triangle triangle;
	lanes half[3]; // the box's, with all that may err
} lanes_placed;

LANES_INLINE void lanes_place( const bv_lane_triangles* from, uint32_t first, const bv_lane_box* box,
                               lanes_placed* p )
{
	lanes sum[3]; // of each corner's coordinates
	for ( int k = 0; k < 3; ++k )
	{
		lanes at[3];
		for ( int i = 0; i < 3; ++i )
		{
			at[i] = lanes_load( from->corner[k][i] + first ) - lanes_all( box->center[i] );
		}
		for ( int i = 0; i < 3; ++i )
		{
			p->triangle.corner[k][i] = lanes_dot( box->axis[i], at );
		}
		const lanes* placed = p->triangle.corner[k];
		sum[k] = lanes_sum( placed[0], placed[1], placed[2] );
	}
	lanes_triangle_complete( &p->triangle );

	// No number where the longest products, of a normal and a corner, could overflow.
	float extents = ( box->half[0] + box->half[1] ) + box->half[2];
	lanes length = p->triangle.length;
	lanes most = ( length * length ) * ( lanes_all( 64 ) * ( length + lanes_all( extents ) ) );
	lanes poison = lanes_all( 0 ) * ( most + lanes_sum( sum[0], sum[1], sum[2] ) );
	float fixed = ( box->slack * ( 1 + 0x1p-16f ) + lanes_box_underflow ) + lanes_triangle_rounding * extents;
	lanes grown = ( lanes_all( fixed ) + lanes_all( lanes_triangle_rounding ) * length ) + poison;
	for ( int i = 0; i < 3; ++i )
	{
		p->half[i] = lanes_all( box->half[i] ) + grown;
	}
}

// Whether all are beyond `reach` on one side, as a number above 0.
LANES_INLINE lanes lanes_outside( lanes x, lanes y, lanes z, lanes reach )
{
	return lanes_beyond( x, y, z ) - reach;
}

LANES_INLINE lanes lanes_outside_faces( const lanes_placed* p )
{
	const lanes* x = p->triangle.corner[0];
	const lanes* y = p->triangle.corner[1];
	const lanes* z = p->triangle.corner[2];
	return lanes_max3( lanes_outside( x[0], y[0], z[0], p->half[0] ),
	                   lanes_outside( x[1], y[1], z[1], p->half[1] ),
	                   lanes_outside( x[2], y[2], z[2], p->half[2] ) );
}

LANES_INLINE lanes lanes_outside_normal( const lanes_placed* p )
{
	const lanes_triangle* t = &p->triangle;
	const lanes size[3] = { lanes_abs( t->normal[0] ), lanes_abs( t->normal[1] ), lanes_abs( t->normal[2] ) };
	return lanes_outside( lanes_product( t->normal, t->corner[0] ), lanes_product( t->normal, t->corner[1] ),
	                      lanes_product( t->normal, t->corner[2] ),
	                      lanes_product( size, p->half ) + lanes_all( lanes_triangle_underflow ) );
}

// Along the product of coordinate i and edge k: one of the edge's ends and the third corner tell.
LANES_INLINE lanes lanes_outside_product( const lanes_placed* p, int i, int k )
{
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	const lanes* edge = p->triangle.edge[k];
	const lanes* from = p->triangle.corner[k];
	const lanes* third = p->triangle.corner[( k + 2 ) % 3];
	lanes first = edge[v] * from[u] - edge[u] * from[v];
	lanes second = edge[v] * third[u] - edge[u] * third[v];
	lanes reach = ( p->half[u] * lanes_abs( edge[v] ) + p->half[v] * lanes_abs( edge[u] ) ) +
	              lanes_all( lanes_triangle_underflow );
	return lanes_max( lanes_min( first, second ), -lanes_max( first, second ) ) - reach;
}

LANES_INLINE lanes lanes_outside_edge( const lanes_placed* p, int k )
{
	return lanes_max3( lanes_outside_product( p, 0, k ), lanes_outside_product( p, 1, k ),
	                   lanes_outside_product( p, 2, k ) );
}

static uint32_t lanes_triangle_box( const bv_lane_triangles* triangles, uint32_t count,
                                    const bv_lane_box* box )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; first < count; first += lanes_width )
	{
		lanes_placed p;
		lanes_place( triangles, first, box, &p );
		lanes zero = lanes_all( 0 );
		uint32_t left = lanes_asked( first, count );
		left &= ~lanes_above( lanes_max( lanes_outside_faces( &p ), lanes_outside_normal( &p ) ), zero );
		if ( left == 0 )
		{
			continue;
		}
		lanes edges = lanes_max3( lanes_outside_edge( &p, 0 ), lanes_outside_edge( &p, 1 ),
		                          lanes_outside_edge( &p, 2 ) );
		near |= ( left & ~lanes_above( edges, zero ) ) << first;
	}
	return near;
}
