// A dynamic tree of boxes. A box that moves gets a margin, and the tree is changed when it leaves that.
//
// Objects whose boxes with margins touch are near. The store has all pairs of near objects, so that an object that stays within
// its margin is compared with the objects of its pairs only, without a search. When an object has left its margin, the next
// update searches for the objects that are near it.
//
// Boxes of the tree are binary32, rounded outward. A node has the boxes of both children, which one cache line holds. Walks need
// no stack: they go back by the links to parents.
//
// Based on: a sibling for a new leaf is found by branch and bound on the sum of areas (J. Bittner, M. Hapala, V. Havran, "Fast
// insertion-based optimization of bounding volume hierarchies", 2013), along one path only; above it, subtrees are exchanged where
// that reduces areas (A. Kensler, "Tree rotations for improving bounding volume hierarchies for interactive ray tracing", 2008).
// E. Catto, "Dynamic bounding volume hierarchies", 2019, combines the two.

#include "world/broadphase/query.h"

#include "runtime/math/round.h"

#include <math.h>
#include <string.h>

#define NONE    UINT32_MAX
#define WAITING ( UINT32_MAX - 1 )     // instead of a parent: the object is not in the tree yet
#define LEAF    UINT32_C( 0x80000000 ) // of a reference: the rest is the number of an object

typedef struct tree_box
{
	float lower[3];
	float upper[3];
} tree_box;

// An object.
typedef struct tree_leaf
{
	tree_box box;        // with its margin
	uint32_t parent;     // node, or NONE for the root
	uint32_t is_pending; // in the list of objects that are searched for by the next update
} tree_leaf;

typedef struct box_tree_node
{
	tree_box box[2];
	uint32_t child[2]; // references
	uint32_t parent;   // node, or NONE for the root
	uint32_t unused;
} box_tree_node;

typedef struct box_tree
{
	uint32_t root;    // a reference, or NONE
	uint32_t used;    // nodes that were ever in use
	uint32_t free;    // first of the free ones, linked by `parent`
	uint32_t pending; // length of the list
	uint32_t waiting; // objects that were added and are not in the tree yet; all are pending
	uint32_t unused;
	uint64_t nodes_at;
	uint64_t leaves_at;
	uint64_t categories_at; // uint64_t[2] for each node: bits of all objects below each child
	uint64_t pending_at;    // uint32_t for each object
	uint64_t order_at;      // likewise, for building
} box_tree;

enum
{
	bins = 16,       // along an axis, where sets of objects are divided
	few = 64,        // objects that are inserted one by one
	steps_ahead = 4, // that the box of an object that moves has room for
};

static box_tree* tree_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static box_tree_node* nodes_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, tree_of( world )->nodes_at );
}

static tree_leaf* leaves_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, tree_of( world )->leaves_at );
}

static uint64_t ( *categories_of( const bvw_broadphase* world ) )[2]
{
	return bvwphase_at( world, tree_of( world )->categories_at );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t each = sizeof( box_tree_node ) + sizeof( tree_leaf ) + 2 * sizeof( uint64_t );
	return sizeof( box_tree ) + each * options->objects +
	       2 * bvwphase_aligned( 4 * (uint64_t)options->objects );
}

static void begin( bvw_broadphase* world )
{
	box_tree* t = tree_of( world );
	uint64_t objects = world->options.objects;
	t->root = t->free = NONE;
	t->nodes_at = world->method_at + sizeof( box_tree );
	t->leaves_at = t->nodes_at + objects * sizeof( box_tree_node );
	t->categories_at = t->leaves_at + objects * sizeof( tree_leaf );
	t->pending_at = t->categories_at + objects * 2 * sizeof( uint64_t );
	t->order_at = t->pending_at + bvwphase_aligned( 4 * objects );
}

