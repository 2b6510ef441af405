// A file's hierarchy as queries see it, whatever its layout: volumes with what is below them, and triangles.

#pragma once

#include "formats/bvh/layout.h"

enum
{
	/// Every step takes one off and puts at most bvh_max_children on, one level deeper.
	bv_walk_stack = BV_MAX_DEPTH * ( bvh_max_children - 1 ) + 1,
};

/// A hierarchy.
typedef struct bv_walk
{
	bvh_view view; ///< of a checked file
} bv_walk;

/// What is below a volume: a node to be opened, or triangles.
typedef struct bv_walk_item
{
	uint32_t volume;    ///< where its volume is: see bv_walk_volume
	uint32_t node;      ///< to be opened, if it has no triangles of its own
	uint32_t first;     ///< first triangle
	uint32_t triangles; ///< how many; 0 for a node to be opened
} bv_walk_item;

/// An item with its volume.
typedef struct bv_walk_child
{
	bv_walk_item item; ///< what is below it
	bv_volume volume;  ///< encloses all of that
} bv_walk_child;

bv_walk bv_walk_of( const bv_file* file );

void bv_walk_root( const bv_walk* walk, bv_walk_child* out );

/// @param node  of an item without triangles
/// @return how many children there are
uint32_t bv_walk_children( const bv_walk* walk, uint32_t node, bv_walk_child out[bvh_max_children] );

/// Decodes an item's volume once more.
void bv_walk_volume( const bv_walk* walk, const bv_walk_item* item, bv_volume* out );

/// @param corner  receives the positions of the triangle's corners
void bv_walk_corners( const bv_walk* walk, uint32_t triangle, bv_vec3 corner[3] );

/// What a search through one hierarchy looks at.
typedef struct bv_visitor
{
	void* context; ///< passed on
	/// @param order  receives a number: children with lesser ones are visited first
	/// @return whether to look further below this volume
	bool ( *volume )( void* context, const bv_volume* volume, double* order );
	/// @return false to end the search
	bool ( *triangle )( void* context, uint32_t triangle, const bv_vec3 corner[3] );
	const double* limit; ///< what has a greater order than this, as it is when its turn comes, is left out
} bv_visitor;

/// Visits a hierarchy depth first, the children of each node in their order.
void bv_walk_visit( const bv_walk* walk, const bv_visitor* visitor );
