// A dynamic tree of boxes. A box that goes on moving gets a margin, and the tree is changed when it leaves that.
//
// Objects whose boxes with margins touch are near. The store has all pairs of near objects, so that an object that stays within
// its margin is compared with the objects of its pairs only, without a search. When an object has left its margin, the next
// update searches for the objects that are near it.
//
// Boxes of the tree are binary32, rounded outward. A node has the boxes of both children, which one cache line holds. Walks need
// no stack: they go back by the links to parents. New nodes are put close to their parents in memory, because queries of a tree whose
// nodes are in no order take longer.
//
// Based on: a sibling for a new leaf is found by branch and bound on the sum of areas (J. Bittner, M. Hapala, V. Havran, "Fast
// insertion-based optimization of bounding volume hierarchies", 2013), which ends after some steps; above it, subtrees are exchanged where
// that reduces areas (A. Kensler, "Tree rotations for improving bounding volume hierarchies for interactive ray tracing", 2008).
// E. Catto, "Dynamic bounding volume hierarchies", 2019, combines the two.

#include "world/broadphase/tree.h"

#include <math.h>
#include <string.h>

enum
{
	few = 64,        // objects that are inserted one by one
	steps_ahead = 4, // that the box of an object that moves has room for
	rest = 2,        // updates: an object that moves no more often rests in between
	update_bits = 31,
	word_bits = 64,
	words_near = 8,        // in which a free node is looked for, to each side
	later_places = 16,     // nodes that a search for a place keeps to look at later
	steps_of_search = 100, // nodes that it looks at
};

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t each = sizeof( bvwphase_tree_node ) + sizeof( bvwphase_tree_leaf ) + 2 * sizeof( uint64_t );
	return sizeof( bvwphase_tree_state ) + each * options->objects +
	       2 * bvwphase_aligned( 4 * (uint64_t)options->objects ) +
	       8 * bvwphase_tree_words( options->objects );
}

static void begin( bvw_broadphase* world )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	uint64_t objects = world->options.objects;
	t->root = t->free = BVWPHASE_NONE;
	t->updates = 1;
	t->nodes_at = world->method_at + sizeof( bvwphase_tree_state );
	t->leaves_at = t->nodes_at + objects * sizeof( bvwphase_tree_node );
	t->categories_at = t->leaves_at + objects * sizeof( bvwphase_tree_leaf );
	t->pending_at = t->categories_at + objects * 2 * sizeof( uint64_t );
	t->order_at = t->pending_at + bvwphase_aligned( 4 * objects );
	t->free_at = t->order_at + bvwphase_aligned( 4 * objects );
}

static bool are_equal( const bvwphase_tree_box* a, const bvwphase_tree_box* b )
{
	bool equal = true;
	for ( int k = 0; k < 3; ++k )
	{
		equal = equal && a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
	}
	return equal;
}

static bool contains( const bvwphase_tree_box* outer, const bv_aabb* box )
{
	return outer->lower[0] <= box->lower.x && outer->lower[1] <= box->lower.y &&
	       outer->lower[2] <= box->lower.z && box->upper.x <= outer->upper[0] &&
	       box->upper.y <= outer->upper[1] && box->upper.z <= outer->upper[2];
}

// The longest side that is not infinite.
static double size_of( const bv_aabb* box )
{
	double side[3] = { box->upper.x - box->lower.x, box->upper.y - box->lower.y,
		               box->upper.z - box->lower.z };
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		longest = side[k] > longest && side[k] < INFINITY ? side[k] : longest;
	}
	return longest;
}

static void set_parent( bvw_broadphase* world, uint32_t reference, uint32_t parent )
{
	if ( reference & BVWPHASE_LEAF )
	{
		bvwphase_tree_leaves( world )[reference & ~BVWPHASE_LEAF].parent = parent;
	}
	else
	{
		bvwphase_tree_nodes( world )[reference].parent = parent;
	}
}

static uint64_t categories_below( const bvw_broadphase* world, uint32_t reference )
{
	if ( reference & BVWPHASE_LEAF )
	{
		return bvwphase_objects( world )[reference & ~BVWPHASE_LEAF].category;
	}
	const uint64_t* of_node = bvwphase_tree_categories( world )[reference];
	return of_node[0] | of_node[1];
}

