// One oriented box against the boxes of a group: fifteen separating axes (S. Gottschalk, M. C. Lin, D. Manocha,
// "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996, section 5). Part of lanes_kernels.h.
//
// Box a is the one, with axes A_i and half extents ha; b is a lane's, with B_j and hb; T leads from a's centre to b's.
// E is the sum of all six half extents, u is 2^-24, and d = 2^-20 is what bv_lane_box allows its axes.
//
// A lane's axes are not divided by the quaternion's squared length n: with whole components all entries of n B are
// whole numbers below 2^22, and exact. All comparisons are linear in B, so that both sides are n times what they were.
//
// Rounding. If the boxes touch, |T| <= E (1 + 2 d) + slack, so that what errs with T errs with E. In units of u n E:
// T itself errs by 1, its coordinates along A_i and n B_j by 3 more, entries of A B^T by 3.
//   - Along A_i: 4 and 2 of what follows, the radius 3 + 3, the last difference 1; and a's axes, which are not
//     orthogonal, reach d E farther, 16: less than 30.
//   - Along B_j: 4 and 2, 3 + 3, 1: less than 13, and a's axes count as they are.
//   - Along an edges' product: m = R_uj A_v - R_vj A_u, where R = n A B^T as it is in real numbers, has m.T = R_uj T_v -
//     R_vj T_u exactly. That errs by 3 sqrt 2 for R, 4 sqrt 2 for T, 1 for the products and 1 for their difference; the
//     radius by 3 + 3 and the last difference by 1. The radius that is used is that of orthonormal axes: m.A_k
//     differs from it by no more than 2 d n, m.B_k, which is a cofactor of R, by no more than 3.3 d n, together 53:
//     less than 73.
// So 80 is enough for all, and for terms of higher order. Axes that are nearly parallel have a product near zero: what
// is added keeps that from separating.
//
// A host program may flush denormal numbers to zero. The units of centres and half extents then err by 2^-126, what is
// up to 65025 of them by 2^-110, and results of single operations by 2^-126: together far less than 2^-100.

#pragma once

enum
{
	lanes_most_center = 1023,           // of a stored coordinate of a centre, in steps; of a corner 4 * 255
	lanes_most_extents = 3 * 255 * 255, // of a sum of three stored half extents, in units
};

static const float lanes_box_rounding = 80 * 0x1p-24f;
static const float lanes_box_underflow = 0x1p-100f;

// The boxes of a chunk of lanes, relative to box a.
typedef struct lanes_pair
{
	lanes half[3];    // hb
	lanes scale;      // n
	lanes to[3];      // T along A_i
	lanes turn[3][3]; // n A_i . B_j
	lanes size[3][3]; // their absolute values
	lanes along[3];   // n T . B_j
} lanes_pair;

LANES_INLINE lanes lanes_sum( lanes x, lanes y, lanes z )
{
	return ( x + y ) + z;
}

LANES_INLINE lanes lanes_dot( const float a[3], const lanes b[3] )
{
	return lanes_sum( lanes_all( a[0] ) * b[0], lanes_all( a[1] ) * b[1], lanes_all( a[2] ) * b[2] );
}

// Nothing that is computed is larger than 2^26 times the sum of all magnitudes that enter: where that is infinite, or
// no number, so is the slack.
LANES_INLINE float lanes_box_poison( const bv_lane_group* group, const bv_lane_box* box )
{
	const float* c = box->center;
	const float* h = box->half;
	float one = ( ( fabsf( c[0] ) + fabsf( c[1] ) ) + fabsf( c[2] ) ) + ( ( h[0] + h[1] ) + h[2] );
	float lane = ( ( group->step[0] + group->step[1] ) + group->step[2] ) * lanes_most_center +
	             group->extent * lanes_most_extents;
	return 0.0f * ( ( one + lane ) * 0x1p26f );
}

// How far two boxes that touch may seem apart, per unit of n.
LANES_INLINE lanes lanes_box_limit( const bv_lane_group* group, const bv_lane_box* box, const lanes half[3] )
{
	float fixed = ( lanes_box_poison( group, box ) + lanes_box_underflow ) + box->slack * ( 1 + 0x1p-16f );
	float extents = ( box->half[0] + box->half[1] ) + box->half[2];
	return lanes_all( fixed + lanes_box_rounding * extents ) +
	       lanes_all( lanes_box_rounding ) * lanes_sum( half[0], half[1], half[2] );
}

