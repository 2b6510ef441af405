// What the dynamic tree keeps: nodes and leaves. See tree.c.

#pragma once

#include "world/broadphase/cast.h"
#include "world/broadphase/query.h"

#include "runtime/math/round.h"

#include <math.h>

#define BVWPHASE_NONE    UINT32_MAX
#define BVWPHASE_WAITING ( UINT32_MAX - 1 )     // instead of a parent: the object is not in the tree yet
#define BVWPHASE_LEAF    UINT32_C( 0x80000000 ) // of a reference: the rest is the number of an object

typedef struct bvwphase_tree_box
{
	float lower[3];
	float upper[3];
} bvwphase_tree_box;

// An object.
typedef struct bvwphase_tree_leaf
{
	bvwphase_tree_box box;   // with its margin
	uint32_t parent;         // node, or BVWPHASE_NONE for the root
	uint32_t is_pending : 1; // in the list of objects that are searched for by the next update
	uint32_t moved : 31;     // number of the update before the last move; 0 if it has not moved
} bvwphase_tree_leaf;

typedef struct bvwphase_tree_node
{
	bvwphase_tree_box box[2];
	uint32_t child[2]; // references
	uint32_t parent;   // node, or BVWPHASE_NONE for the root
	uint32_t unused;
} bvwphase_tree_node;

typedef struct bvwphase_tree_state
{
	uint32_t root;    // a reference, or BVWPHASE_NONE
	uint32_t used;    // nodes that were ever in use
	uint32_t free;    // first of the free ones, linked by their children
	uint32_t pending; // length of the list
	uint32_t added;   // objects, since the last update
	uint32_t waiting; // those of them that are not in the tree yet; all are pending
	uint32_t updates; // their number, beginning with 1
	uint32_t unused;
	double reach; // of infinite bounds: far beyond all finite ones of the objects
	uint64_t nodes_at;
	uint64_t leaves_at;
	uint64_t categories_at; // uint64_t[2] for each node: bits of all objects below each child
	uint64_t pending_at;    // uint32_t for each object
	uint64_t order_at;      // likewise, for building
	uint64_t free_at;       // uint64_t[]: a bit for each node, if it is free
} bvwphase_tree_state;

static inline bvwphase_tree_state* bvwphase_tree_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static inline bvwphase_tree_node* bvwphase_tree_nodes( const bvw_broadphase* world )
{
	return bvwphase_at( world, bvwphase_tree_of( world )->nodes_at );
}

static inline bvwphase_tree_leaf* bvwphase_tree_leaves( const bvw_broadphase* world )
{
	return bvwphase_at( world, bvwphase_tree_of( world )->leaves_at );
}

static inline uint64_t ( *bvwphase_tree_categories( const bvw_broadphase* world ) )[2]
{
	return bvwphase_at( world, bvwphase_tree_of( world )->categories_at );
}

static inline bool bvwphase_tree_boxes_touch( const bvwphase_tree_box* a, const bvwphase_tree_box* b )
{
	// All comparisons, because a branch for each takes longer.
	return ( a->lower[0] <= b->upper[0] ) & ( b->lower[0] <= a->upper[0] ) & ( a->lower[1] <= b->upper[1] ) &
	       ( b->lower[1] <= a->upper[1] ) & ( a->lower[2] <= b->upper[2] ) & ( b->lower[2] <= a->upper[2] );
}

static inline bvwphase_tree_box bvwphase_tree_both( const bvwphase_tree_box* a, const bvwphase_tree_box* b )
{
	bvwphase_tree_box out;
	for ( int k = 0; k < 3; ++k )
	{
		out.lower[k] = a->lower[k] < b->lower[k] ? a->lower[k] : b->lower[k];
		out.upper[k] = a->upper[k] > b->upper[k] ? a->upper[k] : b->upper[k];
	}
	return out;
}

// Extends the reach for a box. It is as short as it can be: areas of boxes that are infinite along two axes are squares of it, and rounding
// must not lose the third side. It becomes shorter only when the tree is built anew.
static inline void bvwphase_tree_extend_reach( bvwphase_tree_state* t, const bvwphase_tree_box* box )
{
	for ( int k = 0; k < 3; ++k )
	{
		double lower = 0x1p10 * fabs( (double)box->lower[k] );
		double upper = 0x1p10 * fabs( (double)box->upper[k] );
		t->reach = lower > t->reach && lower < (double)INFINITY ? lower : t->reach;
		t->reach = upper > t->reach && upper < (double)INFINITY ? upper : t->reach;
	}
}

// Half of the surface. Boxes that are infinite along an axis differ by their other sides. Where half-spaces end does not count: a chain
// in the order of their ends would have the least sum of areas.
static inline double bvwphase_tree_area( const bvwphase_tree_box* box, double reach )
{
	double side[3];
	for ( int k = 0; k < 3; ++k )
	{
		side[k] = (double)box->upper[k] - box->lower[k];
		if ( side[k] == (double)INFINITY )
		{
			bool is_half = box->lower[k] > -(float)INFINITY || box->upper[k] < (float)INFINITY;
			side[k] = is_half ? reach : 2 * reach;
		}
	}
	double area = side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
	// Boxes on a line have no area: then lengths decide.
	return area + 0x1p-10 * ( side[0] * side[0] + side[1] * side[1] + side[2] * side[2] );
}

static inline double bvwphase_tree_area_of_both( const bvwphase_tree_box* a, const bvwphase_tree_box* b,
                                                 double reach )
{
	bvwphase_tree_box out = bvwphase_tree_both( a, b );
	return bvwphase_tree_area( &out, reach );
}

static inline bvwphase_tree_box bvwphase_tree_rounded( const bv_aabb* box )
{
	return ( bvwphase_tree_box ){ { bvmath_float_down( box->lower.x ), bvmath_float_down( box->lower.y ),
		                            bvmath_float_down( box->lower.z ) },
		                          { bvmath_float_up( box->upper.x ), bvmath_float_up( box->upper.y ),
		                            bvmath_float_up( box->upper.z ) } };
}

static inline int bvwphase_tree_slot( const bvwphase_tree_node* parent, uint32_t reference )
{
	return parent->child[0] == reference ? 0 : 1;
}

// A walk through the leaves that touch a box.
typedef struct bvwphase_tree_walk
{
	bvwphase_tree_box box;
	uint64_t categories; // leaves without any of them are left out
	uint64_t tests;
	uint32_t node; // BVWPHASE_NONE at the end
	int slot;      // the next child
} bvwphase_tree_walk;

/// @return an object, or BVWPHASE_NONE at the end
uint32_t bvwphase_tree_next( const bvw_broadphase* world, bvwphase_tree_walk* w );

/// Makes a reference the child of a node.
void bvwphase_tree_set_child( bvw_broadphase* world, uint32_t node, int slot, uint32_t reference );

/// @return words of 64 bits for a bit of each node
static inline uint64_t bvwphase_tree_words( uint64_t nodes )
{
	return ( nodes + 63 ) / 64;
}

/// Builds the tree of all objects anew.
void bvwphase_tree_build( bvw_broadphase* world );

/// The `overlap` and the `cast` of the method.
void bvwphase_tree_overlap( const bvw_broadphase* world, bvwphase_query* query );
void bvwphase_tree_cast( const bvw_broadphase* world, bvwphase_cast* cast );
