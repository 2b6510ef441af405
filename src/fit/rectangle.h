// Least rectangles, in memory of the caller's.

#pragma once

#include "base/offline/exact.h"
#include "fit/obb_method.h"

/// A rectangle that encloses points of a plane; where it lies follows from them.
typedef struct bvb_rectangle
{
	bvb_vec2 side;  ///< unit direction of its first side
	double size[2]; ///< lengths along the first side and at right angles to it
} bvb_rectangle;

/// The hull of points in a plane.
/// @param at     at least one point; on return they are sorted
/// @param chain  room for count + 1; receives the hull's corners, counter-clockwise
/// @return how many there are
uint32_t bvb_convex_ring( bvb_vec2* at, uint32_t count, bvb_vec2* chain );

/// The best rectangle with a side on an edge of the points' hull, which is the least one in area.
/// @param at      at least one point; on return they are sorted
/// @param work    room for count + 1 more
/// @param height  a box of this height over the rectangle is what the objective is asked of
bvb_rectangle bvb_rectangle_fit( bvb_vec2* at, uint32_t count, bvb_vec2* work, double height,
                                 bvb_box_objective objective );

/// Turns a frame about its third axis so that the box of the points becomes the best there is.
/// @param work  room for 2 * count + 1
/// @param axis  axis[2] is kept; axis[0] and axis[1] are only written
/// @return the box's cost
bvb_box_cost bvb_rectangle_turn( const bv_vec3* points, uint32_t count, bvb_vec2* work,
                                 bvb_box_objective objective, bv_vec3 axis[3] );
