// Intervals of k-DOPs along each other's directions. See kdop.h.
//
// Tightness: the bound is exact if the k-DOP has a corner at which the three planes meet, as boxes have for
// any direction. Otherwise it is at least as tight as the polytope of all planes around the direction,
// because the three neighbors are chosen for each direction. If two choices of neighbors exclude each other,
// both bounds are computed and the smaller one is used.

#include "runtime/volume/kdop.h"
#include "runtime/math/matrix.h"

#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"

#include <math.h>

enum
{
	middle = bvvol_kdop_slots / 2,
};

// The directions of one kind, and their slots: 13 + 9 x + 3 y + z.
typedef struct kdop_kind
{
	uint32_t count;
	uint8_t direction[BV_KDOP_DIRECTIONS];
	uint8_t slot[BV_KDOP_DIRECTIONS];
} kdop_kind;

static const kdop_kind kinds[bvvol_kdop_kinds] = {
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

// A direction with its coordinates sorted by size: a >= b >= c >= 0, and the step from slot to slot along
// each.
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

static void set_way( double u, int at_u, double v, int at_v, double w, int at_w, int way,
                     bvvol_kdop_view* out )
{
	out->weight[way][0] = u;
	out->weight[way][1] = v;
	out->weight[way][2] = w;
	out->slot[way][0] = (uint8_t)( middle + at_u );
	out->slot[way][1] = (uint8_t)( middle + at_v );
	out->slot[way][2] = (uint8_t)( middle + at_w );
}

// (a, b, c) = (a - b) (1, 0, 0) + (b + c) / 2 (1, 1, 1) + (b - c) / 2 (1, 1, -1)
//           = (a - c) (1, 0, 0) + (b - c) (0, 1, 0) + c (1, 1, 1)
static void ways_of_14( const sorted* s, bvvol_kdop_view* out )
{
	int xyz = s->x + s->y + s->z;
	set_way( s->a - s->b, s->x, ( s->b + s->c ) / 2, xyz, ( s->b - s->c ) / 2, xyz - 2 * s->z, 0, out );
	set_way( s->a - s->c, s->x, s->b - s->c, s->y, s->c, xyz, 1, out );
}

// (a, b, c) = (a - b - c) (1, 0, 0) + b (1, 1, 0) + c (1, 0, 1)
static void set_way_by_edges( const sorted* s, int way, bvvol_kdop_view* out )
{
	set_way( s->a - s->b - s->c, s->x, s->b, s->x + s->y, s->c, s->x + s->z, way, out );
}

// If b + c > a: (a + b - c) / 2 (1, 1, 0) + (a + c - b) / 2 (1, 0, 1) + (b + c - a) / 2 (0, 1, 1).
// Always: (a - b + c) (1, 0, 0) + (b - c) (1, 1, 0) + c (0, 1, 1).
static void ways_of_18( const sorted* s, bvvol_kdop_view* out )
{
	if ( s->b + s->c <= s->a )
	{
		set_way_by_edges( s, 0, out );
	}
	else
	{
		set_way( ( s->a + s->b - s->c ) / 2, s->x + s->y, ( s->a + s->c - s->b ) / 2, s->x + s->z,
		         ( s->b + s->c - s->a ) / 2, s->y + s->z, 0, out );
	}
	set_way( s->a - s->b + s->c, s->x, s->b - s->c, s->x + s->y, s->c, s->y + s->z, 1, out );
}

// (a, b, c) = (a - b) (1, 0, 0) + (b - c) (1, 1, 0) + c (1, 1, 1), and if b + c > a
//           = (a - c) (1, 1, 0) + (a - b) (1, 0, 1) + (b + c - a) (1, 1, 1).
static void ways_of_26( const sorted* s, bvvol_kdop_view* out )
{
	int xyz = s->x + s->y + s->z;
	set_way( s->a - s->b, s->x, s->b - s->c, s->x + s->y, s->c, xyz, 0, out );
	if ( s->b + s->c <= s->a )
	{
		set_way_by_edges( s, 1, out );
	}
	else
	{
		set_way( s->a - s->c, s->x + s->y, s->a - s->b, s->x + s->z, s->b + s->c - s->a, xyz, 1, out );
	}
}

static void ( *const ways_of[bvvol_kdop_kinds] )( const sorted* s, bvvol_kdop_view* out ) = {
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
	const kdop_kind* of = kinds + kind_of( kdop->k );
	for ( uint32_t i = 0; i < of->count; ++i )
	{
		int slot = of->slot[i];
		out->along[slot] = kdop->upper[of->direction[i]];
		out->along[2 * middle - slot] = -kdop->lower[of->direction[i]];
	}
}

static double sum_along( const bvvol_kdop_view* view, int way, const reaches* r )
{
	const double* weight = view->weight[way];
	const uint8_t* slot = view->slot[way];
	return ( weight[0] * r->along[slot[0]] + weight[1] * r->along[slot[1]] ) + weight[2] * r->along[slot[2]];
}

static double sum_against( const bvvol_kdop_view* view, int way, const reaches* r )
{
	const double* weight = view->weight[way];
	const uint8_t* slot = view->slot[way];
	return ( weight[0] * r->along[2 * middle - slot[0]] + weight[1] * r->along[2 * middle - slot[1]] ) +
	       weight[2] * r->along[2 * middle - slot[2]];
}

// No point reaches farther along the direction, or against it.
static double upper_along( const bvvol_kdop_view* view, const reaches* r )
{
	return bvmath_min( sum_along( view, 0, r ), sum_along( view, 1, r ) );
}

static double lower_along( const bvvol_kdop_view* view, const reaches* r )
{
	return -bvmath_min( sum_against( view, 0, r ), sum_against( view, 1, r ) );
}

// x of the second volume is at R x + t: along n of the first it is (R^T n) x + n t. What is y = R x + t of
// the first is, along n of the second, n x = (R n) (y - t), but for the pose's skew.
static void make_view( const bv_pose* pose, bool is_back, int direction, int by, bvvol_kdop_view* out )
{
	bv_vec3 n = bv_kdop_direction( (uint32_t)direction );
	bv_vec3 turned = is_back ? bvmath_rotate_back( pose, n ) : bvmath_rotate( pose, n );
	sorted s = sort( turned );
	ways_of[by]( &s, out );
	out->shift = is_back ? bv_dot( n, pose->translation ) : -bv_dot( turned, pose->translation );
}

// @return the first kind of those in use; bvvol_kdop_kinds if there is none
static int first_kind( uint32_t types )
{
	int first = 0;
	while ( first < bvvol_kdop_kinds && !( types >> ( bv_volume_kdop14 + first ) & 1 ) )
	{
		++first;
	}
	return first;
}

void bvvol_kdop_views_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b,
                             bvvol_kdop_views* out )
{
	out->kind[0] = first_kind( types_a );
	out->kind[1] = first_kind( types_b );
	for ( int of = 0; of < 2 && out->kind[0] < bvvol_kdop_kinds && out->kind[1] < bvvol_kdop_kinds; ++of )
	{
		const kdop_kind* kind = kinds + out->kind[of];
		for ( uint32_t i = 0; i < kind->count; ++i )
		{
			int d = kind->direction[i];
			make_view( b_in_a, of == 0, d, out->kind[1 - of], out->table[of] + d );
		}
	}
}