static bvwphase_tree_box box_below( const bvw_broadphase* world, uint32_t reference )
{
	if ( reference & BVWPHASE_LEAF )
	{
		return bvwphase_tree_leaves( world )[reference & ~BVWPHASE_LEAF].box;
	}
	const bvwphase_tree_node* node = bvwphase_tree_nodes( world ) + reference;
	return bvwphase_tree_both( node->box, node->box + 1 );
}

void bvwphase_tree_set_child( bvw_broadphase* world, uint32_t node, int slot, uint32_t reference )
{
	bvwphase_tree_node* n = bvwphase_tree_nodes( world ) + node;
	n->child[slot] = reference;
	n->box[slot] = box_below( world, reference );
	bvwphase_tree_categories( world )[node][slot] = categories_below( world, reference );
	set_parent( world, reference, node );
}

// Exchanges a child of a node with a grandchild on the other side, if that makes the other child smaller: the exchange with the
// greatest gain.
static void rotate( bvw_broadphase* world, uint32_t node )
{
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	bvwphase_tree_node* n = nodes + node;
	double reach = bvwphase_tree_of( world )->reach;
	double gain = 0;
	int from = -1;
	int with = 0;
	for ( int i = 0; i < 2; ++i )
	{
		if ( n->child[1 - i] & BVWPHASE_LEAF )
		{
			continue;
		}
		const bvwphase_tree_node* other = nodes + n->child[1 - i];
		double area = bvwphase_tree_area( n->box + 1 - i, reach );
		for ( int k = 0; k < 2; ++k )
		{
			double less = area - bvwphase_tree_area_of_both( n->box + i, other->box + 1 - k, reach );
			if ( less > gain )
			{
				gain = less;
				from = i;
				with = k;
			}
		}
	}
	if ( from >= 0 )
	{
		uint32_t other = n->child[1 - from];
		uint32_t child = n->child[from];
		uint32_t grandchild = nodes[other].child[with];
		bvwphase_tree_set_child( world, other, with, child );
		bvwphase_tree_set_child( world, node, from, grandchild );
		bvwphase_tree_set_child( world, node, 1 - from, other );
	}
}

// Corrects the boxes above a node whose children have changed.
// @param rotates  improves the tree on the way
static void correct_above( bvw_broadphase* world, uint32_t node, bool rotates )
{
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	for ( ;; )
	{
		if ( rotates )
		{
			rotate( world, node );
		}
		uint32_t parent = nodes[node].parent;
		if ( parent == BVWPHASE_NONE )
		{
			return;
		}
		int slot = bvwphase_tree_slot( nodes + parent, node );
		bvwphase_tree_box box = bvwphase_tree_both( nodes[node].box, nodes[node].box + 1 );
		uint64_t categories = categories_below( world, node );
		uint64_t* known = bvwphase_tree_categories( world )[parent] + slot;
		if ( are_equal( &box, nodes[parent].box + slot ) && categories == *known )
		{
			return;
		}
		nodes[parent].box[slot] = box;
		*known = categories;
		node = parent;
	}
}

// A node below which the place for a new leaf can be.
typedef struct tree_place
{
	uint32_t at;
	double above; // by how much the nodes above it grow
	double area;
	double grown; // area with the leaf
	double bound; // of the sum of areas below it
} tree_place;

