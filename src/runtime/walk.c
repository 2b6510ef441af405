// A file's hierarchy as queries see it. See walk.h.

#include "runtime/walk.h"

bv_walk bv_walk_of( const bv_file* file )
{
	return ( bv_walk ){ bvh_view_of( file ) };
}

static void get_child( const bv_walk* walk, uint32_t index, bv_walk_child* out )
{
	const bvh_node* node = walk->view.nodes + index;
	bool is_leaf = node->count & BVH_LEAF;
	out->item = ( bv_walk_item ){
		.volume = index,
		.node = index,
		.first = is_leaf ? node->first : 0,
		.triangles = is_leaf ? node->count & ~BVH_LEAF : 0,
	};
	bv_walk_volume( walk, &out->item, &out->volume );
}

void bv_walk_root( const bv_walk* walk, bv_walk_child* out )
{
	get_child( walk, 0, out );
}

uint32_t bv_walk_children( const bv_walk* walk, uint32_t node, bv_walk_child out[bvh_max_children] )
{
	const bvh_node* opened = walk->view.nodes + node;
	for ( uint32_t i = 0; i < opened->count; ++i )
	{
		get_child( walk, opened->first + i, out + i );
	}
	return opened->count;
}

void bv_walk_volume( const bv_walk* walk, const bv_walk_item* item, bv_volume* out )
{
	const void* packed = bvh_packed_volume( &walk->view, walk->view.nodes + item->volume, &out->type );
	bv_volume_unpack_to( out->type, packed, out );
}

void bv_walk_corners( const bv_walk* walk, uint32_t triangle, bv_vec3 corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvh_position( &walk->view, walk->view.triangles[triangle][k] );
	}
}

// What waits for its turn.
typedef struct waiting
{
	bv_walk_item item;
	double order;
} waiting;

// Puts one among those of its node, the least on top; of equals the first.
static waiting* put( waiting* bottom, waiting* top, const bv_walk_item* item, double order )
{
	waiting* at = top;
	while ( at > bottom && at[-1].order < order )
	{
		*at = at[-1];
		at -= 1;
	}
	*at = ( waiting ){ *item, order };
	return top + 1;
}

static bool visit_triangles( const bv_walk* walk, const bv_visitor* visitor, const bv_walk_item* leaf )
{
	for ( uint32_t i = 0; i < leaf->triangles; ++i )
	{
		bv_vec3 corner[3];
		bv_walk_corners( walk, leaf->first + i, corner );
		if ( !visitor->triangle( visitor->context, leaf->first + i, corner ) )
		{
			return false;
		}
	}
	return true;
}

void bv_walk_visit( const bv_walk* walk, const bv_visitor* visitor )
{
	waiting stack[bv_walk_stack];
	waiting* top = stack;
	bv_walk_child child[bvh_max_children];
	bv_walk_root( walk, child );
	uint32_t count = 1;
	for ( ;; )
	{
		waiting* bottom = top;
		for ( uint32_t i = count; i-- > 0; )
		{
			double order = 0;
			if ( visitor->volume( visitor->context, &child[i].volume, &order ) &&
			     !( order > *visitor->limit ) )
			{
				top = put( bottom, top, &child[i].item, order );
			}
		}
		count = 0;
		while ( count == 0 )
		{
			if ( top == stack )
			{
				return;
			}
			const waiting next = *--top;
			if ( next.order > *visitor->limit )
			{
				continue;
			}
			if ( next.item.triangles == 0 )
			{
				count = bv_walk_children( walk, next.item.node, child );
			}
			else if ( !visit_triangles( walk, visitor, &next.item ) )
			{
				return;
			}
		}
	}
}
