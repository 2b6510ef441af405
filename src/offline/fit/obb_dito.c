// The candidates of DiTO-14, see runtime/volume/dito.c. The paper minimizes the surface area; here the caller chooses the quantity.
//
// Based on: T. Larsson, L. Kallberg, "Fast computation of tight-fitting oriented bounding boxes", Game Engine Gems 2, 2011.

#include "offline/fit/dito.h"

#include "offline/fit/obb.h"
#include "offline/fit/obb_method.h"

#include <string.h>

// The best candidate so far.
typedef struct dito_best
{
	bvb_box_objective objective;
	bvfit_box_cost least;
	bv_vec3* axis;
	bool found;
} dito_best;

static void consider( void* context, const bv_vec3 point[bvvol_dito_points], const bv_vec3 axis[3] )
{
	dito_best* best = context;
	double length[3];
	bvfit_box_lengths( point, bvvol_dito_points, axis, length );
	bvfit_box_cost cost = bvfit_box_cost_of( length, best->objective );
	if ( !best->found || bvfit_box_cost_less( cost, best->least ) )
	{
		best->found = true;
		best->least = cost;
		memcpy( best->axis, axis, 3 * sizeof *axis );
	}
}

void bvfit_dito_axes( const bvvol_dito* d, bvb_box_objective objective, bv_vec3 axis[3] )
{
	dito_best best = { .objective = objective, .axis = axis };
	bv_vec3 ends[2];
	bvvol_dito_visit( d, consider, &best, ends );
	if ( best.found )
	{
		bvvol_dito_orthogonal( axis );
	}
	else
	{
		// A line or a point.
		bvfit_triangle_axes( ( bv_vec3[3] ){ ends[0], ends[1], ends[1] }, axis );
	}
}

bv_status bvfit_obb_dito( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	bvvol_dito d;
	bvvol_dito_begin( &d, problem->points[0] );
	for ( uint32_t i = 1; i < problem->count; ++i )
	{
		bvvol_dito_add( &d, problem->points[i] );
	}
	bvfit_dito_axes( &d, problem->objective, axis );
	return bv_ok;
}
