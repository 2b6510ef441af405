// A convex shape that a query compares with boxes of objects.
//
// Boxes can be infinite, and large compared with the shape. They are cut off at a box that the shape stays in, which does not change
// whether the shape touches them, nor when.

#include "world/broadphase/shape.h"

#include <math.h>

// A coordinate of the shape is at least this. The distance from a half-space is that of the lowest point from its plane.
static bv_status lowest( const bv_convex* convex, const bv_transform* placement, bv_vec3 up, double* out )
{
	bv_convex below = bv_convex_half_space( up, 0 );
	bv_convex_result r;
	bv_status status = bv_convex_distance( &below, convex, placement, NULL, &r );
	if ( status == bv_ok )
	{
		*out = r.lower;
	}
	return status;
}

bv_status bvwphase_shape_box( const bv_convex* convex, const bv_transform* placement, bv_aabb* out )
{
	if ( !convex || convex->kind == bv_convex_of_half_space )
	{
		return bv_error_argument;
	}
	double bound[6];
	for ( int k = 0; k < 6; ++k )
	{
		double sign = k < 3 ? 1 : -1;
		bv_vec3 up = { k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0 };
		bv_status status = lowest( convex, placement, up, bound + k );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	*out = ( bv_aabb ){ { bound[0], bound[1], bound[2] }, { -bound[3], -bound[4], -bound[5] } };
	return bv_ok;
}

static void cut_off( double lower, double upper, double from, double to, double out[2] )
{
	out[0] = lower > from ? lower : from;
	out[1] = upper < to ? upper : to;
}

// The part of a box that the shape can reach, as the hull of its corners: a center and half extents would be rounded.
// @return the number of corners
static uint32_t corners_of( const bvwphase_shape* shape, const bv_aabb* box, bv_vec3 corner[8] )
{
	const bv_aabb* r = &shape->reach;
	double x[2];
	double y[2];
	double z[2];
	cut_off( box->lower.x, box->upper.x, r->lower.x, r->upper.x, x );
	cut_off( box->lower.y, box->upper.y, r->lower.y, r->upper.y, y );
	cut_off( box->lower.z, box->upper.z, r->lower.z, r->upper.z, z );
	uint32_t count = 0;
	for ( int i = 0; i < ( x[0] < x[1] ? 2 : 1 ); ++i )
	{
		for ( int j = 0; j < ( y[0] < y[1] ? 2 : 1 ); ++j )
		{
			for ( int k = 0; k < ( z[0] < z[1] ? 2 : 1 ); ++k )
			{
				corner[count++] = ( bv_vec3 ){ x[i], y[j], z[k] };
			}
		}
	}
	return count;
}

bool bvwphase_shape_touches( const bvwphase_shape* shape, const bv_aabb* box )
{
	bv_vec3 corner[8];
	bv_convex part = bv_convex_points( corner, corners_of( shape, box, corner ), 0 );
	bv_convex_overlap_result r;
	bv_status status = bv_convex_overlap( &part, shape->convex, shape->placement, NULL, &r );
	return status != bv_ok || r.overlaps;
}

bool bvwphase_shape_meets( const bvwphase_shape* shape, const bv_aabb* box, bv_interval* time )
{
	bv_vec3 corner[8];
	bv_convex part = bv_convex_points( corner, corners_of( shape, box, corner ), 0 );
	bv_convex_cast_result r;
	bv_status status = bv_convex_cast( &part, shape->convex, shape->placement, ( bv_vec3 ){ 0, 0, 0 },
	                                   shape->motion, NULL, &r );
	if ( status != bv_ok )
	{
		// Farther from the origin than shapes can be.
		time->upper = INFINITY;
		return true;
	}
	time->lower = r.lower;
	time->upper = r.upper;
	return r.found;
}
