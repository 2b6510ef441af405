#include "tests/reference/swept.h"

#include "tests/reference/vectors.h"

static bv_vec3 rotated( const bv_pose* pose, bv_vec3 v )
{
	const double( *r )[3] = pose->rotation;
	return ( bv_vec3 ){ r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
		                r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
		                r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z };
}

static bv_vec3 placed( const bv_pose* pose, bv_vec3 v )
{
	return along( rotated( pose, v ), 1, pose->translation );
}

static bv_vec3 middle_of( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ ( a.x + b.x ) / 2, ( a.y + b.y ) / 2, ( a.z + b.z ) / 2 };
}

bv_sphere printed_ball_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end )
{
	bv_vec3 a = placed( start, ball->center );
	bv_vec3 b = placed( end, ball->center );
	return ( bv_sphere ){ middle_of( a, b ), length_of( sub( b, a ) ) / 2 + ball->radius };
}

bv_aabb printed_aabb_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end )
{
	bv_vec3 a = placed( start, ball->center );
	bv_vec3 b = placed( end, ball->center );
	double r = ball->radius;
	return ( bv_aabb ){ { fmin( a.x, b.x ) - r, fmin( a.y, b.y ) - r, fmin( a.z, b.z ) - r },
		                { fmax( a.x, b.x ) + r, fmax( a.y, b.y ) + r, fmax( a.z, b.z ) + r } };
}

bv_obb printed_box_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end )
{
	bv_vec3 a = placed( start, ball->center );
	bv_vec3 b = placed( end, ball->center );
	bv_vec3 d = sub( b, a );
	double length = length_of( d );
	d = ( bv_vec3 ){ d.x / length, d.y / length, d.z / length };
	bv_vec3 axis = cross( ( bv_vec3 ){ 1, 0, 0 }, d );
	double sine = length_of( axis );
	axis = ( bv_vec3 ){ axis.x / sine, axis.y / sine, axis.z / sine };
	bv_obb out = { .center = middle_of( a, b ),
		           .half_extents = { length / 2 + ball->radius, ball->radius, ball->radius } };
	const bv_vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int i = 0; i < 3; ++i )
	{
		// Rodrigues, with cos = d.x.
		bv_vec3 across = cross( axis, unit[i] );
		bv_vec3 v = along( ( bv_vec3 ){ 0, 0, 0 }, d.x, unit[i] );
		v = along( v, sine, across );
		out.axis[i] = along( v, ( 1 - d.x ) * dot( axis, unit[i] ), axis );
	}
	return out;
}

bv_sphere printed_ball_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end )
{
	bv_vec3 a = placed( start, box->center );
	bv_vec3 b = placed( end, box->center );
	bv_vec3 r = { box->half_extents[0], box->half_extents[1], box->half_extents[2] };
	return ( bv_sphere ){ middle_of( a, b ), length_of( sub( b, a ) ) / 2 + length_of( r ) };
}

static double reach_along( const bv_obb* box, const bv_pose* pose, bv_vec3 direction )
{
	double sum = 0;
	for ( int j = 0; j < 3; ++j )
	{
		sum += box->half_extents[j] * fabs( dot( rotated( pose, box->axis[j] ), direction ) );
	}
	return sum;
}

static void span_along( const bv_obb* box, const bv_pose* start, const bv_pose* end, bv_vec3 direction,
                        double* lower, double* upper )
{
	double a = dot( placed( start, box->center ), direction );
	double b = dot( placed( end, box->center ), direction );
	double ra = reach_along( box, start, direction );
	double rb = reach_along( box, end, direction );
	*lower = fmin( a - ra, b - rb );
	*upper = fmax( a + ra, b + rb );
}

bv_aabb printed_aabb_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end )
{
	bv_aabb out;
	span_along( box, start, end, ( bv_vec3 ){ 1, 0, 0 }, &out.lower.x, &out.upper.x );
	span_along( box, start, end, ( bv_vec3 ){ 0, 1, 0 }, &out.lower.y, &out.upper.y );
	span_along( box, start, end, ( bv_vec3 ){ 0, 0, 1 }, &out.lower.z, &out.upper.z );
	return out;
}

bv_obb printed_box_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end, bool fixed )
{
	bv_obb out = { .center = { 0, 0, 0 } };
	double middle[3];
	for ( int i = 0; i < 3; ++i )
	{
		double lower;
		double upper;
		out.axis[i] = rotated( end, box->axis[i] );
		span_along( box, start, end, out.axis[i], &lower, &upper );
		middle[i] = ( lower + upper ) / 2;
		out.half_extents[i] = ( upper - lower ) / 2;
		out.center = along( out.center, middle[i], out.axis[i] );
	}
	out.center = fixed ? out.center : ( bv_vec3 ){ middle[0], middle[1], middle[2] };
	return out;
}

double printed_motion_length( bv_vec3 c, double radius, bv_vec3 axis, const bv_pose* relative )
{
	bv_vec3 away = along( c, -dot( axis, c ), axis );
	bv_vec3 x = along( c, radius / length_of( away ), away );
	return length_of( sub( rotated( relative, x ), x ) ) + length_of( relative->translation );
}
