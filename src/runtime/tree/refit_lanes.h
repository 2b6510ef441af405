// Nodes whose children all have oriented boxes, or all aligned ones. See refit_lanes.c.

#pragma once

#include "runtime/tree/refit.h"

/// Fits a node as bvtree_refit_node does.
/// @return false if it has other volumes, or numbers are not common ones; then nothing is done
bool bvtree_refit_lanes( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what );
