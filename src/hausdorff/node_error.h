// Errors of an index's nodes, for indices that have no tree whose nodes are measured.

#pragma once

#include "hausdorff/search.h"

/// Bounds the errors of the nodes first ... first + count - 1, roughly. Those below must be known or among them.
void bvb_index_bound_errors( bvb_index* index, uint32_t first, uint32_t count, bvb_search* search );
