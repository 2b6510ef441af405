// Polyhedra by qhull.

#pragma once

#include "bvbuild/hull.h"

/// Computes the hull of points that are not all in one plane.
/// @param point    coordinates of about 1, so that qhull's absolute constants do no harm
/// @param scratch  memory for the work; qhull takes its own besides
/// @param arena    vertices and faces of the result live here
/// @param out      receives all but the kind; was zeroed by the caller; volume and area in units of the
///                 points
/// @return bv_ok; bv_error_memory; bv_error_limit when the points are too nearly flat for a closed polyhedron
bv_status bvb_hull_polyhedron( const bv_vec3* point, uint32_t count, bvb_arena* scratch, bvb_arena* arena,
                               bvb_hull* out );
