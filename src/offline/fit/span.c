// From a frame to a stored box. See obb.h.

#include "offline/fit/obb.h"
#include "runtime/math/round.h"

#include <math.h>

// Shepperd 1978: divides by the largest of the four components, which is at least 1/2.
static void frame_to_quaternion( const bv_vec3 a[3], float out[4] )
{
	// Squares of the components, times 4.
	double w = 1 + a[0].x + a[1].y + a[2].z;
	double x = 1 + a[0].x - a[1].y - a[2].z;
	double y = 1 - a[0].x + a[1].y - a[2].z;
	double z = 1 - a[0].x - a[1].y + a[2].z;
	double q[4];
	if ( w >= x && w >= y && w >= z )
	{
		double s = 0.5 / sqrt( w );
		q[0] = ( a[1].z - a[2].y ) * s, q[1] = ( a[2].x - a[0].z ) * s, q[2] = ( a[0].y - a[1].x ) * s,
		q[3] = w * s;
	}
	else if ( x >= y && x >= z )
	{
		double s = 0.5 / sqrt( x );
		q[0] = x * s, q[1] = ( a[0].y + a[1].x ) * s, q[2] = ( a[2].x + a[0].z ) * s,
		q[3] = ( a[1].z - a[2].y ) * s;
	}
	else if ( y >= z )
	{
		double s = 0.5 / sqrt( y );
		q[0] = ( a[0].y + a[1].x ) * s, q[1] = y * s, q[2] = ( a[1].z + a[2].y ) * s,
		q[3] = ( a[2].x - a[0].z ) * s;
	}
	else
	{
		double s = 0.5 / sqrt( z );
		q[0] = ( a[2].x + a[0].z ) * s, q[1] = ( a[1].z + a[2].y ) * s, q[2] = z * s,
		q[3] = ( a[0].y - a[1].x ) * s;
	}

	// A quaternion and its negative are the same frame: the stored one has w >= 0, and no -0.
	double sign = q[3] < 0 ? -1 : 1;
	for ( int i = 0; i < 4; ++i )
	{
		out[i] = (float)( sign * q[i] ) + 0.0f;
	}
}

bvfit_span bvfit_span_begin( const bv_vec3 axis[3], bv_vec3 origin )
{
	bvfit_span span = { .origin = origin };
	frame_to_quaternion( axis, span.box.rotation );
	bv_obb decoded = bvvol_obb_unpack( &span.box );
	for ( int i = 0; i < 3; ++i )
	{
		span.axis[i] = decoded.axis[i];
	}
	return span;
}

bvvol_packed_obb bvfit_span_end( const bvfit_span* span )
{
	double middle[3];
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		middle[i] = ( span->lower[i] + span->upper[i] ) / 2;
		extent += bvmath_max( -span->lower[i], span->upper[i] );
	}
	bv_vec3 center = span->origin;
	for ( int i = 0; i < 3; ++i )
	{
		center = bv_add( center, bv_scale( middle[i], span->axis[i] ) );
	}

	bvvol_packed_obb box = span->box;
	box.center[0] = (float)center.x + 0.0f;
	box.center[1] = (float)center.y + 0.0f;
	box.center[2] = (float)center.z + 0.0f;
	bv_vec3 stored = { box.center[0], box.center[1], box.center[2] };
	bv_vec3 shift = bv_sub( stored, span->origin );

	// A point's reach is |axis . (point - origin) - axis . shift| up to rounding. Point and shift are within
	// 2 * extent of the origin in the sum of coordinates, apart from the rounding of the stored center; each
	// projection errs by at most 2^-51 of that, and bvvol_obb_reach adds as much again for its own. 2^-47
	// covers all of it.
	double magnitude = extent + bvmath_norm1( shift );
	double rounding = 0x1p-47 * magnitude;
	for ( int i = 0; i < 3; ++i )
	{
		double s = bv_dot( span->axis[i], shift );
		double reach = bvmath_max( span->upper[i] - s, s - span->lower[i] );
		box.half_extents[i] = bvmath_float_up( bvmath_max( reach, 0 ) + rounding );
	}
	return box;
}
