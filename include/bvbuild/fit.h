// Bounding volumes fitted to points. Every result is what the file's stored form decodes to, binary32
// numbers, and encloses every point exactly, not up to rounding.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The least axis-aligned box.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE
bv_aabb bvb_fit_aabb( const bv_vec3* points, uint32_t count );

/// The least enclosing ball: Welzl 1991 with the move-to-front rule and the farthest point next (Gaertner
/// 1999), then rounded outwards.
/// @param points   at least one, coordinates up to BVB_MAX_COORDINATE; a hull's corners give the same
///                 ball as all points
/// @param scratch  for a reordered copy of the points
/// @return bv_ok; bv_error_argument when count is 0; bv_error_memory
bv_status bvb_fit_sphere( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_sphere* out );

/// The box along the principal axes of the hull's surface (closed-form covariance over its triangles,
/// Gottschalk 1996). Flat, straight and single-point hulls give boxes with one, two or three extents near
/// zero.
/// @param points  what `hull` was computed from; all of them are enclosed
void bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bv_obb* out );

#ifdef __cplusplus
}
#endif
