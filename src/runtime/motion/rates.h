// How fast an object moves at a time, and by how much that can change until a later time.

#pragma once

#include "bv/motion.h"

/// Velocities at a time, in world coordinates per unit of time, and bounds of what they leave out until a later time.
///
/// The pivot's place at a time t after the first one differs from place + t * velocity by at most
/// t * speed + t^2 / 2 * bend. A vector r fixed to the object differs from r + t * cross( spin, r ) by at most
/// ( t * turn + t^2 / 2 * curl ) * |r|.
typedef struct bvmotion_rates
{
	bv_vec3 pivot;    ///< in object coordinates
	bv_vec3 velocity; ///< of the pivot
	bv_vec3 spin;     ///< angular velocity, radians
	double speed;     ///< of what is not known of the velocity
	double turn;      ///< of what is not known of the spin
	double bend;      ///< acceleration of the pivot
	double curl;      ///< acceleration of a point at the distance 1 from the pivot, relative to it
} bvmotion_rates;

/// @param motion  valid
/// @param until   the end of the interval, which becomes earlier where a part of a sequence ends before
void bvmotion_rates_at( const bv_motion* motion, double time, double* until, bvmotion_rates* out );
