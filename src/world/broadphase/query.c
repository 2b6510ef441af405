// Queries of a broad phase: overlap, ray and cast, for all methods. See query.h and cast.h.

#include "world/broadphase/query.h"

#include "world/broadphase/cast.h"
#include "world/order/numbers.h"

#include "runtime/math/range.h"

#include <math.h>

// @return the bits of a filter; all bits instead of 0, or without a filter
static uint64_t bits_of( const bvw_filter* filter, bool is_mask )
{
	uint64_t bits = !filter ? 0 : is_mask ? filter->mask : filter->category;
	return bits != 0 ? bits : UINT64_MAX;
}

static bv_status overlap( const bvw_broadphase* world, bvwphase_query q, const bvw_filter* filter,
                          bvw_found* found )
{
	q.objects = bvwphase_objects( world );
	q.category = bits_of( filter, false );
	q.mask = bits_of( filter, true );
	bvwphase_methods[world->options.method]->overlap( world, &q );
	*found = ( bvw_found ){ q.count, q.tests };
	if ( q.count > q.most )
	{
		return bv_error_memory;
	}
	bvworder_sort_numbers( q.numbers, q.count );
	return bv_ok;
}

bv_status bvw_broadphase_overlap( const bvw_broadphase* world, const bv_aabb* box, const bvw_filter* filter,
                                  uint32_t* numbers, uint32_t most, bvw_found* found )
{
	if ( !world || !box || !found || ( !numbers && most > 0 ) || !bvwphase_box_is_valid( box ) )
	{
		return bv_error_argument;
	}
	return overlap( world, ( bvwphase_query ){ .box = *box, .numbers = numbers, .most = most }, filter,
	                found );
}

bv_status bvw_broadphase_overlap_convex( const bvw_broadphase* world, const bv_convex* shape,
                                         const bv_transform* placement, const bvw_filter* filter,
                                         uint32_t* numbers, uint32_t most, bvw_found* found )
{
	if ( !world || !shape || !found || ( !numbers && most > 0 ) )
	{
		return bv_error_argument;
	}
	bvwphase_shape s = { .convex = shape, .placement = placement };
	bv_status status = bvwphase_shape_box( shape, placement, &s.reach );
	if ( status != bv_ok )
	{
		return status;
	}
	bvwphase_query q = { .box = s.reach, .shape = &s, .numbers = numbers, .most = most };
	return overlap( world, q, filter, found );
}

bvw_cast_options bvw_cast_options_default( void )
{
	return ( bvw_cast_options ){ .any = false };
}

static bvwphase_cast cast_of( const bv_aabb* box, bv_vec3 motion, double from, double to )
{
	return ( bvwphase_cast ){ .lower = { box->lower.x, box->lower.y, box->lower.z },
		                      .upper = { box->upper.x, box->upper.y, box->upper.z },
		                      .motion = { motion.x, motion.y, motion.z },
		                      .from = from,
		                      .to = to,
		                      .end = to };
}

static bool arguments_are_valid( const bvw_broadphase* world, const bvw_hit* hits, uint32_t most,
                                 const bvw_found* found )
{
	return world && found && ( hits || most == 0 );
}

static bv_status cast( const bvw_broadphase* world, bvwphase_cast* c, const bvw_cast_options* options,
                       bvw_hit* hits, uint32_t most, bvw_found* found )
{
	bvw_cast_options usual = { .any = false };
	c->options = options ? options : &usual;
	c->objects = bvwphase_objects( world );
	c->category = bits_of( &c->options->filter, false );
	c->mask = bits_of( &c->options->filter, true );
	c->hits = hits;
	c->most = most;
	const bvwphase_method* method = bvwphase_methods[world->options.method];
	bool is_empty = c->from > c->to;
	if ( method->cast && !is_empty )
	{
		method->cast( world, c );
	}
	else if ( !is_empty )
	{
		bvwphase_meet_all( world, c );
	}
	bvwphase_cast_sort( c );
	*found = ( bvw_found ){ c->count, c->tests };
	return bv_ok;
}

static bool ray_is_valid( const bv_ray* ray )
{
	bv_vec3 d = ray->direction;
	return bvmath_is_in_range( ray->origin ) && bvmath_is_in_range( d ) &&
	       ( fabs( d.x ) + fabs( d.y ) ) + fabs( d.z ) >= 1 / BV_MAX_LENGTH && ray->from >= 0 &&
	       ray->from < (double)INFINITY && ray->to >= 0;
}

bv_status bvw_broadphase_cast_ray( const bvw_broadphase* world, const bv_ray* ray,
                                   const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                   bvw_found* found )
{
	if ( !arguments_are_valid( world, hits, most, found ) || !ray || !ray_is_valid( ray ) )
	{
		return bv_error_argument;
	}
	bv_aabb point = { ray->origin, ray->origin };
	bvwphase_cast c = cast_of( &point, ray->direction, ray->from, bvmath_limit_of( ray->to ) );
	return cast( world, &c, options, hits, most, found );
}

bv_status bvw_broadphase_cast_box( const bvw_broadphase* world, const bv_aabb* box, bv_vec3 motion,
                                   const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                   bvw_found* found )
{
	if ( !arguments_are_valid( world, hits, most, found ) || !box || !bvwphase_box_is_valid( box ) ||
	     !bvmath_is_in_range( motion ) )
	{
		return bv_error_argument;
	}
	bvwphase_cast c = cast_of( box, motion, 0, 1 );
	return cast( world, &c, options, hits, most, found );
}

bv_status bvw_broadphase_cast_convex( const bvw_broadphase* world, const bv_convex* shape,
                                      const bv_transform* placement, bv_vec3 motion,
                                      const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                      bvw_found* found )
{
	if ( !arguments_are_valid( world, hits, most, found ) || !bvmath_is_in_range( motion ) )
	{
		return bv_error_argument;
	}
	bv_aabb box;
	bvwphase_shape s = { .convex = shape, .placement = placement, .motion = motion };
	bv_status status = bvwphase_shape_box( shape, placement, &box );
	if ( status != bv_ok )
	{
		return status;
	}
	bvwphase_cast c = cast_of( &box, motion, 0, 1 );
	s.reach = bvwphase_cast_reach( &c, 0, 1 );
	c.shape = &s;
	return cast( world, &c, options, hits, most, found );
}
