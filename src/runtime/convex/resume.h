// The distance or the depth of two polytopes, from the polytope that the last query of the pair ended with.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/pair.h"

/// Moves the polytope that is stored to where its vertices are now, and expands its lowest face as long as there is a vertex in front
/// of it. The plane of that face is where the difference ends: it proves the depth or, if the origin is beyond it, the distance.
/// @param relative  as for bvconvex_find_distance
/// @param cache     receives the polytope if it is another one; null for none
/// @param out       receives bounds, normal and points of the shapes without their radii
/// @return false, with `out` unchanged, if no polytope of this pair is stored, or if the interval would be wider than the relative
///         width and what rounding allows
bool bvconvex_resume_distance( const bvconvex_pair* pair, double relative, bv_convex_cache* cache,
                               bv_convex_result* out );
