// Convex cells: what planes leave of a box. Where a corner of a cell is inside the shape it is a corner of what the cell
// holds of it, although it is on no triangle.

#pragma once

#include "bvbuild/base.h"

/// The plane dot( normal, x ) = offset.
typedef struct bvdecomp_plane
{
	bv_vec3 normal; ///< unit
	double offset;  ///< along it
} bvdecomp_plane;

/// A convex polyhedron.
typedef struct bvdecomp_polytope
{
	bv_vec3* corners;      ///< its corners
	uint32_t corner_count; ///< length of corners
	uint32_t* loops;       ///< corners of face after face, in order around each
	uint32_t* first;       ///< where in loops each face begins; face_count + 1 of them
	uint32_t face_count;   ///< faces
} bvdecomp_polytope;

/// Makes an axis-aligned box a cell.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_polytope_of_box( bv_vec3 low, bv_vec3 high, bvb_arena* arena, bvdecomp_polytope* out );

/// Cuts a cell in two.
/// @param below_arena, above_arena  where the results live; may be one
/// @param below, above  receive what is on either side
/// @param parted        receives whether that worked: false when the plane misses the cell, or meets it so that rounding decides
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_polytope_cut( const bvdecomp_polytope* cell, const bvdecomp_plane* plane,
                                 bvb_arena* below_arena, bvb_arena* above_arena, bvdecomp_polytope* below,
                                 bvdecomp_polytope* above, bool* parted );

/// @return the mean of a cell's corners
bv_vec3 bvdecomp_polytope_middle( const bvdecomp_polytope* cell );

/// A point of a cell next to one of its corners: where that is on the surface, it tells the side.
/// @param way  how far from the corner
bv_vec3 bvdecomp_polytope_beside( const bvdecomp_polytope* cell, uint32_t corner, double way );
