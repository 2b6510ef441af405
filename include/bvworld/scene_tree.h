// Scene trees: objects that move with others, with transforms relative to their parents and in the world.
//
//     #include <bvworld/scene_tree.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[4096];
//
//     int main( void )
//     {
//         enum { car, wheel };
//         bvw_scene_tree* tree;
//         if ( bvw_scene_tree_begin( memory, sizeof memory, 10, &tree ) != bv_ok )
//             return 1;
//         bv_transform at_axle = bv_transform_translation( 1, 0, 0 ), forward = bv_transform_translation( 5, 0, 0 );
//         bvw_scene_tree_add( tree, car, BVW_NO_NODE, NULL );
//         bvw_scene_tree_add( tree, wheel, car, &at_axle );
//         bvw_scene_tree_move_world( tree, car, &forward );
//         bvw_scene_node node;
//         bvw_scene_tree_get( tree, wheel, &node );
//         printf( "%g\n", node.world.pose.translation.x ); // prints 6
//         return 0;
//     }
//
// A tree is a block of memory of the caller. It allocates nothing and holds no addresses: its bytes can be copied, compared, stored and
// restored. A node keeps its transform relative to its parent, so that rounding errors do not add up among objects that move together.
// Rotations are made orthonormal.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 7.2.1 and appendix B.

#pragma once

#include "bv/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The parent of nodes that have none.
#define BVW_NO_NODE UINT32_MAX

/// The greatest number of nodes of a tree.
#define BVW_MAX_NODES 16777216u

/// What is known of a node.
typedef struct bvw_scene_node
{
	uint32_t parent; ///< BVW_NO_NODE if it has none
	bv_transform
		local; ///< from coordinates of the node to those of its parent; without a parent, to those of the world
	bv_transform world; ///< from coordinates of the node to those of the world
} bvw_scene_node;

/// A tree, or several: a block of memory of the caller.
typedef struct bvw_scene_tree bvw_scene_tree;

/// @param nodes  numbers of nodes are below this; 1 to BVW_MAX_NODES
/// @return the size of the memory that a tree needs, bytes; 0 if `nodes` is out of range
size_t bvw_scene_tree_bytes( uint32_t nodes );

/// Makes an empty tree.
/// @param memory  8-byte aligned; remains the caller's
/// @param bytes   its size, at least bvw_scene_tree_bytes( nodes )
/// @param out     receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null or not aligned or `nodes` is out of range; bv_error_memory if the memory is
/// too small. `*out` is unchanged on errors
bv_status bvw_scene_tree_begin( void* memory, size_t bytes, uint32_t nodes, bvw_scene_tree** out );

/// Copies a tree into a block of other size, for example because it is full.
/// @param from    remains as it is
/// @param memory  does not overlap `from`
/// @param nodes   greater than the greatest number in use
/// @return as bvw_scene_tree_begin; bv_error_limit if a number in use is out of range
bv_status bvw_scene_tree_copy( const bvw_scene_tree* from, void* memory, size_t bytes, uint32_t nodes,
                               bvw_scene_tree** out );

/// Adds a node without children.
/// @param number  below the limit, and not in use
/// @param parent  a node, or BVW_NO_NODE
/// @param local   relative to the parent; null for the identity
/// @return bv_ok; bv_error_argument, and nothing changes, if the tree is null, a number is out of range or the transform is not valid,
/// or its translation exceeds BV_MAX_LENGTH
bv_status bvw_scene_tree_add( bvw_scene_tree* tree, uint32_t number, uint32_t parent,
                              const bv_transform* local );

/// Removes a node. Its children stay where they are, as children of its parent.
/// @return bv_ok; bv_error_argument, and nothing changes, if the tree is null or there is no such node; bv_error_unsupported, likewise, if
/// a child would get a transform that is not valid
bv_status bvw_scene_tree_remove( bvw_scene_tree* tree, uint32_t number );

/// Places a node relative to its parent. Its descendants move with it, as in the next functions.
/// @return as bvw_scene_tree_add
bv_status bvw_scene_tree_set_local( bvw_scene_tree* tree, uint32_t number, const bv_transform* local );

/// Places a node in the world. Its place differs from `world` by rounding if it has a parent.
/// @return as bvw_scene_tree_add; bv_error_unsupported, and nothing changes, if the transform relative to the parent is not valid: its
/// scale or its translation is out of range
bv_status bvw_scene_tree_set_world( bvw_scene_tree* tree, uint32_t number, const bv_transform* world );

/// Moves a node relative to its parent: the new transform is `by` after the old one.
/// @return as bvw_scene_tree_set_world
bv_status bvw_scene_tree_move_local( bvw_scene_tree* tree, uint32_t number, const bv_transform* by );

/// Moves a node in the world: the new transform is `by` after the old one.
/// @return as bvw_scene_tree_set_world
bv_status bvw_scene_tree_move_world( bvw_scene_tree* tree, uint32_t number, const bv_transform* by );

/// Gives a node another parent. It and its descendants stay where they are, to rounding. To keep the transform relative to the
/// parent instead, set it afterwards.
/// @param parent  no descendant of the node, or BVW_NO_NODE, which detaches the node
/// @return as bvw_scene_tree_set_world; bv_error_argument, and nothing changes, if the parent is the node or a descendant of it
bv_status bvw_scene_tree_attach( bvw_scene_tree* tree, uint32_t number, uint32_t parent );

/// Reports a node. Transforms in the world are computed when they are needed: this changes the tree, except after
/// bvw_scene_tree_update, when several threads can read it.
/// @param out  receives the node
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if a pointer is null or there is no such node; bv_error_unsupported,
/// likewise, if its transform in the world is not valid: its scale or its translation is out of range
bv_status bvw_scene_tree_get( bvw_scene_tree* tree, uint32_t number, bvw_scene_node* out );

/// Computes all transforms in the world, and lists the nodes that were added or that moved since the last update.
/// @param changed  receives their numbers, sorted; can be null if `most` is 0
/// @param most     length of that array
/// @param count    receives the number of changed nodes; null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if another pointer is null; bv_error_memory if there are more than `most`:
/// then `changed` is unchanged, and the next update lists them again. With null and 0 for an array, no list is wanted
bv_status bvw_scene_tree_update( bvw_scene_tree* tree, uint32_t* changed, uint32_t most, uint32_t* count );

/// Lists the nodes of the subtree of a node, itself included: what moves with it. Parents come before their children.
/// @param numbers  receives the numbers; can be null if `most` is 0
/// @param most     length of that array
/// @param count    receives the number of nodes
/// @return bv_ok; bv_error_argument if another pointer is null or there is no such node; bv_error_memory if there are more than
/// `most`: then `numbers` holds the first ones
bv_status bvw_scene_tree_subtree( const bvw_scene_tree* tree, uint32_t number, uint32_t* numbers,
                                  uint32_t most, uint32_t* count );

#ifdef __cplusplus
}
#endif
