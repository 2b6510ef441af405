// Indices over triangles. See index.h.

#include "hausdorff/index.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"

#include <math.h>
#include <stdlib.h>

typedef struct builder
{
	const bvb_mesh* mesh;
	uint32_t* order; // triangles of the mesh in the index's order
	bv_vec3* middle; // of each place in that order
	bvb_index* index;
	uint32_t child_count;
} builder;

static void corners_of( const bvb_mesh* mesh, uint32_t triangle, bv_vec3 corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = mesh->positions[mesh->triangles[triangle].corner[k]];
	}
}

static bvb_index_ref add_node( builder* b, const bvb_index_node* node, const bvb_index_ref* children )
{
	bvb_index* index = b->index;
	index->nodes[index->node_count] = *node;
	index->nodes[index->node_count].first_child = b->child_count;
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		index->children[b->child_count++] = children[i];
	}
	return index->node_count++;
}

static bvb_solid_box bounds_of( const builder* b, uint32_t first, uint32_t count )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = first; i < first + count; ++i )
	{
		bv_vec3 corner[3];
		corners_of( b->mesh, b->order[i], corner );
		for ( int k = 0; k < 3; ++k )
		{
			lower = ( bv_vec3 ){ bv_min( lower.x, corner[k].x ), bv_min( lower.y, corner[k].y ),
				                 bv_min( lower.z, corner[k].z ) };
			upper = ( bv_vec3 ){ bv_max( upper.x, corner[k].x ), bv_max( upper.y, corner[k].y ),
				                 bv_max( upper.z, corner[k].z ) };
		}
	}
	bv_vec3 half = bv_scale( 0.5, bv_sub( upper, lower ) );
	return ( bvb_solid_box ){
		.center = bv_add( lower, half ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half.x, half.y, half.z },
	};
}

// Orders two places by their middles along an axis, and by triangle where these are the same.
static bool is_before( const builder* b, uint32_t i, uint32_t j, int axis )
{
	double x = bv_component( b->middle[i], axis );
	double y = bv_component( b->middle[j], axis );
	return x < y || ( x == y && b->order[i] < b->order[j] );
}

static void swap_places( builder* b, uint32_t i, uint32_t j )
{
	uint32_t triangle = b->order[i];
	b->order[i] = b->order[j];
	b->order[j] = triangle;
	bv_vec3 middle = b->middle[i];
	b->middle[i] = b->middle[j];
	b->middle[j] = middle;
}

// Brings the first `wanted` places of the range in front (Hoare 1961, "Find").
static void part( builder* b, uint32_t first, uint32_t count, uint32_t wanted, int axis )
{
	uint32_t end = first + count;
	uint32_t goal = first + wanted;
	while ( end - first > 1 )
	{
		swap_places( b, first + ( end - first ) / 2, end - 1 );
		uint32_t kept = first;
		for ( uint32_t i = first; i < end - 1; ++i )
		{
			if ( is_before( b, i, end - 1, axis ) )
			{
				swap_places( b, i, kept++ );
			}
		}
		swap_places( b, kept, end - 1 );
		if ( kept == goal )
		{
			return;
		}
		first = kept < goal ? kept + 1 : first;
		end = kept < goal ? end : kept;
	}
}

// Halving keeps the recursion shallow.
static bvb_index_ref build( builder* b, uint32_t first, uint32_t count )
{
	if ( count == 1 )
	{
		return first | BVB_REF_TRIANGLE;
	}
	bvb_index_node node = { .box = bounds_of( b, first, count ),
		                    .error = INFINITY,
		                    .child_count = 2,
		                    .first_triangle = first,
		                    .triangles = count };
	const double* half = node.box.half_extents;
	int axis = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
	part( b, first, count, count / 2, axis );
	bvb_index_ref children[2];
	children[0] = build( b, first, count / 2 );
	children[1] = build( b, first + count / 2, count - count / 2 );
	return add_node( b, &node, children );
}

// Room for an index over `count` triangles: no node has fewer than two children.
static bvb_index* create( builder* b, uint32_t count, bvb_arena* arena, bvb_arena* scratch )
{
	bvb_index* index = bvb_arena_allocate( arena, 1, sizeof *index );
	b->order = bvb_arena_allocate( scratch, count, sizeof *b->order );
	b->middle = bvb_arena_allocate( scratch, count, sizeof *b->middle );
	if ( !index || !b->order || !b->middle )
	{
		return NULL;
	}
	index->triangle_count = count;
	index->triangles = bvb_arena_allocate( arena, count, sizeof *index->triangles );
	index->nodes = bvb_arena_allocate( arena, count - 1, sizeof *index->nodes );
	index->children = bvb_arena_allocate( arena, 2 * (size_t)count - 2, sizeof *index->children );
	return index->triangles && index->nodes && index->children ? index : NULL;
}