// Sets all but half and scale. `t` is T; `axis` are the rows of n B.
LANES_INLINE void lanes_pair_up( const bv_lane_box* box, const lanes t[3], const lanes axis[3][3],
                                 lanes_pair* p )
{
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = lanes_dot( box->axis[i], t );
	}
	for ( int j = 0; j < 3; ++j )
	{
		p->along[j] = lanes_sum( axis[j][0] * t[0], axis[j][1] * t[1], axis[j][2] * t[2] );
		for ( int i = 0; i < 3; ++i )
		{
			p->turn[i][j] = lanes_dot( box->axis[i], axis[j] );
			p->size[i][j] = lanes_abs( p->turn[i][j] );
		}
	}
}

LANES_INLINE lanes lanes_centers( lanes_words words, int i, const bv_lane_group* group,
                                  const bv_lane_box* box )
{
	return lanes_all( group->step[i] ) * lanes_field( words, 10 * i ) - lanes_all( box->center[i] );
}

LANES_INLINE void lanes_decode_obb( const bv_lane_group* group, uint32_t first, const bv_lane_box* box,
                                    lanes_pair* p )
{
	const uint8_t* data = group->data;
	uint32_t n = group->count;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		lanes q = lanes_bytes( data + 8 * n + i * n + first );
		p->half[i] = lanes_all( group->extent ) * ( q * q );
	}

	lanes_words words = lanes_load_words( data + 4 * n + 4 * first );
	lanes middle = lanes_all( bv_lane_middle );
	lanes x = lanes_field( words, 0 ) - middle;
	lanes y = lanes_field( words, 10 ) - middle;
	lanes z = lanes_field( words, 20 ) - middle;
	lanes w2 = lanes_all( 2 * bv_lane_turn );
	lanes ww = lanes_all( bv_lane_turn * bv_lane_turn );
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
	p->scale = ( ww + xx ) + ( yy + zz );
	const lanes axis[3][3] = {
		{ ( ww + xx ) - ( yy + zz ), xy + zw, xz - yw },
		{ xy - zw, ( ww - xx ) + ( yy - zz ), yz + xw },
		{ xz + yw, yz - xw, ( ww - xx ) - ( yy - zz ) },
	};

	words = lanes_load_words( data + 4 * first );
	const lanes t[3] = {
		lanes_centers( words, 0, group, box ),
		lanes_centers( words, 1, group, box ),
		lanes_centers( words, 2, group, box ),
	};
	lanes_pair_up( box, t, axis, p );
}

// How far the boxes are apart along A_i, n times; not above 0 if they overlap there.
LANES_INLINE lanes lanes_apart_a( const bv_lane_box* box, const lanes_pair* p, int i )
{
	lanes radius =
		lanes_sum( p->half[0] * p->size[i][0], p->half[1] * p->size[i][1], p->half[2] * p->size[i][2] );
	return p->scale * ( lanes_abs( p->to[i] ) - lanes_all( box->half[i] ) ) - radius;
}

// The same along B_j.
LANES_INLINE lanes lanes_apart_b( const bv_lane_box* box, const lanes_pair* p, int j )
{
	const lanes column[3] = { p->size[0][j], p->size[1][j], p->size[2][j] };
	return ( lanes_abs( p->along[j] ) - p->scale * p->half[j] ) - lanes_dot( box->half, column );
}

// The same along A_i x B_j, times that product's length.
LANES_INLINE lanes lanes_apart_edges( const bv_lane_box* box, const lanes_pair* p, int i, int j )
{
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	int k = ( j + 1 ) % 3;
	int l = ( j + 2 ) % 3;
	lanes radius_a = lanes_all( box->half[u] ) * p->size[v][j] + lanes_all( box->half[v] ) * p->size[u][j];
	lanes radius_b = p->half[k] * p->size[i][l] + p->half[l] * p->size[i][k];
	return lanes_abs( p->to[v] * p->turn[u][j] - p->to[u] * p->turn[v][j] ) - ( radius_a + radius_b );
}

LANES_INLINE lanes lanes_apart_faces( const bv_lane_box* box, const lanes_pair* p )
{
	lanes of_a = lanes_max( lanes_max( lanes_apart_a( box, p, 0 ), lanes_apart_a( box, p, 1 ) ),
	                        lanes_apart_a( box, p, 2 ) );
	lanes of_b = lanes_max( lanes_max( lanes_apart_b( box, p, 0 ), lanes_apart_b( box, p, 1 ) ),
	                        lanes_apart_b( box, p, 2 ) );
	return lanes_max( of_a, of_b );
}

