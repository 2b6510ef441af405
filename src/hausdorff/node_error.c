// Quick errors of an index's nodes. See node_error.h.

#include "hausdorff/node_error.h"

#include "base/core/vec.h"
#include "hausdorff/cell.h"
#include "hausdorff/combine.h"

enum
{
	most_children = 8,
};

static void fill_row( const bvb_index* index, bvb_index_ref ref, const bvb_points* corners,
                      double row[bvb_row] )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		bvb_triangle_row( bvb_ref_triangle( index, ref ), corners, row );
		return;
	}
	bvb_box_row( &index->nodes[ref].box, corners, row );
	for ( int i = 0; i < corners->count; ++i )
	{
		row[i] += index->nodes[ref].error;
	}
}

// The least bound of one child or two together.
static double bound_error( const bvb_index* index, const bvb_index_node* node )
{
	bvb_cell cell;
	bvb_cell_make_box( node->box.center, node->box.axis, node->box.half_extents, &cell );
	bvb_pad_points( &cell.corner );
	double row[most_children][bvb_row];
	int children = (int)node->child_count < most_children ? (int)node->child_count : most_children;
	double bound = node->error;
	for ( int i = 0; i < children; ++i )
	{
		fill_row( index, index->children[node->first_child + (uint32_t)i], &cell.corner, row[i] );
		for ( int k = 0; k <= i; ++k )
		{
			bound = bv_min( bound, bvb_combined_bound( row[k], row[i], cell.corner.count ) );
		}
	}
	return bound;
}

void bvb_index_bound_errors( bvb_index* index, uint32_t first, uint32_t count )
{
	for ( uint32_t i = first; i < first + count; ++i )
	{
		// Rounding is far below this.
		double size = bv_norm1( index->nodes[i].box.center ) + index->nodes[i].box.half_extents[0] +
		              index->nodes[i].box.half_extents[1] + index->nodes[i].box.half_extents[2];
		index->nodes[i].error = bound_error( index, index->nodes + i ) + 0x1p-44 * size;
	}
}
