// Neighbors of hull vertices, such that hill climbing always ends at the maximum.

#pragma once

#include "offline/hull/surface.h"

/// Fills in positions, neighbors and loose vertices.
/// @param surface  not changed
/// @param scratch  memory for the work
/// @param arena    the result lives here
/// @return whether there was memory
bool bvhull_connect( const bvhull_surface* surface, const bv_vec3* points, const bvb_hull* hull,
                     bvb_arena* scratch, bvb_arena* arena, bvb_hull_polygons* out );
