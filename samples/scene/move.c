// How objects move: along keys, or at constant velocity and spin. What an object does after a contact.

#include "scene.h"

#include <math.h>

// The time of keys at a time of the clock.
static double time_of_keys( const object* o, double clock )
{
	double end = o->keys[o->key_count - 1].time;
	if ( end == 0 || o->repeat == repeat_once )
	{
		return fmin( fmax( clock, 0 ), end );
	}
	double period = o->repeat == repeat_swing ? 2 * end : end;
	double time = fmod( clock, period );
	time = time < 0 ? time + period : time;
	return fmin( time > end ? period - time : time, end );
}

static bv_transform at_key_time( const object* o, double time )
{
	uint32_t i = 0;
	while ( i + 2 < o->key_count && o->keys[i + 1].time <= time )
	{
		++i;
	}
	bv_transform out = o->keys[i].at;
	bv_motion motion;
	if ( i + 1 < o->key_count &&
	     bv_motion_slerp( &o->keys[i].at, &o->keys[i + 1].at, o->pivot, &motion ) == bv_ok )
	{
		double span = o->keys[i + 1].time - o->keys[i].time;
		bv_motion_at( &motion, fmin( 1, ( time - o->keys[i].time ) / span ), &out );
	}
	return out;
}

bv_transform object_after( const object* o, double seconds )
{
	seconds *= o->direction;
	if ( o->keys )
	{
		return at_key_time( o, time_of_keys( o, o->clock + seconds ) );
	}
	bv_transform out = o->at;
	bv_quaternion turn;
	if ( o->spin != 0 && bv_quaternion_from_axis_angle( o->spin_axis, o->spin * seconds, &turn ) == bv_ok )
	{
		bv_vec3 pivot = bv_transform_point( &o->at, o->pivot );
		bv_quaternion q = bv_quaternion_multiply( turn, bv_transform_to_quaternion( &o->at ) );
		bv_vec3 from_pivot = bv_sub( o->at.pose.translation, pivot );
		bv_vec3 position = bv_add( pivot, bv_quaternion_rotate( turn, from_pivot ) );
		bv_transform_from_quaternion( q, position, &out );
		out.scale = o->at.scale;
		out.mirror = o->at.mirror;
	}
	out.pose.translation = bv_add( out.pose.translation, bv_scale( seconds, o->velocity ) );
	return out;
}

void object_advance( object* o, double seconds )
{
	o->at = object_after( o, seconds );
	o->clock += o->direction * seconds;
	if ( o->keys && o->repeat == repeat_once )
	{
		o->clock = time_of_keys( o, o->clock );
	}
}

void object_answer( object* o, const bv_transform* in_world, bv_vec3 point, bv_vec3 away )
{
	if ( o->reply == reply_turn )
	{
		o->direction = -o->direction;
	}
	if ( o->reply != reply_bounce )
	{
		return;
	}
	double toward = -bv_dot( o->velocity, away );
	if ( toward > 0 )
	{
		o->velocity = bv_add( o->velocity, bv_scale( 2 * toward, away ) );
	}
	bv_vec3 arm = bv_sub( point, bv_transform_point( in_world, o->pivot ) );
	if ( o->spin * bv_dot( bv_cross( o->spin_axis, arm ), away ) < 0 )
	{
		o->spin = -o->spin;
	}
}
