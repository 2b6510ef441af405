// A point and a box against triangles. Part of lanes_kernels.h.
//
// Point: along any direction, the least of the corners' places bounds the distance from below (a separating
// slab). The directions tried are the normal and the way to the nearest point of an edge. A point of the
// triangle bounds the distance from above: the best one of the edges', and the one whose barycentric
// coordinates are those of the foot of the perpendicular, clamped (C. Ericson, "Real-Time Collision
// Detection", 2005, section 5.1.5). Neither bound needs these to be computed accurately.
//
// Rounding, with u = 2^-24 and L the largest coordinate of a corner. A direction is taken as it was computed.
// A corner's place along it is the sum of three products: 3 u times the sum of their magnitudes, which is at
// most 1.8 L times the direction's length. That length, and the quotient, are off by less than 4 u of
// themselves. Total: less than 16 u L. A coordinate of a point of the triangle is off by 6 u L, so its
// distance by less than 11 u L, and by 3 u of itself: also less than 16 u L. What bvtree_lane_place allows of
// each coordinate, the tolerance and 2.1 u L, is at most twice that for a distance. Together: 24 u L and
// twice the tolerance. No coordinate is above 2^20, so nothing overflows. Squares of a distance that
// underflow make it less by less than 2^-60; all else that underflows is less than 2^-80. Squares below 2^-80
// are not divided by.
//
// Box: the thirteen axes of T. Akenine-Moeller, "Fast 3D triangle-box overlap testing", 2001. Any vector that
// was computed is a valid axis. A place along it is off by 3 u times the sum of magnitudes, the ends of an
// edge by 2 u L more, and the radius by 3 u of itself. To enlarge the half extents by 16 u (L + h) is enough.
// L is here that of coordinates along the box's axes. A corner is not farther than sqrt 3 L from the center.
// Such a coordinate is off by 3 u sqrt 3 L for its products and sums, u sqrt 3 L for the axis in binary32,
// and sqrt 3 times the 2.1 u sqrt 3 L and the tolerance of what enters: together 14 u L and twice the
// tolerance. 32 u (L + h) is enough for all of it. A triangle meets the box for certain if a corner, or one
// of the points that bound its distance from the center, is in the box less twice that: such a point is off
// by 6 u L more.
//
// Moving box with a radius: the times in which it can meet the triangle along the box's axes, the normal and
// the products of that and the edges. Along a vector of length 1, corners are off by 6 u L, the middle and
// half the width by 2 u L more, the box by 6 u (h + r), and what it covers by 6 u of the way. The way is at
// most L + h + r while they meet. Quotients are off by 3 u of all of these. 64 u (L + h + r) is more than
// enough; the caller adds it to the radius. Vectors whose square is below 2^-80 say nothing. A ball also
// advances towards the edges: the way from its center, at the time known so far, is one more vector (as in
// hull_gap.h).

#pragma once

#include "runtime/tree/lanes_rays.h"
#include "runtime/tree/lanes_triangles.h"

static const float lanes_point_rounding = 24 * 0x1p-24f;
static const float lanes_solid_rounding = 32 * 0x1p-24f;
static const float lanes_least_square = 0x1p-80f;

enum
{
	lanes_advances = 3, // of a ball; each of them leaves a small part of what the one before left
};

LANES_INLINE lanes lanes_clamp( lanes x, lanes most )
{
	return lanes_max( lanes_min( x, most ), lanes_all( 0 ) );
}

// 0, or NaN if a coordinate of a corner is infinite or NaN: then nothing is certain.
LANES_INLINE lanes lanes_corner_poison( const lanes_triangle* t )
{
	lanes sum = lanes_sum( lanes_sum( t->corner[0][0], t->corner[0][1], t->corner[0][2] ),
	                       lanes_sum( t->corner[1][0], t->corner[1][1], t->corner[1][2] ),
	                       lanes_sum( t->corner[2][0], t->corner[2][1], t->corner[2][2] ) );
	return lanes_all( 0 ) * sum;
}

// The same also where a coordinate is above 2^20.
// @param size  the largest one
LANES_INLINE lanes lanes_size_poison( const lanes_triangle* t, lanes size )
{
	return lanes_corner_poison( t ) + lanes_all( 0 ) * ( size * lanes_all( 0x1p108f ) );
}

LANES_INLINE void lanes_place_corner( const bvtree_lane_triangles* from, uint32_t first, int k,
                                      const bvtree_lane_place* place, lanes out[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		lanes p = lanes_load( from->corner[k][i] + first );
		out[i] = ( ( p - lanes_all( place->origin[i] ) ) - lanes_all( place->rest[i] ) ) *
		         lanes_all( place->scale );
	}
}

