// Common parts of the kernels for boxes: error bounds, and a measure of size. Part of lanes_kernels.h.
//
// The kernels test the fifteen separating axes of one oriented box and each box of a group (S. Gottschalk, M.
// C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996, section 5).
// Box a is the single box, with axes A_i and half extents ha. Box b is the box of a lane, with axes B_j and
// half extents hb. T is the vector from the center of a to the center of b. E is the sum of all six half
// extents, u is 2^-24, and d = 2^-20 is the deviation from orthonormality that bvtree_lane_box allows.
//
// The axes of a lane are not divided by n, the squared length of its quaternion. The components of the
// quaternion are integers, so all entries of n B are integers below 2^22 and exact. All comparisons are
// linear in B: both sides are n times as large. For boxes with the axes of the grid, n is 1.
//
// Rounding. Boxes that touch have |T| <= E (1 + 2 d) + slack, so errors proportional to T are bounded in
// terms of E. In units of u n E, the error of T is 1. Its coordinates along A_i and n B_j have a further
// error of 3, and the entries of R = n A B^T have an error of 3.
//   - Along A_i: 4 for T and 2 for the following operations, 3 + 3 for the radius, and 1 for the last
//     difference. The axes of a are not orthogonal, so a extends d E farther, which is 16. Total: less than
//     30.
//   - Along B_j: 4 and 2, 3 + 3, and 1. Total: less than 14. Here the axes of a are used as they are.
//   - Along a product of edges: m = R_uj A_v - R_vj A_u, with R in real numbers, has m.T = R_uj T_v -
//     R_vj T_u exactly. Its error is 3 sqrt 2 for R, 4 sqrt 2 for T, 1 for the products and 1 for their
//     difference. The error of the radius is 3 + 3, and that of the last difference is 1. The radius is that
//     of orthonormal axes: m.A_k differs from it by at most 2 d n, and m.B_k, a cofactor of R, by at most
//     3.3 d n, together 53. Total: less than 73.
// 80 is therefore enough for all axes, higher-order terms included. The product of two nearly parallel axes
// is close to zero. The error bound prevents such an axis from separating the boxes.
//
// Moving boxes. If box a moves by up to W in both directions, it reaches |x.W| farther along each axis x. Where such boxes touch, T
// can be longer by W, so the sum of the coordinates of W enters all bounds as E does. x.W is computed by the formula of x.T, and its
// error is not larger.
//
// If the host program flushes denormal numbers to zero, units of centers and half extents have an error of
// 2^-126, up to 65025 of them an error of 2^-110, and results of single operations an error of 2^-126. All of
// these together are far below 2^-100.

#pragma once

enum
{
	lanes_most_center =
		bvfile_code_end - 1,            // of a stored coordinate in steps; bvfile_code_coarse * 255 is less
	lanes_most_extents = 3 * 255 * 255, // of the sum of three stored half extents in units
};

static const float lanes_box_rounding = 80 * 0x1p-24f;
static const float lanes_box_underflow = 0x1p-100f;

// Box a and those of a chunk of lanes.
typedef struct lanes_pair
{
	const bvtree_lane_box* box; // a
	lanes half[3];              // hb
	lanes scale;                // n
	lanes t[3];                 // T
	lanes axis[3][3];           // rows of n B; not set for boxes with the axes of the grid
	lanes to[3];                // T along A_i
	lanes along[3];             // T along n B_j
	lanes turn[3][3];           // n A_i . B_j
	lanes size[3][3];           // their absolute values
} lanes_pair;

// The way W of box a.
typedef struct lanes_way
{
	float to[3];    // along A_i
	lanes along[3]; // along n B_j
} lanes_way;

LANES_INLINE lanes lanes_sum( lanes x, lanes y, lanes z )
{
	return ( x + y ) + z;
}

LANES_INLINE lanes lanes_dot( const float a[3], const lanes b[3] )
{
	return lanes_sum( lanes_all( a[0] ) * b[0], lanes_all( a[1] ) * b[1], lanes_all( a[2] ) * b[2] );
}

