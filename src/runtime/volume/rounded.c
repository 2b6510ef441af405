// Distances of boxes and rectangles compared with radii. See rounded.h.
//
// A moved box is compared as the box with the moved axes. rounding.h derives by how much that is off.

#include "runtime/volume/rounded.h"
#include "runtime/math/matrix.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	few_steps = 8,   // from one to the other, before axes are tried
	most_steps = 64, // and after
};

void bvvol_rounded_set_slack( bvvol_rounded* v )
{
	v->slack = BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( v->center ) + bvvol_rounded_extent( v ) );
}

void bvvol_upright_rounded( bv_vec3 lower, bv_vec3 upper, bvvol_rounded* out )
{
	bv_vec3 half = bv_scale( 0.5, bv_sub( upper, lower ) );
	*out = ( bvvol_rounded ){
		.center = bv_add( lower, half ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half.x, half.y, half.z },
	};
	bvvol_rounded_set_slack( out );
}

void bvvol_rounded_move( bvvol_rounded* v, const bv_pose* pose, double skew )
{
	v->slack += BVMATH_OVERLAP_ROUNDING * bvmath_norm1( pose->translation ) +
	            bvmath_skew_of_extent( skew, bvvol_rounded_extent( v ) );
	v->center = bv_add( bvmath_rotate( pose, v->center ), pose->translation );
	for ( int i = 0; i < 3; ++i )
	{
		v->axis[i] = bvmath_rotate( pose, v->axis[i] );
	}
}

// The point of a prism's triangle that is nearest to one in its plane.
static void nearest_in_triangle( const double half[2], const double point[2], double out[2] )
{
	double side = fabs( point[0] );
	out[0] = side;
	out[1] = point[1];
	if ( !( point[1] >= -half[1] ) && side <= half[0] )
	{
		out[1] = -half[1];
	}
	else if ( !( point[1] >= -half[1] && 2 * half[1] * side <= half[0] * ( half[1] - point[1] ) ) )
	{
		// Along a slanted side, from the base's corner.
		double length = half[0] * half[0] + 4 * ( half[1] * half[1] );
		double along = half[0] * ( half[0] - side ) + 2 * half[1] * ( point[1] + half[1] );
		double share = length > 0 ? bvmath_max( 0, bvmath_min( along / length, 1 ) ) : 0;
		out[0] = half[0] - share * half[0];
		out[1] = share * ( 2 * half[1] ) - half[1];
	}
	out[0] = point[0] < 0 ? -out[0] : out[0];
}

static double clamp( double x, double half )
{
	return bvmath_max( -half, bvmath_min( half, x ) );
}

bool bvvol_ball_overlaps_rounded( const bvvol_rounded* ball, const bvvol_rounded* other )
{
	bv_vec3 offset = bv_sub( ball->center, other->center );
	double reach = ( ball->radius + other->radius ) + ( ball->slack + other->slack );
	double square = 0;
	if ( other->tapered )
	{
		const double at[2] = { bv_dot( other->axis[0], offset ), bv_dot( other->axis[1], offset ) };
		double foot[2];
		nearest_in_triangle( other->half_extents, at, foot );
		double beyond = bvmath_max( fabs( bv_dot( other->axis[2], offset ) ) - other->half_extents[2], 0 );
		square = ( at[0] - foot[0] ) * ( at[0] - foot[0] ) + ( at[1] - foot[1] ) * ( at[1] - foot[1] ) +
		         beyond * beyond;
		return !( square > reach * reach );
	}
	for ( int i = 0; i < 3; ++i )
	{
		double beyond = bvmath_max( fabs( bv_dot( other->axis[i], offset ) ) - other->half_extents[i], 0 );
		square += beyond * beyond;
	}
	return !( square > reach * reach );
}

static bv_vec3 nearest_of_prism( const bvvol_rounded* prism, bv_vec3 point )
{
	const double at[2] = { bv_dot( prism->axis[0], point ), bv_dot( prism->axis[1], point ) };
	double foot[2];
	nearest_in_triangle( prism->half_extents, at, foot );
	double along = clamp( bv_dot( prism->axis[2], point ), prism->half_extents[2] );
	return bv_add( bv_add( bv_scale( foot[0], prism->axis[0] ), bv_scale( foot[1], prism->axis[1] ) ),
	               bv_scale( along, prism->axis[2] ) );
}

// The point of the box that is nearest to `point`, both from the box's center.
static bv_vec3 nearest( const bvvol_rounded* box, bv_vec3 point )
{
	if ( box->tapered )
	{
		return nearest_of_prism( box, point );
	}
	bv_vec3 p = { 0, 0, 0 };
	for ( int i = 0; i < 3; ++i )
	{
		double h = box->half_extents[i];
		if ( h > 0 )
		{
			p = bv_add( p, bv_scale( clamp( bv_dot( box->axis[i], point ), h ), box->axis[i] ) );
		}
	}
	return p;
}

// How far the box reaches along a vector from its center, times the vector's length.
static double half_width( const bvvol_rounded* box, bv_vec3 along )
{
	const double* h = box->half_extents;
	return ( h[0] * fabs( bv_dot( box->axis[0], along ) ) + h[1] * fabs( bv_dot( box->axis[1], along ) ) ) +
	       h[2] * fabs( bv_dot( box->axis[2], along ) );
}