LANES_INLINE lanes lanes_size_of( const lanes_triangle* t )
{
	return lanes_max3( lanes_largest( t->corner[0] ), lanes_largest( t->corner[1] ),
	                   lanes_largest( t->corner[2] ) );
}

// The distance of the nearest corner along a direction, divided by the direction's length; 0 if the direction
// is too short.
LANES_INLINE lanes lanes_slab( lanes corner[3][3], const lanes along[3] )
{
	lanes square = lanes_product( along, along );
	lanes at[3];
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = lanes_product( along, corner[k] );
	}
	lanes way = lanes_max( lanes_min3( at[0], at[1], at[2] ), -lanes_max3( at[0], at[1], at[2] ) );
	lanes certain =
		lanes_select( lanes_less( lanes_all( lanes_least_square ), square ), way, lanes_all( 0 ) );
	return certain / lanes_sqrt( lanes_max( square, lanes_all( lanes_least_square ) ) );
}

// @param near  receives the way from a point to the nearest one of the edges
// @return its square
LANES_INLINE lanes lanes_nearest_edge( const lanes_triangle* t, const lanes point[3], lanes near[3] )
{
	lanes near_square = lanes_all( 0 );
	for ( int k = 0; k < 3; ++k )
	{
		const lanes* e = t->edge[k];
		lanes a[3];
		lanes_difference( t->corner[k], point, a );
		lanes square_of_edge = lanes_max( lanes_product( e, e ), lanes_all( lanes_least_square ) );
		lanes along = lanes_clamp( -lanes_product( a, e ) / square_of_edge, lanes_all( 1 ) );
		const lanes q[3] = { a[0] + along * e[0], a[1] + along * e[1], a[2] + along * e[2] };
		lanes square = lanes_product( q, q );
		lanes_mask is_nearer = lanes_less( square, near_square );
		for ( int i = 0; i < 3; ++i )
		{
			near[i] = k == 0 ? q[i] : lanes_select( is_nearer, q[i], near[i] );
		}
		near_square = k == 0 ? square : lanes_min( square, near_square );
	}
	return near_square;
}

// A point of the triangle: the foot of the perpendicular from the origin, clamped.
LANES_INLINE void lanes_foot( const lanes_triangle* t, lanes foot[3] )
{
	const lanes* a = t->corner[0];
	const lanes ac[3] = { -t->edge[2][0], -t->edge[2][1], -t->edge[2][2] };
	lanes one = lanes_all( 1 );
	lanes b_b = lanes_product( t->edge[0], t->edge[0] );
	lanes b_c = lanes_product( t->edge[0], ac );
	lanes c_c = lanes_product( ac, ac );
	lanes at_b = -lanes_product( a, t->edge[0] );
	lanes at_c = -lanes_product( a, ac );
	lanes inverse = one / lanes_max( b_b * c_c - b_c * b_c, lanes_all( lanes_least_square ) );
	lanes v = lanes_clamp( ( c_c * at_b - b_c * at_c ) * inverse, one );
	lanes w = lanes_clamp( ( b_b * at_c - b_c * at_b ) * inverse, one - v );
	for ( int i = 0; i < 3; ++i )
	{
		foot[i] = a[i] + ( v * t->edge[0][i] + w * ac[i] );
	}
}

static void lanes_point_triangles( const bvtree_lane_triangles* triangles, uint32_t count,
                                   const bvtree_lane_place* place, float lower[8], float upper[8] )
{
	for ( uint32_t first = 0; first < BVFILE_LANES; first += lanes_width )
	{
		lanes_triangle t;
		if ( !lanes_in( first, count ) )
		{
			lanes_store( upper + first, lanes_all( INFINITY ) );
			continue;
		}
		for ( int k = 0; k < 3; ++k )
		{
			lanes_place_corner( triangles, first, k, place, t.corner[k] );
		}
		lanes_triangle_complete( &t );
		lanes size = lanes_size_of( &t );
		lanes slack =
			( lanes_all( lanes_point_rounding ) * size + lanes_all( 2 * place->tolerance + 0x1p-60f ) ) +
			lanes_size_poison( &t, size );
		const lanes zero[3] = { lanes_all( 0 ), lanes_all( 0 ), lanes_all( 0 ) };
		lanes near[3];
		lanes near_square = lanes_nearest_edge( &t, zero, near );

		lanes foot[3];
		lanes_foot( &t, foot );
		lanes square = lanes_min( near_square, lanes_product( foot, foot ) );
		lanes slab = lanes_max( lanes_slab( t.corner, t.normal ), lanes_slab( t.corner, near ) );

		// NaN becomes 0 and infinity.
		lanes none = lanes_all( INFINITY );
		lanes_mask asked = lanes_less( lanes_load( lanes_index + first ), lanes_all( (float)count ) );
		lanes_store( lower + first, lanes_max( slab - slack, lanes_all( 0 ) ) );
		lanes_store( upper + first,
		             lanes_select( asked, lanes_min( lanes_sqrt( square ) + slack, none ), none ) );
	}
}

