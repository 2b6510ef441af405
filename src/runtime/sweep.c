// A moving point or box against volumes. See sweep.h.

#include "runtime/sweep.h"

#include "base/core/overlap.h"

static bool meets( const bv_sweep* s, const bv_volume* volume, double* order )
{
	bv_bound bound;
	double time[2] = { s->from, s->to };
	bv_bound_of( volume, &bound );
	bool met = bv_bound_sweep( &bound, &s->mover, s->motion, time );
	*order = time[0] * s->unit - s->base;
	return met;
}

bool bv_sweep_volume( bv_sweep* s, const bv_volume* volume, double* order )
{
	s->volume_tests += 1;
	return meets( s, volume, order );
}

void bv_sweep_until( bv_sweep* s, double to )
{
	// A little more than it is, for what orders are rounded by. Without motion all times are the same.
	double end = to * s->unit;
	double limit = ( end - s->base ) + 0x1p-48 * ( fabs( end ) + fabs( s->base ) );
	s->to = to;
	s->limit = s->inverse_square > 0 ? limit : 0;
	s->ray.to = bv_time_up( s->limit );
}

// The place of the mover that is nearest to a point.
// @param offset  from the point to the mover at time 0
// @return its scaled time, not negative
static double nearest_to( const bv_sweep* s, const double offset[3] )
{
	double way = ( offset[0] * s->scaled[0] + offset[1] * s->scaled[1] ) + offset[2] * s->scaled[2];
	return bv_max( -way * s->inverse_square, 0 );
}

// @param at      the scaled time of the place where the mover begins
// @param offset  from the origin of a grid to the mover at time 0
// @return the sum of the coordinates of that place, relative to the grid
static double set_origin( const bv_sweep* s, double at, const double offset[3], bv_lane_ray* ray )
{
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double o = offset[i] + at * s->scaled[i];
		ray->origin[i] = (float)o;
		size += fabs( o );
	}
	return size;
}

// 64 u of all magnitudes (lanes_rays.h), and what comes from the mover itself.
static float slack_of( const bv_sweep* s, double size )
{
	return (float)( 0x1p-18 * size + s->far_slack ) * ( 1 + 0x1p-22f );
}

static bv_lane_ray near_ray( const bv_sweep* s, const bv_node_frame* frame )
{
	const double origin[3] = { s->mover.center.x, s->mover.center.y, s->mover.center.z };
	double offset[3];
	double middle[3];
	for ( int i = 0; i < 3; ++i )
	{
		offset[i] = origin[i] - frame->origin[i];
		middle[i] = offset[i] - bv_code_range / 2 * frame->step[i];
	}
	double at = nearest_to( s, middle );
	bv_lane_ray ray = s->ray;
	double size = set_origin( s, at, offset, &ray );
	ray.step = 0;
	ray.least_size = 0;
	ray.slack = slack_of( s, size );
	ray.from = bv_time_down( s->from * s->unit - at );
	ray.to = bv_time_up( ( s->limit - ( at - s->base ) ) + 0x1p-48 * fabs( at ) );
	ray.base = at - s->base;
	return ray;
}

static bv_waiting* visit_each( const bv_sweep* s, const bv_packed_node* node, const bv_group* group,
                               const bv_node_frame* frame, bv_waiting* bottom, bv_waiting* top )
{
	bv_child_sums sums = bv_child_sums_of( node );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		double order;
		bv_lane_unpack( group, i, frame, &volume );
		if ( meets( s, &volume, &order ) )
		{
			top = bv_push_child( &sums, group->first + i, order, bottom, top );
		}
	}
	return top;
}

bv_waiting* bv_sweep_small_node( const bv_sweep* s, const bv_packed_node* node, const bv_group* group,
                                 bool is_obb, bv_waiting* bottom, bv_waiting* top )
{
	bv_node_frame frame = bv_node_frame_of( node, s->grid );
	bv_lane_ray ray = near_ray( s, &frame );
	bv_waiting* next = bv_sweep_boxes( s, node, group, is_obb, &ray, bottom, top );
	bv_group all = bv_group_first( node );
	return next ? next : visit_each( s, node, group ? group : &all, &frame, bottom, top );
}

// While the mover meets a box it is as far from its center as its own extents allow, so 64 u of these come
// on top of what a point has. Axes in binary32 turn the box by less than 2^-22, and its half extents are
// off by 2^-24 of themselves: less than 2^-21 of the extents (bv_move_box), less than that again. A mover
// that is enlarged by its radius in all directions is enlarged along each axis.
static double set_box( bv_sweep* s )
{
	const bv_rounded* mover = &s->mover;
	double extent = bv_rounded_extent( mover );
	s->is_point = !( extent > mover->radius );
	if ( s->is_point )
	{
		return mover->radius * ( 1 + 0x1p-18 ) + mover->slack;
	}
	for ( int i = 0; i < 3; ++i )
	{
		s->box.half[i] = (float)mover->half_extents[i];
		s->box.axis[i][0] = (float)mover->axis[i].x;
		s->box.axis[i][1] = (float)mover->axis[i].y;
		s->box.axis[i][2] = (float)mover->axis[i].z;
	}
	return mover->radius + mover->slack + 0x1p-17 * extent;
}

void bv_sweep_begin( bv_sweep* s )
{
	static const double codes = 0x1p16; // more than the codes of a node's origin
	const bv_node_grid* grid = s->grid;
	const double origin[3] = { s->mover.center.x, s->mover.center.y, s->mover.center.z };
	const bv_vec3 m = s->motion;
	int exponent = bv_exponent_above( bv_max( fabs( m.x ), bv_max( fabs( m.y ), fabs( m.z ) ) ) );
	double inverse_unit = bv_power_of_two( -exponent );
	double square = 0;
	double offset[3];
	double middle[3];
	double away = 0;
	s->unit = bv_power_of_two( exponent );
	for ( int i = 0; i < 3; ++i )
	{
		s->scaled[i] = bv_component( s->motion, i ) * inverse_unit;
		s->ray.direction[i] = (float)s->scaled[i];
		square += s->scaled[i] * s->scaled[i];
		offset[i] = origin[i] - grid->origin[i];
		middle[i] = offset[i] - codes / 2 * grid->step;
		away += fabs( grid->origin[i] );
	}
	s->inverse_square = square > 0 ? 1 / square : 0;
	s->base = nearest_to( s, middle );
	double size = set_origin( s, s->base, offset, &s->ray ) + 3 * codes * grid->step;
	s->far_slack = 4 * BV_OVERLAP_ROUNDING * ( bv_norm1( s->mover.center ) + ( away + size ) ) +
	               set_box( s ) * ( 1 + 0x1p-20 );
	// A motion of denormal numbers is not scaled to 0.5 or more, which lanes rely on. It takes no mover far.
	s->far_slack = square >= 0.25 || square == 0 ? s->far_slack : INFINITY;
	s->ray.slack = slack_of( s, size );
	s->ray.step = (float)grid->step;
	s->ray.least_size = (float)( size / 64 );
	s->ray.base = 0;
	s->ray.from = bv_time_down( s->from * s->unit - s->base );
	s->volume_tests = 0;
}
