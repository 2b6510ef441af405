// Builds a dynamic tree anew. See tree.c.
//
// Based on: I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007.

#include "world/broadphase/tree.h"

#include <math.h>
#include <string.h>

enum
{
	bins = 16, // along an axis, where sets of objects are divided
};

// Objects between two indices of an array.
typedef struct tree_range
{
	uint32_t first;
	uint32_t count;
} tree_range;

// How the centers of objects along an axis are divided into bins.
typedef struct tree_bins
{
	int axis;
	double least; // of the double of a center
	double scale; // bins per unit
	double reach; // of infinite bounds
} tree_bins;

// The double of the center along an axis. Infinite bounds are where the reach is.
static double place_of( const bvwphase_tree_box* box, int axis, double reach )
{
	double lower = box->lower[axis];
	double upper = box->upper[axis];
	return ( lower > -reach ? lower : -reach ) + ( upper < reach ? upper : reach );
}

static int bin_of( const tree_bins* b, const bvwphase_tree_box* box )
{
	int bin = (int)( ( place_of( box, b->axis, b->reach ) - b->least ) * b->scale );
	return bin < bins ? bin : bins - 1;
}

// Along the axis along which centers are spread most.
// @return false if all are at the same place
static bool make_bins( const bvwphase_tree_leaf* leaves, const uint32_t* numbers, uint32_t count,
                       double reach, tree_bins* out )
{
	double least[3] = { INFINITY, INFINITY, INFINITY };
	double most[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double place = place_of( &leaves[numbers[i]].box, k, reach );
			least[k] = place < least[k] ? place : least[k];
			most[k] = place > most[k] ? place : most[k];
		}
	}
	int axis = most[1] - least[1] > most[0] - least[0] ? 1 : 0;
	axis = most[2] - least[2] > most[axis] - least[axis] ? 2 : axis;
	*out = ( tree_bins ){ axis, least[axis], bins / ( most[axis] - least[axis] ), reach };
	return out->scale < INFINITY;
}

// @return the last bin of the first part, where the sum of areas times numbers of both parts is least, and of several such bins, where
// the numbers differ least; below 0 if all objects are in one bin
static int best_bin( const bvwphase_tree_leaf* leaves, const uint32_t* numbers, uint32_t count,
                     const tree_bins* b )
{
	bvwphase_tree_box box[bins];
	uint32_t members[bins] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvwphase_tree_box* own = &leaves[numbers[i]].box;
		int bin = bin_of( b, own );
		box[bin] = members[bin]++ > 0 ? bvwphase_tree_both( box + bin, own ) : *own;
	}
	const bvwphase_tree_box nothing = { { INFINITY, INFINITY, INFINITY },
		                                { -INFINITY, -INFINITY, -INFINITY } };
	bvwphase_tree_box so_far = nothing;
	double cost[bins]; // of the bins up to each
	uint32_t number = 0;
	for ( int i = 0; i < bins; ++i )
	{
		so_far = members[i] > 0 ? bvwphase_tree_both( &so_far, box + i ) : so_far;
		number += members[i];
		cost[i] = number > 0 ? number * bvwphase_tree_area( &so_far, b->reach ) : 0;
	}
	so_far = nothing;
	number = 0;
	int best = -1;
	double least = INFINITY;
	uint32_t least_difference = 0;
	for ( int i = bins - 1; i > 0; --i )
	{
		so_far = members[i] > 0 ? bvwphase_tree_both( &so_far, box + i ) : so_far;
		number += members[i];
		double both = number > 0 ? cost[i - 1] + number * bvwphase_tree_area( &so_far, b->reach ) : INFINITY;
		uint32_t difference = number > count - number ? number - ( count - number ) : count - number - number;
		if ( number < count && ( both < least || ( both == least && difference < least_difference ) ) )
		{
			least = both;
			least_difference = difference;
			best = i - 1;
		}
	}
	return best;
}

// Divides objects into two parts.
// @return how many come first
static uint32_t divide( const bvwphase_tree_leaf* leaves, uint32_t* numbers, uint32_t count, double reach )
{
	tree_bins b;
	int last = make_bins( leaves, numbers, count, reach, &b ) ? best_bin( leaves, numbers, count, &b ) : -1;
	uint32_t first = 0;
	for ( uint32_t i = 0; i < count && last >= 0; ++i )
	{
		if ( bin_of( &b, &leaves[numbers[i]].box ) <= last )
		{
			uint32_t swap = numbers[first];
			numbers[first++] = numbers[i];
			numbers[i] = swap;
		}
	}
	return first > 0 ? first : count / 2;
}

// Builds the tree of all objects anew, from the root to the leaves. Nodes that are to be divided have their range in place of their children, and are linked by `unused`.
void bvwphase_tree_build( bvw_broadphase* world )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	bvwphase_tree_leaf* leaves = bvwphase_tree_leaves( world );
	uint32_t* order = bvwphase_at( world, t->order_at );
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t count = 0;
	t->reach = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			bvwphase_tree_extend_reach( t, &leaves[i].box );
			order[count++] = i;
		}
	}
	t->free = BVWPHASE_NONE;
	memset( bvwphase_at( world, t->free_at ), 0, 8 * bvwphase_tree_words( world->options.objects ) );
	t->used = 1;
	t->root = 0;
	nodes[0] =
		( bvwphase_tree_node ){ .child = { 0, count }, .parent = BVWPHASE_NONE, .unused = BVWPHASE_NONE };
	uint32_t next = 0;
	while ( next != BVWPHASE_NONE )
	{
		uint32_t node = next;
		tree_range all = { nodes[node].child[0], nodes[node].child[1] };
		next = nodes[node].unused;
		nodes[node].unused = 0;
		uint32_t first = divide( leaves, order + all.first, all.count, t->reach );
		tree_range part[2] = { { all.first, first }, { all.first + first, all.count - first } };
		for ( int k = 1; k >= 0; --k )
		{
			if ( part[k].count == 1 )
			{
				nodes[node].child[k] = BVWPHASE_LEAF | order[part[k].first];
				continue;
			}
			uint32_t child = t->used++;
			nodes[child] = ( bvwphase_tree_node ){ .child = { part[k].first, part[k].count },
				                                   .parent = node,
				                                   .unused = next };
			nodes[node].child[k] = child;
			next = child;
		}
	}
	for ( uint32_t i = t->used; i > 0; --i ) // children come after their parents
	{
		bvwphase_tree_set_child( world, i - 1, 0, nodes[i - 1].child[0] );
		bvwphase_tree_set_child( world, i - 1, 1, nodes[i - 1].child[1] );
	}
}