// The place for a new leaf with the least sum of areas, among those that some steps of branch and bound see.
// @param at  a reference: the root, or a node whose box contains the leaf's, as those above do: they do not grow
// @return a reference: the new node has it and the leaf as children
static uint32_t best_sibling( const bvw_broadphase* world, uint32_t number, uint32_t at )
{
	const bvwphase_tree_box* box = &bvwphase_tree_leaves( world )[number].box;
	// Of equally good children, which one is looked at depends on the number: else equal boxes would make a chain.
	uint32_t choice = number * UINT32_C( 0x9E3779B9 );
	const bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	double reach = bvwphase_tree_of( world )->reach;
	bvwphase_tree_box root = box_below( world, at );
	double own = bvwphase_tree_area( box, reach );
	double grown = bvwphase_tree_area_of_both( &root, box, reach );
	uint32_t best = at;
	double least = grown;
	tree_place later[later_places];
	uint32_t later_count = 0;
	tree_place p = { at, 0, bvwphase_tree_area( &root, reach ), grown, 0 };
	for ( uint32_t step = 0; step < steps_of_search; ++step )
	{
		if ( p.at & BVWPHASE_LEAF )
		{
			break;
		}
		const bvwphase_tree_node* n = nodes + p.at;
		double above = p.above + p.grown - p.area;
		tree_place child[2];
		double cost[2];
		for ( int i = 0; i < 2; ++i )
		{
			double area = bvwphase_tree_area( n->box + i, reach );
			double grown_child = bvwphase_tree_area_of_both( n->box + i, box, reach );
			cost[i] = above + grown_child;
			// Below it, the new node has at least the leaf's area.
			double bound = n->child[i] & BVWPHASE_LEAF ? INFINITY : above + ( grown_child - area ) + own;
			child[i] = ( tree_place ){ n->child[i], above, area, grown_child, bound };
		}
		choice = choice << 1 | choice >> 31;
		bool are_equal_costs = cost[0] == cost[1];
		int better = are_equal_costs ? (int)( choice & 1 ) : cost[1] < cost[0];
		int next = are_equal_costs ? better : child[1].bound < child[0].bound;
		if ( cost[better] <= least )
		{
			least = cost[better];
			best = n->child[better];
		}
		if ( child[1 - next].bound < least && later_count < later_places )
		{
			later[later_count++] = child[1 - next];
		}
		p = child[next];
		while ( p.bound > least && later_count > 0 )
		{
			p = later[--later_count];
		}
		if ( p.bound > least )
		{
			break;
		}
	}
	return best;
}

static uint64_t* free_bits_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, bvwphase_tree_of( world )->free_at );
}

// @param near  a node, close to which the new one is to be in memory if one is free there
static uint32_t take_node( bvw_broadphase* world, uint32_t near )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	if ( t->free == BVWPHASE_NONE )
	{
		return t->used++;
	}
	uint64_t* bits = free_bits_of( world );
	uint32_t node = t->free;
	uint32_t words = ( t->used + word_bits - 1 ) / word_bits;
	uint32_t word = near / word_bits;
	for ( uint32_t k = 0; k < 2 * words_near; ++k )
	{
		// word, word + 1, word - 1, word + 2...
		uint32_t at = k % 2 ? word + ( k + 1 ) / 2 : word - k / 2;
		if ( at < words && bits[at] != 0 )
		{
			node = at * word_bits + bvwphase_lowest_bit( bits[at] );
			break;
		}
	}
	bits[node / word_bits] &= ~( UINT64_C( 1 ) << node % word_bits );
	uint32_t before = nodes[node].child[0];
	uint32_t after = nodes[node].child[1];
	if ( before == BVWPHASE_NONE )
	{
		t->free = after;
	}
	else
	{
		nodes[before].child[1] = after;
	}
	if ( after != BVWPHASE_NONE )
	{
		nodes[after].child[0] = before;
	}
	return node;
}

static void give_node( bvw_broadphase* world, uint32_t node )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	memset( nodes + node, 0, sizeof *nodes );
	nodes[node].child[0] = BVWPHASE_NONE;
	nodes[node].child[1] = t->free;
	if ( t->free != BVWPHASE_NONE )
	{
		nodes[t->free].child[0] = node;
	}
	t->free = node;
	free_bits_of( world )[node / word_bits] |= UINT64_C( 1 ) << node % word_bits;
}

// @param near  where the search for a place begins; BVWPHASE_NONE for the root
static void insert( bvw_broadphase* world, uint32_t number, uint32_t near )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	bvwphase_tree_leaf* leaf = bvwphase_tree_leaves( world ) + number;
	bvwphase_tree_extend_reach( t, &leaf->box );
	if ( t->root == BVWPHASE_NONE )
	{
		t->root = BVWPHASE_LEAF | number;
		leaf->parent = BVWPHASE_NONE;
		return;
	}
	uint32_t sibling = best_sibling( world, number, near == BVWPHASE_NONE ? t->root : near );
	uint32_t parent = sibling & BVWPHASE_LEAF ? bvwphase_tree_leaves( world )[sibling & ~BVWPHASE_LEAF].parent
	                                          : nodes[sibling].parent;
	uint32_t node = take_node( world, parent != BVWPHASE_NONE ? parent : 0 );
	int slot = parent == BVWPHASE_NONE ? 0 : bvwphase_tree_slot( nodes + parent, sibling );
	bvwphase_tree_set_child( world, node, 0, sibling );
	bvwphase_tree_set_child( world, node, 1, BVWPHASE_LEAF | number );
	if ( parent == BVWPHASE_NONE )
	{
		t->root = node;
		nodes[node].parent = BVWPHASE_NONE;
	}
	else
	{
		bvwphase_tree_set_child( world, parent, slot, node );
		correct_above( world, parent, true );
	}
}

