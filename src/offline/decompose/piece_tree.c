// Divides the pieces in halves along the longest axis of each box. Hulls are made from the leaves up, each
// from the corners of its children's hulls.

#include "offline/decompose/piece_tree.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include <string.h>

enum
{
	leaf_points = 24,
	few_corners = 12, // hulls of so many are not worth making coarser
};

typedef struct piece_tree_grower
{
	bvdecomp_piece_tree* tree;
	const bvdecomp_piece* piece;
	uint32_t* leaf_of; // of each point
	double fine;
	double coarse;
	bvhull_rough* rough;
} piece_tree_grower;

static double coordinate( const piece_tree_grower* g, uint32_t at, int axis )
{
	return bvmath_component( g->piece->points[g->tree->points[at]], axis );
}

// Those of equal coordinates in the order of their numbers, so that the halves do not depend on how they are
// found.
static bool is_before( double a, uint32_t a_number, double b, uint32_t b_number )
{
	return a < b || ( a == b && a_number < b_number );
}

// Brings the `middle` least of the points first (Hoare's quickselect).
static void select_half( const piece_tree_grower* g, uint32_t first, uint32_t end, uint32_t middle, int axis )
{
	uint32_t* points = g->tree->points;
	while ( end - first > 1 )
	{
		double pivot = coordinate( g, first + ( end - first ) / 2, axis );
		uint32_t number = points[first + ( end - first ) / 2];
		uint32_t low = first;
		uint32_t high = end - 1;
		while ( low <= high )
		{
			while ( is_before( coordinate( g, low, axis ), points[low], pivot, number ) )
			{
				++low;
			}
			while ( is_before( pivot, number, coordinate( g, high, axis ), points[high] ) )
			{
				--high;
			}
			if ( low <= high )
			{
				uint32_t swap = points[low];
				points[low++] = points[high];
				points[high] = swap;
				if ( high == 0 )
				{
					break;
				}
				--high;
			}
		}
		if ( middle <= high )
		{
			end = high + 1;
		}
		else if ( middle >= low )
		{
			first = low;
		}
		else
		{
			return;
		}
	}
}

static void find_box( const piece_tree_grower* g, bvdecomp_piece_node* node )
{
	const bv_vec3* points = g->piece->points;
	node->low = node->high =
		node->point_count ? points[g->tree->points[node->first_point]] : ( bv_vec3 ){ 0 };
	for ( uint32_t i = 1; i < node->point_count; ++i )
	{
		bv_vec3 p = points[g->tree->points[node->first_point + i]];
		node->low = bvmath_least( node->low, p );
		node->high = bvmath_greatest( node->high, p );
	}
}

static void split( piece_tree_grower* g, uint32_t index )
{
	bvdecomp_piece_node* node = g->tree->nodes + index;
	find_box( g, node );
	if ( node->point_count <= leaf_points )
	{
		for ( uint32_t i = 0; i < node->point_count; ++i )
		{
			g->leaf_of[g->tree->points[node->first_point + i]] = index;
		}
		return;
	}
	bv_vec3 size = bv_sub( node->high, node->low );
	int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
	uint32_t first = node->first_point;
	uint32_t count = node->point_count;
	select_half( g, first, first + count, first + count / 2, axis );
	node->child = g->tree->node_count;
	node->point_count = 0;
	uint32_t child = node->child;
	g->tree->node_count += 2;
	g->tree->nodes[child] = ( bvdecomp_piece_node ){ .first_point = first, .point_count = count / 2 };
	g->tree->nodes[child + 1] =
		( bvdecomp_piece_node ){ .first_point = first + count / 2, .point_count = count - count / 2 };
	split( g, child );
	split( g, child + 1 );
}

