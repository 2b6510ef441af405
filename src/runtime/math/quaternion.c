// Quaternions from axes, from angles and back, and interpolation between two. See bv/base.h.
//
// Arctangents of two numbers take the place of arccosines, which lose half of the digits near 0 and pi and are not
// defined where rounding makes a cosine exceed 1. Interpolation: K. Shoemake, "Animating rotation with quaternion
// curves", 1985, with the angle of two unit vectors by W. Kahan, "How futile are mindless assessments of roundoff in
// floating-point computation?", 2006, section 12. Angles about fixed axes: sums and differences of coordinates of the
// quaternion have the sum and the difference of two of the angles as their own (E. Bernardes, S. Viollet, 2022).

#include "bv/base.h"
#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>

bv_quaternion bv_quaternion_identity( void )
{
	return ( bv_quaternion ){ .w = 1 };
}

static double square_of( bv_quaternion q )
{
	return ( q.x * q.x + q.y * q.y ) + ( q.z * q.z + q.w * q.w );
}

bool bv_quaternion_is_valid( bv_quaternion q )
{
	double square = square_of( q );
	return square >= 0.99 * 0.99 && square <= 1.01 * 1.01;
}

static bv_quaternion scaled( double s, bv_quaternion q )
{
	return ( bv_quaternion ){ s * q.x, s * q.y, s * q.z, s * q.w };
}

static bv_quaternion sum_of( bv_quaternion a, bv_quaternion b )
{
	return ( bv_quaternion ){ a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w };
}

// Of any length whose square neither overflows nor vanishes.
static bv_quaternion unit_of( bv_quaternion q )
{
	double length = sqrt( square_of( q ) );
	return ( bv_quaternion ){ q.x / length, q.y / length, q.z / length, q.w / length };
}

bv_quaternion bv_quaternion_multiply( bv_quaternion a, bv_quaternion b )
{
	return ( bv_quaternion ){
		( a.w * b.x + b.w * a.x ) + ( a.y * b.z - a.z * b.y ),
		( a.w * b.y + b.w * a.y ) + ( a.z * b.x - a.x * b.z ),
		( a.w * b.z + b.w * a.z ) + ( a.x * b.y - a.y * b.x ),
		( a.w * b.w - a.x * b.x ) - ( a.y * b.y + a.z * b.z ),
	};
}

bv_quaternion bv_quaternion_conjugate( bv_quaternion q )
{
	return ( bv_quaternion ){ -q.x, -q.y, -q.z, q.w };
}

// x + 2 v * ( w x + v * x ) / ( w^2 + v^2 ), where * is the cross product.
bv_vec3 bv_quaternion_rotate( bv_quaternion q, bv_vec3 vector )
{
	bv_vec3 v = { q.x, q.y, q.z };
	bv_vec3 inner = bv_add( bv_scale( q.w, vector ), bv_cross( v, vector ) );
	return bv_add( vector, bv_scale( 2 / square_of( q ), bv_cross( v, inner ) ) );
}

// Divided by the largest coordinate first, so that no square overflows or vanishes.
static bool get_unit( bv_vec3 v, bv_vec3* out )
{
	double largest = bvmath_largest( v );
	if ( !( largest > 0 ) || !isfinite( bvmath_norm1( bv_scale( 0.25, v ) ) ) )
	{
		return false;
	}
	bv_vec3 near_one = { v.x / largest, v.y / largest, v.z / largest };
	*out = bv_normalize( near_one );
	return true;
}

bv_status bv_quaternion_from_axis_angle( bv_vec3 axis, double angle, bv_quaternion* out )
{
	bv_vec3 unit;
	if ( !out || !( fabs( angle ) <= BV_MAX_ANGLE ) || !get_unit( axis, &unit ) )
	{
		return bv_error_argument;
	}
	double s;
	double c;
	bvmath_sincos( angle / 2, &s, &c );
	*out = ( bv_quaternion ){ s * unit.x, s * unit.y, s * unit.z, c };
	return bv_ok;
}

bv_status bv_quaternion_to_axis_angle( bv_quaternion q, bv_vec3* axis, double* angle )
{
	if ( !axis || !angle || !bv_quaternion_is_valid( q ) )
	{
		return bv_error_argument;
	}
	double first = q.w != 0 ? q.w : q.x != 0 ? q.x : q.y != 0 ? q.y : q.z;
	q = first < 0 ? scaled( -1, q ) : q;
	bv_vec3 v = { q.x, q.y, q.z };
	double largest = bvmath_largest( v );
	bv_vec3 unit = { 1, 0, 0 };
	double sine = 0;
	if ( get_unit( v, &unit ) )
	{
		sine = largest * bv_length( bv_vec3_make( v.x / largest, v.y / largest, v.z / largest ) );
	}
	// Adding 0 makes a negative zero positive.
	*axis = bv_vec3_make( unit.x + 0, unit.y + 0, unit.z + 0 );
	*angle = 2 * bvmath_atan2( sine, q.w + 0 );
	return bv_ok;
}

bv_status bv_quaternion_from_xyz( bv_vec3 angles, bv_quaternion* out )
{
	if ( !out || !( bvmath_largest( angles ) <= BV_MAX_ANGLE ) || !isfinite( bvmath_norm1( angles ) ) )
	{
		return bv_error_argument;
	}
	double sx;
	double cx;
	double sy;
	double cy;
	double sz;
	double cz;
	bvmath_sincos( angles.x / 2, &sx, &cx );
	bvmath_sincos( angles.y / 2, &sy, &cy );
	bvmath_sincos( angles.z / 2, &sz, &cz );
	*out = ( bv_quaternion ){
		( cz * cy ) * sx - ( sz * sy ) * cx,
		( cz * sy ) * cx + ( sz * cy ) * sx,
		( sz * cy ) * cx - ( cz * sy ) * sx,
		( cz * cy ) * cx + ( sz * sy ) * sx,
	};
	return bv_ok;
}