double bvvol_kdop_magnitude( const bv_kdop* kdop )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		sum += bvmath_max( fabs( kdop->lower[i] ), fabs( kdop->upper[i] ) );
	}
	return sum;
}

// Whether the slabs of `fixed` and what is known of the other along their directions are apart.
// @param of  which of the two is fixed
// @param by  the kind of the other
static bool is_apart( const bv_kdop* fixed, const bv_pose* pose, const bvvol_kdop_views* views, int of,
                      int by, const reaches* other, double slack )
{
	const kdop_kind* fixed_kind = kinds + kind_of( fixed->k );
	bool made_before = kind_of( fixed->k ) == views->kind[of] && by == views->kind[1 - of];
	for ( uint32_t i = 0; i < fixed_kind->count; ++i )
	{
		int d = fixed_kind->direction[i];
		bvvol_kdop_view made;
		const bvvol_kdop_view* view = views->table[of] + d;
		if ( !made_before )
		{
			make_view( pose, of == 0, d, by, &made );
			view = &made;
		}
		if ( lower_along( view, other ) + view->shift > fixed->upper[d] + slack ||
		     upper_along( view, other ) + view->shift < fixed->lower[d] - slack )
		{
			return true;
		}
	}
	return false;
}

bool bvvol_kdops_overlap( const bv_kdop* a, const bv_kdop* b, const bv_pose* b_in_a,
                          const bvvol_kdop_views* views, double slack )
{
	reaches reach_a;
	reaches reach_b;
	get_reaches( a, &reach_a );
	get_reaches( b, &reach_b );
	return !is_apart( a, b_in_a, views, 0, kind_of( b->k ), &reach_b, slack ) &&
	       !is_apart( b, b_in_a, views, 1, kind_of( a->k ), &reach_a, slack );
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

// Whether the k-DOP's slabs that are no box's are apart from the other, whose reach is known along any
// direction.
static bool is_apart_from_slabs( const bv_kdop* kdop, const bvvol_rounded* other, double slack )
{
	const kdop_kind* of = kinds + kind_of( kdop->k );
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
		bvvol_kdop_view view;
		bv_vec3 n = bv_add( bv_scale( side * 2 * h[1] / length, prism->axis[0] ),
		                    bv_scale( h[0] / length, prism->axis[1] ) );
		sorted s = sort( n );
		ways_of[kind_of( kdop->k )]( &s, &view );
		double at = bv_dot( n, prism->center );
		double lower;
		double upper;
		bvvol_prism_span( h, prism->axis, n, &lower, &upper );
		if ( at + ( lower - slack ) > upper_along( &view, reach ) ||
		     at + ( upper + slack ) < lower_along( &view, reach ) )
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
		bvvol_kdop_view view;
		sorted s = sort( other->axis[i] );
		ways_of[kind_of( kdop->k )]( &s, &view );
		double at = bv_dot( other->axis[i], other->center );
		double width = ( other->half_extents[i] + other->radius ) + slack;
		if ( at - width > upper_along( &view, &reach ) || at + width < lower_along( &view, &reach ) )
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
