// From points to a stored oriented box, by a method of the table in obb_methods.c.
//
// All but the principal axes, which are what their names say, are compared with the axis-aligned box: much of
// what people model stands upright.

#include "offline/fit/obb.h"

#include "offline/base/arena.h"
#include "offline/fit/obb_method.h"

const char* bvb_box_objective_name( uint32_t objective )
{
	static const char* const words[] = { "volume", "area", "diameter" };
	return objective < sizeof words / sizeof *words ? words[objective] : NULL;
}

bvb_obb_options bvb_obb_options_default( void )
{
	return ( bvb_obb_options ){ .method = "optimal" };
}

static bvvol_packed_obb enclose( const bvfit_box_problem* problem, const bv_vec3 axis[3] )
{
	bvfit_span span = bvfit_span_begin( axis, problem->points[0] );
	for ( uint32_t i = 0; i < problem->count; ++i )
	{
		bvfit_span_add( &span, problem->points[i] );
	}
	return bvfit_span_end( &span );
}

static bvfit_box_cost cost_of( const bvvol_packed_obb* box, bvb_box_objective objective )
{
	double length[3];
	for ( int i = 0; i < 3; ++i )
	{
		length[i] = 2 * (double)box->half_extents[i];
	}
	return bvfit_box_cost_of( length, objective );
}

// Longest side first, as principal axes come.
static void order_axes( const double length[3], bv_vec3 axis[3] )
{
	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 3; ++i )
	{
		int k = i == 1 ? 1 : 0;
		if ( length[order[k]] < length[order[k + 1]] )
		{
			int first = order[k];
			order[k] = order[k + 1];
			order[k + 1] = first;
		}
	}
	bv_vec3 longest = axis[order[0]];
	bv_vec3 middle = axis[order[1]];
	axis[0] = longest;
	axis[1] = middle;
	axis[2] = bv_cross( longest, middle );
}

static bv_status find_box( const bvfit_obb_method* m, const bvfit_box_problem* problem,
                           bvvol_packed_obb* out )
{
	bv_vec3 axis[3];
	bv_status status = m->find( problem, axis );
	if ( status != bv_ok || m->as_named )
	{
		*out = status == bv_ok ? enclose( problem, axis ) : *out;
		return status;
	}
	double length[3];
	bvfit_box_lengths( problem->points, problem->count, axis, length );
	order_axes( length, axis );
	bvvol_packed_obb turned = enclose( problem, axis );
	bvvol_packed_obb upright = enclose( problem, ( bv_vec3[3] ){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } );
	bool better = bvfit_box_cost_less( cost_of( &turned, problem->objective ),
	                                   cost_of( &upright, problem->objective ) );
	*out = better ? turned : upright;
	return bv_ok;
}

bv_status bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                       const bvb_obb_options* options, bvb_arena* scratch, bv_obb* out )
{
	bvb_obb_options defaults = bvb_obb_options_default();
	options = options ? options : &defaults;
	const bvfit_obb_method* m = bvfit_obb_method_find( options->method );
	if ( count == 0 || !m || options->objective > bvb_box_diameter )
	{
		return bv_error_argument;
	}
	bvb_hull own;
	if ( m->needs_hull && !hull )
	{
		bv_status status = bvb_hull_compute( points, count, scratch, &own, NULL );
		if ( status != bv_ok )
		{
			return status;
		}
		hull = &own;
	}
	bvfit_box_problem problem = {
		.points = points,
		.count = count,
		.hull = m->needs_hull ? hull : NULL,
		.objective = options->objective,
		.max_work = options->max_work,
		.scratch = scratch,
	};
	bvvol_packed_obb box;
	bv_status status = find_box( m, &problem, &box );
	if ( status == bv_ok )
	{
		*out = bvvol_obb_unpack( &box );
	}
	return status;
}

bv_status bvb_fit_obb_along( const bv_vec3* points, uint32_t count, bv_vec3 direction, bvb_arena* scratch,
                             bv_obb* out )
{
	bv_vec3 axis[3] = { [2] = direction };
	double size[2];
	bv_status status =
		count > 0 ? bvfit_fit_rectangle( points, count, scratch, axis, size ) : bv_error_argument;
	if ( status == bv_ok )
	{
		bvvol_packed_obb box = enclose( &( bvfit_box_problem ){ .points = points, .count = count }, axis );
		*out = bvvol_obb_unpack( &box );
	}
	return status;
}
