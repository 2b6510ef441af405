// Compounds as queries see them: a tree of boxes over items, each of which is the parts of a file, with a tree of their own, or a
// convex shape. Unions in unions are flattened, so that there are never more than these two levels.

#pragma once

#include "bv/compound.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"
#include "runtime/volume/similarity.h"

#include <math.h>

/// Sentinel for the number of an item or of a leaf: none.
#define BVCOMP_NONE UINT32_MAX

/// The parts of a file, or a shape.
typedef struct bvcomp_item
{
	const bv_file* file;     ///< null for a shape
	const bv_convex* shape;  ///< null for a file
	bvfile_parts_view parts; ///< of the file
	const bv_vec3* offset;   ///< of the file; null for none
	bv_transform placement;  ///< to coordinates of the compound
	bvvol_similarity placed; ///< the same
	bvvol_rounded box;       ///< around a shape that is bounded, along the axes of its own coordinates
	bv_vec3 lower;           ///< of its box in coordinates of the union; set in unions only
	bv_vec3 upper;           ///< of that box
	uint32_t first;          ///< number of its first leaf in the compound
	uint32_t leaves;         ///< number of leaves
	uint32_t member;         ///< of the outermost union
	uint32_t in_member;      ///< number of its first leaf in that
	bool is_identity;        ///< the placement is
	bool is_unbounded;       ///< a half-space
} bvcomp_item;

/// A node of the tree over items, in preorder.
typedef struct bvcomp_node
{
	bv_vec3 lower; ///< of its box, in coordinates of the union
	bv_vec3 upper; ///< of its box
	uint32_t next; ///< behind its subtree
	uint32_t item; ///< of a leaf; otherwise BVCOMP_NONE
} bvcomp_node;

/// The head of the memory of a union. Items follow, in the order of leaves, then nodes.
typedef struct bvcomp_union
{
	uint32_t items;
	uint32_t leaves;
} bvcomp_union;

static inline const bvcomp_item* bvcomp_union_items( const bvcomp_union* u )
{
	return (const bvcomp_item*)( u + 1 );
}

static inline const bvcomp_node* bvcomp_union_nodes( const bvcomp_union* u )
{
	return (const bvcomp_node*)( bvcomp_union_items( u ) + u->items );
}

/// Makes the item of a compound that is not a union, where it is.
/// @return false, and `out` is then not to be used, if the compound or its shape is invalid
bool bvcomp_item_begin( const bv_compound* compound, bvcomp_item* out );

/// One of two compounds of a query. Must not be moved.
typedef struct bvcomp_side
{
	const bvcomp_item* items; ///< in the order of leaves
	const bvcomp_node* nodes; ///< null for a compound that is not a union
	uint32_t count;           ///< of items
	uint32_t leaves;          ///< number of leaves
	bvcomp_item own;          ///< of a compound that is not a union
	bv_transform placement;   ///< to coordinates of the query
	bvvol_similarity placed;  ///< the same
	bool is_identity;         ///< the placement is
} bvcomp_side;

/// @param placement  to coordinates of the query; null for the identity
/// @return false, and `out` is then not to be used, if the compound, its shape or the placement is invalid
bool bvcomp_side_begin( const bv_compound* compound, const bv_transform* placement, bvcomp_side* out );

/// A subtree of one of both levels.
typedef struct bvcomp_at
{
	uint32_t item; ///< BVCOMP_NONE for the tree over items
	uint32_t node; ///< of that tree, or of the file; 0 for a shape
} bvcomp_at;

/// @return the node, or the item that is its only content
static inline bvcomp_at bvcomp_at_node( const bvcomp_side* side, uint32_t node )
{
	uint32_t item = side->nodes ? side->nodes[node].item : 0;
	return ( bvcomp_at ){ item, item == BVCOMP_NONE ? node : 0 };
}

static inline bool bvcomp_is_leaf( const bvcomp_side* side, bvcomp_at at )
{
	const bvcomp_item* item = side->items + at.item;
	return at.item != BVCOMP_NONE && ( item->shape || item->parts.nodes[at.node].part != BVFILE_NO_PART );
}

/// @param at  a leaf
/// @return its number
static inline uint32_t bvcomp_leaf_of( const bvcomp_side* side, bvcomp_at at )
{
	const bvcomp_item* item = side->items + at.item;
	return item->first + ( item->shape ? 0 : item->parts.nodes[at.node].part );
}

/// @param child  receives both children of a node that is no leaf
void bvcomp_open( const bvcomp_side* side, bvcomp_at at, bvcomp_at child[2] );

/// @param leaf  in range
/// @return the item that it is in
const bvcomp_item* bvcomp_item_of( const bvcomp_side* side, uint32_t leaf );

/// @param item  that has the leaf
/// @return the shape, in coordinates of the item
bv_convex bvcomp_shape_of( const bvcomp_item* item, uint32_t leaf );

/// @return the placement of an item in the query
bv_transform bvcomp_placement_of( const bvcomp_side* side, const bvcomp_item* item );

/// @param out  receives the box of a subtree in its own coordinates: of the compound, or of an item. That of a half-space has no bounds
void bvcomp_own_box( const bvcomp_side* side, bvcomp_at at, bvvol_rounded* out );

/// @param out  receives the same in coordinates of the query
void bvcomp_box_of( const bvcomp_side* side, bvcomp_at at, bvvol_rounded* out );

/// A half-space in coordinates of the query.
typedef struct bvcomp_plane
{
	bv_vec3 normal; ///< unit vector, outwards
	bv_vec3 point;
	double radius; ///< around it
} bvcomp_plane;

/// @param item  unbounded
bvcomp_plane bvcomp_plane_of( const bvcomp_side* side, const bvcomp_item* item );

/// Directions and points of the query in coordinates of an item, and back.
bv_vec3 bvcomp_own_direction( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 along );
bv_vec3 bvcomp_placed_point( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 own );
bv_vec3 bvcomp_placed_direction( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 own );
double bvcomp_scale_of( const bvcomp_side* side, const bvcomp_item* item );

/// @return not above the bound in other units; infinite ones remain
static inline double bvcomp_scaled_down( double scale, double bound )
{
	double x = scale * bound;
	return x - ( fabs( x ) < INFINITY ? 0x1p-51 * fabs( x ) : 0 );
}

/// @return not below the bound in other units; infinite ones remain
static inline double bvcomp_scaled_up( double scale, double bound )
{
	return -bvcomp_scaled_down( scale, -bound );
}

/// Leaves whose boxes are near a point, in no order that matters.
typedef struct bvcomp_cursor
{
	const bvcomp_side* side;
	bv_vec3 point;     ///< in coordinates of the compound
	double reach;      ///< likewise
	uint32_t node;     ///< of the tree over items
	uint32_t item;     ///< whose parts are looked at; BVCOMP_NONE for none
	uint32_t part;     ///< the next node of them
	bv_vec3 own_point; ///< in stored coordinates of the item
	double own_reach;
} bvcomp_cursor;

/// @param point  in coordinates of the query
void bvcomp_cursor_begin( const bvcomp_side* side, bv_vec3 point, double reach, bvcomp_cursor* out );

/// @return the number of the next leaf; BVCOMP_NONE behind the last
uint32_t bvcomp_cursor_next( bvcomp_cursor* cursor );
