// Errors of an index's nodes. See node_error.h.

#include "hausdorff/node_error.h"

#include "base/core/vec.h"

#include <math.h>

enum
{
	most_regions = 1, // one look: what a better bound saves later is less than what it costs
};

static double bound_error( const bvb_index* index, bvb_index_ref ref, bvb_search* search )
{
	const bvb_solid_box* box = &index->nodes[ref].box;
	const double* e = box->half_extents;
	double diagonal = 2 * sqrt( ( e[0] * e[0] + e[1] * e[1] ) + e[2] * e[2] );
	bvb_goal goal = {
		.relative = 0.3, .absolute = 0.01 * diagonal, .max_regions = most_regions, .bounds = bvb_bounds_all
	};
	bvb_search_begin( search, index, ref, box->axis, bv_norm1( box->center ) + diagonal, &goal );
	bvb_cell_make_box( box->center, box->axis, e, bvb_search_new_cell( search ) );
	bvb_search_add( search, NULL, INFINITY );
	return bvb_search_run( search ).upper;
}

void bvb_index_bound_errors( bvb_index* index, uint32_t first, uint32_t count, bvb_search* search )
{
	for ( uint32_t i = first; i < first + count; ++i )
	{
		index->nodes[i].error = bound_error( index, i, search );
	}
}