// @return the node that is now above where the object was; BVWPHASE_NONE if there is none
static uint32_t take_out( bvw_broadphase* world, uint32_t number )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	uint32_t node = bvwphase_tree_leaves( world )[number].parent;
	if ( node == BVWPHASE_WAITING )
	{
		--t->waiting;
		return BVWPHASE_NONE;
	}
	if ( node == BVWPHASE_NONE )
	{
		t->root = BVWPHASE_NONE;
		return BVWPHASE_NONE;
	}
	uint32_t sibling = nodes[node].child[1 - bvwphase_tree_slot( nodes + node, BVWPHASE_LEAF | number )];
	uint32_t parent = nodes[node].parent;
	if ( parent == BVWPHASE_NONE )
	{
		t->root = sibling;
		set_parent( world, sibling, BVWPHASE_NONE );
	}
	else
	{
		bvwphase_tree_set_child( world, parent, bvwphase_tree_slot( nodes + parent, node ), sibling );
		correct_above( world, parent, false );
	}
	give_node( world, node );
	return parent;
}

static void search_later( bvw_broadphase* world, uint32_t number )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_leaf* leaf = bvwphase_tree_leaves( world ) + number;
	bvwphase_objects( world )[number].state |= bvwphase_is_loose;
	if ( !leaf->is_pending )
	{
		leaf->is_pending = 1;
		( (uint32_t*)bvwphase_at( world, t->pending_at ) )[t->pending++] = number;
	}
}

// What never moves needs no margin. If more objects are added than were there, the others wait until the next update, which builds the
// tree anew in less time than it takes to insert them.
static void add( bvw_broadphase* world, uint32_t number )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_leaf* leaf = bvwphase_tree_leaves( world ) + number;
	leaf->box = bvwphase_tree_rounded( &bvwphase_objects( world )[number].box );
	++t->added;
	if ( t->added > few && t->added > world->live / 2 )
	{
		leaf->parent = BVWPHASE_WAITING;
		++t->waiting;
	}
	else
	{
		insert( world, number, BVWPHASE_NONE );
	}
	search_later( world, number );
}

static double sides_of( const bvwphase_tree_box* box )
{
	return ( (double)box->upper[0] - box->lower[0] ) + ( (double)box->upper[1] - box->lower[1] ) +
	       ( (double)box->upper[2] - box->lower[2] );
}

static bool is_inside( const bvw_broadphase* world, const bvwphase_tree_box* box, uint32_t node )
{
	bvwphase_tree_box outer = box_below( world, node );
	bvwphase_tree_box grown = bvwphase_tree_both( &outer, box );
	return are_equal( &outer, &grown );
}

// Extends an interval by where it will be if it goes on as it has moved, unless it has jumped.
static void look_ahead( double from, double to, double size, double* lower, double* upper )
{
	double way = steps_ahead * ( to - from );
	if ( fabs( to - from ) <= size )
	{
		*lower += way < 0 ? way : 0;
		*upper += way > 0 ? way : 0;
	}
}

// Extends an interval by a margin. That of the options is the same along all axes; others are at most half of the interval, so that thin
// boxes do not become near all others.
static void add_margin( const bvw_broadphase* world, double size, double* lower, double* upper )
{
	double usual = 0.125 * size;
	double most = 0.5 * ( *upper - *lower );
	double margin = world->options.margin > 0 ? world->options.margin : usual < most ? usual : most;
	*lower -= margin;
	*upper += margin;
}

