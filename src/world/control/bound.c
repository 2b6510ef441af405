// A lower bound of the time at which two objects touch, by balls around them. See control.h.
//
// Conservative advancement: the gap of the balls is divided by the sum of bounds of the speeds of their points. It ends when steps
// are short: the search of the pair takes over there.

#include "world/control/control.h"

#include "runtime/math/vec.h"

// A step that is shorter, in time, is not worth its cost.
static const double short_step = 0x1p-6;

enum
{
	most_steps = 16,
};

// The gap of the balls at a time, rounded downward.
static bv_status gap_at( const bvw_control* control, const bvwcontrol_pair* pair, double time, double* gap )
{
	const uint32_t number[2] = { pair->a, pair->b };
	bv_vec3 center[2];
	double size = 0;
	*gap = -control->input.sweep.separation - pair->clearance;
	for ( int i = 0; i < 2; ++i )
	{
		const bvwcontrol_object* o = bvwcontrol_objects( control ) + number[i];
		bv_transform at;
		bv_status status = bv_motion_at( bvwcontrol_motion_of( control, number[i] ), time, &at );
		if ( status != bv_ok )
		{
			return status;
		}
		center[i] = bv_transform_point( &at, o->ball.center );
		double radius = at.scale * o->ball.radius;
		size += bvmath_norm1( center[i] ) + radius + at.scale * bvmath_norm1( o->ball.center );
		*gap -= radius;
	}
	*gap += bv_length( bv_sub( center[0], center[1] ) );
	*gap -= 0x1p-40 * size;
	return bv_ok;
}

static bv_status speed_of( const bvw_control* control, uint32_t number, double from, double* speed )
{
	const bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	return bv_motion_speed( bvwcontrol_motion_of( control, number ), from, 1, &o->ball, speed );
}

double bvwcontrol_bound( const bvw_control* control, const bvwcontrol_pair* pair, double from )
{
	double speed[2];
	if ( speed_of( control, pair->a, from, speed ) != bv_ok ||
	     speed_of( control, pair->b, from, speed + 1 ) != bv_ok )
	{
		return from;
	}
	double sum = ( speed[0] + speed[1] ) * ( 1 + 0x1p-40 );
	double time = from;
	for ( int i = 0; i < most_steps && time < 1; ++i )
	{
		double gap = 0;
		if ( gap_at( control, pair, time, &gap ) != bv_ok || !( gap > 0 ) )
		{
			break;
		}
		double next = time + gap / sum * ( 1 - 0x1p-40 );
		bool is_short = next < time + short_step;
		time = next;
		if ( is_short )
		{
			break;
		}
	}
	return time < 1 ? bvmath_max( from, time - 0x1p-50 ) : 1;
}
