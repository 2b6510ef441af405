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

// Looks at a volume, and puts it among those of its node that were looked at before, the least on top, of equals the first.
static waiting* look( const bv_visitor* visitor, const bv_volume* volume, const bv_spot* spot,
                      waiting* bottom, waiting* top )
{
	double order = 0;
	if ( !visitor->volume( visitor->context, volume, &order ) || order > *visitor->limit )
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

static waiting* look_at_children( const bvh_view* view, const bv_visitor* visitor, uint32_t place,
                                  waiting* top )
{
	waiting* bottom = top;
	const bv_packed_node* node = bvh_node_at( view, place );
	bv_node_frame frame = bv_node_frame_of( node, &view->hierarchy->grid );
	bv_children children = bv_children_begin( node );
	for ( bv_group group = bv_group_first( node ); group.count > 0; group = bv_group_next( node, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bv_spot child = bv_children_next( &children, place );
			bv_lane_unpack( &group, i, &frame, &volume );
			top = look( visitor, &volume, &child, bottom, top );
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
	waiting* top = look( visitor, &volume, &root, stack, stack );
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
