// Queries of a dynamic tree: boxes, rays and moving boxes. See tree.c.
//
// A moving box goes to the nearer child first. The other one waits in a list of fixed length; when that is full, the nearer child is
// walked through by links to parents instead, which need no list. So no depth of the tree is too great.
//
// Slabs, as in cast.c, in binary32. Bounds of the moving box are rounded outward, and differences of binary32 numbers have the right
// sign, so that only three roundings of 2^-24 each remain: of the difference, of the factor, and of the product. Factors are
// changed by 2^-20 so that boxes begin to be touched earlier, and end later, than they do. Time is in units in which no
// factor is above 1: then products do not overflow, and what underflow takes is far less than `least`. Infinite factors, along
// axes without motion, make infinite times of boxes that are not touched, and NaN, which comparisons ignore, of boxes that just are.

#include "world/broadphase/tree.h"

#include <float.h>
#include <math.h>

uint32_t bvwphase_tree_next( const bvw_broadphase* world, bvwphase_tree_walk* w )
{
	const bvwphase_tree_node* nodes = bvwphase_tree_nodes( world );
	while ( w->node != BVWPHASE_NONE )
	{
		const bvwphase_tree_node* n = nodes + w->node;
		if ( w->slot == 2 )
		{
			uint32_t below = w->node;
			w->node = n->parent;
			w->slot = w->node == BVWPHASE_NONE ? 0 : bvwphase_tree_slot( nodes + w->node, below ) + 1;
			continue;
		}
		uint32_t child = n->child[w->slot];
		if ( w->categories != UINT64_MAX &&
		     ( bvwphase_tree_categories( world )[w->node][w->slot] & w->categories ) == 0 )
		{
			++w->slot;
			continue;
		}
		++w->tests;
		if ( !bvwphase_tree_boxes_touch( n->box + w->slot, &w->box ) )
		{
			++w->slot;
		}
		else if ( child & BVWPHASE_LEAF )
		{
			++w->slot;
			return child & ~BVWPHASE_LEAF;
		}
		else
		{
			w->node = child;
			w->slot = 0;
		}
	}
	return BVWPHASE_NONE;
}

// Objects that are not in the tree yet.
// @return the number in the list of the first one from an index on; BVWPHASE_NONE if there are none
static uint32_t next_waiting( const bvw_broadphase* world, uint32_t* at )
{
	const bvwphase_tree_state* t = bvwphase_tree_of( world );
	const uint32_t* pending = bvwphase_at( world, t->pending_at );
	while ( t->waiting > 0 && *at < t->pending )
	{
		uint32_t number = pending[( *at )++];
		if ( bvwphase_tree_leaves( world )[number].parent == BVWPHASE_WAITING )
		{
			return number;
		}
	}
	return BVWPHASE_NONE;
}

void bvwphase_tree_overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const bvwphase_tree_state* t = bvwphase_tree_of( world );
	bvwphase_tree_walk w = { .box = bvwphase_tree_rounded( &query->box ),
		                     .categories = query->mask,
		                     .node = t->root };
	uint32_t at = 0;
	for ( uint32_t i = next_waiting( world, &at ); i != BVWPHASE_NONE; i = next_waiting( world, &at ) )
	{
		++w.tests;
		if ( bvwphase_tree_boxes_touch( &bvwphase_tree_leaves( world )[i].box, &w.box ) )
		{
			bvwphase_look_at( query, i );
		}
	}
	query->tests += w.tests;
	w.tests = 0;
	if ( t->root != BVWPHASE_NONE && ( t->root & BVWPHASE_LEAF ) )
	{
		bvwphase_look_at( query, t->root & ~BVWPHASE_LEAF );
		return;
	}
	for ( uint32_t i = bvwphase_tree_next( world, &w ); i != BVWPHASE_NONE;
	      i = bvwphase_tree_next( world, &w ) )
	{
		bvwphase_look_at( query, i );
	}
	query->tests += w.tests;
}

// A walk through the leaves that a moving box meets.
typedef struct tree_cast
{
	bvwphase_cast* cast;
	const bvwphase_tree_node* nodes;
	const uint64_t ( *categories )[2]; // null if all are wanted
	uint64_t tests;
	int near
		[3]; // along each axis, the bound of a box that is met first: lower ones are 0 to 2, upper ones 3 to 5
	int far[3];      // likewise, that is left last
	float enters[3]; // the bound of the moving box that meets it first
	float leaves[3]; // likewise
	float begin[3];  // factors: of time
	float end[3];    // likewise
	float from;      // the range of time
	float to;
	double known_end; // that of the cast, when `to` was computed
	double unit;
} tree_cast;

static const double slack = 0x1p-20;
static const float least = 0x1p-120f;

static void see_end( tree_cast* w )
{
	if ( w->known_end != w->cast->end )
	{
		w->known_end = w->cast->end;
		float to = bvmath_float_up( w->known_end * w->unit * ( 1 + slack ) );
		w->to = to < FLT_MAX ? to : FLT_MAX;
	}
}

static void set_up_axis( tree_cast* w, int k )
{
	const double farthest = 0x1p100; // sums of it and FLT_MAX do not overflow
	const double least_factor = 0x1p-100;
	double d = w->cast->motion[k];
	bool is_up = d >= 0;
	double lower = w->cast->lower[k];
	double upper = w->cast->upper[k];
	w->near[k] = is_up ? k : 3 + k;
	w->far[k] = is_up ? 3 + k : k;
	w->enters[k] = is_up ? bvmath_float_up( upper > -farthest ? upper : -farthest )
	                     : bvmath_float_down( lower < farthest ? lower : farthest );
	w->leaves[k] = is_up ? bvmath_float_down( lower ) : bvmath_float_up( upper );
	w->begin[k] = w->end[k] = (float)INFINITY;
	if ( d != 0 )
	{
		double factor = w->unit / fabs( d );
		double begin = factor < least_factor ? 0 : factor * ( 1 - slack );
		double end = ( factor < least_factor ? least_factor : factor ) * ( 1 + slack );
		w->begin[k] = (float)( is_up ? begin : -begin );
		w->end[k] = (float)( is_up ? end : -end );
	}
}

