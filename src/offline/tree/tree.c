// Canonical order of nodes, triangles and vertices. See tree.h.

#include "offline/tree/tree.h"

#include <string.h>

uint32_t bvorder_stride( uint32_t types )
{
	uint32_t stride = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		uint32_t bytes = types >> i & 1 ? bvvol_packed_bytes( (bv_volume_type)i ) : 0;
		stride = bytes > stride ? bytes : stride;
	}
	return stride;
}

// Visits depth first and gives the children of each node their places in `out`; returns the number of nodes.
// Without `out` it only counts.
static uint32_t walk( const bvb_tree* from, bvb_tree* out )
{
	const bvorder_stored_node* nodes = from->nodes;
	struct
	{
		uint32_t from; // next sibling in the old order
		uint32_t to;   // the same node's place in the new order
		uint32_t left; // how many siblings are left
	} stack[BV_MAX_DEPTH + 1];
	int level = 0;
	uint32_t placed = 1;
	stack[0].from = 0;
	stack[0].to = 0;
	stack[0].left = 1;
	while ( level >= 0 )
	{
		if ( stack[level].left == 0 )
		{
			level -= 1;
			continue;
		}
		stack[level].left -= 1;
		uint32_t to = stack[level].to++;
		uint32_t index = stack[level].from++;
		const bvorder_stored_node* node = nodes + index;
		if ( out )
		{
			size_t stride = from->stride;
			out->nodes[to] = *node;
			out->nodes[to].first_child = node->children ? placed : 0;
			memcpy( out->volumes + stride * to, from->volumes + stride * index, stride );
		}
		if ( node->children )
		{
			level += 1;
			stack[level].from = node->first_child;
			stack[level].to = placed;
			stack[level].left = node->children;
			placed += node->children;
		}
	}
	return placed;
}

static bvb_tree* allocate( uint32_t count, uint32_t stride, bvb_arena* arena )
{
	bvb_tree* tree = bvb_arena_allocate( arena, 1, sizeof *tree );
	bvorder_stored_node* nodes = bvb_arena_allocate( arena, count, sizeof *nodes );
	uint8_t* volumes = bvb_arena_allocate( arena, count, stride );
	if ( !tree || !nodes || !volumes )
	{
		return NULL;
	}
	*tree = ( bvb_tree ){ .nodes = nodes, .volumes = volumes, .stride = stride, .node_count = count };
	return tree;
}

bvb_tree* bvorder_create( const bvb_tree* from, bvb_arena* arena )
{
	bvb_tree* tree = allocate( walk( from, NULL ), from->stride, arena );
	if ( tree )
	{
		walk( from, tree );
	}
	return tree;
}

// Families move as one, in the order in which they are: so nothing is written where a node is still to be
// read.
void bvorder_close_gaps( bvb_tree* tree )
{
	bvorder_stored_node* nodes = tree->nodes;
	size_t stride = tree->stride;
	struct
	{
		uint32_t next; // sibling, where it is now
		uint32_t left; // how many siblings are left
	} stack[BV_MAX_DEPTH + 1];
	int level = 0;
	uint32_t placed = 1;
	stack[0].next = 0;
	stack[0].left = 1;
	while ( level >= 0 )
	{
		if ( stack[level].left == 0 )
		{
			level -= 1;
			continue;
		}
		stack[level].left -= 1;
		bvorder_stored_node* node = nodes + stack[level].next++;
		uint32_t children = node->children;
		if ( children )
		{
			memmove( nodes + placed, nodes + node->first_child, children * sizeof *nodes );
			memmove( tree->volumes + stride * placed, tree->volumes + stride * node->first_child,
			         stride * children );
			node->first_child = placed;
			level += 1;
			stack[level].next = placed;
			stack[level].left = children;
			placed += children;
		}
	}
	tree->node_count = placed;
}

bvb_tree* bvorder_keep( const bvb_tree* from, bvb_arena* arena )
{
	bvb_tree* tree = bvb_arena_allocate( arena, 1, sizeof *tree );
	if ( tree )
	{
		*tree = *from;
	}
	return tree;
}

bvb_tree* bvb_tree_from( bvb_node ( *node )( const void* context, uint32_t index ), const void* context,
                         uint32_t count, bvb_arena* arena )
{
	uint32_t types = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		types |= 1u << node( context, i ).volume.type;
	}
	bvb_tree* tree = allocate( count, bvorder_stride( types ), arena );
	for ( uint32_t i = 0; tree && i < count; ++i )
	{
		bvb_node from = node( context, i );
		tree->nodes[i] = ( bvorder_stored_node ){ from.first_child, from.children, from.first_triangle,
			                                      from.triangles, from.volume.type };
		bvorder_set_volume( tree, i, &from.volume );
	}
	return tree;
}

void bvb_tree_improve_root( bvb_tree* tree, uint32_t types, const bv_obb* box )
{
	bv_volume root = bvorder_volume( tree, 0 );
	double volume = root.type == bv_volume_obb    ? bv_obb_volume( &root.obb )
	                : root.type == bv_volume_aabb ? bv_aabb_volume( &root.aabb )
	                                              : 0;
	if ( types >> bv_volume_obb & 1 && bv_obb_volume( box ) < volume )
	{
		root = ( bv_volume ){ .type = bv_volume_obb, .obb = *box };
		bvorder_set_volume( tree, 0, &root );
	}
}

uint32_t bvb_tree_node_count( const bvb_tree* tree )
{
	return tree->node_count;
}

bvb_node bvb_tree_node( const bvb_tree* tree, uint32_t index )
{
	const bvorder_stored_node* node = tree->nodes + index;
	return ( bvb_node ){ node->first_child, node->children, node->first_triangle, node->triangles,
		                 bvorder_volume( tree, index ) };
}
