// What the tests of fitted volumes share: frames, sets of the kinds that break fits, and enclosure in 113-bit arithmetic.

#pragma once

#include "support.h"

__extension__ typedef __float128 quad;

static inline void random_frame( fixture* f, bv_vec3 axis[3] )
{
	double x = random_unit( f ) - 0.5, y = random_unit( f ) - 0.5, z = random_unit( f ) - 0.5,
		   w = random_unit( f ) - 0.5;
	double s = 2 / ( x * x + y * y + z * z + w * w );
	axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = ( bv_vec3 ){ axis[0].y * axis[1].z - axis[0].z * axis[1].y,
		                   axis[0].z * axis[1].x - axis[0].x * axis[1].z,
		                   axis[0].x * axis[1].y - axis[0].y * axis[1].x };
}

static inline bv_vec3 in_frame( const bv_vec3 axis[3], double u, double v, double w )
{
	return ( bv_vec3 ){ u * axis[0].x + v * axis[1].x + w * axis[2].x,
		                u * axis[0].y + v * axis[1].y + w * axis[2].y,
		                u * axis[0].z + v * axis[1].z + w * axis[2].z };
}

// Exact but for the rounding of 113 bits.
static inline bool encloses( const bv_obb* box, bv_vec3 p )
{
	for ( int i = 0; i < 3; ++i )
	{
		quad along = (quad)box->axis[i].x * ( (quad)p.x - (quad)box->center.x ) +
		             (quad)box->axis[i].y * ( (quad)p.y - (quad)box->center.y ) +
		             (quad)box->axis[i].z * ( (quad)p.z - (quad)box->center.z );
		if ( along > box->half_extents[i] || -along > box->half_extents[i] )
		{
			return false;
		}
	}
	return true;
}

static inline bool encloses_all( const bv_obb* box, const bv_vec3* points, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !encloses( box, points[i] ) )
		{
			return false;
		}
	}
	return true;
}

static inline double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

enum
{
	set_kinds = 12,
};

// Solid, flat, straight and single-point sets, upright and turned, slivers of 1e6:1, far from the origin, repeated, on a
// grid, at both ends of the range of coordinates; binary32 numbers.
static inline void make_set( fixture* f, unsigned kind, bv_vec3* out, uint32_t count )
{
	bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	double side[3] = { 1, 1, 1 };
	double far = 0;
	double size = 1;
	if ( kind % 2 == 1 )
	{
		random_frame( f, axis );
	}
	switch ( kind )
	{
	case 2:
	case 3: side[2] = 0; break;
	case 4:
	case 5: side[1] = side[2] = 0; break;
	case 6: side[0] = side[1] = side[2] = 0; break;
	case 7: side[1] = 1e-6; break;
	case 8: side[1] = side[2] = 1e-6; break;
	case 9: far = 1e5; break;
	case 10: size = 0x1p118; break;
	case 11: size = 1e-38; break;
	default: break;
	}
	bool grid = random_bits( f ) % 4 == 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = random_point( f );
		p = grid ? ( bv_vec3 ){ floor( 3 * p.x ), floor( 3 * p.y ), floor( 3 * p.z ) } : p;
		p = in_frame( axis, side[0] * p.x, side[1] * p.y, side[2] * p.z );
		out[i] = ( bv_vec3 ){ to_float( size * ( p.x + far ) ), to_float( size * ( p.y - far ) ),
			                  to_float( size * p.z ) };
		if ( i > 0 && random_bits( f ) % 5 == 0 )
		{
			out[i] = out[random_bits( f ) % i];
		}
	}
}
