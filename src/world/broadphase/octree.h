// What the octree keeps: nodes of a fixed number, and lists of objects. See octree.c.

#pragma once

#include "world/broadphase/phase.h"

/// No node, or no object.
#define BVWPHASE_NO_NODE UINT32_MAX

/// A node.
typedef struct bvwphase_octree_node
{
	bv_aabb bounds;      ///< of all objects of it and of nodes below
	uint64_t categories; ///< bits of all these objects
	uint32_t child[8];   ///< nodes, or BVWPHASE_NO_NODE
	uint32_t parent;     ///< of free nodes: the next one
	uint32_t first;      ///< of its own objects
	uint32_t own;        ///< number of them
	uint32_t total;      ///< number of objects of it and of nodes below; as of the last update
	uint32_t octant;     ///< index in the parent's array
	uint32_t waits;      ///< during an update: children that are to be corrected before
	uint32_t is_dirty;   ///< it is in the list of nodes to be corrected
	uint32_t is_divided; ///< objects whose sides are at most `longest` belong into children
	uint32_t is_done;    ///< during an update: pairs of its own objects were looked for
	uint32_t unused;
	bv_aabb cell;    ///< centers c of objects below, lower <= c < upper
	double split[3]; ///< the children's cells meet here
	double longest;  ///< world units
} bvwphase_octree_node;

/// An object.
typedef struct bvwphase_octree_entry
{
	uint32_t node;
	uint32_t next; ///< object of the same node
	uint32_t previous;
	uint32_t unused;
} bvwphase_octree_entry;

/// The head of the method's part of the block.
typedef struct bvwphase_octree_state
{
	uint32_t root;
	uint32_t nodes;        ///< there are
	uint32_t used;         ///< nodes that were ever in use
	uint32_t free;         ///< first of the free ones below that
	uint32_t dirty;        ///< length of the list of nodes to be corrected
	uint32_t must_rebuild; ///< a node could not be divided
	uint32_t wait;         ///< updates until that is done
	uint32_t last_wait;    ///< the number of them the last time
	uint64_t nodes_at;
	uint64_t entries_at; ///< bvwphase_octree_entry[options.objects]
	uint64_t dirty_at;   ///< uint32_t[nodes]
} bvwphase_octree_state;

static inline bvwphase_octree_state* bvwphase_octree_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static inline bvwphase_octree_node* bvwphase_octree_nodes( const bvw_broadphase* world )
{
	return bvwphase_at( world, bvwphase_octree_of( world )->nodes_at );
}

static inline bvwphase_octree_entry* bvwphase_octree_entries( const bvw_broadphase* world )
{
	return bvwphase_at( world, bvwphase_octree_of( world )->entries_at );
}

/// Makes the tree empty.
void bvwphase_octree_clear( bvw_broadphase* world );

/// Puts an object into the node where it belongs, as far as nodes are divided.
/// @param at  a node whose cell has its center, or the root
void bvwphase_octree_place( bvw_broadphase* world, uint32_t number, uint32_t at );

/// Takes an object out of its node.
void bvwphase_octree_take_out( bvw_broadphase* world, uint32_t number );

/// Encloses the box of an object by the bounds of its node and of those above, which is corrected at the next update.
void bvwphase_octree_enclose( bvw_broadphase* world, uint32_t number );

/// @return whether the object belongs into the node in which it is
bool bvwphase_octree_is_home( const bvw_broadphase* world, uint32_t number );

/// @return a node in which an object that has moved can be placed: the lowest above its node
uint32_t bvwphase_octree_above( const bvw_broadphase* world, uint32_t number );

/// Divides nodes with too many objects, removes empty ones, and makes the bounds of all nodes tight.
void bvwphase_octree_settle( bvw_broadphase* world );