static bool boxes_touch( const tree_box* a, const tree_box* b )
{
	// All comparisons, because a branch for each takes longer.
	return ( a->lower[0] <= b->upper[0] ) & ( b->lower[0] <= a->upper[0] ) & ( a->lower[1] <= b->upper[1] ) &
	       ( b->lower[1] <= a->upper[1] ) & ( a->lower[2] <= b->upper[2] ) & ( b->lower[2] <= a->upper[2] );
}

static tree_box both( const tree_box* a, const tree_box* b )
{
	tree_box out;
	for ( int k = 0; k < 3; ++k )
	{
		out.lower[k] = a->lower[k] < b->lower[k] ? a->lower[k] : b->lower[k];
		out.upper[k] = a->upper[k] > b->upper[k] ? a->upper[k] : b->upper[k];
	}
	return out;
}

static bool are_equal( const tree_box* a, const tree_box* b )
{
	bool equal = true;
	for ( int k = 0; k < 3; ++k )
	{
		equal = equal && a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
	}
	return equal;
}

// Half of the surface. Infinite sides count as long ones.
static double area_of( const tree_box* box )
{
	const double long_side = 1e100;
	double side[3];
	for ( int k = 0; k < 3; ++k )
	{
		double length = (double)box->upper[k] - box->lower[k];
		side[k] = length < long_side ? length : long_side;
	}
	return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

static double area_of_both( const tree_box* a, const tree_box* b )
{
	tree_box out = both( a, b );
	return area_of( &out );
}

static tree_box rounded( const bv_aabb* box, double margin )
{
	return ( tree_box ){ { bvmath_float_down( box->lower.x - margin ),
		                   bvmath_float_down( box->lower.y - margin ),
		                   bvmath_float_down( box->lower.z - margin ) },
		                 { bvmath_float_up( box->upper.x + margin ), bvmath_float_up( box->upper.y + margin ),
		                   bvmath_float_up( box->upper.z + margin ) } };
}

static bool contains( const tree_box* outer, const bv_aabb* box )
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

static int slot_of( const box_tree_node* parent, uint32_t reference )
{
	return parent->child[0] == reference ? 0 : 1;
}

static void set_parent( bvw_broadphase* world, uint32_t reference, uint32_t parent )
{
	if ( reference & LEAF )
	{
		leaves_of( world )[reference & ~LEAF].parent = parent;
	}
	else
	{
		nodes_of( world )[reference].parent = parent;
	}
}

static uint64_t categories_below( const bvw_broadphase* world, uint32_t reference )
{
	if ( reference & LEAF )
	{
		return bvwphase_objects( world )[reference & ~LEAF].category;
	}
	const uint64_t* of_node = categories_of( world )[reference];
	return of_node[0] | of_node[1];
}

static tree_box box_below( const bvw_broadphase* world, uint32_t reference )
{
	if ( reference & LEAF )
	{
		return leaves_of( world )[reference & ~LEAF].box;
	}
	const box_tree_node* node = nodes_of( world ) + reference;
	return both( node->box, node->box + 1 );
}

static void set_child( bvw_broadphase* world, uint32_t node, int slot, uint32_t reference )
{
	box_tree_node* n = nodes_of( world ) + node;
	n->child[slot] = reference;
	n->box[slot] = box_below( world, reference );
	categories_of( world )[node][slot] = categories_below( world, reference );
	set_parent( world, reference, node );
}

// Exchanges a child of a node with a grandchild on the other side, if that makes the other child smaller: the exchange with the
// greatest gain.
static void rotate( bvw_broadphase* world, uint32_t node )
{
	box_tree_node* nodes = nodes_of( world );
	box_tree_node* n = nodes + node;
	double gain = 0;
	int from = -1;
	int with = 0;
	for ( int i = 0; i < 2; ++i )
	{
		if ( n->child[1 - i] & LEAF )
		{
			continue;
		}
		const box_tree_node* other = nodes + n->child[1 - i];
		double area = area_of( n->box + 1 - i );
		for ( int k = 0; k < 2; ++k )
		{
			double less = area - area_of_both( n->box + i, other->box + 1 - k );
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
		set_child( world, other, with, child );
		set_child( world, node, from, grandchild );
		set_child( world, node, 1 - from, other );
	}
}

// Corrects the boxes above a node whose children have changed.
// @param rotates  improves the tree on the way
static void correct_above( bvw_broadphase* world, uint32_t node, bool rotates )
{
	box_tree_node* nodes = nodes_of( world );
	for ( ;; )
	{
		if ( rotates )
		{
			rotate( world, node );
		}
		uint32_t parent = nodes[node].parent;
		if ( parent == NONE )
		{
			return;
		}
		int slot = slot_of( nodes + parent, node );
		tree_box box = both( nodes[node].box, nodes[node].box + 1 );
		uint64_t categories = categories_below( world, node );
		uint64_t* known = categories_of( world )[parent] + slot;
		if ( are_equal( &box, nodes[parent].box + slot ) && categories == *known )
		{
			return;
		}
		nodes[parent].box[slot] = box;
		*known = categories;
		node = parent;
	}
}

// The place for a new leaf with the least sum of areas, as far as the path of least bounds shows.
// @param at  a reference: the root, or a node whose box contains the leaf's, as those above do: they do not grow
// @return a reference: the new node has it and the leaf as children
static uint32_t best_sibling( const bvw_broadphase* world, const tree_box* box, uint32_t at )
{
	const box_tree_node* nodes = nodes_of( world );
	tree_box root = box_below( world, at );
	double own = area_of( box );
	double area = area_of( &root );
	double grown = area_of_both( &root, box );
	double above = 0; // by how much the nodes above the present one grow
	uint32_t best = at;
	double least = grown;
	while ( !( at & LEAF ) )
	{
		const box_tree_node* n = nodes + at;
		above += grown - area;
		double bound[2];
		double grown_child[2];
		double area_child[2];
		for ( int i = 0; i < 2; ++i )
		{
			area_child[i] = area_of( n->box + i );
			grown_child[i] = area_of_both( n->box + i, box );
			double cost = above + grown_child[i];
			if ( cost < least )
			{
				least = cost;
				best = n->child[i];
			}
			// Below it, the new node has at least the leaf's area.
			bound[i] = n->child[i] & LEAF ? INFINITY : above + ( grown_child[i] - area_child[i] ) + own;
		}
		int next = bound[1] < bound[0] ? 1 : 0;
		if ( !( bound[next] < least ) )
		{
			break;
		}
		at = n->child[next];
		area = area_child[next];
		grown = grown_child[next];
	}
	return best;
}

static uint32_t take_node( box_tree* t, const box_tree_node* nodes )
{
	if ( t->free == NONE )
	{
		return t->used++;
	}
	uint32_t node = t->free;
	t->free = nodes[node].parent;
	return node;
}

// @param near  where the search for a place begins; NONE for the root
static void insert( bvw_broadphase* world, uint32_t number, uint32_t near )
{
	box_tree* t = tree_of( world );
	box_tree_node* nodes = nodes_of( world );
	tree_leaf* leaf = leaves_of( world ) + number;
	if ( t->root == NONE )
	{
		t->root = LEAF | number;
		leaf->parent = NONE;
		return;
	}
	uint32_t sibling = best_sibling( world, &leaf->box, near == NONE ? t->root : near );
	uint32_t parent = sibling & LEAF ? leaves_of( world )[sibling & ~LEAF].parent : nodes[sibling].parent;
	uint32_t node = take_node( t, nodes );
	int slot = parent == NONE ? 0 : slot_of( nodes + parent, sibling );
	set_child( world, node, 0, sibling );
	set_child( world, node, 1, LEAF | number );
	if ( parent == NONE )
	{
		t->root = node;
		nodes[node].parent = NONE;
	}
	else
	{
		set_child( world, parent, slot, node );
		correct_above( world, parent, true );
	}
}

// @return the node that is now above where the object was; NONE if there is none
static uint32_t take_out( bvw_broadphase* world, uint32_t number )
{
	box_tree* t = tree_of( world );
	box_tree_node* nodes = nodes_of( world );
	uint32_t node = leaves_of( world )[number].parent;
	if ( node == WAITING )
	{
		--t->waiting;
		return NONE;
	}
	if ( node == NONE )
	{
		t->root = NONE;
		return NONE;
	}
	uint32_t sibling = nodes[node].child[1 - slot_of( nodes + node, LEAF | number )];
	uint32_t parent = nodes[node].parent;
	if ( parent == NONE )
	{
		t->root = sibling;
		set_parent( world, sibling, NONE );
	}
	else
	{
		set_child( world, parent, slot_of( nodes + parent, node ), sibling );
		correct_above( world, parent, false );
	}
	memset( nodes + node, 0, sizeof *nodes );
	nodes[node].parent = t->free;
	t->free = node;
	return parent;
}

static void search_later( bvw_broadphase* world, uint32_t number )
{
	box_tree* t = tree_of( world );
	tree_leaf* leaf = leaves_of( world ) + number;
	bvwphase_objects( world )[number].state |= bvwphase_is_loose;
	if ( !leaf->is_pending )
	{
		leaf->is_pending = 1;
		( (uint32_t*)bvwphase_at( world, t->pending_at ) )[t->pending++] = number;
	}
}

// What never moves needs no margin.
static void add( bvw_broadphase* world, uint32_t number )
{
	tree_leaf* leaf = leaves_of( world ) + number;
	leaf->box = rounded( &bvwphase_objects( world )[number].box, 0 );
	leaf->parent = WAITING;
	++tree_of( world )->waiting;
	search_later( world, number );
}

static double sides_of( const tree_box* box )
{
	return ( (double)box->upper[0] - box->lower[0] ) + ( (double)box->upper[1] - box->lower[1] ) +
	       ( (double)box->upper[2] - box->lower[2] );
}

static bool is_inside( const bvw_broadphase* world, const tree_box* box, uint32_t node )
{
	tree_box outer = box_below( world, node );
	tree_box grown = both( &outer, box );
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

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	const bv_aabb* box = &bvwphase_objects( world )[number].box;
	tree_leaf* leaf = leaves_of( world ) + number;
	double size = size_of( box );
	double margin = world->options.margin > 0 ? world->options.margin : 0.125 * size;
	tree_box wide = rounded( box, margin );
	// An object that has become smaller gets a smaller box.
	if ( contains( &leaf->box, box ) && !( sides_of( &leaf->box ) > 4 * sides_of( &wide ) ) )
	{
		return;
	}
	bv_aabb ahead = *box;
	look_ahead( from->lower.x, box->lower.x, size, &ahead.lower.x, &ahead.upper.x );
	look_ahead( from->lower.y, box->lower.y, size, &ahead.lower.y, &ahead.upper.y );
	look_ahead( from->lower.z, box->lower.z, size, &ahead.lower.z, &ahead.upper.z );
	wide = rounded( &ahead, margin );
	bool is_waiting = leaf->parent == WAITING;
	leaf->box = wide;
	if ( !is_waiting )
	{
		uint32_t near = take_out( world, number );
		while ( near != NONE && !is_inside( world, &wide, near ) )
		{
			near = nodes_of( world )[near].parent;
		}
		insert( world, number, near );
	}
	search_later( world, number );
}

static void remove_leaf( bvw_broadphase* world, uint32_t number )
{
	take_out( world, number );
	tree_leaf* leaf = leaves_of( world ) + number;
	*leaf = ( tree_leaf ){ .is_pending = leaf->is_pending };
}

// A walk through the leaves that touch a box.
typedef struct tree_walk
{
	tree_box box;
	uint64_t categories; // leaves without any of them are left out
	uint64_t tests;
	uint32_t node; // NONE at the end
	int slot;      // the next child
} tree_walk;

// @return an object, or NONE at the end
static uint32_t next_leaf( const bvw_broadphase* world, tree_walk* w )
{
	const box_tree_node* nodes = nodes_of( world );
	while ( w->node != NONE )
	{
		const box_tree_node* n = nodes + w->node;
		if ( w->slot == 2 )
		{
			uint32_t below = w->node;
			w->node = n->parent;
			w->slot = w->node == NONE ? 0 : slot_of( nodes + w->node, below ) + 1;
			continue;
		}
		uint32_t child = n->child[w->slot];
		if ( w->categories != UINT64_MAX &&
		     ( categories_of( world )[w->node][w->slot] & w->categories ) == 0 )
		{
			++w->slot;
			continue;
		}
		++w->tests;
		if ( !boxes_touch( n->box + w->slot, &w->box ) )
		{
			++w->slot;
		}
		else if ( child & LEAF )
		{
			++w->slot;
			return child & ~LEAF;
		}
		else
		{
			w->node = child;
			w->slot = 0;
		}
	}
	return NONE;
}

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
} tree_bins;

// The double of the center along an axis. Infinite ones count as far away.
static double place_of( const tree_box* box, int axis )
{
	const double far = 1e30;
	double place = (double)box->lower[axis] + box->upper[axis];
	return place > far ? far : place < -far ? -far : place == place ? place : 0;
}

static int bin_of( const tree_bins* b, const tree_box* box )
{
	int bin = (int)( ( place_of( box, b->axis ) - b->least ) * b->scale );
	return bin < bins ? bin : bins - 1;
}

// Along the axis along which centers are spread most.
// @return false if all are at the same place
static bool make_bins( const tree_leaf* leaves, const uint32_t* numbers, uint32_t count, tree_bins* out )
{
	double least[3] = { INFINITY, INFINITY, INFINITY };
	double most[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double place = place_of( &leaves[numbers[i]].box, k );
			least[k] = place < least[k] ? place : least[k];
			most[k] = place > most[k] ? place : most[k];
		}
	}
	int axis = most[1] - least[1] > most[0] - least[0] ? 1 : 0;
	axis = most[2] - least[2] > most[axis] - least[axis] ? 2 : axis;
	*out = ( tree_bins ){ axis, least[axis], bins / ( most[axis] - least[axis] ) };
	return out->scale < INFINITY;
}