LANES_INLINE lanes lanes_max3( lanes x, lanes y, lanes z )
{
	return lanes_max( lanes_max( x, y ), z );
}

LANES_INLINE lanes lanes_min3( lanes x, lanes y, lanes z )
{
	return lanes_min( lanes_min( x, y ), z );
}

// 0, or no number where anything could overflow: nothing is larger than 2^26 times the sum of the magnitudes
// that enter, but the square of a gap, which is kept below.
LANES_INLINE float lanes_box_poison( const bvtree_lane_group* group, const bvtree_lane_box* box )
{
	const float* c = box->center;
	const float* h = box->half;
	float one = ( ( fabsf( c[0] ) + fabsf( c[1] ) ) + fabsf( c[2] ) ) + ( ( h[0] + h[1] ) + h[2] );
	float lane = ( ( group->step[0] + group->step[1] ) + group->step[2] ) * lanes_most_center +
	             group->extent * lanes_most_extents;
	return 0.0f * ( ( one + lane ) * 0x1p26f );
}

// How far boxes of these half extents that touch may seem apart. n times this bounds both sides' errors.
LANES_INLINE lanes lanes_box_limit( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                    const lanes half[3] )
{
	float fixed = ( lanes_box_poison( group, box ) + lanes_box_underflow ) + box->slack * ( 1 + 0x1p-16f );
	float extents = ( box->half[0] + box->half[1] ) + box->half[2];
	return lanes_all( fixed + lanes_box_rounding * extents ) +
	       lanes_all( lanes_box_rounding ) * lanes_sum( half[0], half[1], half[2] );
}

// The part of the limit that depends on the way: errors of T and of the products with W are each at most 80 u times W.
LANES_INLINE float lanes_way_limit( const bvtree_lane_box* box )
{
	const float* w = box->way;
	float size = ( fabsf( w[0] ) + fabsf( w[1] ) ) + fabsf( w[2] );
	return 2 * lanes_box_rounding * size + 0.0f * ( size * 0x1p26f );
}

// The same where they are any distance apart, so that T's own magnitude enters; without slack.
LANES_INLINE lanes lanes_gap_limit( const bvtree_lane_group* group, const bvtree_lane_box* box,
                                    const lanes half[3], const lanes t[3] )
{
	float fixed = lanes_box_poison( group, box ) + lanes_box_underflow;
	float extents = ( box->half[0] + box->half[1] ) + box->half[2];
	lanes offset = lanes_sum( lanes_abs( t[0] ), lanes_abs( t[1] ), lanes_abs( t[2] ) );
	return lanes_all( fixed + lanes_box_rounding * extents ) +
	       lanes_all( lanes_box_rounding ) * ( lanes_sum( half[0], half[1], half[2] ) + offset );
}

// The square of a gap that is not negative and does not overflow.
LANES_INLINE lanes lanes_gap_square( lanes gap )
{
	gap = lanes_min( lanes_max( gap, lanes_all( 0 ) ), lanes_all( 0x1p60f ) );
	return gap * gap;
}

// Of three gaps along one box's axes: that is how far the boxes are apart that enclose the other in its
// frame, unless it is too far to be squared.
LANES_INLINE lanes lanes_gap_together( lanes x, lanes y, lanes z )
{
	return lanes_sum( lanes_gap_square( x ), lanes_gap_square( y ), lanes_gap_square( z ) );
}

// Whether there is nothing but a point, which no product of edges parts from a box that faces do not.
LANES_INLINE bool lanes_is_point( const bvtree_lane_box* box )
{
	return !( ( box->half[0] + box->half[1] ) + box->half[2] > 0 );
}

// What is left for certain. The sums, quotients and the root that lead here err by less than 8 u, and a's
// axes make vectors longer by less than 2 d. Squares below 2^-126 err by 2^-150 each, which makes less than
// 2^-70 of the root.
LANES_INLINE lanes lanes_gap_left( lanes faces, lanes faces_square, lanes edges_square,
                                   const bvtree_lane_box* box )
{
	lanes together = lanes_sqrt( lanes_max( faces_square, edges_square ) ) - lanes_all( 0x1p-70f );
	lanes gap = lanes_max( faces, together ) * lanes_all( 1 - 0x1p-18f );
	return lanes_max( gap - lanes_all( box->slack * ( 1 + 0x1p-16f ) ), lanes_all( 0 ) );
}

