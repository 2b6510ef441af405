// Hulls of points that are not coplanar.

#pragma once

#include "bvbuild/hull.h"
#include "offline/hull/quick.h"

/// Computes the exact hull.
/// @param point    as bvhull_scale_points makes them
/// @param simplex  four that are not in one plane
/// @param scratch  memory for the work
/// @param arena    vertices and faces of the result live here
/// @param out      receives all but the kind; was zeroed by the caller; volume and area in units of the
///                 points
/// @return bv_ok; bv_error_memory; bv_error_internal
bv_status bvhull_polyhedron( const bv_vec3* point, uint32_t count, const uint32_t simplex[4],
                             bvb_arena* scratch, bvb_arena* arena, bvb_hull* out );

/// The same by qhull, to which corners within rounding of each other, and of planes of others, are one.
/// @return bv_ok; bv_error_memory; bv_error_limit when the points are too nearly flat for a closed polyhedron
bv_status bvhull_polyhedron_merged( const bv_vec3* point, uint32_t count, bvb_arena* scratch,
                                    bvb_arena* arena, bvb_hull* out );

/// What is common to both.
/// @param faces  receives numbers of the hull's corners in place of those of the points
/// @return bv_ok; bv_error_memory; bv_error_limit when the faces are no closed surface of the kind of a
///         sphere
bv_status bvhull_from_faces( const bv_vec3* point, uint32_t count, bvhull_faces* faces, bvb_arena* scratch,
                             bvb_arena* arena, bvb_hull* out );
