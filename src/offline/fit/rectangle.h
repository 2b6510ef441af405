// Least rectangles, in memory of the caller's.

#pragma once

#include "offline/base/exact.h"
#include "offline/fit/obb_method.h"

/// A rectangle that encloses points of a plane; where it lies follows from them.
typedef struct bvfit_rectangle
{
	bvbase_vec2 side; ///< unit direction of its first side
	double size[2];   ///< lengths along the first side and at right angles to it
} bvfit_rectangle;

/// The hull of points in a plane.
/// @param at     at least one point; on return they are sorted
/// @param chain  room for count + 1; receives the hull's corners, counter-clockwise
/// @return how many there are
uint32_t bvfit_convex_ring( bvbase_vec2* at, uint32_t count, bvbase_vec2* chain );

/// Turns a frame about its third axis so that the box of the points becomes the best there is.
/// @param work  room for 2 * count + 1
/// @param axis  axis[2] is kept; axis[0] and axis[1] are only written
/// @return the box's cost
bvfit_box_cost bvfit_rectangle_turn( const bv_vec3* points, uint32_t count, bvbase_vec2* work,
                                     bvb_box_objective objective, bv_vec3 axis[3] );