// @return the last bin of the first part, where the sum of areas times numbers of both parts is least; below 0 if all objects
// are in one bin
static int best_bin( const tree_leaf* leaves, const uint32_t* numbers, uint32_t count, const tree_bins* b )
{
	tree_box box[bins];
	uint32_t members[bins] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const tree_box* own = &leaves[numbers[i]].box;
		int bin = bin_of( b, own );
		box[bin] = members[bin]++ > 0 ? both( box + bin, own ) : *own;
	}
	const tree_box nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	tree_box so_far = nothing;
	double cost[bins]; // of the bins up to each
	uint32_t number = 0;
	for ( int i = 0; i < bins; ++i )
	{
		so_far = members[i] > 0 ? both( &so_far, box + i ) : so_far;
		number += members[i];
		cost[i] = number > 0 ? number * area_of( &so_far ) : 0;
	}
	so_far = nothing;
	number = 0;
	int best = -1;
	double least = INFINITY;
	for ( int i = bins - 1; i > 0; --i )
	{
		so_far = members[i] > 0 ? both( &so_far, box + i ) : so_far;
		number += members[i];
		if ( number > 0 && number < count && cost[i - 1] + number * area_of( &so_far ) < least )
		{
			least = cost[i - 1] + number * area_of( &so_far );
			best = i - 1;
		}
	}
	return best;
}

