// Scene trees. See bvworld/scene_tree.h.
//
// A node's transform in the world is stale after it or a node above it was placed anew. Descendants of a stale node are stale too, so that
// marking them ends there. It is computed from the topmost stale node downward: its bits depend on the transforms along the path, not
// on what was read before.

#include "bvworld/scene_tree.h"

#include "runtime/math/matrix.h"
#include "runtime/math/range.h"

#include <string.h>

static const uint64_t magic = UINT64_C( 0x3165657274637362 ); // "bsctree1"

enum
{
	is_used = 1,
	is_stale = 2,
	has_changed = 4, // since the last update
};

typedef struct placed_node
{
	bv_transform local;
	bv_transform world;
	uint32_t parent;
	uint32_t first; // child
	uint32_t next;  // child of the same parent
	uint32_t previous;
	uint32_t down; // child through which a stale transform is to be computed
} placed_node;

struct bvw_scene_tree
{
	uint64_t magic;
	uint64_t bytes; // of the whole block
	uint32_t nodes;
	uint32_t spare;
	uint64_t states_at; // uint8_t[nodes], after the nodes
};

static placed_node* nodes_of( const bvw_scene_tree* tree )
{
	return (placed_node*)( (char*)tree + sizeof *tree );
}

static uint8_t* states_of( const bvw_scene_tree* tree )
{
	return (uint8_t*)tree + tree->states_at;
}

static bool is_node( const bvw_scene_tree* tree, uint32_t number )
{
	return tree && number < tree->nodes && states_of( tree )[number] & is_used;
}

static uint64_t states_at( uint32_t nodes )
{
	return sizeof( bvw_scene_tree ) + nodes * (uint64_t)sizeof( placed_node );
}

