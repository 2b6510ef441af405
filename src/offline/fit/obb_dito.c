// The candidates of DiTO-14, see runtime/volume/dito.c. The paper minimizes the surface area; here the caller chooses the quantity.
//
// Based on: T. Larsson, L. Kallberg, "Fast computation of tight-fitting oriented bounding boxes", Game Engine Gems 2, 2011.

#include "offline/fit/dito.h"

#include "offline/fit/obb.h"
#include "offline/fit/obb_method.h"

#include <string.h>

void bvfit_dito_axes( const bvvol_dito* d, bvb_box_objective objective, bv_vec3 axis[3] )
{
	bvvol_dito_candidates c;
	bvfit_box_cost least = { 0 };
	bvvol_dito_list( d, &c );
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		double length[3];
		bvfit_box_lengths( c.point, bvvol_dito_points, c.axis[i], length );
		bvfit_box_cost cost = bvfit_box_cost_of( length, objective );
		if ( i == 0 || bvfit_box_cost_less( cost, least ) )
		{
			least = cost;
			memcpy( axis, c.axis[i], sizeof c.axis[i] );
		}
	}
	if ( c.count > 0 )
	{
		bvvol_dito_orthogonal( axis );
		return;
	}
	// A line or a point.
	bvfit_triangle_axes( ( bv_vec3[3] ){ c.end[0], c.end[1], c.end[1] }, axis );
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
