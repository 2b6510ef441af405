// The hierarchy of a file as used by searches. See walk.h.

#include "runtime/walk.h"

#include <float.h>
#include <math.h>

bool bv_walk_begin( const bv_file* file, bvh_view* view )
{
	*view = bvh_view_of( file );
	return view->hierarchy;
}

void bv_walk_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t index[3];
	bvh_triangle( view, triangle, index );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvh_position( view, index[k] );
	}
}

// A node that is opened, with the orders of those of its children that wait for their turn, and more than any order of the others.
typedef struct opened
{
	uint32_t place;
	double order[BV_LANES];
} opened;

static const double done = INFINITY;

// @return a bit for each volume of the group that is to be looked below
static uint32_t look_at_group( const bv_visitor* visitor, const bv_group* group, const bv_node_frame* frame,
                               double order[BV_LANES] )
{
	if ( visitor->boxes && group->type <= bv_volume_aabb )
	{
		visitor->boxes( visitor->context, group, frame, order );
		return ( 1u << group->count ) - 1;
	}
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_lane_unpack( group, i, frame, &volume );
		mask |= (uint32_t)visitor->volume( visitor->context, &volume, order + i ) << i;
	}
	return mask;
}

static void look_at_children( const bvh_view* view, const bv_visitor* visitor, uint32_t place, opened* out )
{
	const bv_packed_node* node = bvh_node_at( view, place );
	bv_node_frame frame = bv_node_frame_of( node, &view->hierarchy->grid );
	out->place = place;
	for ( bv_group group = bv_group_first( node ); group.count > 0; group = bv_group_next( node, &group ) )
	{
		double order[BV_LANES];
		uint32_t mask = look_at_group( visitor, &group, &frame, order );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			out->order[group.first + i] = mask >> i & 1 ? bv_min( order[i], DBL_MAX ) : done;
		}
	}
	for ( uint32_t i = node->children; i < BV_LANES; ++i )
	{
		out->order[i] = done;
	}
}

static uint32_t lesser( const opened* node, uint32_t i, uint32_t k )
{
	return node->order[k] < node->order[i] ? k : i;
}

// @return the child with the least order, of equals the first
static uint32_t next_of( const opened* node )
{
	uint32_t first = lesser( node, lesser( node, 0, 1 ), lesser( node, 2, 3 ) );
	uint32_t second = lesser( node, lesser( node, 4, 5 ), lesser( node, 6, 7 ) );
	return lesser( node, first, second );
}

static bool visit_triangles( const bvh_view* view, const bv_visitor* visitor, const bv_spot* leaf )
{
	for ( uint32_t i = 0; i < leaf->triangles; ++i )
	{
		bv_vec3 corner[3];
		bv_walk_corners( view, leaf->at + i, corner );
		if ( !visitor->triangle( visitor->context, leaf->at + i, corner ) )
		{
			return false;
		}
	}
	return true;
}

void bv_walk_visit( const bvh_view* view, const bv_visitor* visitor )
{
	opened stack[BV_MAX_DEPTH];
	bv_volume volume = bvh_root_volume( view );
	bv_spot next = bv_spot_root( view, &volume );
	double order;
	if ( !visitor->volume( visitor->context, &volume, &order ) || order > *visitor->limit )
	{
		return;
	}
	for ( uint32_t depth = 0;; )
	{
		if ( next.triangles == 0 )
		{
			look_at_children( view, visitor, next.at, stack + depth++ );
		}
		else if ( !visit_triangles( view, visitor, &next ) )
		{
			return;
		}
		opened* node;
		uint32_t lane;
		do
		{
			if ( depth == 0 )
			{
				return;
			}
			node = stack + depth - 1;
			lane = next_of( node );
			order = node->order[lane];
			node->order[lane] = done;
			depth -= order == done || order > *visitor->limit;
		} while ( order == done || order > *visitor->limit );
		next = bv_child_of( bvh_node_at( view, node->place ), node->place, lane );
	}
}
