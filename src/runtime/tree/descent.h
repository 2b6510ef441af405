// Nodes and leaves that wait for their turn in a search, and where the children of a node are.

#pragma once

#include "runtime/file/node.h"

#include <stddef.h>

/// Where a child of a node is: of an inner node the place, of a leaf the first triangle; and from bit 32 on
/// the number of triangles of a leaf, 0 for an inner node.
typedef uint64_t bvtree_child;

static inline bvtree_child bvtree_child_make( uint32_t at, uint32_t triangles )
{
	return (uint64_t)triangles << 32 | at;
}

/// The children of a node, one after another.
typedef struct bvtree_children
{
	const uint8_t* kind;     ///< of the next one
	const uint32_t* link;    ///< of the next one that has any
	uint32_t first_triangle; ///< of the next one that is a leaf
	uint32_t lane;           ///< number of the next one
} bvtree_children;

/// @return the first of them
static inline bvtree_children bvtree_children_begin( const bvfile_packed_node* node )
{
	return ( bvtree_children ){ bvfile_node_kinds( node ), bvfile_node_links( node ), node->first_triangle,
		                        0 };
}

/// @return the next child
static inline bvtree_child bvtree_children_next( bvtree_children* c )
{
	uint32_t triangles = *c->kind++ % bvfile_kind_counts;
	c->lane += 1;
	if ( triangles == bvfile_kind_inner )
	{
		return bvtree_child_make( *c->link++, 0 );
	}
	triangles = triangles == bvfile_kind_linked ? *c->link++ : triangles;
	c->first_triangle += triangles;
	return bvtree_child_make( c->first_triangle - triangles, triangles );
}

/// A node or a leaf that waits for its turn.
typedef struct bvtree_waiting
{
	double order; ///< smaller ones are visited first
	bvtree_child child;
} bvtree_waiting;

enum
{
	/// Every step takes one off and puts at most BVFILE_LANES on, one level deeper.
	bvtree_descent_stack = BV_MAX_DEPTH * ( BVFILE_LANES - 1 ) + 1,
};

/// What comes before each child of a node. Numbers per child are bytes of one word, byte i for child i.
typedef struct bvtree_child_sums
{
	uint64_t triangles;        ///< of each child; 0 for an inner node
	uint64_t triangles_before; ///< of the leaves before each child
	uint64_t links_before;     ///< how many inner nodes are before each child

	/// the node if a child of it is a large leaf, which links count; null else
	const bvfile_packed_node* linked;

	const uint32_t* links;   ///< those of the node
	uint32_t first_triangle; ///< of the first leaf
} bvtree_child_sums;

/// @return the sums of a node
static inline bvtree_child_sums bvtree_child_sums_of( const bvfile_packed_node* node )
{
	static const uint64_t each = UINT64_C( 0x0101010101010101 );
	uint64_t kinds;
	memcpy( &kinds, bvfile_node_kinds( node ), sizeof kinds );
	kinds &= ~UINT64_C( 0 ) >> ( 64 - 8 * node->children );
	uint64_t triangles = kinds & each * ( bvfile_kind_counts - 1 );
	uint64_t is_linked = ( triangles + each ) >> bvfile_kind_shift & each;
	uint64_t is_leaf = ( triangles + each * ( bvfile_kind_counts - 1 ) ) >> bvfile_kind_shift & each;
	return ( bvtree_child_sums ){
		.triangles = triangles,
		.triangles_before = triangles * each << 8,
		.links_before = ( is_leaf ^ each ) * each << 8,
		.linked = is_linked ? node : NULL,
		.links = bvfile_node_links( node ),
		.first_triangle = node->first_triangle,
	};
}

/// @return a child of a node with large leaves, from one child to the next
bvtree_child bvtree_child_among_linked( const bvfile_packed_node* node, uint32_t lane );

/// @param lane  below the node's children
/// @return the child
static inline bvtree_child bvtree_child_at( const bvtree_child_sums* sums, uint32_t lane )
{
	if ( sums->linked )
	{
		return bvtree_child_among_linked( sums->linked, lane );
	}
	// Whether a child is a leaf is as good as random, so a branch would cost more than a link that is not
	// used. Behind the last link there are the node's volumes.
	uint32_t triangles = sums->triangles >> 8 * lane & 255;
	uint32_t first = sums->first_triangle + ( sums->triangles_before >> 8 * lane & 255 );
	uint32_t link = sums->links[sums->links_before >> 8 * lane & 255];
	uint32_t is_leaf = 0u - ( triangles > 0 );
	return bvtree_child_make( link ^ ( ( link ^ first ) & is_leaf ), triangles );
}

/// Puts a child on the stack, where the one with the least order is last. Of equal ones the first child is
/// last.
/// @param bottom  of the node's children
/// @return the new top of the stack
static inline bvtree_waiting* bvtree_push_child( bvtree_child child, double order, bvtree_waiting* bottom,
                                                 bvtree_waiting* top )
{
	bvtree_waiting* to = top;
	// Each field is copied by itself: a load of both is slow right after they are stored one by one.
	for ( ; to > bottom && !( to[-1].order > order ); --to )
	{
		to->order = to[-1].order;
		to->child = to[-1].child;
	}
	to->order = order;
	to->child = child;
	return top + 1;
}
