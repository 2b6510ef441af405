// Values of animated properties between keys, and bounds of how fast they change. Private to this folder.

#pragma once

#include "formats/gltf/animation.h"

/// Bounds of the absolute values of a number, of its first and of its second derivative by time, while time passes
/// through an interval.
typedef struct bvgltf_rates
{
	double bound[3]; ///< by the order of the derivative
} bvgltf_rates;

/// Finds the interval between keys that a time is in.
/// @return number of keys whose time is at most `time`: 0 before the first key, and `keys` from the last key on
uint32_t bvgltf_track_interval( const bvgltf_track* track, double time );

/// Evaluates a track. At the ends of an interval the value is the limit from inside.
/// @param interval  of the track, as bvgltf_track_interval counts them
/// @param time      in the interval, or one of its ends
/// @param out       receives the numbers of a value; rotations become unit quaternions
void bvgltf_track_value( const bvgltf_track* track, uint32_t interval, double time, double* out );

/// Bounds the numbers of a value, except for rotations.
/// @param from  start of a part of the interval
/// @param to    its end
/// @param out   receives bounds of each number
void bvgltf_track_rates( const bvgltf_track* track, uint32_t interval, double from, double to,
                         bvgltf_rates* out );

/// Bounds the operator norms of the derivatives of a rotation's matrix.
/// @param track  of a rotation
/// @return false if no bound was found because a cubic spline is near zero: for a shorter part there may be one
bool bvgltf_track_turning( const bvgltf_track* track, uint32_t interval, double from, double to,
                           bvgltf_rates* out );
