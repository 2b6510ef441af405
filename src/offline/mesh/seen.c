// A triangle as seen from a point. See seen.h.

#include "offline/mesh/seen.h"

#include "offline/base/exact.h"
#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>

// A triangle or a corner's distance that is smaller counts as nothing: products of three lengths are not
// zero.
static const double least_length = 0x1p-300;

// As it stands in the paper, its terms cancel where the origin is next to a long edge, and slivers get an
// angle made of rounding errors. Here they are written in components along the longest edge and perpendicular
// to it, a = h + s u, b = h + t u, c = h + r u + g with a unit vector u, and differences of nearly equal
// lengths as quotients. What is left is the error of moving the corners by some 2^-52 of the triangle and its
// distance.
double bvmesh_half_solid_angle( bv_vec3 first, bv_vec3 second, bv_vec3 third )
{
	const bv_vec3 corner[5] = { first, second, third, first, second };
	bv_vec3 side[3];
	double square[3];
	for ( int i = 0; i < 3; ++i )
	{
		side[i] = bv_sub( corner[i + 1], corner[i] );
		square[i] = bv_dot( side[i], side[i] );
	}
	int longest = square[1] > square[0] ? 1 : 0;
	longest = square[2] > square[longest] ? 2 : longest;
	bv_vec3 a = corner[longest];
	bv_vec3 b = corner[longest + 1];
	bv_vec3 c = corner[longest + 2];
	double length = sqrt( square[longest] );
	double a_length = sqrt( bv_dot( a, a ) );
	double b_length = sqrt( bv_dot( b, b ) );
	double c_length = sqrt( bv_dot( c, c ) );
	if ( bvmath_min( bvmath_min( length, c_length ), bvmath_min( a_length, b_length ) ) < least_length )
	{
		return 0;
	}

	// Components are taken from the nearer end, whose digits reach farther down.
	bv_vec3 u = bv_scale( 1 / length, side[longest] );
	bool from_a = a_length < b_length;
	double s = from_a ? bv_dot( a, u ) : bv_dot( b, u ) - length;
	double t = from_a ? s + length : bv_dot( b, u );
	double r = bv_dot( c, u );
	bv_vec3 h = from_a ? bv_sub( a, bv_scale( s, u ) ) : bv_sub( b, bv_scale( t, u ) );
	int ac = ( longest + 2 ) % 3;
	int bc = ( longest + 1 ) % 3;
	bv_vec3 f = square[ac] < square[bc] ? bv_scale( -1, side[ac] ) : side[bc];
	bv_vec3 g = bv_sub( f, bv_scale( bv_dot( f, u ), u ) );

	// |a| |b| + a b and |a| t + |b| s.
	double h2 = bv_dot( h, h );
	double facing = a_length * b_length + ( h2 + s * t );
	double balance = a_length * t + b_length * s;
	if ( s < 0 && t > 0 )
	{
		facing = h2 + h2 * ( s * s + t * t + h2 ) / ( a_length * b_length - s * t );
		balance = h2 * ( t * t - s * s ) / ( a_length * t - b_length * s );
	}
	double numerator = length * bv_dot( h, bv_cross( u, g ) );
	double denominator =
		c_length * facing + ( ( h2 + bv_dot( g, h ) ) * ( a_length + b_length ) + r * balance );
	return bvmath_atan2( numerator, denominator );
}

// On which side of the line from a to b the ray is, seen along it: never 0 unless both are one point. What
// decides where it is on the line is the same for whatever else has the line.
static int side_of_line( bvbase_vec2 a, bvbase_vec2 b, bvbase_vec2 ray )
{
	double side = bvbase_orient2d( a, b, ray );
	side = side == 0 ? a.v - b.v : side;
	side = side == 0 ? b.u - a.u : side;
	return ( side > 0 ) - ( side < 0 );
}

int bvmesh_ray_crossing( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 p )
{
	if ( bvmath_max( a.x, bvmath_max( b.x, c.x ) ) < p.x || bvmath_max( a.y, bvmath_max( b.y, c.y ) ) < p.y ||
	     bvmath_min( a.y, bvmath_min( b.y, c.y ) ) > p.y || bvmath_max( a.z, bvmath_max( b.z, c.z ) ) < p.z ||
	     bvmath_min( a.z, bvmath_min( b.z, c.z ) ) > p.z )
	{
		return 0;
	}
	bvbase_vec2 ray = { p.y, p.z };
	const bvbase_vec2 corner[3] = { { a.y, a.z }, { b.y, b.z }, { c.y, c.z } };
	int turn = side_of_line( corner[0], corner[1], ray );
	if ( turn == 0 || side_of_line( corner[1], corner[2], ray ) != turn ||
	     side_of_line( corner[2], corner[0], ray ) != turn )
	{
		return 0;
	}
	return bvbase_orient3d( a, b, c, p ) * turn < 0 ? turn : 0;
}
