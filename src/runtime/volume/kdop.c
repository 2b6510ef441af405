// Intervals of k-DOPs along each other's directions. See overlap_kdop.h.
//
// Tightness: the bound is exact if the k-DOP has a corner at which the three planes meet, as boxes have for
// any direction. Otherwise it is at least as tight as the polytope of all planes around the direction,
// because the three neighbors are chosen for each direction. If two choices of neighbors exclude each other,
// both bounds are computed and the smaller one is used.

#include "runtime/volume/kdop.h"

#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"

#include <math.h>

enum
{
	middle = bvvol_kdop_slots / 2,
};

// The directions of one kind, and their slots: 13 + 9 x + 3 y + z.
typedef struct kind
{
	uint32_t count;
	uint8_t direction[BV_KDOP_DIRECTIONS];
	uint8_t slot[BV_KDOP_DIRECTIONS];
} kind;

static const kind kinds[bvvol_kdop_kinds] = {
	{ 7, { 0, 1, 2, 3, 4, 5, 6 }, { 22, 16, 14, 26, 24, 20, 18 } },
	{ 9, { 0, 1, 2, 7, 8, 9, 10, 11, 12 }, { 22, 16, 14, 25, 23, 17, 19, 21, 15 } },
	{ 13,
	  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 },
	  { 22, 16, 14, 26, 24, 20, 18, 25, 23, 17, 19, 21, 15 } },
};

static int kind_of( uint32_t k )
{
	return k == 14 ? 0 : k == 18 ? 1 : 2;
}

// A direction with its coordinates sorted by size: a >= b >= c >= 0, and the step from slot to slot along each.
typedef struct sorted
{
	double a;
	double b;
	double c;
	int x;
	int y;
	int z;
} sorted;

static sorted sort( bv_vec3 d )
{
	double size[3] = { fabs( d.x ), fabs( d.y ), fabs( d.z ) };
	int step[3] = { d.x < 0 ? -9 : 9, d.y < 0 ? -3 : 3, d.z < 0 ? -1 : 1 };
	int first = size[1] > size[0] ? 1 : 0;
	first = size[2] > size[first] ? 2 : first;
	int second = ( first + 1 ) % 3;
	int third = ( first + 2 ) % 3;
	bool swap = size[third] > size[second];
	int y = swap ? third : second;
	int z = swap ? second : third;
	return ( sorted ){ size[first], size[y], size[z], step[first], step[y], step[z] };
}

static bvvol_kdop_way way_of( double u, int at_u, double v, int at_v, double w, int at_w )
{
	return ( bvvol_kdop_way ){
		.weight = { u, v, w },
		.slot = { (uint8_t)( middle + at_u ), (uint8_t)( middle + at_v ), (uint8_t)( middle + at_w ) },
	};
}

// (a, b, c) = (a - b) (1, 0, 0) + (b + c) / 2 (1, 1, 1) + (b - c) / 2 (1, 1, -1)
//           = (a - c) (1, 0, 0) + (b - c) (0, 1, 0) + c (1, 1, 1)
static void ways_of_14( const sorted* s, bvvol_kdop_way way[bvvol_kdop_ways] )
{
	int xyz = s->x + s->y + s->z;
	way[0] = way_of( s->a - s->b, s->x, ( s->b + s->c ) / 2, xyz, ( s->b - s->c ) / 2, xyz - 2 * s->z );
	way[1] = way_of( s->a - s->c, s->x, s->b - s->c, s->y, s->c, xyz );
}

// (a, b, c) = (a - b - c) (1, 0, 0) + b (1, 1, 0) + c (1, 0, 1)
static bvvol_kdop_way way_by_edges( const sorted* s )
{
	return way_of( s->a - s->b - s->c, s->x, s->b, s->x + s->y, s->c, s->x + s->z );
}

// If b + c > a: (a + b - c) / 2 (1, 1, 0) + (a + c - b) / 2 (1, 0, 1) + (b + c - a) / 2 (0, 1, 1).
// Always: (a - b + c) (1, 0, 0) + (b - c) (1, 1, 0) + c (0, 1, 1).
static void ways_of_18( const sorted* s, bvvol_kdop_way way[bvvol_kdop_ways] )
{
	way[0] = s->b + s->c <= s->a
	             ? way_by_edges( s )
	             : way_of( ( s->a + s->b - s->c ) / 2, s->x + s->y, ( s->a + s->c - s->b ) / 2, s->x + s->z,
	                       ( s->b + s->c - s->a ) / 2, s->y + s->z );
	way[1] = way_of( s->a - s->b + s->c, s->x, s->b - s->c, s->x + s->y, s->c, s->y + s->z );
}

