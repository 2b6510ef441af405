// What rounding volumes of every type has in common with rounding boxes alone. See snap.c.

#pragma once

#include "tree/tree.h"

/// The coordinates that volumes need a grid for.
typedef struct bvb_snap_range
{
	double lower[3]; ///< least of each axis
	double upper[3]; ///< greatest of each axis
} bvb_snap_range;

/// The finest frame on the tree's grid that reaches over its children.
/// @param finest  no step has a lower exponent
void bvb_snap_make_frame( const bv_node_grid* grid, const bvb_snap_range* children, int finest,
                          bvb_node_frame* out );

/// @param team  how many threads there may be
/// @param all   receives the coordinates of all nodes but the root, of which there is at least one
/// @return whether all of them are axis-aligned boxes; if not `all` is not filled
bool bvb_snap_range_of_boxes( const bvb_tree* tree, int team, bvb_snap_range* all );

/// @param all  of all nodes but the root
/// @return whether bvb_snap_boxes can round boxes with these coordinates
bool bvb_snap_boxes_can( const bvb_snap_range* all, int finest );

/// Rounds the children of a node, axis-aligned boxes, as snap.c would: to the last bit.
/// @param index  of an inner node
void bvb_snap_boxes( bvb_tree* tree, uint32_t index, int finest );
