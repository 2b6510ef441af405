// Convex cells: what planes leave of a box. Where a corner of a cell is inside the shape it is a corner of
// what the cell holds of it, although it is on no triangle.

#pragma once

#include "bvbuild/base.h"
#include "runtime/convex/clip.h"

/// The plane dot( normal, x ) = offset.
typedef struct bvdecomp_plane
{
	bv_vec3 normal; ///< unit
	double offset;  ///< along it
} bvdecomp_plane;

/// Makes an axis-aligned box a cell.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_polytope_of_box( bv_vec3 low, bv_vec3 high, bvb_arena* arena, bvconvex_polytope* out );

/// Cuts a cell in two.
/// @param below_arena, above_arena  where the results live; may be one
/// @param below, above  receive what is on either side
/// @param parted        receives whether that worked: false when the plane misses the cell, or meets it so
///                      that rounding decides
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_polytope_cut( const bvconvex_polytope* cell, const bvdecomp_plane* plane,
                                 bvb_arena* below_arena, bvb_arena* above_arena, bvconvex_polytope* below,
                                 bvconvex_polytope* above, bool* parted );

/// @return the mean of a cell's corners
bv_vec3 bvdecomp_polytope_middle( const bvconvex_polytope* cell );

/// A point of a cell next to one of its corners: where that is on the surface, it tells the side.
/// @param way  how far from the corner
bv_vec3 bvdecomp_polytope_beside( const bvconvex_polytope* cell, uint32_t corner, double way );