static tree_cast tree_cast_of( const bvw_broadphase* world, bvwphase_cast* cast )
{
	tree_cast w = { .cast = cast, .nodes = bvwphase_tree_nodes( world ), .known_end = -1 };
	if ( cast->mask != UINT64_MAX )
	{
		w.categories = (const uint64_t( * )[2])bvwphase_tree_categories( world );
	}
	w.unit = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double d = fabs( cast->motion[k] );
		w.unit = d > 0 && d < w.unit ? d : w.unit;
	}
	w.unit = w.unit < (double)INFINITY ? w.unit : 1;
	for ( int k = 0; k < 3; ++k )
	{
		set_up_axis( &w, k );
	}
	float from = bvmath_float_down( cast->from * w.unit * ( 1 - slack ) );
	w.from = from < FLT_MAX ? from : FLT_MAX;
	see_end( &w );
	return w;
}

// @param begin  receives when it is met, or earlier
// @return false if the moving box does not meet a box
static inline bool meets_box( tree_cast* w, const bvwphase_tree_box* box, float* begin )
{
	++w->tests;
	const float* bound = (const float*)box;
	float first = w->from;
	float last = w->to;
	for ( int k = 0; k < 3; ++k )
	{
		float enters = ( bound[w->near[k]] - w->enters[k] ) * w->begin[k];
		float leaves = ( bound[w->far[k]] - w->leaves[k] ) * w->end[k];
		first = enters > first ? enters : first;
		last = leaves < last ? leaves : last;
	}
	*begin = first;
	return first <= last + least;
}

// The same of the box of a child.
static inline bool meets( tree_cast* w, uint32_t node, int slot, float* begin )
{
	bool is_wanted = !w->categories || ( w->categories[node][slot] & w->cast->mask ) != 0;
	return is_wanted && meets_box( w, w->nodes[node].box + slot, begin );
}

static void meet_leaf( tree_cast* w, uint32_t reference )
{
	bvwphase_meet( w->cast, reference & ~BVWPHASE_LEAF );
	see_end( w );
}

// In the order of children.
static void walk_by_links( tree_cast* w, uint32_t top )
{
	uint32_t node = top;
	int slot = 0;
	while ( !( node == top && slot == 2 ) && !w->cast->is_done )
	{
		if ( slot == 2 )
		{
			uint32_t below = node;
			node = w->nodes[node].parent;
			slot = bvwphase_tree_slot( w->nodes + node, below ) + 1;
			continue;
		}
		uint32_t child = w->nodes[node].child[slot];
		float begin;
		bool is_met = meets( w, node, slot, &begin );
		if ( is_met && !( child & BVWPHASE_LEAF ) )
		{
			node = child;
			slot = 0;
			continue;
		}
		if ( is_met )
		{
			meet_leaf( w, child );
		}
		++slot;
	}
}

// A node for later.
typedef struct tree_later
{
	uint32_t node;
	float begin;
} tree_later;

enum
{
	most_later = 32,
};

// Meets leaves below a node, and lists the other children that are met, the nearest one first.
// @return how many there are
static uint32_t look_below( tree_cast* w, uint32_t node, tree_later out[2] )
{
	float begin[2];
	bool is_met[2];
	is_met[0] = meets( w, node, 0, begin );
	is_met[1] = meets( w, node, 1, begin + 1 );
	int first = is_met[0] && is_met[1] && begin[1] < begin[0];
	uint32_t count = 0;
	for ( int i = 0; i < 2; ++i )
	{
		int slot = i ^ first;
		uint32_t child = w->nodes[node].child[slot];
		if ( !is_met[slot] )
		{
			continue;
		}
		if ( child & BVWPHASE_LEAF )
		{
			meet_leaf( w, child );
		}
		else
		{
			out[count++] = ( tree_later ){ child, begin[slot] };
		}
	}
	return count;
}

static void walk( tree_cast* w, uint32_t root )
{
	tree_later later[most_later];
	uint32_t count = 1;
	later[0] = ( tree_later ){ root, w->from };
	while ( count > 0 && !w->cast->is_done )
	{
		tree_later at = later[--count];
		tree_later below[2];
		uint32_t found = at.begin <= w->to + least ? look_below( w, at.node, below ) : 0;
		if ( found == 2 && count == most_later - 1 )
		{
			walk_by_links( w, below[0].node );
			below[0] = below[1];
			found = 1;
		}
		while ( found > 0 )
		{
			later[count++] = below[--found];
		}
	}
}

void bvwphase_tree_cast( const bvw_broadphase* world, bvwphase_cast* cast )
{
	uint32_t root = bvwphase_tree_of( world )->root;
	tree_cast w = tree_cast_of( world, cast );
	if ( root != BVWPHASE_NONE && ( root & BVWPHASE_LEAF ) )
	{
		meet_leaf( &w, root );
	}
	else if ( root != BVWPHASE_NONE )
	{
		walk( &w, root );
	}
	uint32_t at = 0;
	for ( uint32_t i = next_waiting( world, &at ); i != BVWPHASE_NONE && !cast->is_done;
	      i = next_waiting( world, &at ) )
	{
		float begin;
		if ( meets_box( &w, &bvwphase_tree_leaves( world )[i].box, &begin ) )
		{
			meet_leaf( &w, i );
		}
	}
	cast->tests += w.tests;
}