// @return a box with its margin
static bv_aabb enlarged( const bvw_broadphase* world, const bv_aabb* box, double size )
{
	bv_aabb out = *box;
	add_margin( world, size, &out.lower.x, &out.upper.x );
	add_margin( world, size, &out.lower.y, &out.upper.y );
	add_margin( world, size, &out.lower.z, &out.upper.z );
	return out;
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	const bv_aabb* box = &bvwphase_objects( world )[number].box;
	bvwphase_tree_leaf* leaf = bvwphase_tree_leaves( world ) + number;
	double size = size_of( box );
	bool goes_on = leaf->moved > 0 && bvwphase_tree_of( world )->updates - leaf->moved <= rest;
	leaf->moved = bvwphase_tree_of( world )->updates;
	bv_aabb ahead = enlarged( world, box, size );
	bvwphase_tree_box wide = bvwphase_tree_rounded( &ahead );
	// An object that has become smaller gets a smaller box.
	if ( contains( &leaf->box, box ) && !( sides_of( &leaf->box ) > 4 * sides_of( &wide ) ) )
	{
		return;
	}
	// What moves once needs no margin, as what never moves.
	ahead = goes_on ? ahead : *box;
	if ( goes_on )
	{
		look_ahead( from->lower.x, box->lower.x, size, &ahead.lower.x, &ahead.upper.x );
		look_ahead( from->lower.y, box->lower.y, size, &ahead.lower.y, &ahead.upper.y );
		look_ahead( from->lower.z, box->lower.z, size, &ahead.lower.z, &ahead.upper.z );
	}
	wide = bvwphase_tree_rounded( &ahead );
	bool is_waiting = leaf->parent == BVWPHASE_WAITING;
	leaf->box = wide;
	if ( !is_waiting )
	{
		uint32_t near = take_out( world, number );
		while ( near != BVWPHASE_NONE && !is_inside( world, &wide, near ) )
		{
			near = bvwphase_tree_nodes( world )[near].parent;
		}
		insert( world, number, near );
	}
	search_later( world, number );
}

static void remove_leaf( bvw_broadphase* world, uint32_t number )
{
	take_out( world, number );
	bvwphase_tree_leaf* leaf = bvwphase_tree_leaves( world ) + number;
	*leaf = ( bvwphase_tree_leaf ){ .is_pending = leaf->is_pending };
}

// Puts the objects that wait into the tree.
static void settle( bvw_broadphase* world )
{
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_leaf* leaves = bvwphase_tree_leaves( world );
	uint32_t* pending = bvwphase_at( world, t->pending_at );
	const bvwphase_object* objects = bvwphase_objects( world );
	bool builds = t->waiting > few;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < t->pending; ++i )
	{
		uint32_t number = pending[i];
		if ( !( objects[number].state & bvwphase_is_live ) )
		{
			leaves[number].is_pending = 0;
			continue;
		}
		pending[kept++] = number;
		if ( leaves[number].parent == BVWPHASE_WAITING && !builds )
		{
			insert( world, number, BVWPHASE_NONE );
		}
	}
	t->pending = kept;
	t->waiting = 0;
	t->added = 0;
	if ( builds )
	{
		bvwphase_tree_build( world );
		// Objects near each other are searched for one after another.
		const uint32_t* order = bvwphase_at( world, t->order_at );
		kept = 0;
		for ( uint32_t i = 0; i < world->live; ++i )
		{
			pending[kept] = order[i];
			kept += leaves[order[i]].is_pending;
		}
	}
}

static bool find( bvw_broadphase* world )
{
	settle( world );
	bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_leaf* leaves = bvwphase_tree_leaves( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* pending = bvwphase_at( world, t->pending_at );
	for ( uint32_t i = 0; i < t->pending; ++i )
	{
		uint32_t number = pending[i];
		if ( t->root & BVWPHASE_LEAF )
		{
			continue;
		}
		bvwphase_tree_walk w = { .box = leaves[number].box,
			                     .categories = objects[number].mask,
			                     .node = t->root };
		for ( uint32_t other = bvwphase_tree_next( world, &w ); other != BVWPHASE_NONE;
		      other = bvwphase_tree_next( world, &w ) )
		{
			// Of two such objects, the one with the greater number reports.
			bool is_reported = other == number || ( leaves[other].is_pending && other > number );
			if ( !is_reported && !bvwphase_report_near( world, number, other ) )
			{
				return false;
			}
		}
		world->tests += w.tests;
	}
	for ( uint32_t i = 0; i < t->pending; ++i )
	{
		leaves[pending[i]].is_pending = 0;
	}
	t->pending = 0;
	t->updates = t->updates % ( ( UINT32_C( 1 ) << update_bits ) - 1 ) + 1;
	return true;
}

static bool is_near( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const bvwphase_tree_leaf* leaves = bvwphase_tree_leaves( world );
	return bvwphase_tree_boxes_touch( &leaves[a].box, &leaves[b].box );
}

const bvwphase_method bvwphase_tree = {
	.name = "tree",
	.help = "a dynamic tree of boxes with margins",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_leaf,
	.find = find,
	.overlap = bvwphase_tree_overlap,
	.cast = bvwphase_tree_cast,
	.is_near = is_near,
};
