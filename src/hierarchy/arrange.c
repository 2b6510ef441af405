// Puts the children of each node in ascending order of their volumes' areas. A query that has found none of a node's other
// children to meet what the node meets takes the last for granted, which is right most often for the largest.

#include "base/offline/arena.h"
#include "bvbuild/fit.h"
#include "hierarchy/build.h"

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
	bvb_stored_node node = a->tree->nodes[i];
	a->tree->nodes[i] = a->tree->nodes[k];
	a->tree->nodes[k] = node;
	memcpy( a->room, volumes + stride * i, stride );
	memcpy( volumes + stride * i, volumes + stride * k, stride );
	memcpy( volumes + stride * k, a->room, stride );
}

// Equal ones stay as they are.
static void sort_children( const arrangement* a, uint32_t first, uint32_t count )
{
	double area[BVB_MAX_CHILDREN];
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_volume volume = bvb_tree_volume( a->tree, first + i );
		area[i] = bvb_area_of( &volume );
		for ( uint32_t k = i; k > 0 && area[k] < area[k - 1]; --k )
		{
			double larger = area[k - 1];
			area[k - 1] = area[k];
			area[k] = larger;
			swap_nodes( a, first + k - 1, first + k );
		}
	}
}

static void arrange( arrangement* a, uint32_t index )
{
	bvb_stored_node* node = a->tree->nodes + index;
	uint32_t first = a->placed;
	if ( node->children == 0 )
	{
		memcpy( a->to + first, a->from + node->first_triangle, node->triangles * sizeof *a->to );
		a->placed += node->triangles;
	}
	sort_children( a, node->first_child, node->children );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		arrange( a, node->first_child + i );
	}
	node->first_triangle = first;
}

bv_status bvb_arrange( const bvb_build* build )
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