// How far a point is inside of a box; negative if it is outside.
LANES_INLINE lanes lanes_within( const lanes p[3], const lanes half[3] )
{
	return lanes_min3( half[0] - lanes_abs( p[0] ), half[1] - lanes_abs( p[1] ),
	                   half[2] - lanes_abs( p[2] ) );
}

LANES_INLINE lanes lanes_outside( lanes x, lanes y, lanes reach )
{
	return lanes_max( lanes_min( x, y ), -lanes_max( x, y ) ) - reach;
}

static uint32_t lanes_box_triangles( const bvtree_lane_triangles* triangles, uint32_t count,
                                     const bvtree_lane_place* place, const bvtree_lane_box* box,
                                     uint32_t* certain )
{
	const float* half_extents = box->half;
	uint32_t near = 0;
	uint32_t meet = 0;
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes_triangle t;
		for ( int k = 0; k < 3; ++k )
		{
			lanes p[3];
			lanes_place_corner( triangles, first, k, place, p );
			for ( int i = 0; i < 3; ++i )
			{
				t.corner[k][i] = lanes_dot( box->axis[i], p );
			}
		}
		float largest = half_extents[0] > half_extents[1] ? half_extents[0] : half_extents[1];
		largest = largest > half_extents[2] ? largest : half_extents[2];
		lanes size = lanes_size_of( &t );
		lanes poison = lanes_size_poison( &t, size );
		lanes slack = lanes_all( lanes_solid_rounding ) * ( size + lanes_all( largest ) ) +
		              ( lanes_all( 2 * place->tolerance + 0x1p-80f ) + poison );
		lanes half[3];
		lanes apart = lanes_all( -1 );
		for ( int i = 0; i < 3; ++i )
		{
			half[i] = lanes_all( half_extents[i] ) + slack;
			lanes least = lanes_min3( t.corner[0][i], t.corner[1][i], t.corner[2][i] );
			lanes most = lanes_max3( t.corner[0][i], t.corner[1][i], t.corner[2][i] );
			apart = lanes_max( lanes_outside( least, most, half[i] ), apart );
		}
		uint32_t left = lanes_asked( first, count ) & ~lanes_above( apart, lanes_all( 0x1p-120f ) );
		if ( left == 0 )
		{
			continue;
		}

		const lanes inner[3] = { half[0] - ( slack + slack ), half[1] - ( slack + slack ),
			                     half[2] - ( slack + slack ) };
		lanes inside = lanes_max3( lanes_within( t.corner[0], inner ), lanes_within( t.corner[1], inner ),
		                           lanes_within( t.corner[2], inner ) );
		uint32_t met = left & lanes_above( inside + poison, lanes_all( 0 ) );
		if ( met != left )
		{
			const lanes zero[3] = { lanes_all( 0 ), lanes_all( 0 ), lanes_all( 0 ) };
			lanes near_edge[3];
			lanes foot[3];
			lanes_triangle_complete( &t );
			lanes_nearest_edge( &t, zero, near_edge );
			lanes_foot( &t, foot );
			inside = lanes_max( lanes_within( near_edge, inner ), lanes_within( foot, inner ) );
			met |= left & lanes_above( inside + poison, lanes_all( 0 ) );
		}
		meet |= met << first;
		if ( met == left )
		{
			near |= left << first;
			continue;
		}

		const lanes* m = t.normal;
		lanes reach = lanes_sum( half[0] * lanes_abs( m[0] ), half[1] * lanes_abs( m[1] ),
		                         half[2] * lanes_abs( m[2] ) );
		const lanes along[3] = { lanes_product( m, t.corner[0] ), lanes_product( m, t.corner[1] ),
			                     lanes_product( m, t.corner[2] ) };
		apart = lanes_max( lanes_outside( lanes_min3( along[0], along[1], along[2] ),
		                                  lanes_max3( along[0], along[1], along[2] ), reach ),
		                   apart );
		for ( int k = 0; k < 3; ++k )
		{
			int third = k == 0 ? 2 : k - 1;
			for ( int i = 0; i < 3; ++i )
			{
				int p = i == 2 ? 0 : i + 1;
				int q = i == 0 ? 2 : i - 1;
				lanes mp = t.edge[k][q];
				lanes mq = t.edge[k][p];
				lanes from = mp * t.corner[k][p] - mq * t.corner[k][q];
				lanes to = mp * t.corner[third][p] - mq * t.corner[third][q];
				apart = lanes_max(
					lanes_outside( from, to, half[p] * lanes_abs( mp ) + half[q] * lanes_abs( mq ) ), apart );
			}
		}
		left &= ~lanes_above( apart, lanes_all( 0x1p-120f ) );
		near |= left << first;
	}
	*certain = meet;
	return near;
}

