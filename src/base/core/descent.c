// Children of nodes. See descent.h.

#include "base/core/descent.h"

bv_child bv_child_among_linked( const bv_packed_node* node, uint32_t lane )
{
	const uint8_t* kind = bv_node_kinds( node );
	const uint32_t* link = bv_node_links( node );
	uint32_t first = node->first_triangle;
	for ( uint32_t i = 0;; ++i )
	{
		uint32_t triangles = kind[i] % bv_kind_counts;
		bool is_inner = triangles == bv_kind_inner;
		uint32_t linked = is_inner || triangles == bv_kind_linked ? *link++ : 0;
		triangles = triangles == bv_kind_linked ? linked : triangles;
		if ( i == lane )
		{
			return bv_child_make( is_inner ? linked : first, triangles );
		}
		first += triangles;
	}
}
