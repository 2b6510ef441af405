// Determinants of points with the sign of exact arithmetic.
//
// Exact as long as no product of the coordinates' lowest bits underflows: coordinates up to 1 in magnitude
// whose lowest bit is 2^-340 at least are safe.

#pragma once

#include "base/core/vec.h"

#include <math.h>

/// @return twice the signed area of a triangle in the plane, positive when a, b, c run counter-clockwise; the
///         sign is exact
double bvb_exact_turn( const double a[2], const double b[2], const double c[2] );

/// Always in full precision, hundreds of times slower than rounded arithmetic.
/// @return six times the signed volume of a tetrahedron, positive when d is on the side from which a, b, c
///         run counter-clockwise; the sign is exact, the value good to a few units in the last place
double bvb_exact_volume( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d );

/// A plane through three points.
typedef struct bvb_plane
{
	bv_vec3 a;      ///< a, b, c run counter-clockwise seen from its outer side
	bv_vec3 b;      ///< second point
	bv_vec3 c;      ///< third point
	bv_vec3 normal; ///< (b - a) x (c - a), rounded
	bv_vec3 spread; ///< the same with all products positive, which bounds the normal's error
} bvb_plane;

/// @return the plane through three points
static inline bvb_plane bvb_plane_through( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 u = bv_sub( b, a );
	bv_vec3 v = bv_sub( c, a );
	bv_vec3 p = { fabs( u.x ), fabs( u.y ), fabs( u.z ) };
	bv_vec3 q = { fabs( v.x ), fabs( v.y ), fabs( v.z ) };
	bv_vec3 spread = { p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x };
	return ( bvb_plane ){ .a = a, .b = b, .c = c, .normal = bv_cross( u, v ), .spread = spread };
}

/// Six times the volume below a point, for comparing the distances of points to one plane.
/// @return positive outside of the plane, negative inside, 0 in it; the sign is exact
static inline double bvb_plane_height( const bvb_plane* s, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, s->a );
	double value = bv_dot( s->normal, d );
	double sum = ( s->spread.x * fabs( d.x ) + s->spread.y * fabs( d.y ) ) + s->spread.z * fabs( d.z );
	// With u = 2^-53 a component of the normal errs by 4u of its spread, the difference, the product and the
	// two sums add 4u: 8u of the sum, which the bound doubles. Where the sum is 0 every product is 0 exactly.
	if ( fabs( value ) > 0x1p-49 * sum || sum == 0 )
	{
		return value;
	}
	return bvb_exact_volume( s->a, s->b, s->c, point );
}

/// @return bvb_plane_height to 13 figures, also where the tetrahedron is all but flat
static inline double bvb_plane_accurate_height( const bvb_plane* s, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, s->a );
	double value = bv_dot( s->normal, d );
	double sum = ( s->spread.x * fabs( d.x ) + s->spread.y * fabs( d.y ) ) + s->spread.z * fabs( d.z );
	return fabs( value ) > 0x1p-5 * sum ? value : bvb_exact_volume( s->a, s->b, s->c, point );
}
