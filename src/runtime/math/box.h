// Axis-aligned boxes in binary64, exact. For the smallest box with binary32 coordinates see bvb_fit_aabb.

#pragma once

#include "bv/shape.h"
#include "runtime/math/vec.h"

/// @param count  at least 1
/// @return the least box around points
static inline bv_aabb bvmath_box_of_points( const bv_vec3* points, uint32_t count )
{
	bv_aabb box = { points[0], points[0] };
	for ( uint32_t i = 1; i < count; ++i )
	{
		box.lower = bvmath_least( box.lower, points[i] );
		box.upper = bvmath_greatest( box.upper, points[i] );
	}
	return box;
}

/// Touching is meeting.
static inline bool bvmath_boxes_meet( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && a->lower.y <= b->upper.y && a->lower.z <= b->upper.z &&
	       b->lower.x <= a->upper.x && b->lower.y <= a->upper.y && b->lower.z <= a->upper.z;
}
