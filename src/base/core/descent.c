// Children of nodes. See descent.h.

#include "base/core/descent.h"

bv_child bv_child_among_linked( const bv_packed_node* node, uint32_t lane )
{
	bv_children children = bv_children_begin( node );
	bv_child child = bv_children_next( &children );
	while ( children.lane <= lane )
	{
		child = bv_children_next( &children );
	}
	return child;
}
