// Pairs of triangles. Part of lanes_kernels.h.
//
// Separating axes of two triangles are their normals and the nine products of their edges (S. Gottschalk,
// "Collision queries using oriented bounding boxes", 2000). Let E_i and F_j be the edges, each from a corner
// to the next, and N and M the normals. Along E_i x F_j the corners of the first triangle are at 0 and -N.F_j
// relative to E_i, and those of the second at 0 and M.E_i relative to F_j. Six determinants therefore serve
// all nine axes. From a's first corner, edges E_0 and E_2 pass through it, and E_1 is offset by N.F_j along
// E_1 x F_j, which exchanges the two places of a's corners.
//
// Rounding: la and lb are the largest coordinates of edges, u is 2^-24. Triangles that touch have no two
// corners farther apart than la + lb in a coordinate, up to the tolerance. A determinant is the sum of six
// products, each with 8 roundings: for edges its error is 48 u la^2 lb or 48 u la lb^2, with an offset 48 u
// la lb (la + lb). For an axis such an offset and the places of the corners are compared: 96, and the sums
// round by at most 12 more. 128 u la lb (la + lb) is therefore enough, and for a normal the same with la^2 or
// lb^2. A computed vector is itself a valid axis, with a sum of coordinates up to 6 la lb: corners that are
// off by the tolerance are off by 12 la lb times the tolerance along the axis, for both triangles. If
// denormal numbers are flushed to zero, edges are off by 2^-126, which counts as a tolerance, and so are
// products, which adds less than 2^-120 (1 + la + lb).
//
// Moving triangles. If a triangle moves by up to W in both directions, it reaches |x.W| farther along each axis x. Corners of
// triangles that touch on the way can be farther apart, by the largest coordinate w of W. x.W is computed like an offset. Adding 2 w
// to la + lb covers both errors.
//
// The same determinants prove that triangles intersect: an edge passes through the other triangle if its ends
// are on both sides of that triangle's plane and it passes the three edges in the same direction of rotation
// (C. Ericson, "Real-Time Collision Detection", 2005, section 5.3.4). The moment of E_1 is that relative to
// a's first corner, minus N.F_j. No corner of b is farther than s = la + lb from a's first corner, and so
// none is farther than s + la from its others; the bounds above then hold for each of these numbers. This
// test needs the true edges, however, not any computed axis. With all corners off by t, and so differences by
// 2 t, the six products of a determinant change by at most 36 t s^2 + 72 t^2 s + 48 t^3, less than 36 t (s +
// 4 t)^2. The largest change is that for a's other corners and b's normal, 6 ((2 s - lb + 2 t) (lb + 2 t)^2 -
// (2 s - lb) lb^2).

#pragma once

#include "runtime/tree/lanes_boxes.h"

// Coordinates that are apart by more than twice the tolerance are apart for certain. A third one, and what
// denormal numbers that are flushed to zero may hide, is more than sums with it err.
static void lanes_bounds( const bvtree_lane_bounds* group, uint32_t count, const bvtree_lane_bounds* each,
                          uint32_t each_count, float tolerance, uint8_t near[8] )
{
	float slack = 3 * tolerance + 0x1p-120f;
	for ( uint32_t k = 0; k < each_count; ++k )
	{
		near[k] = 0;
	}
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		uint32_t asked = lanes_asked( first, count );
		lanes lower[3];
		lanes upper[3];
		for ( int i = 0; i < 3; ++i )
		{
			lower[i] = lanes_load( group->lower[i] + first );
			upper[i] = lanes_load( group->upper[i] + first );
		}
		for ( uint32_t k = 0; k < each_count; ++k )
		{
			lanes gap[3];
			for ( int i = 0; i < 3; ++i )
			{
				gap[i] = lanes_max( lower[i] - lanes_all( each->upper[i][k] ),
				                    lanes_all( each->lower[i][k] ) - upper[i] );
			}
			uint32_t apart = lanes_above( lanes_max3( gap[0], gap[1], gap[2] ), lanes_all( slack ) );
			near[k] |= (uint8_t)( ( asked & ~apart ) << first );
		}
	}
}

