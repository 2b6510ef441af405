// Distances of boxes and rectangles against radii. See overlap_rounded.h.
//
// A pose R that is off by `skew` has R = Q (1 + E) with Q orthonormal and |E| <= 1.5 skew as a norm, but for higher
// orders. A moved box is compared as the box that has the moved axes. Where what is computed is the support of the box
// R makes of it, only the ball's part errs, by 1.5 skew of the radius. Where coordinates along moved axes are taken for a
// distance, and the two have a point in common, the other's centre is no farther away than both extents together: what is
// computed is off by 1.5 skew of both, and the moved box by 1.5 skew of its own. Four times skew of the moved extent
// and twice that of the ball it is compared with cover all of this.

#include "base/core/overlap_rounded.h"

#include "base/core/overlap.h"
#include "base/core/packed_volume.h"
#include "base/core/vec.h"

#include <math.h>

enum
{
	few_steps = 8,   // from one to the other, before axes are tried
	most_steps = 64, // and after
};

static bv_rounded of_obb( const bv_obb* box )
{
	return ( bv_rounded ){
		.center = box->center,
		.axis = { box->axis[0], box->axis[1], box->axis[2] },
		.half_extents = { box->half_extents[0], box->half_extents[1], box->half_extents[2] },
	};
}

static bv_rounded of_rss( const bv_rss* rss )
{
	return ( bv_rounded ){
		.center = rss->center,
		.axis = { rss->axis[0], rss->axis[1], rss->axis[2] },
		.half_extents = { rss->half_extents[0], rss->half_extents[1], 0 },
		.radius = rss->radius,
	};
}

static double slack_of( const bv_rounded* v )
{
	return BV_OVERLAP_ROUNDING * ( bv_norm1( v->center ) + bv_rounded_extent( v ) );
}

bv_rounded bv_volume_rounded( const bv_volume* volume )
{
	bv_rounded v;
	if ( volume->type == bv_volume_sphere )
	{
		v = ( bv_rounded ){
			.center = volume->sphere.center,
			.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
			.radius = volume->sphere.radius,
		};
	}
	else if ( volume->type == bv_volume_rss )
	{
		v = of_rss( &volume->rss );
	}
	else
	{
		bv_obb turned;
		bool is_turned = volume->type == bv_volume_aabb;
		if ( is_turned )
		{
			turned = bv_aabb_turned( &volume->aabb );
		}
		v = of_obb( is_turned ? &turned : &volume->obb );
	}
	v.slack = slack_of( &v );
	return v;
}

void bv_rounded_move( bv_rounded* v, const bv_pose* pose, double skew )
{
	v->slack += BV_OVERLAP_ROUNDING * bv_norm1( pose->translation ) + 4 * skew * bv_rounded_extent( v );
	v->center = bv_add( bv_rotate( pose, v->center ), pose->translation );
	for ( int i = 0; i < 3; ++i )
	{
		v->axis[i] = bv_rotate( pose, v->axis[i] );
	}
}

bool bv_balls_overlap( const bv_rounded* a, const bv_rounded* b )
{
	bv_vec3 offset = bv_sub( b->center, a->center );
	double reach = ( a->radius + b->radius ) + ( a->slack + b->slack );
	return !( bv_dot( offset, offset ) > reach * reach );
}

bool bv_ball_overlaps_rounded( const bv_rounded* ball, const bv_rounded* other )
{
	bv_vec3 offset = bv_sub( ball->center, other->center );
	double reach = ( ball->radius + other->radius ) + ( ball->slack + other->slack );
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double beyond = bv_max( fabs( bv_dot( other->axis[i], offset ) ) - other->half_extents[i], 0 );
		square += beyond * beyond;
	}
	return !( square > reach * reach );
}

// The point of the box that is nearest to `point`, both from the box's centre.
static bv_vec3 nearest( const bv_rounded* box, bv_vec3 point )
{
	bv_vec3 p = { 0, 0, 0 };
	for ( int i = 0; i < 3; ++i )
	{
		double h = box->half_extents[i];
		if ( h > 0 )
		{
			double at = bv_max( -h, bv_min( h, bv_dot( box->axis[i], point ) ) );
			p = bv_add( p, bv_scale( at, box->axis[i] ) );
		}
	}
	return p;
}

// How far the box reaches along a vector from its centre, times the vector's length.
static double half_width( const bv_rounded* box, bv_vec3 along )
{
	const double* h = box->half_extents;
	return ( h[0] * fabs( bv_dot( box->axis[0], along ) ) + h[1] * fabs( bv_dot( box->axis[1], along ) ) ) +
	       h[2] * fabs( bv_dot( box->axis[2], along ) );
}

// Whether the slab between the boxes that is normal to a vector is wider than `reach`. Holds for a vector of any length
// that is not next to nothing: all that is computed errs in proportion to it.
static bool is_between( const bv_rounded* a, const bv_rounded* b, bv_vec3 offset, bv_vec3 along,
                        double reach )
{
	double length = sqrt( bv_dot( along, along ) );
	return fabs( bv_dot( along, offset ) ) >
	       ( half_width( a, along ) + half_width( b, along ) ) + reach * length;
}

// What coming nearer takes long for are faces and edges that nearly meet: then one of the boxes' axes or of their products
// is what is nearly between them.
static bool is_separated( const bv_rounded* a, const bv_rounded* b, bv_vec3 offset, double reach )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( is_between( a, b, offset, a->axis[i], reach ) || is_between( a, b, offset, b->axis[i], reach ) )
		{
			return true;
		}
		for ( int j = 0; j < 3; ++j )
		{
			bv_vec3 across = bv_cross( a->axis[i], b->axis[j] );
			if ( bv_dot( across, across ) > 0x1p-40 && is_between( a, b, offset, across, reach ) )
			{
				return true;
			}
		}
	}
	return false;
}

// What is known of two volumes.
typedef enum verdict
{
	verdict_open,
	verdict_apart,
	verdict_meet,
} verdict;

// Goes from one to the other. `p` is a point of a's box, from its centre.
static verdict come_nearer( const bv_rounded* a, const bv_rounded* b, bv_vec3 offset, double reach, int steps,
                            bv_vec3* p )
{
	for ( int step = 0; step < steps; ++step )
	{
		bv_vec3 q = bv_add( offset, nearest( b, bv_sub( *p, offset ) ) );
		bv_vec3 between = bv_sub( q, *p );
		double square = bv_dot( between, between );
		if ( !( square > reach * reach ) )
		{
			return verdict_meet;
		}
		if ( is_between( a, b, offset, between, reach ) )
		{
			return verdict_apart;
		}
		*p = nearest( a, q );
	}
	return verdict_open;
}

bool bv_rounded_overlap( const bv_rounded* a, const bv_rounded* b )
{
	double reach = ( a->radius + b->radius ) + ( a->slack + b->slack );
	bv_vec3 offset = bv_sub( b->center, a->center );
	bv_vec3 p = nearest( a, offset );
	verdict v = come_nearer( a, b, offset, reach, few_steps, &p );
	if ( v == verdict_open && is_separated( a, b, offset, reach ) )
	{
		return false;
	}
	v = v == verdict_open ? come_nearer( a, b, offset, reach, most_steps, &p ) : v;
	return v != verdict_apart;
}
