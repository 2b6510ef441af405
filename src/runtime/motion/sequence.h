// Motions that follow each other. See bv_motion_sequence.

#pragma once

#include "runtime/motion/motion.h"

/// @return whether there are parts, their times ascend to 1, and each part is valid, with the same scale and reflection
bool bvmotion_sequence_is_valid( const bv_motion* motion );

/// The part of a motion at a time.
typedef struct bvmotion_part
{
	const bv_motion* motion; ///< no sequence
	double time;             ///< its own, 0 to 1
	double rate;             ///< of its own time per unit of the whole motion's
	double end;              ///< when it ends; 1 for the last one
} bvmotion_part;

/// @param motion  valid, of any kind
/// @return the part that begins at that time or before and ends after it, or the last one
bvmotion_part bvmotion_part_at( const bv_motion* motion, double time );

/// @param motion  valid, of any kind
/// @return whether a part begins after one time, and not after another one
bool bvmotion_has_joint( const bv_motion* motion, double after, double until );

/// @param motion  valid, as for all functions below
bv_status bvmotion_sequence_at( const bv_motion* motion, double time, bv_transform* out );

/// As bvmotion_span_begin.
bv_status bvmotion_sequence_span( const bv_motion* motion, double from, double to, double reference,
                                  bvmotion_span* out );

/// As bvmotion_speed_begin.
bv_status bvmotion_sequence_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out );
