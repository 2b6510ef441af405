// Pairs of convex polytopes that rest on each other, by index.
//
// Below the plane z = 0 is a shape a whose upper side is a polygon, an edge or a corner; above it a shape b whose lower side is one.
// The lower sides are those of hulls of 3 to 64 corners, boxes, prisms, needles, and shapes that are flat. Shape b is turned
// about the vertical, moved sideways, not at all or by multiples of 1/8, tilted by 0, 1e-9 to 1e-3 or more, and moved by a gap, apart or
// into the other. Then both are rotated and moved, every fourth pair 1e6 from the origin; every eighth pair remains as it is.

#pragma once

#include "bv/shape.h"

enum
{
	convex_rest_corners = 64, ///< of a shape, at most
};

/// A pair of shapes. The shapes point into it.
typedef struct convex_rest
{
	bv_convex shape[2];
	bv_transform placement; ///< of b; the identity if b is given in coordinates of a
	double gap;             ///< by which b was moved up
	double tilt;            ///< radians
	double size;            ///< of what it was made from, roughly
	bool is_far;            ///< from the origin
	bv_vec3 points[2][convex_rest_corners];
} convex_rest;

/// Makes the pair of an index.
void convex_rest_make( uint64_t index, convex_rest* out );
