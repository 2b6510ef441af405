// Is the shape convex? Then its hull is all there is to it, and how far that stands off is known without a
// search.

#pragma once

#include "offline/decompose/polytope.h"
#include "offline/decompose/shape.h"

/// How far a point of the hull of a solid shape can be from the shape, if that is next to convex.
/// @param bound  receives a bound, mesh units; infinite when the shape is not solid or not next to convex
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_bound_convex( const bvdecomp_shape* shape, bvb_arena* arena, double* bound,
                                 bvb_error* error );

/// How far a part that encloses the hull of such a shape is outside of it.
/// @param bound  from bvdecomp_bound_convex
bv_interval bvdecomp_measure_convex( const bvdecomp_shape* shape, double bound, const bvb_part* part );
