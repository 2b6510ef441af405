// Hulls of computed corners, which are not input points.

#pragma once

#include "bvbuild/hull.h"

/// As bvb_hull_compute, but corners that are within rounding of each other are one, and those within rounding
/// of a plane through others may be left out. What is nearly flat comes as a polygon.
bv_status bvhull_compute_merged( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                                 bvb_error* error );
