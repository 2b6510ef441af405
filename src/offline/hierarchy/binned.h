// What the builder `binned` is made of: boxes that are sorted and cut, the cheapest cut of a set of them, the
// binary tree that comes of it with what it costs, and the wide tree made of that. See build_binned.c.

#pragma once

#include "offline/base/lanes.h"
#include "offline/hierarchy/build.h"

#include <math.h>

enum
{
	bvhier_binned_run = 16,    ///< no more triangles of the curve are cut as one
	bvhier_binned_open = 1024, ///< sets of at most so many triangles are cut triangle by triangle
};

/// A box that is cut as one: of a triangle, or of a run of the curve. The fourth lanes of both halves are
/// numbers that take part in no arithmetic.
typedef union bvhier_binned_item
{
	struct
	{
		bvbase_float4 lower; ///< its least corner
		bvbase_float4 upper; ///< its greatest corner
	};
	struct
	{
		float low[3];   ///< the least corner, too
		uint32_t first; ///< of a triangle, its index; of a run, its first item
		float high[3];  ///< the greatest corner, too
		uint32_t count; ///< of its triangles
	};
} bvhier_binned_item;

/// What is around a set of items.
typedef struct bvhier_binned_bounds
{
	bvbase_float4 lower;       ///< the least corner of all
	bvbase_float4 upper;       ///< the greatest corner of all
	bvbase_float4 place_lower; ///< the least of the places, see bvhier_binned_place
	bvbase_float4 place_upper; ///< the greatest of them
} bvhier_binned_bounds;

/// @return twice the midpoint of a box; 0 in the fourth lane
static inline bvbase_float4 bvhier_binned_place( const bvhier_binned_item* i )
{
	const bvbase_int4 three = { -1, -1, -1, 0 };
	return (bvbase_float4)( (bvbase_int4)i->lower & three ) +
	       (bvbase_float4)( (bvbase_int4)i->upper & three );
}

/// @param count  at least 1
bvhier_binned_bounds bvhier_binned_bounds_of( const bvhier_binned_item* items, uint32_t count );

/// Where the items of a set are written to.
typedef struct bvhier_binned_room
{
	bvhier_binned_item* items; ///< from the beginning on those below the cut, from the end on those above it
	uint32_t capacity;         ///< length of items
	uint32_t below;            ///< how many are below
	uint32_t above;            ///< how many are above, the first of them last
} bvhier_binned_room;

/// Divides a set by its cheapest cut between bins; three or four triangles the cheapest way there is. Runs
/// through which the cut goes become two, as long as there is room.
/// @param from       its items, at least 2
/// @param around     all of them
/// @param triangles  whose runs they are, which change places within their runs; null for items that are
///                   triangles
/// @param to         its capacity is at least `count`
/// @return whether it is divided: if places can't be told apart nothing is filled
bool bvhier_binned_cut( const bvhier_binned_item* from, uint32_t count, const bvhier_binned_bounds* around,
                        bvhier_binned_item* triangles, bvhier_binned_room* to );

/// What nodes cost, in the unit of expected.h; bytes included.
typedef struct bvhier_binned_prices
{
	float inverse;      ///< 1 over the longest side of the root
	float chance;       ///< of a visit: this times half the surface of what is multiplied with that
	float opening;      ///< of an inner node
	float child;        ///< of one more child
	float leaf;         ///< of a leaf
	float triangles;    ///< of a pair of triangles of two leaves
	float inner_bytes;  ///< what the bytes of an inner node are worth
	float leaf_bytes;   ///< what those of a leaf are
	uint32_t most;      ///< children
	uint32_t leaf_most; ///< triangles of a leaf
	bool fixed; ///< whether nodes have `most` children, and all sets of leaf_most triangles are leaves
} bvhier_binned_prices;

/// @param root  what is around all triangles
bvhier_binned_prices bvhier_binned_prices_make( const bvhier_build* build, const bvhier_binned_bounds* root );

/// The least cost of what is below a node as so many subtrees; tests of their roots left out.
typedef struct bvhier_binned_least
{
	float cost[BVB_MAX_CHILDREN + 1];     ///< [k] of k subtrees; infinite where there are fewer nodes
	uint32_t nodes[BVB_MAX_CHILDREN + 1]; ///< [k] of those k subtrees, their roots included
	uint32_t most;                        ///< the greatest such number, at most BVB_MAX_CHILDREN
} bvhier_binned_least;

/// A node of the binary tree.
typedef struct bvhier_binned_node
{
	float lower[3];  ///< least corner
	float upper[3];  ///< greatest corner
	uint32_t first;  ///< of its triangles, in the order of the binary tree
	uint32_t count;  ///< of its triangles
	uint32_t child;  ///< the first of both, which are neighbors
	uint32_t choice; ///< see binned_wide.c; 0 for what is best a leaf
	uint32_t below;  ///< how many nodes of the wide tree are below it, if it is one
} bvhier_binned_node;

/// @return the chance that a query which gets to the root looks at what is in the box
static inline float bvhier_binned_chance( const bvhier_binned_prices* p, const bvhier_binned_bounds* b )
{
	bvbase_float4 size = b->upper * p->inverse - b->lower * p->inverse;
	return p->chance * ( ( size[0] * size[1] + size[1] * size[2] ) + size[2] * size[0] );
}

/// @return what a leaf costs, its bytes included
static inline float bvhier_binned_leaf_cost( const bvhier_binned_prices* p, float chance, uint32_t count )
{
	float triangles = (float)count;
	return chance * ( p->leaf + triangles * triangles * p->triangles ) + p->leaf_bytes;
}

/// Makes a leaf of a node.
/// @param cost  of it
void bvhier_binned_set_leaf( bvhier_binned_node* node, float cost, bvhier_binned_least* out );

/// Decides what an inner node of the binary tree becomes in the wide one.
/// @param chance  of a visit
/// @param leaf    its cost as a leaf, infinite where it can't be one
/// @param below   of both children
void bvhier_binned_choose( const bvhier_binned_prices* p, bvhier_binned_node* node, float chance, float leaf,
                           const bvhier_binned_least below[2], bvhier_binned_least* out );

/// Writes the wide tree, in canonical order, and build->order.
/// @param nodes  of the binary tree, the root first
/// @param faces  in the order of the binary tree
void bvhier_binned_emit( const bvhier_build* build, const bvhier_binned_node* nodes, const uint32_t* faces );
