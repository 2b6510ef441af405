// Triangles of another mesh as what is measured: from boxes down to triangles, those that may be farthest first.

#pragma once

#include "hausdorff/search.h"

/// What is measured. Lives in the arena it was made in.
typedef struct bvb_source
{
	const bvb_mesh* mesh;
	const uint32_t* which; ///< the triangles that the target does not have too; null for all
	bvb_index* index;      ///< over these, not framed; null when there are none
} bvb_source;

/// @param mesh    kept
/// @param target  what it is to be measured against
/// @return false when out of memory
bool bvb_source_create( const bvb_mesh* mesh, const bvb_index* target, bvb_arena* arena, bvb_source* out );

/// Measures a source with a search that has begun.
/// @param scratch  for what this needs
/// @return false when out of memory
bool bvb_source_measure( const bvb_source* source, bvb_search* search, bvb_arena* scratch,
                         bvb_hausdorff* out );
