// Quick errors of an index's nodes, for indices that have no tree whose nodes are measured.

#pragma once

#include "hausdorff/index.h"

/// Bounds the errors of the nodes first ... first + count - 1 by their children: no corner of a node's box is farther from
/// the triangles than from a child's box and that child's error. Those below must be known or among them.
void bvb_index_bound_errors( bvb_index* index, uint32_t first, uint32_t count );
