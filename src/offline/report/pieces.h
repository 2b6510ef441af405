// Pieces of a closed mesh that face inward although nothing encloses them.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"

/// Pieces that no other piece encloses: sets of triangles that are connected by common vertices.
typedef struct bvreport_pieces
{
	uint32_t inward;  ///< have a negative volume
	uint32_t outward; ///< have a positive one
} bvreport_pieces;

/// Counts the pieces of a mesh. Both numbers are 0 unless the mesh is closed, and there are pieces of either
/// kind.
/// @param arena  scratch memory
/// @return bv_ok; bv_error_memory
bv_status bvreport_count_pieces( const bv_file* file, bvb_arena* arena, bvreport_pieces* out );
