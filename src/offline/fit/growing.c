// Volumes of a growing set of points, each refitted from its previous state.
//
// Points inside a volume do not change it. The smallest ball is computed again from its support and a point
// outside, which belongs to the support of the larger set (Welzl 1991). The oriented box first grows in its
// frame. When its sides have grown by a certain share, the frame descends from its current orientation. While
// points are few, and whenever their number has doubled, a new frame is searched for, so that a frame suited
// to some early points is not kept forever.

#include "bvbuild/fit.h"
#include "offline/fit/obb.h"
#include "offline/fit/obb_method.h"
#include "offline/fit/sphere.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <string.h>

enum
{
	few_points = 64, // among which one more may change everything
};

// By which a side may grow before the frame is turned again.
static const double tolerated_growth = 1.01;

bvb_growing_fit bvb_growing_fit_begin( bvb_arena* arena )
{
	return ( bvb_growing_fit ){ .arena = arena };
}

static bool reserve( bvb_growing_fit* fit, uint32_t count )
{
	uint64_t needed = (uint64_t)fit->count + count;
	if ( needed <= fit->capacity )
	{
		return true;
	}
	uint64_t capacity = needed + fit->count < 64 ? 64 : needed + fit->count;
	capacity = capacity > UINT32_MAX ? UINT32_MAX : capacity;
	bv_vec3* points =
		needed > UINT32_MAX ? NULL : bvb_arena_allocate( fit->arena, (size_t)capacity, sizeof *points );
	if ( !points )
	{
		return false;
	}
	if ( fit->count > 0 )
	{
		memcpy( points, fit->points, fit->count * sizeof *points );
	}
	fit->points = points;
	fit->capacity = (uint32_t)capacity;
	return true;
}

static void grow_aabb( bvb_growing_fit* fit, const bv_vec3* points, uint32_t count )
{
	bv_aabb more = bvb_fit_aabb( points, count );
	if ( fit->count == 0 )
	{
		fit->aabb = more;
		return;
	}
	bv_vec3* lower = &fit->aabb.lower;
	bv_vec3* upper = &fit->aabb.upper;
	*lower = ( bv_vec3 ){ bvmath_min( lower->x, more.lower.x ), bvmath_min( lower->y, more.lower.y ),
		                  bvmath_min( lower->z, more.lower.z ) };
	*upper = ( bv_vec3 ){ bvmath_max( upper->x, more.upper.x ), bvmath_max( upper->y, more.upper.y ),
		                  bvmath_max( upper->z, more.upper.z ) };
}

static bool is_within( const bvfit_ball* ball, const bv_vec3* points, uint32_t count )
{
	double squared = ball->radius * ball->radius;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( bv_sub( points[i], ball->origin ), ball->center );
		if ( bv_dot( d, d ) > squared )
		{
			return false;
		}
	}
	return true;
}

static void move_to_front( bvb_growing_fit* fit, const bvfit_ball* ball )
{
	uint32_t index[4];
	for ( uint32_t i = 0; i < ball->support_count; ++i )
	{
		// In ascending order, so that none is moved by an exchange before its own.
		uint32_t place = i;
		while ( place > 0 && index[place - 1] > ball->support[i] )
		{
			index[place] = index[place - 1];
			--place;
		}
		index[place] = ball->support[i];
	}
	for ( uint32_t i = 0; i < ball->support_count; ++i )
	{
		bv_vec3 p = fit->points[index[i]];
		fit->points[index[i]] = fit->points[i];
		fit->points[i] = p;
	}
	fit->support = ball->support_count;
}