LANES_INLINE lanes lanes_apart_row( const bv_lane_box* box, const lanes_pair* p, int i )
{
	return lanes_max( lanes_max( lanes_apart_edges( box, p, i, 0 ), lanes_apart_edges( box, p, i, 1 ) ),
	                  lanes_apart_edges( box, p, i, 2 ) );
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

static uint32_t lanes_obb( const bv_lane_group* group, const bv_lane_box* box, float size[8] )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; first < group->count; first += lanes_width )
	{
		lanes_pair p;
		lanes_decode_obb( group, first, box, &p );
		lanes limit = p.scale * lanes_box_limit( group, box, p.half );
		uint32_t asked = lanes_asked( first, group->count );
		uint32_t left = asked & ~lanes_above( lanes_apart_faces( box, &p ), limit );
		if ( left == 0 )
		{
			continue;
		}
		lanes edges = lanes_max( lanes_max( lanes_apart_row( box, &p, 0 ), lanes_apart_row( box, &p, 1 ) ),
		                         lanes_apart_row( box, &p, 2 ) );
		near |= ( left & ~lanes_above( edges, limit ) ) << first;
		lanes_store( size + first, lanes_measure( p.half ) );
	}
	return near;
}

// Boxes with the grid's axes: n is 1, and A B^T is A as it is.
typedef struct lanes_aligned
{
	lanes half[3]; // hb
	lanes t[3];    // T
	lanes to[3];   // T along A_i
} lanes_aligned;

LANES_INLINE void lanes_decode_aabb( const bv_lane_group* group, uint32_t first, const bv_lane_box* box,
                                     lanes_aligned* p )
{
	uint32_t n = group->count;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		lanes lower = lanes_bytes( group->data + i * n + first );
		lanes upper = lanes_bytes( group->data + ( 3 + i ) * n + first );
		lanes half_step = lanes_all( 2 * group->step[i] );
		p->half[i] = half_step * ( upper - lower );
		p->t[i] = half_step * ( upper + lower ) - lanes_all( box->center[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = lanes_dot( box->axis[i], p->t );
	}
}

// Along the one's axes.
LANES_INLINE lanes lanes_aligned_a( const bv_lane_box* box, const lanes_aligned* p, int i )
{
	const float size[3] = { fabsf( box->axis[i][0] ), fabsf( box->axis[i][1] ), fabsf( box->axis[i][2] ) };
	return ( lanes_abs( p->to[i] ) - lanes_all( box->half[i] ) ) - lanes_dot( size, p->half );
}

// Along the grid's.
LANES_INLINE lanes lanes_aligned_b( const bv_lane_box* box, const lanes_aligned* p, int j )
{
	float radius = ( box->half[0] * fabsf( box->axis[0][j] ) + box->half[1] * fabsf( box->axis[1][j] ) ) +
	               box->half[2] * fabsf( box->axis[2][j] );
	return ( lanes_abs( p->t[j] ) - p->half[j] ) - lanes_all( radius );
}

// Along A_i x e_j, whose product with T is taken as it is: m.e_k is exact then, and m.A_k a cofactor.
LANES_INLINE lanes lanes_aligned_edges( const bv_lane_box* box, const lanes_aligned* p, int i, int j )
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

LANES_INLINE lanes lanes_aligned_faces( const bv_lane_box* box, const lanes_aligned* p )
{
	lanes of_a = lanes_max( lanes_max( lanes_aligned_a( box, p, 0 ), lanes_aligned_a( box, p, 1 ) ),
	                        lanes_aligned_a( box, p, 2 ) );
	lanes of_b = lanes_max( lanes_max( lanes_aligned_b( box, p, 0 ), lanes_aligned_b( box, p, 1 ) ),
	                        lanes_aligned_b( box, p, 2 ) );
	return lanes_max( of_a, of_b );
}

LANES_INLINE lanes lanes_aligned_row( const bv_lane_box* box, const lanes_aligned* p, int i )
{
	return lanes_max( lanes_max( lanes_aligned_edges( box, p, i, 0 ), lanes_aligned_edges( box, p, i, 1 ) ),
	                  lanes_aligned_edges( box, p, i, 2 ) );
}

static uint32_t lanes_aabb( const bv_lane_group* group, const bv_lane_box* box, float size[8] )
{
	uint32_t near = 0;
	for ( uint32_t first = 0; first < group->count; first += lanes_width )
	{
		lanes_aligned p;
		lanes_decode_aabb( group, first, box, &p );
		lanes limit = lanes_box_limit( group, box, p.half );
		uint32_t asked = lanes_asked( first, group->count );
		uint32_t left = asked & ~lanes_above( lanes_aligned_faces( box, &p ), limit );
		if ( left == 0 )
		{
			continue;
		}
		lanes edges =
			lanes_max( lanes_max( lanes_aligned_row( box, &p, 0 ), lanes_aligned_row( box, &p, 1 ) ),
		               lanes_aligned_row( box, &p, 2 ) );
		near |= ( left & ~lanes_above( edges, limit ) ) << first;
		lanes_store( size + first, lanes_measure( p.half ) );
	}
	return near;
}