// Corners of a chunk of lanes and what follows from them.
typedef struct lanes_triangle
{
	lanes corner[3][3];
	lanes edge[3][3]; // from a corner to the next
	lanes normal[3];  // of any length
	lanes length;     // the largest coordinate of an edge
} lanes_triangle;

LANES_INLINE void lanes_difference( const lanes a[3], const lanes b[3], lanes out[3] )
{
	out[0] = a[0] - b[0];
	out[1] = a[1] - b[1];
	out[2] = a[2] - b[2];
}

LANES_INLINE void lanes_cross( const lanes a[3], const lanes b[3], lanes out[3] )
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

LANES_INLINE lanes lanes_product( const lanes a[3], const lanes b[3] )
{
	return lanes_sum( a[0] * b[0], a[1] * b[1], a[2] * b[2] );
}

LANES_INLINE lanes lanes_largest( const lanes a[3] )
{
	return lanes_max3( lanes_abs( a[0] ), lanes_abs( a[1] ), lanes_abs( a[2] ) );
}

// Sets what follows from the corners.
LANES_INLINE void lanes_triangle_complete( lanes_triangle* t )
{
	lanes_difference( t->corner[1], t->corner[0], t->edge[0] );
	lanes_difference( t->corner[2], t->corner[1], t->edge[1] );
	lanes_difference( t->corner[0], t->corner[2], t->edge[2] );
	lanes_cross( t->edge[0], t->edge[1], t->normal );
	t->length =
		lanes_max3( lanes_largest( t->edge[0] ), lanes_largest( t->edge[1] ), lanes_largest( t->edge[2] ) );
}

LANES_INLINE void lanes_triangle_load( const bvtree_lane_triangles* from, uint32_t first, lanes_triangle* t )
{
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			t->corner[k][i] = lanes_load( from->corner[k][i] + first );
		}
	}
	lanes_triangle_complete( t );
}

// How far three numbers are from 0 if all are on one side; negative where they are on both.
LANES_INLINE lanes lanes_beyond( lanes x, lanes y, lanes z )
{
	return lanes_max( lanes_min3( x, y, z ), -lanes_max3( x, y, z ) );
}

LANES_INLINE lanes lanes_positive( lanes x )
{
	return lanes_max( lanes_all( 0 ), x );
}

// How far the triangles are apart along products of an edge and those of the other triangle.
// @param offset  from the edge's line to those of the other's edges, along the products
// @param ahead, behind  how far the triangle's corners reach along each, and against it
// @param turn    the edge's product with the other's normal
LANES_INLINE lanes lanes_edge_row( const lanes offset[3], const lanes ahead[3], const lanes behind[3],
                                   lanes turn )
{
	lanes other_ahead = lanes_positive( turn );
	lanes other_behind = lanes_positive( -turn );
	lanes above =
		lanes_max3( offset[0] - ( ahead[0] + other_behind ), offset[1] - ( ahead[1] + other_behind ),
	                offset[2] - ( ahead[2] + other_behind ) );
	lanes below =
		lanes_min3( offset[0] + ( behind[0] + other_ahead ), offset[1] + ( behind[1] + other_ahead ),
	                offset[2] + ( behind[2] + other_ahead ) );
	return lanes_max( above, -below );
}

// The lower one of how far two numbers are from 0, if that is between them; else not above 0.
LANES_INLINE lanes lanes_across( lanes x, lanes y )
{
	return lanes_min( lanes_max( x, y ), -lanes_min( x, y ) );
}

// Lanes where an edge certainly has its ends on both sides of the other triangle's plane and passes it
// within.
// @param side    of the edge's triangle's corners
// @param moment  of its edges and the other triangle's
LANES_INLINE uint32_t lanes_pierced( const lanes side[3], lanes moment[3][3], lanes side_limit, lanes limit )
{
	uint32_t pierced = 0;
	for ( int k = 0; k < 3; ++k )
	{
		const lanes* m = moment[k];
		pierced |= lanes_above( lanes_across( side[k], side[( k + 1 ) % 3] ), side_limit ) &
		           lanes_above( lanes_beyond( m[0], m[1], m[2] ), limit );
	}
	return pierced;
}

