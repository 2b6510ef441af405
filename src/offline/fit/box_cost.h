// What makes one box better than another.

#pragma once

#include "bvbuild/fit.h"

/// What the objective makes of a box's side lengths. Boxes of equal cost are ordered by the next measure, so
/// that flat and straight sets, whose volume is 0, get small boxes too.
typedef struct bvfit_box_cost
{
	double first;  ///< the objective
	double second; ///< area for a volume of 0, else 0
	double third;  ///< length of the diagonal for an area of 0 too, else 0
} bvfit_box_cost;

/// @param length  of the three sides
bvfit_box_cost bvfit_box_cost_of( const double length[3], bvb_box_objective objective );

/// @return whether a box of cost `a` is to be preferred to one of cost `b`
bool bvfit_box_cost_less( bvfit_box_cost a, bvfit_box_cost b );

/// Side lengths of the box of some points in a frame, up to rounding.
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] );
