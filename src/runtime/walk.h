// The hierarchy of a file as used by searches: a descent that visits the nearest children first.

#pragma once

#include "base/core/descent.h"
#include "base/core/vec.h"
#include "runtime/leaf.h"
#include "runtime/spot.h"

#include <math.h>

#ifdef __GNUC__
#define WALK_INLINE static inline __attribute__( ( always_inline ) )
#else
#define WALK_INLINE static inline
#endif

/// @return whether the file has a hierarchy; `view` is that of the file either way
static inline bool bv_walk_begin( const bv_file* file, bvh_view* view )
{
	*view = bvh_view_of( file );
	return view->hierarchy;
}

/// @param corner  receives the positions of the triangle's corners
void bv_walk_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] );

/// What a search does at each step of its descent.
typedef struct bv_visitor
{
	void* context; ///< passed on

	/// @param order  receives the order of the volume: smaller ones are visited first
	/// @return whether to visit the subtree of the volume
	bool ( *volume )( void* context, const bv_volume* volume, double* order );

	/// Volumes of one node together. `group` is of type obb or aabb.
	/// @param order  receives the orders of the volumes whose subtrees are visited, less the base
	/// @param base   receives the base
	/// @return a bit for each volume whose subtree is visited
	uint32_t ( *boxes )( void* context, const bv_packed_node* node, const bv_group* group,
	                     float order[BV_LANES], double* base );

	/// Triangles of a leaf, one block of it after another.
	/// @param first  the number of the first triangle
	/// @param count  1 to bv_leaf_block
	/// @return false to end the search
	bool ( *triangles )( void* context, uint32_t first, uint32_t count, const bv_leaf_corners* corners );

	const double* limit; ///< what has a greater order than this when its turn comes is skipped
} bv_visitor;

/// Orders relative to the least of them, rounded down: differences survive where orders are large.
/// @param exact  of each lane of the mask
static inline void bv_round_orders( const double exact[BV_LANES], uint32_t mask, float order[BV_LANES],
                                    double* base )
{
	*base = INFINITY;
	for ( uint32_t left = mask; left > 0; left &= left - 1 )
	{
		*base = bv_min( *base, exact[__builtin_ctz( left )] );
	}
	for ( uint32_t left = mask; left > 0; left &= left - 1 )
	{
		uint32_t i = (uint32_t)__builtin_ctz( left );
		order[i] = (float)bv_min( exact[i] - *base, 0x1p120 ) * ( 1 - 0x1p-22f );
	}
}

// Puts the children that are to be visited on the stack.
WALK_INLINE bv_waiting* bv_visit_children( const bvh_view* view, const bv_visitor* visitor, uint32_t place,
                                           bv_waiting* top )
{
	const bv_packed_node* node = bvh_node_at( view, place );
	__builtin_prefetch( (const char*)node + 64 );
	__builtin_prefetch( (const char*)node + 128 );
	bv_child_sums sums = bv_child_sums_of( node );
	bv_waiting* bottom = top;
	for ( bv_group group = bv_group_first( node );; group = bv_group_next( node, &group ) )
	{
		if ( group.type <= bv_volume_aabb )
		{
			float order[BV_LANES] = { 0 };
			double base = 0;
			uint32_t mask = visitor->boxes( visitor->context, node, &group, order, &base );
			for ( ; mask > 0; mask &= mask - 1 )
			{
				uint32_t i = (uint32_t)__builtin_ctz( mask );
				if ( !( base + order[i] > *visitor->limit ) )
				{
					top =
						bv_push_child( bv_child_at( &sums, group.first + i ), base + order[i], bottom, top );
				}
			}
		}
		else
		{
			bv_node_frame frame = bv_node_frame_of( node, &view->hierarchy->grid );
			for ( uint32_t i = 0; i < group.count; ++i )
			{
				bv_volume volume;
				double order;
				bv_lane_unpack( &group, i, &frame, &volume );
				if ( visitor->volume( visitor->context, &volume, &order ) )
				{
					top = bv_push_child( bv_child_at( &sums, group.first + i ), order, bottom, top );
				}
			}
		}
		if ( group.first + group.count == node->children )
		{
			return top;
		}
	}
}

// @return false to end the search
WALK_INLINE bool bv_visit_leaf( const bvh_view* view, const bv_visitor* visitor, uint32_t first,
                                uint32_t count )
{
	for ( uint32_t end = first + count; first < end; first += bv_leaf_block )
	{
		uint32_t block = end - first < bv_leaf_block ? end - first : bv_leaf_block;
		bv_leaf_corners corners;
		bv_leaf_decode( view, first, block, &corners );
		if ( !visitor->triangles( visitor->context, first, block, &corners ) )
		{
			return false;
		}
	}
	return true;
}

/// Visits a hierarchy depth first, the children of each node in their order. The volume of the root is not
/// looked at: that would cost more than its children do together. It is inline for its callers'
/// functions to become part of the loop.
/// @param view  of a file that has a hierarchy
WALK_INLINE void bv_walk_visit( const bvh_view* view, const bv_visitor* visitor )
{
	bv_waiting stack[bv_descent_stack];
	bv_waiting* top = stack;
	*top++ = ( bv_waiting ){ -INFINITY, bv_child_make( 0, view->hierarchy->root_triangles ) };
	while ( top > stack )
	{
		--top;
		bv_child child = top->child;
		uint32_t triangles = (uint32_t)( child >> 32 );
		if ( top->order > *visitor->limit )
		{
			continue;
		}
		if ( triangles == 0 )
		{
			top = bv_visit_children( view, visitor, (uint32_t)child, top );
		}
		else if ( !bv_visit_leaf( view, visitor, (uint32_t)child, triangles ) )
		{
			return;
		}
	}
}
