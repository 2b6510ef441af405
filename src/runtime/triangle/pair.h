// Intersection test of two triangles.

#pragma once

#include "bv/base.h"

/// Closed triangles: touching is intersecting. A triangle on a line or on one point is a segment or a point.
///
/// In doubt they intersect: pairs that do not touch, but are closer than about 2^-40 of their size.
/// @param uncertainty  no coordinate of a corner is farther from its true value
/// @return false only if the true triangles are certainly apart, with the rounding of the arithmetic
///         accounted for
bool bvtri_triangles_intersect_within( const bv_vec3 a[3], const bv_vec3 b[3], double uncertainty );

/// The same for corners that are known exactly.
static inline bool bvtri_triangles_intersect( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	return bvtri_triangles_intersect_within( a, b, 0 );
}