LANES_INLINE void lanes_moved_along( const lanes n[3], const lanes_triangle* t, const float half[3],
                                     const bvtree_lane_ray* ray, lanes slack, lanes* from, lanes* to )
{
	lanes at[3];
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = lanes_product( n, t->corner[k] );
	}
	lanes least = lanes_min3( at[0], at[1], at[2] );
	lanes most = lanes_max3( at[0], at[1], at[2] );
	const lanes size[3] = { lanes_abs( n[0] ), lanes_abs( n[1] ), lanes_abs( n[2] ) };
	lanes square = lanes_product( n, n );
	lanes length = lanes_sqrt( square );
	lanes reach = ( lanes_all( 0.5f ) * ( most - least ) + lanes_dot( half, size ) ) + slack * length;
	reach =
		lanes_select( lanes_less( lanes_all( lanes_least_square ), square ), reach, lanes_all( INFINITY ) );
	lanes speed = lanes_dot( ray->direction, n );
	lanes mid = lanes_all( 0.5f ) * ( most + least );
	mid = lanes_select( lanes_less( speed, lanes_all( 0 ) ), -mid, mid );
	lanes slow = lanes_max( length, lanes_all( 0x1p-40f ) ) * lanes_all( bvtree_lane_least_speed );
	lanes_between( mid, reach, lanes_all( 1 ) / lanes_max( lanes_abs( speed ), slow ), from, to );
}

static uint32_t lanes_moved_triangles( const bvtree_lane_triangles* triangles, uint32_t count,
                                       const float half[3], const bvtree_lane_ray* ray, float time[8] )
{
	uint32_t met = 0;
	bool is_ball = !( ( half[0] + half[1] ) + half[2] > 0 );
	for ( uint32_t first = 0; lanes_in( first, count ); first += lanes_width )
	{
		lanes_triangle t;
		lanes_triangle_load( triangles, first, &t );
		lanes from = lanes_all( ray->from );
		lanes to = lanes_all( ray->to );
		lanes slack = lanes_all( ray->slack ) + lanes_corner_poison( &t );
		for ( int i = 0; i < 3; ++i )
		{
			float size = fabsf( ray->direction[i] );
			float inverse = 1 / ( size > bvtree_lane_least_speed ? size : bvtree_lane_least_speed );
			lanes least = lanes_min3( t.corner[0][i], t.corner[1][i], t.corner[2][i] );
			lanes most = lanes_max3( t.corner[0][i], t.corner[1][i], t.corner[2][i] );
			lanes mid = lanes_all( 0.5f ) * ( most + least );
			lanes reach = lanes_all( 0.5f ) * ( most - least ) + ( lanes_all( half[i] ) + slack );
			lanes_between( ray->direction[i] < 0 ? -mid : mid, reach, lanes_all( inverse ), &from, &to );
		}
		uint32_t asked = lanes_asked( first, count );
		if ( ( asked & ~lanes_above( from, to ) ) == 0 )
		{
			continue;
		}
		lanes_moved_along( t.normal, &t, half, ray, slack, &from, &to );
		for ( int k = 0; k < 3; ++k )
		{
			lanes across[3];
			lanes_cross( t.edge[k], t.normal, across );
			lanes_moved_along( across, &t, half, ray, slack, &from, &to );
		}
		bool advances = is_ball && ( asked & ~lanes_above( from, to ) ) != 0;
		for ( int step = 0; advances && step < lanes_advances; ++step )
		{
			const lanes center[3] = { from * lanes_all( ray->direction[0] ),
				                      from * lanes_all( ray->direction[1] ),
				                      from * lanes_all( ray->direction[2] ) };
			lanes near[3];
			lanes_nearest_edge( &t, center, near );
			lanes_moved_along( near, &t, half, ray, slack, &from, &to );
		}
		met |= ( asked & ~lanes_above( from, to ) ) << first;
		lanes_store( time + first, from );
	}
	return met;
}