// Divides objects into two parts.
// @return how many come first
static uint32_t divide( const tree_leaf* leaves, uint32_t* numbers, uint32_t count )
{
	tree_bins b;
	int last = make_bins( leaves, numbers, count, &b ) ? best_bin( leaves, numbers, count, &b ) : -1;
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

// Builds the tree of all objects anew, from the root to the leaves (I. Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007). Nodes that are to be divided have their range in place of their children, and are linked by `unused`.
static void build( bvw_broadphase* world )
{
	box_tree* t = tree_of( world );
	box_tree_node* nodes = nodes_of( world );
	tree_leaf* leaves = leaves_of( world );
	uint32_t* order = bvwphase_at( world, t->order_at );
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			order[count++] = i;
		}
	}
	t->free = NONE;
	t->used = 1;
	t->root = 0;
	nodes[0] = ( box_tree_node ){ .child = { 0, count }, .parent = NONE, .unused = NONE };
	uint32_t next = 0;
	while ( next != NONE )
	{
		uint32_t node = next;
		tree_range all = { nodes[node].child[0], nodes[node].child[1] };
		next = nodes[node].unused;
		nodes[node].unused = 0;
		uint32_t first = divide( leaves, order + all.first, all.count );
		tree_range part[2] = { { all.first, first }, { all.first + first, all.count - first } };
		for ( int k = 1; k >= 0; --k )
		{
			if ( part[k].count == 1 )
			{
				nodes[node].child[k] = LEAF | order[part[k].first];
				continue;
			}
			uint32_t child = t->used++;
			nodes[child] = ( box_tree_node ){ .child = { part[k].first, part[k].count },
				                              .parent = node,
				                              .unused = next };
			nodes[node].child[k] = child;
			next = child;
		}
	}
	for ( uint32_t i = t->used; i > 0; --i ) // children come after their parents
	{
		set_child( world, i - 1, 0, nodes[i - 1].child[0] );
		set_child( world, i - 1, 1, nodes[i - 1].child[1] );
	}
}

