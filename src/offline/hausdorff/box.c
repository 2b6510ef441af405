// Distances of boxes. See box.h.

#include "offline/hausdorff/box.h"

#include "runtime/math/vec.h"

#include <math.h>

static bool is_on_side( const bvhaus_solid_box* box, bv_vec3 point, double slack )
{
	bv_vec3 d = bv_sub( point, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		if ( fabs( bv_dot( d, box->axis[i] ) ) >= box->half_extents[i] - slack )
		{
			return true;
		}
	}
	return false;
}

// Leaves the rectangle or the segment in the middle of thin sides. Returns how far a point of the box can be
// from it.
static double flatten( const bvhaus_solid_box* box, double thin, double half[3] )
{
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		bool is_thin = box->half_extents[i] <= thin;
		half[i] = is_thin ? 0 : box->half_extents[i];
		square += is_thin ? box->half_extents[i] * box->half_extents[i] : 0;
	}
	return sqrt( square );
}

void bvhaus_search_box( bvhaus_search* s, const bvhaus_solid_box* box, double thin, bvb_hausdorff* solid,
                        bvb_hausdorff* surface )
{
	double half[3];
	double away = flatten( box, thin, half );
	bvhaus_search_begin_again( s, ( 2 + bvhaus_search_relative( s ) ) * away );
	bvhaus_cell* cell = bvhaus_search_new_cell( s );
	bvhaus_cell_make_box( box->center, box->axis, half, cell );
	bool flat = cell->dimension < 3;
	bvhaus_search_add( s, NULL, INFINITY );
	*solid = bvhaus_search_run( s );
	solid->upper += away;
	if ( !surface )
	{
		return;
	}
	*surface = *solid;
	if ( flat )
	{
		// The witness may be as far inside.
		surface->lower = bvmath_max( surface->lower - away, 0 );
	}
	else if ( !is_on_side( box, solid->witness, 2 * bvhaus_search_slack( s ) ) )
	{
		bvhaus_search_begin_again( s, 0 );
		bvhaus_search_add_sides( s, box->center, box->axis, box->half_extents, solid->upper );
		*surface = bvhaus_search_run( s );
		surface->upper = bvmath_min( surface->upper, solid->upper );
	}
}
