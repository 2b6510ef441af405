// The first contact of two moving convex shapes, and what all sweeps have in common. See bv/motion.h.

#include "runtime/motion/sweep.h"

#include "runtime/math/matrix.h"
#include "runtime/math/range.h"
#include "runtime/motion/motion.h"

#include <math.h>

enum
{
	usual_samples = 33,
	most_samples = 1 << 20,
};

bv_sweep_options bv_sweep_options_default( void )
{
	return ( bv_sweep_options ){ 0 };
}

bool bvmotion_sweep_options( const bv_sweep_options* options, bv_sweep_options* out )
{
	*out = options ? *options : bv_sweep_options_default();
	double limit = out->limit > 0 ? out->limit : 1;
	if ( (unsigned)out->mode >= bv_sweep_modes || !( out->limit >= 0 && out->limit <= 1 ) ||
	     !( out->from >= 0 && out->from <= limit ) || !( out->tolerance >= 0 && out->tolerance <= 1 ) ||
	     !bvmath_is_length( out->separation ) || out->samples == 1 || out->samples > most_samples ||
	     ( out->mode == bv_sweep_mode_mixed && out->separation > 0 ) ||
	     ( out->scratch &&
	       ( (uintptr_t)out->scratch % 8 != 0 || out->scratch_bytes < BV_SWEEP_SCRATCH_LEAST ) ) )
	{
		return false;
	}
	out->limit = limit;
	out->tolerance = out->tolerance > 0 ? out->tolerance : 1e-6;
	out->samples = out->samples > 0 ? out->samples : usual_samples;
	return true;
}

// A contact at the end counts as one at the begin, and what happens between samples is not known.
bv_status bvmotion_look( const bv_sweep_options* asked, bvmotion_window* window, void* context,
                         bvmotion_contact* contact )
{
	double from = asked->from;
	double end = asked->limit;
	if ( asked->mode == bv_sweep_mode_dynamic )
	{
		return window( context, from, end, contact );
	}
	uint32_t last = asked->mode == bv_sweep_mode_end     ? 0
	                : asked->mode == bv_sweep_mode_mixed ? 1
	                                                     : asked->samples - 1;
	uint32_t steps = 0;
	double before = from;
	for ( uint32_t i = 0; i <= last; ++i )
	{
		double time = i < last ? from + ( end - from ) * ( (double)i / last ) : end;
		bv_status status = window( context, time, time, contact );
		steps = contact->steps += steps;
		if ( status != bv_ok || contact->found )
		{
			contact->lower = before;
			contact->upper = contact->certain ? time : INFINITY;
			contact->certain = contact->certain && time == from;
			return status;
		}
		if ( contact->ended )
		{
			break;
		}
		before = time;
	}
	contact->lower = before;
	contact->certain = false;
	return bv_ok;
}

bv_status bvmotion_set_contact( const bv_motion* motion, double from, const bvmotion_contact* contact,
                                bv_sweep_result* out )
{
	bv_transform placed;
	out->found = contact->found;
	out->certain = contact->certain;
	out->complete = true;
	out->lower = contact->lower;
	out->upper = contact->found ? contact->upper : INFINITY;
	bv_status status = contact->found ? bv_motion_at( motion, contact->at, &placed ) : bv_ok;
	if ( status == bv_ok && contact->found )
	{
		out->at_start = contact->at == from && contact->lower == from;
		out->normal = bv_transform_direction( &placed, contact->normal );
		for ( int i = 0; i < 2; ++i )
		{
			out->point[i] = bv_transform_point( &placed, contact->point[i] );
		}
	}
	return status;
}

static bv_status look_at_pair( void* context, double from, double to, bvmotion_contact* out )
{
	bvmotion_shapes* pair = context;
	pair->from = from;
	pair->to = to;
	pair->proof = to;
	return bvmotion_advance( pair, out );
}

bv_status bv_sweep_convexes( const bv_convex* a, const bv_motion* motion_a, const bv_convex* b,
                             const bv_motion* motion_b, const bv_sweep_options* options,
                             bv_sweep_result* result )
{
	bv_sweep_options asked;
	bvmotion_shapes pair = { .shape = { a, b }, .motion = { motion_a, motion_b } };
	if ( !result || !bvmotion_sweep_options( options, &asked ) || !bv_motion_is_valid( motion_a ) ||
	     !bv_motion_is_valid( motion_b ) || !a || !b )
	{
		return bv_error_argument;
	}
	if ( a->kind == bv_convex_of_half_space || b->kind == bv_convex_of_half_space ||
	     asked.mode == bv_sweep_mode_mixed )
	{
		return bv_error_unsupported;
	}
	if ( !bvmotion_ball_of( a, &pair.ball[0] ) || !bvmotion_ball_of( b, &pair.ball[1] ) )
	{
		return bv_error_argument;
	}
	pair.separation = asked.separation;
	pair.width = asked.tolerance;
	bvmotion_contact contact;
	bv_sweep_result out = { .found = false };
	bv_status status = bvmotion_look( &asked, look_at_pair, &pair, &contact );
	status = status == bv_ok ? bvmotion_set_contact( motion_a, asked.from, &contact, &out ) : status;
	if ( status == bv_ok )
	{
		out.steps = contact.steps;
		*result = out;
	}
	return status;
}
