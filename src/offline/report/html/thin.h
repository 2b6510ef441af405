// Fewer triangles for a picture: vertices of one cell of a grid become one.

#pragma once

#include "bvbuild/mesh.h"

/// A mesh with fewer triangles.
typedef struct bvhtml_thinned
{
	bvb_mesh mesh;     ///< what is left
	uint32_t* numbers; ///< of each of its triangles, that of one of the original, ascending
	double moved;      ///< no vertex is farther from where it was, mesh units
} bvhtml_thinned;

/// Thins a mesh until it has at most so many triangles. What becomes smaller than a cell of the grid goes.
/// @param mesh   more triangles than `most`; finite
/// @param most   at least 1
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvhtml_thin( const bvb_mesh* mesh, uint32_t most, bvb_arena* arena, bvhtml_thinned* out,
                       bvb_error* error );
