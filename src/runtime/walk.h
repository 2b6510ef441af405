// A file's hierarchy as the searches use it: volumes with their subtrees, and triangles.

#pragma once

#include "runtime/spot.h"

enum
{
	/// Every step takes one off and puts at most BV_LANES on, one level deeper.
	bv_walk_stack = BV_MAX_DEPTH * ( BV_LANES - 1 ) + 1,
};

/// @return whether the file has a hierarchy; `view` is that of the file either way
bool bv_walk_begin( const bv_file* file, bvh_view* view );

/// @param corner  receives the positions of the triangle's corners
void bv_walk_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] );

/// What a search through one hierarchy looks at.
typedef struct bv_visitor
{
	void* context; ///< passed on
	/// @param order  receives a number: children with lesser ones are visited first
	/// @return whether to look further below this volume
	bool ( *volume )( void* context, const bv_volume* volume, double* order );
	/// The same of oriented or aligned boxes of one node together, all of which are to be looked below. May be null: each by itself
	void ( *boxes )( void* context, const bv_group* group, const bv_node_frame* frame,
	                 double order[BV_LANES] );
	/// @return false to end the search
	bool ( *triangle )( void* context, uint32_t triangle, const bv_vec3 corner[3] );
	const double* limit; ///< what has a greater order than this, as it is when its turn comes, is left out
} bv_visitor;

/// Visits a hierarchy depth first, the children of each node in their order.
/// @param view  of a file that has a hierarchy
void bv_walk_visit( const bvh_view* view, const bv_visitor* visitor );
