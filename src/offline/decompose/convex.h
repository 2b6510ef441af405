// Is the shape convex? Then its hull is all there is to it, and how far that stands off is known without a
// search.

#pragma once

#include "offline/decompose/polytope.h"
#include "offline/decompose/shape.h"

/// A shape that is next to convex.
typedef struct bvdecomp_convex
{
	/// how far a point of its hull can be from it, mesh units; infinite when it is not solid or not next to
	/// convex, and then there is no hull
	double bound;

	bvb_hull_polygons hull; ///< in the unit frame
} bvdecomp_convex;

/// Finds out whether a shape is next to convex.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_convex( const bvdecomp_shape* shape, bvb_arena* arena, bvdecomp_convex* out,
                                bvb_error* error );

/// How far a part is outside of a shape that is next to convex.
/// @param part  encloses the shape, or a piece that was cut off it
bv_interval bvdecomp_measure_convex( const bvdecomp_shape* shape, const bvdecomp_convex* convex,
                                     const bvb_part* part );