void bvvol_prism_span( const double half_extents[3], const bv_vec3 axis[3], bv_vec3 along, double* lower,
                       double* upper )
{
	const double* h = half_extents;
	double side = h[0] * fabs( bv_dot( axis[0], along ) );
	double tip = h[1] * bv_dot( axis[1], along );
	double end = h[2] * fabs( bv_dot( axis[2], along ) );
	*upper = bvmath_max( tip, side - tip ) + end;
	*lower = bvmath_min( tip, -side - tip ) - end;
}

static void get_span( const bvvol_rounded* box, bv_vec3 along, double* lower, double* upper )
{
	if ( box->tapered )
	{
		bvvol_prism_span( box->half_extents, box->axis, along, lower, upper );
		return;
	}
	*upper = half_width( box, along );
	*lower = -*upper;
}

// Whether the slab between the boxes that is normal to a vector is wider than `reach`. Holds for a vector of
// any length that is not next to nothing: all that is computed errs in proportion to it.
static bool is_between( const bvvol_rounded* a, const bvvol_rounded* b, bv_vec3 offset, bv_vec3 along,
                        double reach )
{
	double length = sqrt( bv_dot( along, along ) );
	double apart = bv_dot( along, offset );
	if ( !a->tapered && !b->tapered )
	{
		return fabs( apart ) > ( half_width( a, along ) + half_width( b, along ) ) + reach * length;
	}
	double lower[2];
	double upper[2];
	get_span( a, along, lower, upper );
	get_span( b, along, lower + 1, upper + 1 );
	return apart + lower[1] > upper[0] + reach * length || apart + upper[1] < lower[0] - reach * length;
}

enum
{
	most_sides = 4, // two of them parallel count once
};

// Directions of a box, or of a prism: the normals of its faces and the ways that its edges run. Returns how
// many of either.
static int get_sides( const bvvol_rounded* box, bv_vec3 normal[most_sides], bv_vec3 edge[most_sides] )
{
	const double* h = box->half_extents;
	double base = box->tapered ? h[0] : 0;
	double height = box->tapered ? 2 * h[1] : 0;
	double length = sqrt( base * base + height * height );
	for ( int i = 0; i < 3; ++i )
	{
		normal[i] = edge[i] = box->axis[i];
	}
	if ( !( height > 0 ) )
	{
		return 3; // a rectangle
	}
	bv_vec3 x = box->axis[0];
	bv_vec3 y = box->axis[1];
	double c = base / length;
	double s = height / length;
	normal[0] = bv_add( bv_scale( s, x ), bv_scale( c, y ) );
	normal[3] = bv_sub( bv_scale( c, y ), bv_scale( s, x ) );
	edge[1] = bv_sub( bv_scale( s, y ), bv_scale( c, x ) );
	edge[3] = bv_add( bv_scale( s, y ), bv_scale( c, x ) );
	return 4;
}

// What coming nearer takes long for are faces and edges that nearly meet: then one of the normals or of the
// products of edges is what is nearly between them.
static bool is_separated( const bvvol_rounded* a, const bvvol_rounded* b, bv_vec3 offset, double reach )
{
	bv_vec3 normal[2][most_sides];
	bv_vec3 edge[2][most_sides];
	int count_a = get_sides( a, normal[0], edge[0] );
	int count_b = get_sides( b, normal[1], edge[1] );
	for ( int i = 0; i < count_a; ++i )
	{
		if ( is_between( a, b, offset, normal[0][i], reach ) )
		{
			return true;
		}
	}
	for ( int j = 0; j < count_b; ++j )
	{
		if ( is_between( a, b, offset, normal[1][j], reach ) )
		{
			return true;
		}
	}
	for ( int i = 0; i < count_a * count_b; ++i )
	{
		bv_vec3 across = bv_cross( edge[0][i / count_b], edge[1][i % count_b] );
		if ( bv_dot( across, across ) > 0x1p-40 && is_between( a, b, offset, across, reach ) )
		{
			return true;
		}
	}
	return false;
}

// What is known of two volumes.
typedef enum rounded_verdict
{
	verdict_open,
	verdict_apart,
	verdict_meet,
} rounded_verdict;

// Goes from one to the other. `p` is a point of a's box, from its center.
static rounded_verdict come_nearer( const bvvol_rounded* a, const bvvol_rounded* b, bv_vec3 offset,
                                    double reach, int steps, bv_vec3* p )
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

bool bvvol_rounded_overlap( const bvvol_rounded* a, const bvvol_rounded* b )
{
	double reach = ( a->radius + b->radius ) + ( a->slack + b->slack );
	bv_vec3 offset = bv_sub( b->center, a->center );
	if ( ( a->tapered || b->tapered ) && !( a->radius > 0 || b->radius > 0 ) )
	{
		// Between polytopes one of these directions is the normal of a plane, if there is any (Gottschalk
		// 1996).
		return !is_separated( a, b, offset, reach );
	}
	bv_vec3 p = nearest( a, offset );
	rounded_verdict v = come_nearer( a, b, offset, reach, few_steps, &p );
	if ( v == verdict_open && is_separated( a, b, offset, reach ) )
	{
		return false;
	}
	v = v == verdict_open ? come_nearer( a, b, offset, reach, most_steps, &p ) : v;
	return v != verdict_apart;
}