static void find_middles( builder* b, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 c[3];
		corners_of( b->mesh, b->order[i], c );
		b->middle[i] =
			bv_add( c[0], bv_scale( 1.0 / 3, bv_add( bv_sub( c[1], c[0] ), bv_sub( c[2], c[0] ) ) ) );
	}
}

static void frame_triangles( const builder* b )
{
	for ( uint32_t i = 0; i < b->index->triangle_count; ++i )
	{
		bv_vec3 corner[3];
		corners_of( b->mesh, b->order[i], corner );
		b->index->triangles[i] = bvb_frame_triangle( corner );
	}
}

static bvb_index_ref add_tree_node( builder* b, const bvb_stored_node* node, const bvb_index_ref* refs )
{
	if ( node->children == 0 )
	{
		return build( b, node->first_triangle, node->triangles );
	}
	bv_obb box = bv_obb_unpack( &node->box );
	bvb_index_node n = {
		.box = { box.center,
		         { box.axis[0], box.axis[1], box.axis[2] },
		         { box.half_extents[0], box.half_extents[1], box.half_extents[2] } },
		.error = INFINITY,
		.child_count = node->children,
		.first_triangle = node->first_triangle,
		.triangles = node->triangles,
	};
	return add_node( b, &n, refs + node->first_child );
}

bvb_index* bvb_index_of_tree( const bvb_mesh* mesh, const bvb_tree* tree, bvb_arena* arena )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return NULL;
	}
	builder b = { .mesh = mesh };
	b.index = create( &b, mesh->triangle_count, arena, scratch );
	bvb_index_ref* refs = bvb_arena_allocate( arena, tree->node_count, sizeof *refs );
	if ( b.index && refs )
	{
		for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
		{
			b.order[i] = i;
		}
		find_middles( &b, mesh->triangle_count );

		// A child's place is behind its parent's.
		for ( uint32_t i = tree->node_count; i-- > 0; )
		{
			refs[i] = add_tree_node( &b, tree->nodes + i, refs );
		}
		frame_triangles( &b );
		b.index->tree = refs;
		b.index->root = refs[0];
	}
	bvb_arena_destroy( scratch );
	return refs ? b.index : NULL;
}

bvb_index* bvb_index_of_triangles( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                   bvb_arena* arena )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return NULL;
	}
	builder b = { .mesh = mesh };
	b.index = create( &b, count, arena, scratch );
	if ( b.index )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			b.order[i] = which ? which[i] : i;
		}
		find_middles( &b, count );
		b.index->root = build( &b, 0, count );
		frame_triangles( &b );
	}
	bvb_arena_destroy( scratch );
	return b.index;
}

enum
{
	deep =
		256, // more than the depth of a tree and of halvings below its leaves, times the children left behind
};

// What is left to visit, nearest on top.
typedef struct visit
{
	bvb_index_ref ref;
	double distance;
} visit;

static double ref_distance( const bvb_index* index, bvb_index_ref ref, bv_vec3 point )
{
	return bvb_ref_is_triangle( ref ) ? bvb_triangle_distance( bvb_ref_triangle( index, ref ), point )
	                                  : bvb_box_distance( &index->nodes[ref].box, point );
}

// Puts one more reference below those that are nearer.
static int push( visit* stack, int base, int top, visit v )
{
	int at = top;
	while ( at > base && stack[at - 1].distance < v.distance )
	{
		stack[at] = stack[at - 1];
		at -= 1;
	}
	stack[at] = v;
	return top + 1;
}

bvb_nearest bvb_index_nearest( const bvb_index* index, bvb_index_ref from, bv_vec3 point, bvb_nearest known )
{
	visit stack[8 * deep];
	int top = 1;
	stack[0] = ( visit ){ from, ref_distance( index, from, point ) };
	while ( top > 0 )
	{
		visit v = stack[--top];
		if ( v.distance >= known.distance )
		{
			continue;
		}
		if ( bvb_ref_is_triangle( v.ref ) )
		{
			known = ( bvb_nearest ){ v.distance, v.ref };
			continue;
		}
		const bvb_index_node* node = index->nodes + v.ref;
		int base = top;
		for ( uint32_t i = 0; i < node->child_count; ++i )
		{
			bvb_index_ref child = index->children[node->first_child + i];
			double d = ref_distance( index, child, point );
			if ( d < known.distance )
			{
				top = push( stack, base, top, ( visit ){ child, d } );
			}
		}
	}
	return known;
}
