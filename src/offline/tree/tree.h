// The plain node arrays that every builder fills and every stage reads.

#pragma once

#include "bvbuild/hierarchy.h"
#include "runtime/file/snap.h"
#include "runtime/volume/kinds.h"

/// One node without its volume.
typedef struct bvorder_stored_node
{
	uint32_t first_child;    ///< the children are neighbors
	uint32_t children;       ///< 0 for a leaf
	uint32_t first_triangle; ///< of the range below
	uint32_t triangles;      ///< length of the range
	bv_volume_type type;     ///< of its volume
} bvorder_stored_node;

struct bvb_tree
{
	bvorder_stored_node* nodes; ///< in canonical order: depth first, siblings side by side, the root first
	uint8_t* volumes;    ///< of each node, the stored form of a volume that encloses all triangles below
	uint32_t stride;     ///< bytes from one volume to the next, a multiple of 4
	uint32_t node_count; ///< length of nodes
	bvfile_frame_codes* frames; ///< of each node, those of leaves unused; null before bvb_tree_snap
	bvfile_node_grid grid;      ///< of the frames' origins
};

/// @return the volume of a node, decoded
static inline bv_volume bvorder_volume( const bvb_tree* tree, uint32_t index )
{
	return bvvol_unpack( tree->nodes[index].type, tree->volumes + (size_t)tree->stride * index );
}

/// Gives a node another volume.
/// @param volume  decoded from its stored form, which is not larger than the stride
static inline void bvorder_set_volume( bvb_tree* tree, uint32_t index, const bv_volume* volume )
{
	tree->nodes[index].type = volume->type;
	bvvol_pack( volume, tree->volumes + (size_t)tree->stride * index );
}

/// @return the largest stored form of the types in a set, a bit for each
uint32_t bvorder_stride( uint32_t types );

/// Brings the nodes that hang together under node 0 into canonical order and leaves out all others.
/// @param from   children are neighbors in any order; each inner node's triangles are its children's in
///               their order; its node_count is ignored
/// @param arena  the tree lives here
/// @return null when out of memory
bvb_tree* bvorder_create( const bvb_tree* from, bvb_arena* arena );

/// Brings nodes into canonical order where they are. But for gaps they are in that order.
/// @param tree  its node_count is set
void bvorder_close_gaps( bvb_tree* tree );

/// A tree of nodes that are in canonical order and live in the arena.
/// @param from  not kept
/// @return null when out of memory
bvb_tree* bvorder_keep( const bvb_tree* from, bvb_arena* arena );

/// Puts a mesh, with its origin if there is one, into the order of a tree and numbers its vertices by first
/// use.
/// @param order    the triangles' new order, as indices into the old one
/// @param team     how many threads there may be; the result is the same for any number
/// @param scratch  memory for the old arrays
/// @return whether there was memory
bool bvorder_order_mesh( bvb_mesh* mesh, const uint32_t* order, int team, bvb_arena* scratch );

/// @return the frame of an inner node, decoded
static inline bvfile_node_frame bvorder_frame( const bvb_tree* tree, uint32_t index )
{
	return bvfile_snap_frame_of( tree->frames + index, &tree->grid );
}