// (a, b, c) = (a - b) (1, 0, 0) + (b - c) (1, 1, 0) + c (1, 1, 1), and if b + c > a
//           = (a - c) (1, 1, 0) + (a - b) (1, 0, 1) + (b + c - a) (1, 1, 1).
static void ways_of_26( const sorted* s, bvvol_kdop_way way[bvvol_kdop_ways] )
{
	int xyz = s->x + s->y + s->z;
	way[0] = way_of( s->a - s->b, s->x, s->b - s->c, s->x + s->y, s->c, xyz );
	way[1] = s->b + s->c <= s->a
	             ? way_by_edges( s )
	             : way_of( s->a - s->c, s->x + s->y, s->a - s->b, s->x + s->z, s->b + s->c - s->a, xyz );
}

static void ( *const ways_of[bvvol_kdop_kinds] )( const sorted* s, bvvol_kdop_way way[bvvol_kdop_ways] ) = {
	ways_of_14,
	ways_of_18,
	ways_of_26,
};

// How far a k-DOP reaches along the direction of each slot that it uses.
typedef struct reaches
{
	double along[bvvol_kdop_slots];
} reaches;

static void get_reaches( const bv_kdop* kdop, reaches* out )
{
	const kind* of = kinds + kind_of( kdop->k );
	for ( uint32_t i = 0; i < of->count; ++i )
	{
		int slot = of->slot[i];
		out->along[slot] = kdop->upper[of->direction[i]];
		out->along[2 * middle - slot] = -kdop->lower[of->direction[i]];
	}
}

static double sum_along( const bvvol_kdop_way* way, const reaches* r )
{
	return ( way->weight[0] * r->along[way->slot[0]] + way->weight[1] * r->along[way->slot[1]] ) +
	       way->weight[2] * r->along[way->slot[2]];
}

static double sum_against( const bvvol_kdop_way* way, const reaches* r )
{
	return ( way->weight[0] * r->along[2 * middle - way->slot[0]] +
	         way->weight[1] * r->along[2 * middle - way->slot[1]] ) +
	       way->weight[2] * r->along[2 * middle - way->slot[2]];
}

// No point reaches farther along the direction that the ways stand for, or against it.
static double upper_along( const bvvol_kdop_way way[bvvol_kdop_ways], const reaches* r )
{
	return bv_min( sum_along( way, r ), sum_along( way + 1, r ) );
}

static double lower_along( const bvvol_kdop_way way[bvvol_kdop_ways], const reaches* r )
{
	return -bv_min( sum_against( way, r ), sum_against( way + 1, r ) );
}

static void make_table( const bv_pose* pose, bool is_back, int of, int by, bvvol_kdop_table out )
{
	for ( uint32_t i = 0; i < kinds[of].count; ++i )
	{
		bv_vec3 n = bv_kdop_direction( kinds[of].direction[i] );
		bv_vec3 turned = is_back ? bvvol_rotate_back( pose, n ) : bvvol_rotate( pose, n );
		sorted s = sort( turned );
		ways_of[by]( &s, out[i].way );
		out[i].shift = is_back ? bv_dot( n, pose->translation ) : -bv_dot( turned, pose->translation );
	}
}

// x of the second volume is at R x + t: along n of the first it is (R^T n) x + n t. What is y = R x + t of the first is,
// along n of the second, n x = (R n) (y - t), but for the pose's skew.
void bvvol_kdop_views_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b,
                             bvvol_kdop_views* out )
{
	for ( int a = 0; a < bvvol_kdop_kinds; ++a )
	{
		for ( int b = 0; b < bvvol_kdop_kinds; ++b )
		{
			if ( types_a >> ( bv_volume_kdop14 + a ) & 1 && types_b >> ( bv_volume_kdop14 + b ) & 1 )
			{
				make_table( b_in_a, true, a, b, out->first[a][b] );
				make_table( b_in_a, false, b, a, out->second[a][b] );
			}
		}
	}
}

double bvvol_kdop_magnitude( const bv_kdop* kdop )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		sum += bv_max( fabs( kdop->lower[i] ), fabs( kdop->upper[i] ) );
	}
	return sum;
}

// Whether the slabs of `fixed` and what is known of the other along their directions are apart.
static bool is_apart( const bv_kdop* fixed, const bvvol_kdop_table views, const reaches* other, double slack )
{
	const kind* of = kinds + kind_of( fixed->k );
	for ( uint32_t i = 0; i < of->count; ++i )
	{
		int d = of->direction[i];
		if ( lower_along( views[i].way, other ) + views[i].shift > fixed->upper[d] + slack ||
		     upper_along( views[i].way, other ) + views[i].shift < fixed->lower[d] - slack )
		{
			return true;
		}
	}
	return false;
}

bool bvvol_kdops_overlap( const bv_kdop* a, const bv_kdop* b, const bvvol_kdop_views* views, double slack )
{
	int kind_a = kind_of( a->k );
	int kind_b = kind_of( b->k );
	reaches reach_a;
	reaches reach_b;
	get_reaches( a, &reach_a );
	get_reaches( b, &reach_b );
	return !is_apart( a, views->first[kind_a][kind_b], &reach_b, slack ) &&
	       !is_apart( b, views->second[kind_a][kind_b], &reach_a, slack );
}

