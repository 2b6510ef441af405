// What rounding volumes of every type has in common with rounding boxes alone. See snap.c, snap_boxes.c.

#pragma once

#include "offline/tree/tree.h"

/// @param team  how many threads there may be
/// @param all   receives the coordinates of all nodes but the root, of which there is at least one
/// @return whether all of them are axis-aligned boxes; if not `all` is not filled
bool bvorder_snap_range_of_boxes( const bvb_tree* tree, int team, bvfile_snap_range* all );

/// @param all  of all nodes but the root
/// @return whether bvorder_snap_boxes can round boxes with these coordinates
bool bvorder_snap_boxes_can( const bvfile_snap_range* all, int finest );

/// Rounds the children of a node, axis-aligned boxes, as snap.c would: to the last bit.
/// @param index  of an inner node
void bvorder_snap_boxes( bvb_tree* tree, uint32_t index, int finest );
