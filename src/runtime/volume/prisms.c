// Prisms around points with a given center. See prisms.h.

#include "runtime/volume/prisms.h"

#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>

enum
{
	heights = 5, // that are tried
};

// A point at the tip needs a little more for rounding.
static const double head_room = 1 + 0x1p-16;

double bvvol_prism_half_base( const bv_obb* box, const bvvol_point_list* points, double half_height )
{
	double half = 0;
	for ( uint32_t i = 0; i < points->count; ++i )
	{
		bv_vec3 d = bv_sub( points->at( points->context, i ), box->center );
		double error = 0x1p-50 * bvmath_norm1( d );
		double side = ( fabs( bv_dot( box->axis[0], d ) ) + error ) * ( 1 + 0x1p-40 );
		double below = half_height - ( bv_dot( box->axis[1], d ) + error );
		double needed = half_height > 0 ? 2 * half_height * side / below : side;
		half = bvmath_max( half, bvmath_max( side, needed ) );
	}
	return half;
}

static bv_vec3 reach_of( const bv_obb* box, const bvvol_point_list* points )
{
	bv_vec3 reach = { 0, 0, 0 };
	for ( uint32_t i = 0; i < points->count; ++i )
	{
		reach = bvmath_greatest( reach, bvvol_obb_reach( box, points->at( points->context, i ) ) );
	}
	return reach;
}

void bvvol_prism_extents( const bv_obb* box, const bvvol_point_list* points, double half_height,
                          double extents[3] )
{
	bv_vec3 reach = reach_of( box, points );
	const double tried[heights] = { half_height * head_room, reach.y * head_room, 2 * reach.y, 16 * reach.y,
		                            256 * reach.y };
	double least = INFINITY;
	for ( int i = 0; i < heights; ++i )
	{
		if ( tried[i] >= reach.y * head_room )
		{
			double half_base = bvvol_prism_half_base( box, points, tried[i] );
			double cost = bvvol_prism_cost( half_base, tried[i] );
			if ( cost < least )
			{
				least = cost;
				extents[0] = half_base;
				extents[1] = tried[i];
			}
		}
	}
	extents[2] = reach.z;
}

void bvvol_prism_grow( bv_prism* prism, const bvvol_point_list* points )
{
	double* h = prism->box.half_extents;
	bv_vec3 reach = reach_of( &prism->box, points );
	h[1] = bvmath_float_up( bvmath_max( h[1], reach.y * head_room ) );
	h[0] = bvmath_float_up( bvmath_max( h[0], bvvol_prism_half_base( &prism->box, points, h[1] ) ) );
	h[2] = bvmath_float_up( bvmath_max( h[2], reach.z ) );
}
