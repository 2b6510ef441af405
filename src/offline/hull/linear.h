// Linear programs in three variables.

#pragma once

#include "bv/base.h"

/// The points x with dot( normal, x ) >= least.
typedef struct bvhull_constraint
{
	bv_vec3 normal; ///< unit
	double least;   ///< lengths of about 1
} bvhull_constraint;

/// Minimizes dot( cost, x ) where all constraints hold, to rounding, and no coordinate is larger than
/// `reach`.
/// @param count  how many
/// @param out    receives a best point
/// @return false when there is none
bool bvhull_solve_linear( bv_vec3 cost, const bvhull_constraint* constraints, uint32_t count, double reach,
                          bv_vec3* out );
