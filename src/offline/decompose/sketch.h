// What the search looks at in the place of the mesh: fewer vertices of it, and its heaviest concave edges.

#pragma once

#include "offline/decompose/search.h"
#include "offline/decompose/shape.h"

/// Merges vertices, each with one that is near, until there are no more than `most`, if it can be done.
/// @param out  over some of the mesh's own vertices; triangles that became less are gone
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_sketch_mesh( const bvb_mesh* mesh, uint32_t most, bvb_arena* arena, bvb_mesh* out );

/// Finds the concave edges whose planes are worth trying, the heaviest first, BVDECOMP_MOST_CREASES of them
/// at most.
/// @param mesh  in the unit frame
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_creases( const bvb_mesh* mesh, bvb_arena* arena, bvdecomp_crease** out,
                                 uint32_t* count );