// All points are in place; the last `count` are new.
static void grow_sphere( bvb_growing_fit* fit, uint32_t count )
{
	const bv_vec3* added = fit->points + ( fit->count - count );
	bvfit_ball ball = { .support_count = 0 };
	if ( fit->support > 0 )
	{
		bvfit_least_ball( fit->points, fit->support, &ball );
		if ( is_within( &ball, added, count ) )
		{
			for ( uint32_t i = 0; i < count; ++i )
			{
				double distance = bvvol_distance_bound( added[i], fit->sphere.center );
				fit->sphere.radius = bvmath_max( fit->sphere.radius, bvmath_float_up( distance ) );
			}
			return;
		}
	}
	bvfit_least_ball( fit->points, fit->count, &ball );
	fit->sphere = bvfit_sphere_around( fit->points, fit->count, bv_add( ball.origin, ball.center ) );
	move_to_front( fit, &ball );
}

static bool is_in_box( const bv_obb* box, const bv_vec3* points, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 reach = bvvol_obb_reach( box, points[i] );
		if ( !( reach.x <= box->half_extents[0] && reach.y <= box->half_extents[1] &&
		        reach.z <= box->half_extents[2] ) )
		{
			return false;
		}
	}
	return true;
}

static void enclose( bvb_growing_fit* fit, const bv_vec3 axis[3] )
{
	bvfit_span span = bvfit_span_begin( axis, fit->points[0] );
	for ( uint32_t i = 1; i < fit->count; ++i )
	{
		bvfit_span_add( &span, fit->points[i] );
	}
	bvvol_packed_obb box = bvfit_span_end( &span );
	fit->obb = bvvol_obb_unpack( &box );
}

// Descends from a frame, and takes the result if its box is less.
static void descend( const bvb_growing_fit* fit, const bv_vec3 start[3], bv_vec3 best[3],
                     bvfit_box_cost* least )
{
	bv_vec3 axis[3] = { start[0], start[1], start[2] };
	double length[3];
	bvfit_obb_refine( fit->points, fit->count, bvb_box_volume, axis );
	bvfit_box_lengths( fit->points, fit->count, axis, length );
	bvfit_box_cost cost = bvfit_box_cost_of( length, bvb_box_volume );
	if ( bvfit_box_cost_less( cost, *least ) )
	{
		*least = cost;
		memcpy( best, axis, sizeof axis );
	}
}

static void turn_box( bvb_growing_fit* fit )
{
	static const bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bv_vec3 axis[3] = { fit->obb.axis[0], fit->obb.axis[1], fit->obb.axis[2] };
	double length[3];
	bvfit_box_lengths( fit->points, fit->count, axis, length );
	bvfit_box_cost least = bvfit_box_cost_of( length, bvb_box_volume );
	descend( fit, axis, axis, &least );
	if ( fit->count <= few_points || fit->count / 2 >= fit->searched )
	{
		const bvfit_box_problem problem = { .points = fit->points, .count = fit->count };
		bv_vec3 extremal[3];
		bvfit_obb_dito( &problem, extremal );
		descend( fit, extremal, axis, &least );
		descend( fit, upright, axis, &least );
		fit->searched = fit->count;
	}
	enclose( fit, axis );
	memcpy( fit->settled, fit->obb.half_extents, sizeof fit->settled );
}

static void grow_obb( bvb_growing_fit* fit, uint32_t count )
{
	if ( count == fit->count )
	{
		fit->obb = ( bv_obb ){ .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
		turn_box( fit );
		return;
	}
	if ( is_in_box( &fit->obb, fit->points + ( fit->count - count ), count ) )
	{
		return;
	}
	enclose( fit, fit->obb.axis );
	for ( int i = 0; i < 3; ++i )
	{
		if ( fit->obb.half_extents[i] > tolerated_growth * fit->settled[i] )
		{
			turn_box( fit );
			return;
		}
	}
}

bv_status bvb_growing_fit_add( bvb_growing_fit* fit, const bv_vec3* points, uint32_t count )
{
	if ( count == 0 )
	{
		return bv_ok;
	}
	if ( !reserve( fit, count ) )
	{
		return bv_error_memory;
	}
	grow_aabb( fit, points, count );
	memcpy( fit->points + fit->count, points, count * sizeof *points );
	fit->count += count;

	// The box first: the ball moves points about, and the new ones must be the last.
	grow_obb( fit, count );
	grow_sphere( fit, count );
	return bv_ok;
}
