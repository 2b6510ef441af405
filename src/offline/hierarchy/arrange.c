// Brings the children of each node, and all triangles, into the order that files have: children with volumes
// of one type side by side, and of the triangles below a node first those of its leaves, then those below
// each of its inner children.

#include "offline/base/arena.h"
#include "offline/hierarchy/build.h"

#include <string.h>

typedef struct arrangement
{
	bvb_tree* tree;
	const uint32_t* from; // faces in the old order
	uint32_t* to;         // in the new one
	uint32_t placed;      // length of to
	uint8_t* room;        // of one volume
} arrangement;

static void swap_nodes( const arrangement* a, uint32_t i, uint32_t k )
{
	size_t stride = a->tree->stride;
	uint8_t* volumes = a->tree->volumes;
	bvorder_stored_node node = a->tree->nodes[i];
	a->tree->nodes[i] = a->tree->nodes[k];
	a->tree->nodes[k] = node;
	memcpy( a->room, volumes + stride * i, stride );
	memcpy( volumes + stride * i, volumes + stride * k, stride );
	memcpy( volumes + stride * k, a->room, stride );
}

// Equal ones stay as they are.
static void sort_children( const arrangement* a, uint32_t first, uint32_t count )
{
	const bvorder_stored_node* nodes = a->tree->nodes;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		for ( uint32_t k = i; k > first && nodes[k].type < nodes[k - 1].type; --k )
		{
			swap_nodes( a, k - 1, k );
		}
	}
}

static void place( arrangement* a, bvorder_stored_node* leaf )
{
	memcpy( a->to + a->placed, a->from + leaf->first_triangle, leaf->triangles * sizeof *a->to );
	leaf->first_triangle = a->placed;
	a->placed += leaf->triangles;
}

static void arrange( arrangement* a, uint32_t index )
{
	bvorder_stored_node* node = a->tree->nodes + index;
	bvorder_stored_node* child = a->tree->nodes + node->first_child;
	if ( node->children == 0 )
	{
		place( a, node );
		return;
	}
	sort_children( a, node->first_child, node->children );
	node->first_triangle = a->placed;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		if ( child[i].children == 0 )
		{
			place( a, child + i );
		}
	}
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		if ( child[i].children > 0 )
		{
			arrange( a, node->first_child + i );
		}
	}
}

bv_status bvhier_arrange( const bvhier_build* build )
{
	arrangement a = {
		.tree = build->tree,
		.from = build->order,
		.to = bvb_arena_allocate( build->scratch, build->count, sizeof *a.to ),
		.room = bvb_arena_allocate( build->scratch, build->tree->stride, 1 ),
	};
	if ( !a.to || !a.room )
	{
		return bv_error_memory;
	}
	arrange( &a, 0 );
	memcpy( build->order, a.to, build->count * sizeof *a.to );
	return bv_ok;
}