size_t bvw_scene_tree_bytes( uint32_t nodes )
{
	uint64_t bytes = ( states_at( nodes ) + nodes + 7 ) & ~(uint64_t)7;
	return nodes > 0 && nodes <= BVW_MAX_NODES && bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

bv_status bvw_scene_tree_begin( void* memory, size_t bytes, uint32_t nodes, bvw_scene_tree** out )
{
	size_t needed = bvw_scene_tree_bytes( nodes );
	if ( !memory || !out || (uintptr_t)memory % 8 != 0 || needed == 0 )
	{
		return bv_error_argument;
	}
	if ( bytes < needed )
	{
		return bv_error_memory;
	}
	bvw_scene_tree* tree = memory;
	memset( memory, 0, needed );
	tree->magic = magic;
	tree->bytes = needed;
	tree->nodes = nodes;
	tree->states_at = states_at( nodes );
	*out = tree;
	return bv_ok;
}

bv_status bvw_scene_tree_copy( const bvw_scene_tree* from, void* memory, size_t bytes, uint32_t nodes,
                               bvw_scene_tree** out )
{
	bvw_scene_tree* tree = NULL;
	if ( !from || !out )
	{
		return bv_error_argument;
	}
	for ( uint32_t i = nodes; i < from->nodes; ++i )
	{
		if ( is_node( from, i ) )
		{
			return bv_error_limit;
		}
	}
	bv_status status = bvw_scene_tree_begin( memory, bytes, nodes, &tree );
	if ( status == bv_ok )
	{
		uint32_t common = nodes < from->nodes ? nodes : from->nodes;
		memcpy( nodes_of( tree ), nodes_of( from ), common * sizeof( placed_node ) );
		memcpy( states_of( tree ), states_of( from ), common );
		*out = tree;
	}
	return status;
}

static bool is_placement( const bv_transform* t )
{
	return t && bv_transform_is_valid( t ) && bvmath_is_in_range( t->pose.translation );
}

// The next node of a subtree, in an order that has parents before their children.
// @param skip  not the descendants of the present one
// @return BVW_NO_NODE after the last one
static uint32_t next_in_subtree( const bvw_scene_tree* tree, uint32_t root, uint32_t at, bool skip )
{
	const placed_node* nodes = nodes_of( tree );
	if ( !skip && nodes[at].first != BVW_NO_NODE )
	{
		return nodes[at].first;
	}
	while ( at != root && nodes[at].next == BVW_NO_NODE )
	{
		at = nodes[at].parent;
	}
	return at == root ? BVW_NO_NODE : nodes[at].next;
}

static void mark( bvw_scene_tree* tree, uint32_t number )
{
	uint8_t* states = states_of( tree );
	for ( uint32_t i = number; i != BVW_NO_NODE; )
	{
		bool was_stale = states[i] & is_stale;
		states[i] |= is_stale | has_changed;
		i = next_in_subtree( tree, number, i, was_stale );
	}
}

// The bytes between members remain zero.
static void copy( const bv_transform* from, bv_transform* out )
{
	out->pose = from->pose;
	out->scale = from->scale;
	out->mirror = from->mirror;
}

// Computes a transform in the world, and those of the nodes above.
static const bv_transform* world_of( bvw_scene_tree* tree, uint32_t number )
{
	placed_node* nodes = nodes_of( tree );
	uint8_t* states = states_of( tree );
	if ( states[number] & is_stale )
	{
		uint32_t top = number;
		nodes[top].down = BVW_NO_NODE;
		while ( nodes[top].parent != BVW_NO_NODE && states[nodes[top].parent] & is_stale )
		{
			nodes[nodes[top].parent].down = top;
			top = nodes[top].parent;
		}
		for ( uint32_t i = top; i != BVW_NO_NODE; i = nodes[i].down )
		{
			placed_node* n = nodes + i;
			bv_transform world = n->parent == BVW_NO_NODE
			                         ? n->local
			                         : bv_transform_compose( &nodes[n->parent].world, &n->local );
			copy( &world, &n->world );
			states[i] &= (uint8_t)~is_stale;
		}
	}
	return &nodes[number].world;
}

static void set_local( bvw_scene_tree* tree, uint32_t number, const bv_transform* local )
{
	bv_transform* out = &nodes_of( tree )[number].local;
	copy( local, out );
	out->pose = bvmath_orthonormal( &out->pose );
	mark( tree, number );
}

static void unlink_node( bvw_scene_tree* tree, uint32_t number )
{
	placed_node* nodes = nodes_of( tree );
	placed_node* n = nodes + number;
	if ( n->previous != BVW_NO_NODE )
	{
		nodes[n->previous].next = n->next;
	}
	else if ( n->parent != BVW_NO_NODE )
	{
		nodes[n->parent].first = n->next;
	}
	if ( n->next != BVW_NO_NODE )
	{
		nodes[n->next].previous = n->previous;
	}
	n->parent = n->next = n->previous = BVW_NO_NODE;
}

static void link_node( bvw_scene_tree* tree, uint32_t number, uint32_t parent )
{
	placed_node* nodes = nodes_of( tree );
	placed_node* n = nodes + number;
	n->parent = parent;
	n->previous = n->next = BVW_NO_NODE;
	if ( parent != BVW_NO_NODE )
	{
		n->next = nodes[parent].first;
		nodes[parent].first = number;
		if ( n->next != BVW_NO_NODE )
		{
			nodes[n->next].previous = number;
		}
	}
}

bv_status bvw_scene_tree_add( bvw_scene_tree* tree, uint32_t number, uint32_t parent,
                              const bv_transform* local )
{
	bv_transform t = local ? *local : bv_transform_identity();
	if ( !tree || number >= tree->nodes || is_node( tree, number ) ||
	     ( parent != BVW_NO_NODE && !is_node( tree, parent ) ) || !is_placement( &t ) )
	{
		return bv_error_argument;
	}
	memset( nodes_of( tree ) + number, 0, sizeof( placed_node ) );
	states_of( tree )[number] = is_used;
	nodes_of( tree )[number].first = BVW_NO_NODE;
	link_node( tree, number, parent );
	set_local( tree, number, &t );
	return bv_ok;
}

// The transform relative to a parent that puts a node at a place in the world.
// @return false if there is no valid one
static bool local_of( bvw_scene_tree* tree, uint32_t parent, const bv_transform* world, bv_transform* out )
{
	*out = *world;
	if ( parent != BVW_NO_NODE )
	{
		const bv_transform* p = world_of( tree, parent );
		if ( !bv_transform_is_valid( p ) || !bv_transform_is_valid( world ) )
		{
			return false;
		}
		*out = bv_transform_between( p, world );
	}
	return is_placement( out );
}

static bv_status place( bvw_scene_tree* tree, uint32_t number, const bv_transform* world )
{
	bv_transform local;
	if ( !local_of( tree, nodes_of( tree )[number].parent, world, &local ) )
	{
		return bv_error_unsupported;
	}
	set_local( tree, number, &local );
	return bv_ok;
}

bv_status bvw_scene_tree_set_local( bvw_scene_tree* tree, uint32_t number, const bv_transform* local )
{
	if ( !is_node( tree, number ) || !is_placement( local ) )
	{
		return bv_error_argument;
	}
	set_local( tree, number, local );
	return bv_ok;
}

bv_status bvw_scene_tree_set_world( bvw_scene_tree* tree, uint32_t number, const bv_transform* world )
{
	return is_node( tree, number ) && is_placement( world ) ? place( tree, number, world )
	                                                        : bv_error_argument;
}

bv_status bvw_scene_tree_move_local( bvw_scene_tree* tree, uint32_t number, const bv_transform* by )
{
	if ( !is_node( tree, number ) || !is_placement( by ) )
	{
		return bv_error_argument;
	}
	bv_transform local = bv_transform_compose( by, &nodes_of( tree )[number].local );
	if ( !is_placement( &local ) )
	{
		return bv_error_unsupported;
	}
	set_local( tree, number, &local );
	return bv_ok;
}

bv_status bvw_scene_tree_move_world( bvw_scene_tree* tree, uint32_t number, const bv_transform* by )
{
	if ( !is_node( tree, number ) || !is_placement( by ) )
	{
		return bv_error_argument;
	}
	bv_transform world = bv_transform_compose( by, world_of( tree, number ) );
	return place( tree, number, &world );
}

static bool is_above( const bvw_scene_tree* tree, uint32_t number, uint32_t other )
{
	while ( other != number && other != BVW_NO_NODE )
	{
		other = nodes_of( tree )[other].parent;
	}
	return other == number;
}

bv_status bvw_scene_tree_attach( bvw_scene_tree* tree, uint32_t number, uint32_t parent )
{
	if ( !is_node( tree, number ) ||
	     ( parent != BVW_NO_NODE && ( !is_node( tree, parent ) || is_above( tree, number, parent ) ) ) )
	{
		return bv_error_argument;
	}
	bv_transform local;
	if ( !local_of( tree, parent, world_of( tree, number ), &local ) )
	{
		return bv_error_unsupported;
	}
	unlink_node( tree, number );
	link_node( tree, number, parent );
	set_local( tree, number, &local );
	return bv_ok;
}

bv_status bvw_scene_tree_remove( bvw_scene_tree* tree, uint32_t number )
{
	if ( !is_node( tree, number ) )
	{
		return bv_error_argument;
	}
	const placed_node* n = nodes_of( tree ) + number;
	bv_transform local;
	for ( uint32_t i = n->first; i != BVW_NO_NODE; i = nodes_of( tree )[i].next )
	{
		if ( !local_of( tree, n->parent, world_of( tree, i ), &local ) )
		{
			return bv_error_unsupported;
		}
	}
	while ( n->first != BVW_NO_NODE )
	{
		bvw_scene_tree_attach( tree, n->first, n->parent );
	}
	unlink_node( tree, number );
	states_of( tree )[number] = 0;
	return bv_ok;
}

bv_status bvw_scene_tree_get( bvw_scene_tree* tree, uint32_t number, bvw_scene_node* out )
{
	if ( !out || !is_node( tree, number ) )
	{
		return bv_error_argument;
	}
	const placed_node* n = nodes_of( tree ) + number;
	const bv_transform* world = world_of( tree, number );
	if ( !is_placement( world ) )
	{
		return bv_error_unsupported;
	}
	*out = ( bvw_scene_node ){ n->parent, n->local, *world };
	return bv_ok;
}

bv_status bvw_scene_tree_update( bvw_scene_tree* tree, uint32_t* changed, uint32_t most, uint32_t* count )
{
	if ( !tree || ( most > 0 && !changed ) )
	{
		return bv_error_argument;
	}
	uint8_t* states = states_of( tree );
	uint32_t found = 0;
	for ( uint32_t i = 0; i < tree->nodes; ++i )
	{
		found += ( states[i] & has_changed ) != 0;
	}
	if ( count )
	{
		*count = found;
	}
	if ( changed && found > most )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0, k = 0; k < found; ++i )
	{
		if ( states[i] & has_changed )
		{
			world_of( tree, i );
			states[i] &= (uint8_t)~has_changed;
			if ( changed )
			{
				changed[k] = i;
			}
			++k;
		}
	}
	return bv_ok;
}

bv_status bvw_scene_tree_subtree( const bvw_scene_tree* tree, uint32_t number, uint32_t* numbers,
                                  uint32_t most, uint32_t* count )
{
	if ( !is_node( tree, number ) || !count || ( most > 0 && !numbers ) )
	{
		return bv_error_argument;
	}
	uint32_t found = 0;
	for ( uint32_t i = number; i != BVW_NO_NODE; i = next_in_subtree( tree, number, i, false ) )
	{
		if ( found < most )
		{
			numbers[found] = i;
		}
		++found;
	}
	*count = found;
	return found > most ? bv_error_memory : bv_ok;
}
