// Local search for boxes, in memory of the caller's: see obb_refine.c.

#pragma once

#include "fit/rectangle.h"

/// Turns a frame until neither a small turn nor a turn about one of its axes makes the box of the points less.
/// @param work  room for 2 * count + 1
/// @param axis  the frame to start from and the result, never worse
/// @return the box's cost
bvb_box_cost bvb_refine_frame( const bv_vec3* points, uint32_t count, bvb_vec2* work,
                               bvb_box_objective objective, bv_vec3 axis[3] );
