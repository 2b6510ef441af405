// From a primitive's surface to the mesh. See surface.h.

#include "offline/recognize/surface.h"

#include "offline/base/arena.h"

#include <math.h>

// Of the tolerance: how well the distance is to be known.
static const double precision = 1.0 / 20;

// Beyond that a search ends, with an interval that is as wide as it then is: some seconds; less than one
// where there is a bound that may do.
static const uint64_t most_regions = UINT64_C( 1 ) << 20;
static const uint64_t few_regions = UINT64_C( 1 ) << 17;

static bv_vec3 middle_of( const bv_primitive* p )
{
	switch ( p->kind )
	{
	case bv_primitive_box: return p->box.center;
	case bv_primitive_sphere: return p->sphere.center;
	case bv_primitive_capsule: return bv_scale( 0.5, bv_add( p->capsule.ends[0], p->capsule.ends[1] ) );
	default: return bv_scale( 0.5, bv_add( p->cylinder.ends[0], p->cylinder.ends[1] ) );
	}
}

static bool find_edges( const bvrecog_surface_question* q )
{
	if ( *q->edges == bvrecog_edges_unknown )
	{
		bvb_arena* scratch = bvbase_arena_create_scratch( q->scratch );
		*q->edges = scratch ? bvrecog_find_edges( q->mesh, scratch ) : bvrecog_edges_unknown;
		bvb_arena_destroy( scratch );
	}
	return *q->edges != bvrecog_edges_unknown;
}

static bool is_covered( const bvrecog_surface_question* q, const bv_primitive* primitive,
                        const bvrecog_shape* shape )
{
	bv_vec3 middle = middle_of( primitive );
	double depth =
		-bvrecog_shape_distance( shape, bvrecog_place_in( q->place, middle ) ) - bvrecog_shape_grain( shape );
	return *q->edges == bvrecog_edges_even && depth > q->to_surface_upper &&
	       bvrecog_surrounds( q->mesh, q->place, middle );
}

static bv_status measure( const bvrecog_surface_question* q, const bv_primitive* p,
                          const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	bvb_hausdorff_target* target = *q->target;
	switch ( p->kind )
	{
	case bv_primitive_box: return bvb_hausdorff_obb( target, &p->box, options, out );
	case bv_primitive_sphere: return bvb_hausdorff_sphere( target, &p->sphere, options, out );
	case bv_primitive_capsule: return bvb_hausdorff_capsule( target, &p->capsule, options, out );
	default: return bvb_hausdorff_cylinder( target, &p->cylinder, options, out );
	}
}

// Narrows what is known.
static bv_status search( const bvrecog_surface_question* q, const bv_primitive* p,
                         const bvb_hausdorff_options* options, bv_interval* known )
{
	bvb_hausdorff found;
	bv_status status = measure( q, p, options, &found );
	if ( status == bv_ok )
	{
		known->lower = bvmath_max( known->lower, found.lower );
		known->upper = bvmath_min( known->upper, found.upper );
	}
	return status;
}

// Coarsely first, unless the mesh covers the surface: what is not covered is mostly far from being so.
static bv_status search_surface( const bvrecog_surface_question* q, const bv_primitive* p, bool covered,
                                 bv_interval* out )
{
	double tolerance = q->tolerance * q->place->unit;
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = 0.5;
	options.absolute = tolerance / 2;
	options.max_regions = covered ? few_regions : most_regions;
	options.stop = q->stop;
	options.stop_context = q->context;
	*out = ( bv_interval ){ 0, INFINITY };
	bv_status status =
		*q->target ? bv_ok : bvb_hausdorff_target_create( q->mesh, NULL, 0, q->scratch, q->target, NULL );
	if ( status == bv_ok && !covered )
	{
		status = search( q, p, &options, out );
	}
	if ( status == bv_ok && out->lower <= tolerance )
	{
		options.relative = 0;
		options.absolute = precision * tolerance;
		status = search( q, p, &options, out );
	}
	return status;
}

bv_status bvrecog_measure_surface( const bvrecog_surface_question* question, const bv_primitive* primitive,
                                   const bvrecog_shape* shape, bv_interval* out )
{
	const bvrecog_surface_question* q = question;
	if ( !find_edges( q ) )
	{
		return bv_error_memory;
	}
	double unit = q->place->unit;
	double upper = bvrecog_cover_factor( primitive->kind ) * q->to_surface_upper;
	bool covered = upper <= q->tolerance && is_covered( q, primitive, shape );
	double known = bvmath_max( q->to_surface_lower, q->lower );
	if ( covered && upper <= bvmath_max( known + precision * q->tolerance, q->to_surface_upper ) )
	{
		*out = ( bv_interval ){ unit * q->lower, unit * upper };
		return bv_ok;
	}
	bv_status status = search_surface( q, primitive, covered, out );
	out->lower = bvmath_max( out->lower, unit * q->lower );
	out->upper = covered ? bvmath_min( out->upper, unit * upper ) : out->upper;
	return status;
}