// Two triangles, and what all axes share.
typedef struct lanes_triangle_pair
{
	lanes_triangle a;
	lanes_triangle b;
	lanes to_b[3][3]; // from a's first corner
	lanes of_b[3];    // N.F_j
	lanes of_a[3];    // M.E_i
	lanes side_b[3];  // of b's corners along N
	lanes side_a[3];  // of a's corners along M
	lanes within;     // the tolerance
	lanes lengths;    // la + lb
	lanes limit_a;    // along N
	lanes limit_b;    // along M
	lanes limit;      // along products
} lanes_triangle_pair;

// @param way  how far b moves in both directions; null if b does not move
LANES_INLINE void lanes_pair_begin( const bvtree_lane_triangles* from_a, const bvtree_lane_triangles* from_b,
                                    uint32_t first, const lanes* way, float tolerance,
                                    lanes_triangle_pair* p )
{
	lanes_triangle_load( from_a, first, &p->a );
	lanes_triangle_load( from_b, first, &p->b );
	for ( int k = 0; k < 3; ++k )
	{
		lanes_difference( p->b.corner[k], p->a.corner[0], p->to_b[k] );
		p->of_b[k] = lanes_product( p->a.normal, p->b.edge[k] );
		p->of_a[k] = lanes_product( p->b.normal, p->a.edge[k] );
	}

	// If a determinant is NaN or overflows, the limits are NaN or infinite, and no triangles count as apart: the limits use
	// eight times the lengths, and the poison is NaN.
	lanes la = p->a.length;
	lanes lb = p->b.length;
	p->within = lanes_all( tolerance + 0x1p-120f );
	p->lengths = la + lb;
	if ( way )
	{
		p->lengths = p->lengths + lanes_all( 2 ) * lanes_largest( way );
	}
	lanes wide = lanes_all( 8 ) * p->lengths + lanes_all( 12 * 0x1p20f ) * p->within;
	lanes poison = lanes_all( 0 ) * ( lanes_sum( p->of_a[0], p->of_a[1], p->of_a[2] ) +
	                                  lanes_sum( p->of_b[0], p->of_b[1], p->of_b[2] ) );
	lanes least = lanes_all( 0x1p-120f ) * ( ( lanes_all( 1 ) + p->lengths ) + p->within ) + poison;
	lanes unit = lanes_all( 0x1p-20f );
	p->limit_a = ( ( la * la ) * wide ) * unit + least;
	p->limit_b = ( ( lb * lb ) * wide ) * unit + least;
	p->limit = ( ( la * lb ) * wide ) * unit + least;

	lanes at_b = lanes_product( p->a.normal, p->to_b[0] );
	lanes at_a = -lanes_product( p->b.normal, p->to_b[0] );
	p->side_b[0] = at_b;
	p->side_b[1] = at_b + p->of_b[0];
	p->side_b[2] = at_b - p->of_b[2];
	p->side_a[0] = at_a;
	p->side_a[1] = at_a + p->of_a[0];
	p->side_a[2] = at_a - p->of_a[2];
}

