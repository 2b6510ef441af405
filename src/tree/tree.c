// Canonical order of nodes, triangles and vertices. See tree.h.

#include "tree/tree.h"

#include <string.h>

// Visits depth first and calls for each node the place its children get; returns the number of nodes. Without
// `out` it only counts.
static uint32_t walk( const bvb_stored_node* nodes, bvb_stored_node* out )
{
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
		const bvb_stored_node* node = nodes + stack[level].from++;
		if ( out )
		{
			out[to] = *node;
			out[to].first_child = node->children ? placed : 0;
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

bvb_tree* bvb_tree_create( const bvb_stored_node* nodes, bvb_arena* arena )
{
	uint32_t count = walk( nodes, NULL );
	bvb_tree* tree = bvb_arena_allocate( arena, 1, sizeof *tree );
	bvb_stored_node* out = bvb_arena_allocate( arena, count, sizeof *out );
	if ( !tree || !out )
	{
		return NULL;
	}
	walk( nodes, out );
	*tree = ( bvb_tree ){ out, count };
	return tree;
}

bool bvb_tree_order_mesh( bvb_mesh* mesh, const uint32_t* order, bvb_arena* scratch )
{
	bvb_triangle* triangles = bvb_arena_allocate( scratch, mesh->triangle_count, sizeof *triangles );
	bv_vec3* positions = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *positions );
	uint32_t* number = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *number );
	uint32_t* origin =
		mesh->origin ? bvb_arena_allocate( scratch, mesh->triangle_count, sizeof *origin ) : NULL;
	if ( !triangles || !positions || !number || ( mesh->origin && !origin ) )
	{
		return false;
	}
	if ( origin )
	{
		memcpy( origin, mesh->origin, mesh->triangle_count * sizeof *origin );
		for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
		{
			mesh->origin[i] = origin[order[i]];
		}
	}
	memcpy( triangles, mesh->triangles, mesh->triangle_count * sizeof *triangles );
	memcpy( positions, mesh->positions, mesh->vertex_count * sizeof *positions );

	uint32_t used = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t old = triangles[order[i]].corner[k];
			if ( number[old] == 0 )
			{
				mesh->positions[used++] = positions[old];
				number[old] = used;
			}
			mesh->triangles[i].corner[k] = number[old] - 1;
		}
	}
	mesh->vertex_count = used;
	return true;
}

bvb_tree* bvb_tree_from( bvb_node ( *node )( const void* context, uint32_t index ), const void* context,
                         uint32_t count, bvb_arena* arena )
{
	bvb_tree* tree = bvb_arena_allocate( arena, 1, sizeof *tree );
	bvb_stored_node* nodes = bvb_arena_allocate( arena, count, sizeof *nodes );
	if ( !tree || !nodes )
	{
		return NULL;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_node from = node( context, i );
		nodes[i] = ( bvb_stored_node ){ bv_obb_pack( &from.box ), from.first_child, from.children,
			                            from.first_triangle, from.triangles };
	}
	*tree = ( bvb_tree ){ nodes, count };
	return tree;
}

void bvb_tree_improve_root( bvb_tree* tree, const bv_obb* box )
{
	bv_obb root = bv_obb_unpack( &tree->nodes[0].box );
	if ( bv_obb_volume( box ) < bv_obb_volume( &root ) )
	{
		tree->nodes[0].box = bv_obb_pack( box );
	}
}

uint32_t bvb_tree_node_count( const bvb_tree* tree )
{
	return tree->node_count;
}

bvb_node bvb_tree_node( const bvb_tree* tree, uint32_t index )
{
	const bvb_stored_node* node = tree->nodes + index;
	return ( bvb_node ){ node->first_child, node->children, node->first_triangle, node->triangles,
		                 bv_obb_unpack( &node->box ) };
}