static bvvol_rounded box_of( const bv_kdop* kdop )
{
	bvvol_rounded box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	for ( int i = 0; i < 3; ++i )
	{
		box.half_extents[i] = 0.5 * ( kdop->upper[i] - kdop->lower[i] );
	}
	box.center = ( bv_vec3 ){ kdop->lower[0] + box.half_extents[0], kdop->lower[1] + box.half_extents[1],
		                      kdop->lower[2] + box.half_extents[2] };
	return box;
}

// How far it reaches against a direction and along it from its center.
static void get_span( const bvvol_rounded* v, bv_vec3 along, double* lower, double* upper )
{
	const double* h = v->half_extents;
	if ( v->tapered )
	{
		bvvol_prism_span( h, v->axis, along, lower, upper );
		return;
	}
	double width =
		( h[0] * fabs( bv_dot( v->axis[0], along ) ) + h[1] * fabs( bv_dot( v->axis[1], along ) ) ) +
		h[2] * fabs( bv_dot( v->axis[2], along ) );
	*upper = width + v->radius * sqrt( bv_dot( along, along ) );
	*lower = -*upper;
}

// Whether the k-DOP's slabs that are no box's are apart from the other, whose reach is known along any direction.
static bool is_apart_from_slabs( const bv_kdop* kdop, const bvvol_rounded* other, double slack )
{
	const kind* of = kinds + kind_of( kdop->k );
	for ( uint32_t i = 3; i < of->count; ++i )
	{
		int d = of->direction[i];
		bv_vec3 n = bv_kdop_direction( (uint32_t)d );
		double at = bv_dot( n, other->center );
		double lower;
		double upper;
		get_span( other, n, &lower, &upper );
		if ( at + ( lower - slack ) > kdop->upper[d] || at + ( upper + slack ) < kdop->lower[d] )
		{
			return true;
		}
	}
	return false;
}

// Whether a prism's slanted sides are apart from the k-DOP.
static bool is_apart_from_slants( const bv_kdop* kdop, const reaches* reach, const bvvol_rounded* prism,
                                  double slack )
{
	const double* h = prism->half_extents;
	double length = sqrt( h[0] * h[0] + 4 * ( h[1] * h[1] ) );
	for ( int side = -1; side <= 1 && length > 0; side += 2 )
	{
		bvvol_kdop_way way[bvvol_kdop_ways];
		bv_vec3 n = bv_add( bv_scale( side * 2 * h[1] / length, prism->axis[0] ),
		                    bv_scale( h[0] / length, prism->axis[1] ) );
		sorted s = sort( n );
		ways_of[kind_of( kdop->k )]( &s, way );
		double at = bv_dot( n, prism->center );
		double lower;
		double upper;
		bvvol_prism_span( h, prism->axis, n, &lower, &upper );
		if ( at + ( lower - slack ) > upper_along( way, reach ) ||
		     at + ( upper + slack ) < lower_along( way, reach ) )
		{
			return true;
		}
	}
	return false;
}

// Whether the other's sides are apart from the k-DOP.
static bool is_apart_from_sides( const bv_kdop* kdop, const bvvol_rounded* other, double slack )
{
	reaches reach;
	get_reaches( kdop, &reach );
	for ( int i = 0; i < 3; ++i )
	{
		bvvol_kdop_way way[bvvol_kdop_ways];
		sorted s = sort( other->axis[i] );
		ways_of[kind_of( kdop->k )]( &s, way );
		double at = bv_dot( other->axis[i], other->center );
		double width = ( other->half_extents[i] + other->radius ) + slack;
		if ( at - width > upper_along( way, &reach ) || at + width < lower_along( way, &reach ) )
		{
			return true;
		}
	}
	return other->tapered && is_apart_from_slants( kdop, &reach, other, slack );
}

static bool boxes_overlap( const bvvol_rounded* a, const bvvol_rounded* b )
{
	const double* ha = a->half_extents;
	bv_obb box = { a->center, { a->axis[0], a->axis[1], a->axis[2] }, { ha[0], ha[1], ha[2] }, { 0 } };
	bvvol_rounded other = *b;
	other.slack = a->slack + b->slack;
	return bvvol_obb_overlaps_placed( &box, &other );
}

bool bvvol_kdop_overlaps_rounded( const bv_kdop* kdop, const bvvol_rounded* other, double slack )
{
	double all = other->slack + slack;
	bvvol_rounded box = box_of( kdop );
	box.slack = slack;
	bool is_ball = !( bvvol_rounded_extent( other ) > other->radius );
	if ( is_ball )
	{
		return bvvol_ball_overlaps_rounded( other, &box ) && !is_apart_from_slabs( kdop, other, 2 * all );
	}
	bool meets = other->radius > 0 || other->tapered ? bvvol_rounded_overlap( &box, other )
	                                                 : boxes_overlap( &box, other );
	return meets && !is_apart_from_slabs( kdop, other, 2 * all ) &&
	       !is_apart_from_sides( kdop, other, 2 * all );
}
