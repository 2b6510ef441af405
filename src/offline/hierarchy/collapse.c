// Turns binary trees into wide ones and enlarges their leaves, minimizing the expected cost, memory included.
// Dynamic programming over the minimal cost of representing a subtree by k roots. Unlike in the papers, the
// cost of a node grows with its number of children.
//
// Based on: I. Wald, C. Benthin, S. Boulos, "Getting Rid of Packets", 2008, for a fixed number of children;
// H. Ylitie, T. Karras, S. Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs",
// 2017, section 3.1, for the formulation.

#include "offline/base/arena.h"
#include "offline/hierarchy/build.h"
#include "offline/hierarchy/expected.h"
#include "runtime/file/node.h"

#include <math.h>

// Least costs of what is below a node of the binary tree, tests of the roots themselves left out.
typedef struct least
{
	double by_roots[BVB_MAX_CHILDREN +
	                1]; // [k]: k subtrees that hold all, of one node [1]; infinite where there are fewer
	double opening;     // of the node, if it is kept; its bytes included
	double child;       // of one more child of it
	double leaf;        // of the node as a leaf; infinite where it has too many faces
} least;

typedef struct collapse_work
{
	const bvb_tree* from; // canonical
	bvb_tree* to;
	least* best;   // of the nodes of `from`
	uint32_t most; // children
	double byte;   // what it costs
} collapse_work;

// The best way for a node's two children to have `count` roots together; the least number on the left of
// equal ones.
// @param left  receives how many of them are the first child's, unless null
static double divide( const collapse_work* w, uint32_t node, uint32_t count, uint32_t* left )
{
	const least* a = w->best + w->from->nodes[node].first_child;
	const least* b = a + 1;
	double cost = INFINITY;
	for ( uint32_t k = 1; k < count; ++k )
	{
		double sum = a->by_roots[k] + b->by_roots[count - k];
		if ( sum < cost )
		{
			cost = sum;
			if ( left )
			{
				*left = k;
			}
		}
	}
	return cost;
}

// How many children a node is best given, and what that costs.
static uint32_t choose_children( const collapse_work* w, uint32_t node, double* cost )
{
	const least* l = w->best + node;
	uint32_t best = 0;
	*cost = INFINITY;
	for ( uint32_t k = 2; k <= w->most; ++k )
	{
		double sum = ( l->opening + l->child * k ) + divide( w, node, k, NULL );
		if ( sum < *cost )
		{
			*cost = sum;
			best = k;
		}
	}
	return best;
}

// Bytes of a file. A volume, what kind of node it is of, and its two errors; of an inner node its head and
// the link to it, too.
static double bytes_of( const bv_volume* volume, bool inner )
{
	return bvfile_group_bytes( volume->type, 4 ) / 4.0 + 3 +
	       ( inner ? sizeof( bvfile_packed_node ) + 4.0 : 0 );
}

static void weigh( const collapse_work* w, const bvhier_expected* e, uint32_t leaf_triangles, uint32_t index )
{
	const bvorder_stored_node* node = w->from->nodes + index;
	bv_volume volume = bvorder_volume( w->from, index );
	least* l = w->best + index;
	for ( uint32_t k = 0; k <= BVB_MAX_CHILDREN; ++k )
	{
		l->by_roots[k] = INFINITY;
	}
	bool leaf = node->children == 0 || node->triangles <= leaf_triangles;
	double chance = bvhier_visit_chance( &volume, &e->root );
	l->leaf = leaf ? chance * bvhier_leaf_cost( e, node->triangles ) + w->byte * bytes_of( &volume, false )
	               : INFINITY;
	l->opening = chance * e->opening + w->byte * bytes_of( &volume, true );
	l->child = chance * e->volume[volume.type];
	double inner = INFINITY;
	if ( node->children )
	{
		choose_children( w, index, &inner );
		for ( uint32_t k = 2; k <= w->most; ++k )
		{
			l->by_roots[k] = divide( w, index, k, NULL );
		}
	}
	l->by_roots[1] = l->leaf <= inner ? l->leaf : inner;
}

// The roots that represent a node's subtree where there are to be `count`, from left to right.
static uint32_t* list_roots( const collapse_work* w, uint32_t node, uint32_t count, uint32_t* out )
{
	if ( count == 1 )
	{
		*out = node;
		return out + 1;
	}
	uint32_t left = 0;
	divide( w, node, count, &left );
	uint32_t child = w->from->nodes[node].first_child;
	return list_roots( w, child + 1, count - left, list_roots( w, child, left, out ) );
}

static void emit( collapse_work* w, uint32_t from, uint32_t to )
{
	bvb_tree* tree = w->to;
	bvorder_stored_node* node = tree->nodes + to;
	bv_volume volume = bvorder_volume( w->from, from );
	*node = w->from->nodes[from];
	bvorder_set_volume( tree, to, &volume );
	node->first_child = 0;
	node->children = 0;
	if ( w->best[from].leaf == w->best[from].by_roots[1] )
	{
		return;
	}
	double cost;
	uint32_t roots[BVB_MAX_CHILDREN];
	uint32_t count = choose_children( w, from, &cost );
	list_roots( w, from, count, roots );
	node->first_child = tree->node_count;
	node->children = count;
	tree->node_count += count;
	uint32_t first = node->first_child;
	for ( uint32_t k = 0; k < count; ++k )
	{
		emit( w, roots[k], first + k );
	}
}

bv_status bvhier_collapse( const bvhier_build* build )
{
	const bvb_hierarchy_options* options = build->options;
	collapse_work w = { .from = bvorder_create( build->tree, build->scratch ),
		                .to = build->tree,
		                .most = options->collapse,
		                .byte = options->byte_price / build->count };
	w.best = w.from ? bvb_arena_allocate( build->scratch, w.from->node_count, sizeof *w.best ) : NULL;
	if ( !w.best )
	{
		return bv_error_memory;
	}
	bv_volume root = bvorder_volume( w.from, 0 );
	bvhier_expected e = bvhier_expected_make( options, &root );
	for ( uint32_t i = w.from->node_count; i-- > 0; )
	{
		weigh( &w, &e, options->leaf_triangles, i );
	}
	w.to->node_count = 1;
	emit( &w, 0, 0 );
	return bv_ok;
}
