// Errors of every node of a tree, with a choice of bounds.

#pragma once

#include "hausdorff/search.h"

/// bvb_hausdorff_tree with some of the bounds only, to measure what each is worth.
/// @param bounds  of bvb_bound
bv_status bvb_hausdorff_tree_with( const bvb_mesh* mesh, const bvb_tree* tree,
                                   const bvb_tree_errors_options* options, unsigned bounds, bvb_arena* arena,
                                   bvb_tree_errors* out, bvb_error* error );