// Puts the objects that wait into the tree.
static void settle( bvw_broadphase* world )
{
	box_tree* t = tree_of( world );
	tree_leaf* leaves = leaves_of( world );
	uint32_t* pending = bvwphase_at( world, t->pending_at );
	const bvwphase_object* objects = bvwphase_objects( world );
	bool is_anew = t->waiting > few && t->waiting > world->live / 2;
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
		if ( leaves[number].parent == WAITING && !is_anew )
		{
			insert( world, number, NONE );
		}
	}
	t->pending = kept;
	t->waiting = 0;
	if ( is_anew )
	{
		build( world );
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
	box_tree* t = tree_of( world );
	tree_leaf* leaves = leaves_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* pending = bvwphase_at( world, t->pending_at );
	for ( uint32_t i = 0; i < t->pending; ++i )
	{
		uint32_t number = pending[i];
		if ( t->root & LEAF )
		{
			continue;
		}
		tree_walk w = { .box = leaves[number].box, .categories = objects[number].mask, .node = t->root };
		for ( uint32_t other = next_leaf( world, &w ); other != NONE; other = next_leaf( world, &w ) )
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
	return true;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const box_tree* t = tree_of( world );
	tree_walk w = { .box = rounded( &query->box, 0 ), .categories = query->mask, .node = t->root };
	const uint32_t* pending = bvwphase_at( world, t->pending_at );
	for ( uint32_t i = 0; i < t->pending && t->waiting > 0; ++i )
	{
		bool is_live = ( query->objects[pending[i]].state & bvwphase_is_live ) != 0;
		if ( is_live && leaves_of( world )[pending[i]].parent == WAITING )
		{
			bvwphase_look_at( query, pending[i] );
		}
	}
	if ( t->root != NONE && ( t->root & LEAF ) )
	{
		bvwphase_look_at( query, t->root & ~LEAF );
		return;
	}
	for ( uint32_t number = next_leaf( world, &w ); number != NONE; number = next_leaf( world, &w ) )
	{
		bvwphase_look_at( query, number );
	}
	query->tests += w.tests;
}

static bool is_near( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const tree_leaf* leaves = leaves_of( world );
	return boxes_touch( &leaves[a].box, &leaves[b].box );
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
	.overlap = overlap,
	.is_near = is_near,
};
