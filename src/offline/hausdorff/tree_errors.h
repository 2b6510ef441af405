// Errors of every node of a tree, with a choice of bounds.

#pragma once

#include "offline/hausdorff/search.h"

/// bvb_hausdorff_tree with some of the bounds only, to measure what each is worth.
/// @param bounds  of bvhaus_bound
bv_status bvhaus_tree_with( const bvb_mesh* mesh, const bvb_tree* tree,
                            const bvb_tree_errors_options* options, unsigned bounds, bvb_arena* arena,
                            bvb_tree_errors* out, bvb_error* error );