static double wrapped( double angle )
{
	const double pi = 0x1.921fb54442d18p+1;
	return angle > pi ? angle - 2 * pi : angle < -pi ? angle + 2 * pi : angle;
}

// With half the angles about x, y, z as a, b, c, the quaternion of the three rotations has
//   w + y = ( cos b + sin b ) cos( c - a ),   z - x = ( cos b + sin b ) sin( c - a ),
//   w - y = ( cos b - sin b ) cos( c + a ),   z + x = ( cos b - sin b ) sin( c + a ).
// Both factors are not negative for |b| <= pi / 4, their product is cos 2b, and half the difference of their squares is
// sin 2b. Where one vanishes, its angle is noise, but then it has no effect on the rotation, whereas angles from
// the entries of the matrix would be noise both.
bv_status bv_quaternion_to_xyz( bv_quaternion q, bv_vec3* angles )
{
	if ( !angles || !bv_quaternion_is_valid( q ) )
	{
		return bv_error_argument;
	}
	const double noise = 0x1p-51;
	q = unit_of( q );
	double plus[2] = { q.w + q.y, q.z - q.x };
	double minus[2] = { q.w - q.y, q.z + q.x };
	double plus_length = sqrt( plus[0] * plus[0] + plus[1] * plus[1] );
	double minus_length = sqrt( minus[0] * minus[0] + minus[1] * minus[1] );
	double difference = bvmath_atan2( plus[1], plus[0] );
	double sum = bvmath_atan2( minus[1], minus[0] );
	double up = 2 * ( q.w * q.y - q.x * q.z );
	if ( minus_length <= noise || plus_length <= noise )
	{
		double all = 2 * ( minus_length <= noise ? difference : sum );
		*angles = bv_vec3_make( 0, bvmath_atan2( up, 0 ), wrapped( all ) );
		return bv_ok;
	}
	*angles = bv_vec3_make( wrapped( sum - difference ), bvmath_atan2( up, plus_length * minus_length ),
	                        wrapped( sum + difference ) );
	return bv_ok;
}

// Unit quaternions of both rotations, less than a right angle apart.
static bool get_ends( bv_quaternion a, bv_quaternion b, double t, const void* out, bv_quaternion end[2] )
{
	if ( !out || !( t >= 0 && t <= 1 ) || !bv_quaternion_is_valid( a ) || !bv_quaternion_is_valid( b ) )
	{
		return false;
	}
	end[0] = unit_of( a );
	end[1] = unit_of( b );
	double cosine =
		( end[0].x * end[1].x + end[0].y * end[1].y ) + ( end[0].z * end[1].z + end[0].w * end[1].w );
	end[1] = cosine < 0 ? scaled( -1, end[1] ) : end[1];
	return true;
}

bv_status bv_quaternion_slerp( bv_quaternion a, bv_quaternion b, double t, bv_quaternion* out )
{
	bv_quaternion end[2];
	if ( !get_ends( a, b, t, out, end ) )
	{
		return bv_error_argument;
	}
	double apart = sqrt( square_of( sum_of( end[1], scaled( -1, end[0] ) ) ) );
	double angle = 2 * bvmath_atan2( apart, sqrt( square_of( sum_of( end[1], end[0] ) ) ) );
	double weight[2] = { 1 - t, t };
	// Below, sines are their arguments to 2^-54.
	if ( angle > 0x1p-26 )
	{
		double sine;
		double cosine;
		double all;
		bvmath_sincos( angle, &all, &cosine );
		for ( int i = 0; i < 2; ++i )
		{
			bvmath_sincos( weight[i] * angle, &sine, &cosine );
			weight[i] = sine / all;
		}
	}
	*out = unit_of( sum_of( scaled( weight[0], end[0] ), scaled( weight[1], end[1] ) ) );
	return bv_ok;
}

bv_status bv_quaternion_nlerp( bv_quaternion a, bv_quaternion b, double t, bv_quaternion* out )
{
	bv_quaternion end[2];
	if ( !get_ends( a, b, t, out, end ) )
	{
		return bv_error_argument;
	}
	*out = unit_of( sum_of( scaled( 1 - t, end[0] ), scaled( t, end[1] ) ) );
	return bv_ok;
}

bv_status bv_transform_from_axis_angle( bv_vec3 axis, double angle, bv_vec3 translation, bv_transform* out )
{
	bv_quaternion q;
	bv_status status = bv_quaternion_from_axis_angle( axis, angle, &q );
	return status == bv_ok ? bv_transform_from_quaternion( q, translation, out ) : status;
}

bv_status bv_transform_from_xyz( bv_vec3 angles, bv_vec3 translation, bv_transform* out )
{
	bv_quaternion q;
	bv_status status = bv_quaternion_from_xyz( angles, &q );
	return status == bv_ok ? bv_transform_from_quaternion( q, translation, out ) : status;
}

bv_status bv_transform_to_axis_angle( const bv_transform* transform, bv_vec3* axis, double* angle )
{
	return transform && bv_transform_is_valid( transform )
	           ? bv_quaternion_to_axis_angle( bv_transform_to_quaternion( transform ), axis, angle )
	           : bv_error_argument;
}

bv_status bv_transform_to_xyz( const bv_transform* transform, bv_vec3* angles )
{
	return transform && bv_transform_is_valid( transform )
	           ? bv_quaternion_to_xyz( bv_transform_to_quaternion( transform ), angles )
	           : bv_error_argument;
}
