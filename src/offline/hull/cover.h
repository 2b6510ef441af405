// Chooses a small number of half-spaces whose intersection encloses a polyhedron closely.

#pragma once

#include "offline/hull/halfspaces.h"

/// Chooses half-spaces that touch the hull. How far a corner of their intersection may be from the hull is
/// what is made small; the distance to a convex set is greatest at a corner.
/// @param hull    coordinates up to 1
/// @param most    how many half-spaces, at least 4
/// @param effort  how often planes are tilted to make it better, times half-spaces; 0 also leaves out some
///                ways to begin
/// @param arena   memory for the work
/// @param spaces  receives at most `most` of them
/// @param count   receives how many; 0 when none were found, because the hull is too flat for binary64
/// @return bv_ok; bv_error_memory
bv_status bvhull_cover( const bvb_hull_polygons* hull, const bvhull_round_frame* frame, uint32_t most,
                        uint32_t effort, bvb_arena* arena, bvhull_half_space* spaces, uint32_t* count );
