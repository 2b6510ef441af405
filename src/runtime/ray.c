// Ray casts. Volumes are visited in the order in which the ray enters them. Volumes entered after the nearest
// hit are pruned.

#include "bv/query.h"

#include "base/core/bound.h"
#include "base/core/overlap.h"
#include "base/core/ray_triangle.h"
#include "runtime/surface.h"
#include "runtime/walk.h"

// In the file's own coordinates; times are the same in both.
typedef struct query
{
	bv_rounded origin;
	bv_vec3 direction;
	bv_ray_frame frame;
	bv_ray_options options;
	double from;
	double to; // the nearest hit, or the end of what counts
	bv_ray_triangle hit;
	uint32_t triangle;
	bv_vec3 corner[3];
	bv_ray_result* result;
} query;

static bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	query* q = context;
	bv_bound bound;
	double time[2] = { q->from, q->to };
	bv_bound_of( volume, &bound );
	q->result->volume_tests += 1;
	bool meets = bv_bound_sweep( &bound, &q->origin, q->direction, time );
	*order = time[0];
	return meets;
}

static bool look_at_triangle( void* context, uint32_t triangle, const bv_vec3 corner[3] )
{
	query* q = context;
	bv_ray_triangle hit;
	q->result->triangle_tests += 1;
	if ( !bv_ray_meets_triangle( &q->frame, corner, &hit ) || !( hit.time >= q->from && hit.time <= q->to ) ||
	     !( hit.back ? q->options.backs : q->options.fronts ) )
	{
		return true;
	}
	if ( !q->result->found || hit.time < q->to || triangle < q->triangle )
	{
		q->result->found = true;
		q->hit = hit;
		q->to = hit.time;
		q->triangle = triangle;
		for ( int k = 0; k < 3; ++k )
		{
			q->corner[k] = corner[k];
		}
	}
	return !q->options.any;
}

bv_ray_options bv_ray_options_default( void )
{
	return ( bv_ray_options ){ .fronts = true, .backs = true };
}

static bool is_ray( const bv_ray* ray )
{
	return ray && bv_is_in_range( ray->origin ) && bv_is_in_range( ray->direction ) &&
	       bv_norm1( ray->direction ) >= 1 / BV_MAX_LENGTH && ray->from >= 0 && ray->from < INFINITY &&
	       ray->to >= 0;
}

// A ray that passes a corner of a volume no farther away than its triangles are rounded still meets them: the origin has a slack that
// covers this.
bv_status bv_cast_ray( const bv_file* file, const bv_transform* placement, const bv_ray* ray,
                       const bv_ray_options* options, bv_ray_result* result )
{
	bvh_view view;
	if ( !file || !result || !bv_is_placement( placement ) || !is_ray( ray ) ||
	     !bv_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_ray_result ){ .time = INFINITY };
	bv_similarity placed;
	bv_similarity_begin( placement, &placed );
	query q = {
		.options = options ? *options : bv_ray_options_default(),
		.direction = bv_times( &placed.back, ray->direction ),
		.from = ray->from,
		.to = ray->to,
		.result = result,
	};
	q.origin = ( bv_rounded ){
		.center = bv_similarity_undo( &placed, ray->origin ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	};
	q.origin.slack = BV_OVERLAP_ROUNDING * bv_norm1( q.origin.center );
	bv_ray_begin( q.origin.center, q.direction, &q.frame );
	bv_visitor visitor = { &q, look_at_volume, NULL, look_at_triangle, &q.to };
	bv_walk_visit( &view, &visitor );
	if ( result->found )
	{
		result->time = q.hit.time;
		result->at = bv_surface_point_of( &placed, q.triangle, q.corner, q.hit.weight );
		result->back = q.hit.back;
	}
	return bv_ok;
}
