// Distances of two triangles, of a triangle and a convex hull, and of two boxes by looking at every pair of features in
// arithmetic of 113 bits.
//
// Shares nothing with src. Disjoint convex polytopes are nearest to each other at a corner and a face or at two sides; others
// have a side of one that meets a face of the other, or one is in the other.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @return the distance; 0 exactly where a side of one meets the other
double gap_of_triangles( const bv_vec3 a[3], const bv_vec3 b[3] );

/// @return the distance of the convex hull of some points and a triangle, by all triangles and, for points inside, all tetrahedra
///         that the points are corners of
double gap_of_hull( const bv_vec3* points, uint32_t count, const bv_vec3 triangle[3] );

#ifdef __cplusplus
}
#endif
