// Orientation and distances of points, with the sign that exact arithmetic gives (Shewchuk 1997, "Adaptive
// precision floating-point arithmetic and fast robust geometric predicates").
//
// Results are exact unless a product of the lowest bits of coordinates underflows. This is excluded for
// coordinates up to 1 in magnitude whose lowest bit is at least 2^-340.

#pragma once

#include "bv/base.h"

/// A point in a plane.
typedef struct bvbase_vec2
{
	double u; ///< first coordinate
	double v; ///< second coordinate
} bvbase_vec2;

/// @return positive when a, b, c run counter-clockwise, negative when clockwise, 0 on a line; only the sign
///         is exact
double bvbase_orient2d( bvbase_vec2 a, bvbase_vec2 b, bvbase_vec2 c );

/// @return positive when d is on the side from which a, b, c run counter-clockwise, negative on the other, 0
///         in their plane; only the sign is exact
double bvbase_orient3d( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d );

/// @return positive when |a - b| is greater than |c - d|, negative when it is less, 0 when they are equal;
///         only the sign is exact
double bvbase_compare_distances( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d );
