// Children of nodes. See descent.h.

#include "runtime/tree/descent.h"

bvtree_child bvtree_child_among_linked( const bvfile_packed_node* node, uint32_t lane )
{
	bvtree_children children = bvtree_children_begin( node );
	bvtree_child child = bvtree_children_next( &children );
	while ( children.lane <= lane )
	{
		child = bvtree_children_next( &children );
	}
	return child;
}