static uint32_t lanes_triangles( const bvtree_lane_triangles* from_a, const bvtree_lane_triangles* from_b,
                                 uint32_t count, float tolerance, uint32_t* certain )
{
	uint32_t near = 0;
	uint32_t meet = 0;
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes_triangle_pair p;
		lanes_pair_begin( from_a, from_b, first, NULL, tolerance, &p );
		uint32_t left = lanes_asked( first, count );
		left &= ~lanes_above( lanes_beyond( p.side_b[0], p.side_b[1], p.side_b[2] ), p.limit_a );
		left &= ~lanes_above( lanes_beyond( p.side_a[0], p.side_a[1], p.side_a[2] ), p.limit_b );
		if ( left == 0 )
		{
			continue;
		}

		lanes ahead[3];
		lanes behind[3];
		lanes offset[3][3];
		for ( int j = 0; j < 3; ++j )
		{
			ahead[j] = lanes_positive( -p.of_b[j] );
			behind[j] = lanes_positive( p.of_b[j] );
			lanes moment[3];
			lanes_cross( p.b.edge[j], p.to_b[j], moment );
			for ( int i = 0; i < 3; ++i )
			{
				offset[i][j] = lanes_product( p.a.edge[i], moment );
			}
		}
		lanes edges = lanes_max3( lanes_edge_row( offset[0], ahead, behind, p.of_a[0] ),
		                          lanes_edge_row( offset[1], behind, ahead, p.of_a[1] ),
		                          lanes_edge_row( offset[2], ahead, behind, p.of_a[2] ) );
		left &= ~lanes_above( edges, p.limit );
		near |= left << first;
		if ( left == 0 )
		{
			continue;
		}

		lanes across[3][3]; // of b's edges and a's
		for ( int j = 0; j < 3; ++j )
		{
			offset[1][j] = offset[1][j] - p.of_b[j];
			for ( int i = 0; i < 3; ++i )
			{
				across[j][i] = offset[i][j];
			}
		}
		lanes apart =
			lanes_max3( lanes_largest( p.to_b[0] ), lanes_largest( p.to_b[1] ), lanes_largest( p.to_b[2] ) );
		lanes reach = p.lengths + lanes_all( 4 ) * p.within;
		lanes slack = lanes_all( 36 ) * p.within * ( reach * reach );
		left &= ~lanes_above( apart, p.lengths );
		left &= lanes_pierced( p.side_b, across, p.limit_a + slack, p.limit + slack ) |
		        lanes_pierced( p.side_a, offset, p.limit_b + slack, p.limit + slack );
		meet |= left << first;
	}
	*certain = meet;
	return near;
}

// How far triangles are apart along the product of E_i and F_j, as lanes_edge_row has it, of a triangle that moves.
LANES_INLINE lanes lanes_edge_of_moving( const lanes_triangle_pair* p, int i, int j, lanes offset, lanes way )
{
	lanes ahead = lanes_positive( i == 1 ? p->of_b[j] : -p->of_b[j] );
	lanes behind = lanes_positive( i == 1 ? -p->of_b[j] : p->of_b[j] );
	lanes above = offset - ( ahead + lanes_positive( -p->of_a[i] ) );
	lanes below = offset + ( behind + lanes_positive( p->of_a[i] ) );
	return lanes_max( above, -below ) - lanes_abs( way );
}

static uint32_t lanes_moving_triangles( const bvtree_lane_triangles* from_a,
                                        const bvtree_lane_triangles* from_b, float from_way[3][8],
                                        uint32_t count, float tolerance )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		const lanes way[3] = { lanes_load( from_way[0] + first ), lanes_load( from_way[1] + first ),
			                   lanes_load( from_way[2] + first ) };
		lanes_triangle_pair p;
		lanes_pair_begin( from_a, from_b, first, way, tolerance, &p );
		lanes apart_a = lanes_beyond( p.side_b[0], p.side_b[1], p.side_b[2] ) -
		                lanes_abs( lanes_product( p.a.normal, way ) );
		lanes apart_b = lanes_beyond( p.side_a[0], p.side_a[1], p.side_a[2] ) -
		                lanes_abs( lanes_product( p.b.normal, way ) );
		uint32_t left = lanes_asked( first, count );
		left &= ~lanes_above( apart_a, p.limit_a );
		left &= ~lanes_above( apart_b, p.limit_b );
		for ( int j = 0; j < 3 && left != 0; ++j )
		{
			lanes moment[3];
			lanes moment_of_way[3];
			lanes apart[3];
			lanes_cross( p.b.edge[j], p.to_b[j], moment );
			lanes_cross( p.b.edge[j], way, moment_of_way );
			for ( int i = 0; i < 3; ++i )
			{
				apart[i] = lanes_edge_of_moving( &p, i, j, lanes_product( p.a.edge[i], moment ),
				                                 lanes_product( p.a.edge[i], moment_of_way ) );
			}
			left &= ~lanes_above( lanes_max3( apart[0], apart[1], apart[2] ), p.limit );
		}
		near |= left << first;
	}
	return near;
}
