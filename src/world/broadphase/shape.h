// A convex shape that a query compares with boxes of objects. See bvworld/queries.h.

#pragma once

#include "bv/convex.h"

/// The shape of a query.
typedef struct bvwphase_shape
{
	const bv_convex* convex;
	const bv_transform* placement; ///< null for the identity
	bv_vec3 motion;                ///< until time 1
	bv_aabb reach;                 ///< it is in this box until then
} bvwphase_shape;

/// Finds the box of a shape, rounded outward.
/// @return bv_ok; bv_error_argument if the shape or the transform is invalid, or the shape a half-space
bv_status bvwphase_shape_box( const bv_convex* convex, const bv_transform* placement, bv_aabb* out );

/// @param box   touches shape->reach
/// @param time  when the shape meets it, if so
/// @return whether the shape meets a box until time 1, as bv_convex_cast says; without motion, whether it touches it
bool bvwphase_shape_meets( const bvwphase_shape* shape, const bv_aabb* box, bv_interval* time );
