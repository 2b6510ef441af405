// Oriented boxes of all nodes of a tree by the lanes of fit/box_lanes.h.

#pragma once

#include "offline/tree/tree.h"

/// Gives all nodes below node 0 the boxes of least surface among three: see fit/box_lanes.h. Their frames are
/// those that a file can hold, which bvb_tree_snap then leaves as they are.
/// @param tree     its nodes hang together under node 0; there is room for volumes, which are only written
/// @param mesh     in the order of the tree
/// @param team     how many threads there may be
/// @param scratch  for memory, which is used up
/// @return bv_ok; bv_error_memory
bv_status bvhier_fit_boxes( bvb_tree* tree, const bvb_mesh* mesh, int team, bvb_arena* scratch );