static void hand_out_edges( const piece_tree_grower* g )
{
	const bvdecomp_piece* piece = g->piece;
	bvdecomp_piece_node* nodes = g->tree->nodes;
	for ( uint32_t e = 0; e < piece->edge_count; ++e )
	{
		++nodes[g->leaf_of[piece->edges[e][0]]].edge_count;
	}
	uint32_t sum = 0;
	for ( uint32_t i = 0; i < g->tree->node_count; ++i )
	{
		nodes[i].first_edge = sum;
		sum += nodes[i].edge_count;
		nodes[i].edge_count = 0;
	}
	for ( uint32_t e = 0; e < piece->edge_count; ++e )
	{
		bvdecomp_piece_node* leaf = nodes + g->leaf_of[piece->edges[e][0]];
		memcpy( g->tree->edges[leaf->first_edge + leaf->edge_count++], piece->edges[e],
		        sizeof *piece->edges );
		leaf->low = bvmath_least( leaf->low, piece->points[piece->edges[e][1]] );
		leaf->high = bvmath_greatest( leaf->high, piece->points[piece->edges[e][1]] );
	}
}

static bool find_corners( bvhull_rough* rough, double tolerance, bvb_arena* arena,
                          bvdecomp_node_corners* out )
{
	bvhull_rough_hull( rough, tolerance );
	out->points = rough->failed ? NULL : bvhull_rough_corners( rough, arena, &out->count );
	return out->points;
}

static bool finish_node( const piece_tree_grower* g, bvdecomp_piece_node* node, bvb_arena* arena )
{
	bvhull_rough* rough = g->rough;
	bvhull_rough_clear( rough );
	if ( node->child )
	{
		const bvdecomp_piece_node* child = g->tree->nodes + node->child;
		node->low = bvmath_least( child[0].low, child[1].low );
		node->high = bvmath_greatest( child[0].high, child[1].high );
		bvhull_rough_add_all( rough, child[0].fine.points, child[0].fine.count );
		bvhull_rough_add_all( rough, child[1].fine.points, child[1].fine.count );
	}
	for ( uint32_t i = 0; i < node->point_count; ++i )
	{
		bvhull_rough_add( rough, g->piece->points[g->tree->points[node->first_point + i]] );
	}
	if ( !find_corners( rough, g->fine, arena, &node->fine ) )
	{
		return false;
	}
	node->coarse = node->fine;
	if ( node->fine.count <= few_corners )
	{
		return true;
	}
	bvhull_rough_clear( rough );
	bvhull_rough_add_all( rough, node->fine.points, node->fine.count );
	return find_corners( rough, g->coarse, arena, &node->coarse );
}

bv_status bvdecomp_grow_piece_tree( bvdecomp_piece* piece, double fine, double coarse, bvhull_rough* rough,
                                    bvb_arena* arena )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvdecomp_piece_tree* tree = bvb_arena_allocate( arena, 1, sizeof *tree );
	if ( !scratch || !tree )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}

	// Leaves have half as many points as they may, at least.
	size_t most_nodes = 4 * (size_t)( piece->point_count / leaf_points ) + 3;
	*tree = ( bvdecomp_piece_tree ){
		.nodes = bvb_arena_allocate( arena, most_nodes, sizeof *tree->nodes ),
		.node_count = 1,
		.points = bvb_arena_allocate( arena, piece->point_count, sizeof *tree->points ),
		.edges = bvb_arena_allocate( arena, piece->edge_count, sizeof *tree->edges ),
	};
	piece_tree_grower g = { .tree = tree, .piece = piece, .fine = fine, .coarse = coarse, .rough = rough };
	g.leaf_of = bvb_arena_allocate( scratch, piece->point_count, sizeof *g.leaf_of );
	bool good = tree->nodes && tree->points && tree->edges && g.leaf_of;
	if ( good )
	{
		for ( uint32_t i = 0; i < piece->point_count; ++i )
		{
			tree->points[i] = i;
		}
		tree->nodes[0] = ( bvdecomp_piece_node ){ .point_count = piece->point_count };
		split( &g, 0 );
		hand_out_edges( &g );
	}
	for ( uint32_t i = good ? tree->node_count : 0; i > 0 && good; --i )
	{
		good = finish_node( &g, tree->nodes + i - 1, arena );
	}
	piece->tree = tree;
	bvb_arena_destroy( scratch );
	return good ? bv_ok : bv_error_memory;
}
