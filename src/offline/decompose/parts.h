// What parts are made of once the search is over: hulls with few corners, certified distances, neighbors, a
// hierarchy.

#pragma once

#include "offline/decompose/clip.h"

/// Makes one part: the hull of its points, thick enough and with few enough corners, and its mass. Neighbors
/// and hierarchy are still missing, and the upper end of its concavity is infinite.
/// @param points  at least one; any dimension
/// @param hurry   the hull is replaced by its box, because there is no time left
/// @param excess  receives how far it is outside of the hull of its points at most, thickened if necessary,
///                for having few corners
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_make_part( const bvdecomp_part_points* points, const bvdecomp_shape* shape,
                              const bvb_decompose_options* options, bool hurry, bvb_arena* arena,
                              bvb_part* out, double* excess, bvb_error* error );

/// How far a point that the part is to enclose can be from it, for rounding: qhull leaves points outside by
/// some 1e-11 of their size.
double bvdecomp_part_uncovered( const bvb_part* part, const bvdecomp_part_points* points );

/// Certifies how far parts and their whole are outside of the shape: the whole to a twelfth, or to less than
/// any use for it, each part to a half of itself, or to half of the whole, or to the tolerance where that is
/// less. What is known of a part already counts.
/// @param first      the part that is thought to be farthest
/// @param tolerance  mesh units; 0 for none
/// @param known      what is known of the parts before
/// @param schedule   what is measured when there is no time left is measured roughly
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_certify_parts( const bvdecomp_shape* shape, uint32_t first, double tolerance,
                                  const bvdecomp_outlook* known, bvdecomp_schedule* schedule, int team,
                                  bvb_arena* arena, bvb_decomposition* out, bvb_error* error );

/// Puts parts into the order of a hierarchy, and makes that.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_arrange_parts( bvb_arena* arena, bvb_decomposition* out );

/// Finds the neighbors of all parts.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_neighbors( bvb_arena* arena, bvb_decomposition* out );
