// Triangles of another mesh as what is measured: from boxes down to triangles, those that may be farthest
// first.

#pragma once

#include "offline/hausdorff/search.h"

/// What is measured. Lives in the arena it was made in.
typedef struct bvhaus_source
{
	const bvb_mesh* mesh;
	const uint32_t* which; ///< the triangles that the target does not have too; null for all
	bvhaus_index* index;   ///< over these, not framed; null when there are none
} bvhaus_source;

/// @param mesh    kept
/// @param target  what it is to be measured against
/// @return false when out of memory
bool bvhaus_source_create( const bvb_mesh* mesh, const bvhaus_index* target, bvb_arena* arena,
                           bvhaus_source* out );

/// Measures a source with a search that has begun.
/// @param scratch  for what this needs
/// @return false when out of memory
bool bvhaus_source_measure( const bvhaus_source* source, bvhaus_search* search, bvb_arena* scratch,
                            bvb_hausdorff* out );
