// When a triangle that moves along a line can first touch another one. See entry.h.
//
// Based on: M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", 1978.
//
// The triangles touch if the origin is in their Minkowski difference. Its faces are normal to the normal of a triangle or to a cross
// product of two edges. A moving point enters a convex polytope when it has crossed the last plane inwards, and leaves it at
// the first plane that it crosses outwards. Each plane is moved outwards by the rest and by rounding errors.

#include "runtime/triangle/entry.h"

#include "runtime/math/vec.h"

#include <math.h>

typedef struct flight_range
{
	bv_vec3 a[3]; // relative to a corner
	bv_vec3 b[3];
	bv_vec3 way;
	double rest; // with rounding errors, per length of an axis
	double from;
	double to;
} flight_range;

static double least_of( double x, double y, double z )
{
	return bvmath_min( bvmath_min( x, y ), z );
}

static double most_of( double x, double y, double z )
{
	return bvmath_max( bvmath_max( x, y ), z );
}

// Clips the range to the part in which the projections of the triangles onto an axis overlap.
// @return whether any of the range is left
static bool cut_along( flight_range* r, bv_vec3 axis )
{
	double a[3];
	double b[3];
	for ( int i = 0; i < 3; ++i )
	{
		a[i] = bv_dot( axis, r->a[i] );
		b[i] = bv_dot( axis, r->b[i] );
	}
	double rest = r->rest * bvmath_length_up( axis );
	double speed = bv_dot( axis, r->way );
	// The projections overlap while b has moved along the axis by at least `least` and at most `most`.
	double least = ( least_of( a[0], a[1], a[2] ) - most_of( b[0], b[1], b[2] ) ) - rest;
	double most = ( most_of( a[0], a[1], a[2] ) - least_of( b[0], b[1], b[2] ) ) + rest;
	if ( speed == 0 )
	{
		return least <= 0 && most >= 0;
	}
	double enter = ( speed > 0 ? least : most ) / speed;
	double leave = ( speed > 0 ? most : least ) / speed;
	r->from = bvmath_max( r->from, enter );
	r->to = bvmath_min( r->to, leave );
	return r->from <= r->to;
}

double bvtri_triangles_entry( const bv_vec3 a[3], const bv_vec3 b[3], const bvtri_flight* flight )
{
	flight_range r = { .way = flight->way, .from = flight->from, .to = flight->to };
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		r.a[i] = bv_sub( a[i], a[0] );
		r.b[i] = bv_sub( b[i], a[0] );
		extent = bvmath_max( extent, bvmath_max( bvmath_norm1( r.a[i] ), bvmath_norm1( r.b[i] ) ) );
	}
	// Projections, their differences and the speed have errors below 16 * 2^-53 of these lengths. The quotient has an error of
	// 2^-52 of f, which moves b by less than 2^-52 of the way.
	r.rest = flight->rest + 2 * flight->rounding + 0x1p-48 * ( extent + bvmath_norm1( flight->way ) );

	bv_vec3 edge_a[3] = { r.a[1], bv_sub( r.a[2], r.a[1] ), r.a[2] };
	bv_vec3 edge_b[3] = { bv_sub( r.b[1], r.b[0] ), bv_sub( r.b[2], r.b[1] ), bv_sub( r.b[2], r.b[0] ) };
	bool touches = cut_along( &r, bv_cross( edge_a[0], edge_a[1] ) ) &&
	               cut_along( &r, bv_cross( edge_b[0], edge_b[1] ) );
	for ( int i = 0; i < 9 && touches; ++i )
	{
		touches = cut_along( &r, bv_cross( edge_a[i / 3], edge_b[i % 3] ) );
	}
	return touches ? r.from : INFINITY;
}
