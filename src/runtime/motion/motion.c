// Motions: poses at a time, and bounds of displacements and speeds. See bv/motion.h, and kinds.h for the kinds.

#include "runtime/motion/motion.h"

#include "runtime/math/range.h"
#include "runtime/motion/sequence.h"

#include <math.h>

static bool scale_is_valid( double scale )
{
	return scale == 0 || ( scale >= 0x1p-100 && scale <= 0x1p100 );
}

bool bv_motion_is_valid( const bv_motion* motion )
{
	if ( !motion || !scale_is_valid( motion->scale ) )
	{
		return false;
	}
	const bvmotion_kind* kind = bvmotion_kind_of( motion->kind );
	return motion->kind == bv_motion_of_sequence ? bvmotion_sequence_is_valid( motion )
	                                             : kind && kind->is_valid( motion );
}

bv_status bv_motion_at( const bv_motion* motion, double time, bv_transform* out )
{
	if ( !out || !( time >= 0 && time <= 1 ) || !bv_motion_is_valid( motion ) )
	{
		return bv_error_argument;
	}
	bv_transform at;
	bv_status status = motion->kind == bv_motion_of_sequence
	                       ? bvmotion_sequence_at( motion, time, &at )
	                       : bvmotion_kind_of( motion->kind )->at( motion, time, &at );
	*out = status == bv_ok ? at : *out;
	return status;
}

bv_status bvmotion_span_begin( const bv_motion* motion, double from, double to, double reference,
                               bvmotion_span* out )
{
	if ( motion->kind == bv_motion_of_sequence )
	{
		return bvmotion_sequence_span( motion, from, to, reference, out );
	}
	const bvmotion_kind* kind = bvmotion_kind_of( motion->kind );
	bv_status status = kind->at( motion, reference, &out->at );
	if ( status == bv_ok )
	{
		kind->reach( motion, from, to, reference, &out->at, &out->bound );
	}
	return status;
}

bv_status bvmotion_speed_begin( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	if ( motion->kind == bv_motion_of_sequence )
	{
		return bvmotion_sequence_speed( motion, from, to, out );
	}
	bvmotion_kind_of( motion->kind )->speed( motion, from, to, out );
	return bv_ok;
}

// What does not move does not in a part that is too short for its rate to be finite, either.
static double times( double rate, double x )
{
	return x == 0 ? 0 : rate * x;
}

static bv_vec3 times3( double rate, bv_vec3 v )
{
	return bv_vec3_make( times( rate, v.x ), times( rate, v.y ), times( rate, v.z ) );
}

void bvmotion_rates_at( const bv_motion* motion, double time, double* until, bvmotion_rates* out )
{
	bvmotion_part part = bvmotion_part_at( motion, time );
	double rate = part.rate;
	*until = bvmath_min( *until, part.end );
	*out = ( bvmotion_rates ){ .speed = 0 };
	bvmotion_kind_of( part.motion->kind )->rates( part.motion, part.time, out );
	out->velocity = times3( rate, out->velocity );
	out->spin = times3( rate, out->spin );
	out->speed = times( rate, out->speed );
	out->turn = times( rate, out->turn );
	out->bend = times( rate, times( rate, out->bend ) );
	out->curl = times( rate, times( rate, out->curl ) );
}

static bool ball_is_valid( const bv_sphere* ball )
{
	return ball && bvmath_is_in_range( ball->center ) && bvmath_is_length( ball->radius );
}

bv_status bv_motion_reach( const bv_motion* motion, double from, double to, double reference,
                           const bv_sphere* ball, double* reach )
{
	if ( !reach || !( from >= 0 && from <= reference && reference <= to && to <= 1 ) ||
	     !ball_is_valid( ball ) || !bv_motion_is_valid( motion ) )
	{
		return bv_error_argument;
	}
	bvmotion_span span;
	bv_status status = bvmotion_span_begin( motion, from, to, reference, &span );
	*reach = status == bv_ok ? bvmotion_span_reach( &span, ball->center, ball->radius ) : *reach;
	return status;
}

bv_status bv_motion_speed( const bv_motion* motion, double from, double to, const bv_sphere* ball,
                           double* speed )
{
	if ( !speed || !( from >= 0 && from <= to && to <= 1 ) || !ball_is_valid( ball ) ||
	     !bv_motion_is_valid( motion ) )
	{
		return bv_error_argument;
	}
	bvmotion_bound bound;
	bv_status status = bvmotion_speed_begin( motion, from, to, &bound );
	*speed = status == bv_ok ? bvmotion_bound_of_ball( &bound, ball->center, ball->radius ) : *speed;
	return status;
}
