// A convex shape that a query compares with boxes of objects.
//
// Boxes can be infinite, and large compared with the shape. They are cut off at a box that the shape stays in, which does not change
// whether the shape touches them, nor when.

#include "world/broadphase/shape.h"

#include "runtime/convex/cast.h"

#include <math.h>

bv_status bvwphase_shape_box( const bv_convex* convex, const bv_transform* placement, bv_aabb* out )
{
	const bv_convex origin = bv_convex_point( ( bv_vec3 ){ 0, 0, 0 } );
	bvconvex_pair_room room;
	bvconvex_pair pair;
	if ( !convex || convex->kind == bv_convex_of_half_space ||
	     !bvconvex_pair_read( &origin, convex, placement, &room, &pair ) )
	{
		return bv_error_argument;
	}
	double bound[6];
	for ( int k = 0; k < 6; ++k )
	{
		double sign = k < 3 ? 1 : -1;
		bv_vec3 up = { k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0 };
		uint32_t name[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
		double lowest = bvconvex_pair_slab( &pair, &up, name ) - pair.radius;
		bound[k] = lowest - 0x1p-50 * ( fabs( lowest ) + pair.radius );
	}
	*out = ( bv_aabb ){ { bound[0], bound[1], bound[2] }, { -bound[3], -bound[4], -bound[5] } };
	// Callbacks can return anything.
	bool is_box = bound[0] <= -bound[3] && bound[1] <= -bound[4] && bound[2] <= -bound[5];
	return is_box ? bv_ok : bv_error_argument;
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

bool bvwphase_shape_meets( const bvwphase_shape* shape, const bv_aabb* box, bv_interval* time )
{
	bv_vec3 corner[8];
	bv_convex part = bv_convex_points( corner, corners_of( shape, box, corner ), 0 );
	bool found;
	bv_status status =
		bvconvex_cast_times( &part, shape->convex, shape->placement, shape->motion, &found, time );
	if ( status != bv_ok )
	{
		// Farther from the origin than shapes can be.
		time->upper = INFINITY;
	}
	return status != bv_ok || found;
}
