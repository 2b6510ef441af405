// Triangles of another mesh as what is measured: from boxes down to triangles, those that may be farthest first.

#pragma once

#include "hausdorff/search.h"

/// Measures a mesh with a search that has begun.
/// @param from     what is measured
/// @param source   an index over all of its triangles, not framed
/// @param scratch  for what this needs
/// @return false when out of memory
bool bvb_search_triangles( bvb_search* search, const bvb_mesh* from, const bvb_index* source,
                           bvb_arena* scratch, bvb_hausdorff* out );
