// What queries of moving objects need of motions. See kinds.h for what a motion is.

#pragma once

#include "runtime/motion/kinds.h"

/// A motion between two times, which contain a third one, the reference.
typedef struct bvmotion_span
{
	bv_transform at;      ///< the computed pose at the time of reference
	bvmotion_bound bound; ///< of displacements from it
} bvmotion_span;

/// @param motion               valid
/// @param from, to, reference  0 <= from <= reference <= to <= 1
/// @return bv_ok; bv_error_argument if a callback returned a pose that is not rigid or out of range
bv_status bvmotion_span_begin( const bv_motion* motion, double from, double to, double reference,
                               bvmotion_span* out );

/// @return an upper bound, over all times of the span, of the distance between each point of a ball and where `at`,
///         applied exactly, takes that point
static inline double bvmotion_span_reach( const bvmotion_span* span, bv_vec3 center, double radius )
{
	return bvmotion_bound_of_ball( &span->bound, center, radius );
}

/// Bounds speeds, see bv_motion_speed.
/// @param motion  valid
/// @return as bvmotion_span_begin
bv_status bvmotion_speed_begin( const bv_motion* motion, double from, double to, bvmotion_bound* out );

/// @param motion  valid
/// @param until   until when the bounds have to hold. Becomes earlier if a part of a sequence ends before
void bvmotion_rates_at( const bv_motion* motion, double time, double* until, bvmotion_rates* out );
