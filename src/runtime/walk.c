// A file's hierarchy as searches see it. See walk.h.

#include "runtime/walk.h"

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

// What waits for its turn.
typedef struct waiting
{
	bv_spot spot;
	double order;
} waiting;

// Puts a node among those of its parent that are there, the least on top, of equals the first.
static waiting* put( const bv_visitor* visitor, const bv_spot* spot, double order, waiting* bottom,
                     waiting* top )
{
	if ( order > *visitor->limit )
	{
		return top;
	}
	waiting* at = top;
	while ( at > bottom && at[-1].order <= order )
	{
		*at = at[-1];
		at -= 1;
	}
	*at = ( waiting ){ *spot, order };
	return top + 1;
}

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

static waiting* look_at_children( const bvh_view* view, const bv_visitor* visitor, uint32_t place,
                                  waiting* top )
{
	waiting* bottom = top;
	const bv_packed_node* node = bvh_node_at( view, place );
	bv_node_frame frame = bv_node_frame_of( node, &view->hierarchy->grid );
	bv_children children = bv_children_begin( node );
	for ( bv_group group = bv_group_first( node ); group.count > 0; group = bv_group_next( node, &group ) )
	{
		double order[BV_LANES];
		uint32_t mask = look_at_group( visitor, &group, &frame, order );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_spot child = bv_children_next( &children, place );
			top = mask >> i & 1 ? put( visitor, &child, order[i], bottom, top ) : top;
		}
	}
	return top;
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
	waiting stack[bv_walk_stack];
	bv_spot root = bv_spot_root( view );
	bv_volume volume = bvh_root_volume( view );
	double order;
	waiting* top = stack;
	if ( visitor->volume( visitor->context, &volume, &order ) )
	{
		top = put( visitor, &root, order, stack, stack );
	}
	while ( top > stack )
	{
		const waiting next = *--top;
		if ( next.order > *visitor->limit )
		{
			continue;
		}
		if ( next.spot.triangles == 0 )
		{
			top = look_at_children( view, visitor, next.spot.at, top );
		}
		else if ( !visit_triangles( view, visitor, &next.spot ) )
		{
			return;
		}
	}
}
