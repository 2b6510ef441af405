// Trees whose volumes are fitted to other positions of the same triangles.

#pragma once

#include "offline/tree/tree.h"

/// Fits all volumes of a tree anew. Each node keeps its children, its triangles and the type of its volume.
/// @param tree     receives the volumes; frames of bvb_tree_snap become invalid
/// @param mesh     in the order of the tree; triangles may have no area
/// @param options  that the tree was built with
/// @param owner    whose share of memory may be taken
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status bvhier_refit( bvb_tree* tree, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                        bvb_arena* owner, bvb_error* error );

/// Copies a tree, so that the copy can be fitted to other positions.
/// @param arena  the copy lives here
/// @return null when out of memory
bvb_tree* bvhier_copy( const bvb_tree* tree, bvb_arena* arena );