// Near to the volume, but flat boxes count as well.
LANES_INLINE lanes lanes_measure( const lanes half[3] )
{
	lanes greater = lanes_max( half[0], half[1] );
	lanes lesser = lanes_min( half[0], half[1] );
	lanes longest = lanes_max( greater, half[2] );
	lanes between = lanes_min( greater, half[2] );
	lanes middle = lanes_max( lesser, between );
	lanes least = lanes_min( lesser, between );
	return ( longest * middle ) * ( least + lanes_all( 0.01f ) * middle );
}

static const float lanes_index[BVFILE_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };

// The limit of a ball, as lanes_gap_limit, of numbers that are not too large.
LANES_INLINE lanes lanes_ball_limit( const lanes half[3], const lanes t[3] )
{
	lanes offset = lanes_sum( lanes_abs( t[0] ), lanes_abs( t[1] ), lanes_abs( t[2] ) );
	return lanes_all( lanes_box_underflow ) +
	       lanes_all( lanes_box_rounding ) * ( lanes_sum( half[0], half[1], half[2] ) + offset );
}

// How far boxes are from a ball's center at least and at most, by what lies beyond each of their faces and by
// how far they reach.
// @param count  of the group
// @param most   null where that is not asked for
// @return the lanes that are not certainly apart
// @param at    of the ball's center, how far it is from the middle of each box along its axes; not negative
// @param half  half extents
// @param t     T
LANES_INLINE uint32_t lanes_ball_bounds( const lanes at[3], const lanes half[3], const lanes t[3],
                                         const bvtree_lane_ball* ball, uint32_t first, uint32_t count,
                                         float least[8], float most[8] )
{
	lanes limit = lanes_ball_limit( half, t );
	lanes beyond[3];
	lanes reach[3];
	for ( int j = 0; j < 3; ++j )
	{
		beyond[j] = ( at[j] - half[j] ) - limit;
		reach[j] = ( at[j] + half[j] ) + limit;
	}
	lanes faces = lanes_max3( beyond[0], beyond[1], beyond[2] );
	// Where squares underflow, their sum is too large by up to 2^-147, and its root by less than 2^-73.
	lanes together =
		lanes_sqrt( lanes_gap_together( beyond[0], beyond[1], beyond[2] ) ) - lanes_all( 0x1p-72f );
	lanes slack = lanes_all( ball->slack * ( 1 + 0x1p-16f ) );
	lanes none = lanes_all( INFINITY );
	lanes gap = lanes_max( lanes_max( faces, together ) * lanes_all( 1 - 0x1p-18f ) - slack, lanes_all( 0 ) );
	lanes_mask asked = lanes_less( lanes_load( lanes_index + first ), lanes_all( (float)count ) );
	uint32_t apart = lanes_above( gap, lanes_all( ball->radius ) );
	gap = lanes_select( lanes_less( lanes_all( ball->radius ), gap ), none, gap );
	lanes_store( least + first, lanes_select( asked, gap, none ) );
	if ( most )
	{
		// Squares that are flushed to zero are less than 2^-120 together.
		lanes square = lanes_sum( reach[0] * reach[0], reach[1] * reach[1], reach[2] * reach[2] ) +
		               lanes_all( 0x1p-120f );
		lanes farthest = lanes_min( lanes_sqrt( square ) * lanes_all( 1 + 0x1p-18f ) + slack, none );
		lanes_store( most + first, lanes_select( asked, farthest, none ) );
	}
	return ( lanes_asked( first, count ) & ~apart ) << first;
}

// The same of lanes without boxes.
LANES_INLINE void lanes_ball_none( uint32_t first, float least[8], float most[8] )
{
	lanes_store( least + first, lanes_all( INFINITY ) );
	if ( most )
	{
		lanes_store( most + first, lanes_all( INFINITY ) );
	}
}
