// The plain node arrays that every builder fills and every stage reads.

#pragma once

#include "base/core/packed_obb.h"
#include "bvbuild/hierarchy.h"

/// One node, with its volume in stored form.
typedef struct bvb_stored_node
{
	bv_packed_obb box;       ///< encloses all triangles below
	uint32_t first_child;    ///< the children are neighbours
	uint32_t children;       ///< 0 for a leaf
	uint32_t first_triangle; ///< of the range below
	uint32_t triangles;      ///< length of the range
} bvb_stored_node;

struct bvb_tree
{
	bvb_stored_node* nodes; ///< in canonical order: depth first, siblings side by side, the root first
	uint32_t node_count;    ///< length of nodes
};

/// Brings the nodes that hang together under node 0 into canonical order and leaves out all others.
/// @param nodes  children are neighbours in any order; each inner node's triangles are its children's in
///               their order
/// @param arena  the tree lives here
/// @return null when out of memory
bvb_tree* bvb_tree_create( const bvb_stored_node* nodes, bvb_arena* arena );

/// Puts a mesh, with its origin if there is one, into the order of a tree and numbers its vertices by first use.
/// @param order    the triangles' new order, as indices into the old one
/// @param scratch  memory for the old arrays
/// @return whether there was memory
bool bvb_tree_order_mesh( bvb_mesh* mesh, const uint32_t* order, bvb_arena* scratch );
