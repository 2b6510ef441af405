// Children of nodes. See descent.h.

#include "base/core/descent.h"

bv_waiting bv_child_among_linked( const bv_packed_node* node, uint32_t lane )
{
	const uint8_t* kind = bv_node_kinds( node );
	const uint32_t* link = bv_node_links( node );
	bv_waiting child = { .at = node->first_triangle };
	for ( uint32_t i = 0;; ++i )
	{
		uint32_t triangles = kind[i] % bv_kind_counts;
		bool is_inner = triangles == bv_kind_inner;
		uint32_t linked = is_inner || triangles == bv_kind_linked ? *link++ : 0;
		child.triangles = triangles == bv_kind_linked ? linked : triangles;
		if ( i == lane )
		{
			child.at = is_inner ? linked : child.at;
			return child;
		}
		child.at += child.triangles;
	}
}
