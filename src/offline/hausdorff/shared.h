// Triangles that two meshes have in common: no distance away, and mostly most of them where one mesh was made
// of the other.

#pragma once

#include "offline/hausdorff/index.h"

/// Finds the triangles of a mesh that are not among those of an index, corner by corner, in whatever order.
/// @param index    over triangles alone
/// @param scratch  the result lives here
/// @param which    receives their indices
/// @param count    receives the length of which
/// @return false when out of memory
bool bvhaus_find_unshared( const bvb_mesh* mesh, const bvhaus_index* index, bvb_arena* scratch,
                           uint32_t** which, uint32_t* count );
