// The nodes of Assimp's scene by number, address and name. Private to the child process.

#pragma once

#include "formats/assimp/animate.h"

/// A node.
typedef struct bvassimp_tree_node
{
	const struct aiNode* node;
	uint32_t parent; ///< or BVASSIMP_NONE
} bvassimp_tree_node;

/// All nodes, parents before their children in the list of children, children in order.
typedef struct bvassimp_tree
{
	bvassimp_tree_node* nodes;
	uint32_t count;
	uint32_t* by_name;    ///< numbers, ascending by name
	uint32_t* by_address; ///< numbers, ascending by address
} bvassimp_tree;

/// Numbers the nodes. A node's parent is the one that it names as such, as for the placement of joints: some
/// readers put bones into the children of another node.
/// @param result  where a reason to end is left
bvassimp_tree bvassimp_tree_make( const struct aiScene* source, int result );

/// @return the node with this name; BVASSIMP_NONE unless exactly one node has it
uint32_t bvassimp_tree_find( const bvassimp_tree* t, const char* name );

/// @return the number of a node; BVASSIMP_NONE for one that is not in the tree
uint32_t bvassimp_tree_number( const bvassimp_tree* t, const struct aiNode* node );

/// Frees the lists.
void bvassimp_tree_free( bvassimp_tree* t );
