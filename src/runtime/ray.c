// Ray casts. Volumes are visited in the order in which the ray enters them. Volumes entered after the nearest
// hit are pruned.

#include "bv/query.h"

#include "base/core/overlap.h"
#include "base/core/ray_triangle.h"
#include "runtime/batch.h"
#include "runtime/flight.h"
#include "runtime/levels.h"
#include "runtime/surface.h"
#include "runtime/sweep.h"

// In the file's own coordinates; times are the same in both.
typedef struct query
{
	bv_sweep sweep;
	bool framed; // the next one is there, which the first leaf needs
	bv_ray_frame frame;
	bv_ray_options options;
	bv_ray_triangle hit;
	bool found;
	uint32_t triangle;
	bv_vec3 corner[3];
	uint64_t triangle_tests;
} query;

WALK_INLINE bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	query* q = context;
	return bv_sweep_volume( &q->sweep, volume, order );
}

WALK_INLINE uint32_t look_at_boxes( void* context, const bv_packed_node* node, const bv_group* group,
                                    float order[BV_LANES], double* base )
{
	query* q = context;
	return bv_sweep_boxes( &q->sweep, node, group, order, base );
}

static void look_at_triangle( query* q, uint32_t triangle, const bv_vec3 corner[3] )
{
	bv_ray_triangle hit;
	if ( !bv_ray_meets_triangle( &q->frame, corner, &hit ) ||
	     !( hit.time >= q->sweep.from && hit.time <= q->sweep.to ) ||
	     !( hit.back ? q->options.backs : q->options.fronts ) )
	{
		return;
	}
	if ( !q->found || hit.time < q->sweep.to || triangle < q->triangle )
	{
		q->found = true;
		q->hit = hit;
		bv_sweep_until( &q->sweep, hit.time );
		q->triangle = triangle;
		memcpy( q->corner, corner, 3 * sizeof *corner );
	}
}

WALK_INLINE bool look_at_triangles( void* context, uint32_t first, uint32_t count,
                                    const bv_leaf_corners* corners )
{
	query* q = context;
	if ( !q->framed )
	{
		bv_ray_begin( q->sweep.mover.center, q->sweep.motion, &q->frame );
		q->framed = true;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		q->triangle_tests += 1;
		look_at_triangle( q, first + i, corners->of[i] );
		if ( q->found && q->options.any )
		{
			return false;
		}
	}
	return true;
}

bv_ray_options bv_ray_options_default( void )
{
	return ( bv_ray_options ){ .fronts = true, .backs = true };
}

bool bv_is_ray( const bv_ray* ray )
{
	return bv_is_in_range( ray->origin ) && bv_is_in_range( ray->direction ) &&
	       bv_norm1( ray->direction ) >= 1 / BV_MAX_LENGTH && ray->from >= 0 && ray->from < INFINITY &&
	       ray->to >= 0;
}

// A ray that passes a corner of a volume no farther away than its triangles are rounded still meets them: the origin has a slack that
// covers this.
WALK_INLINE void begin( query* q, const bv_batch* batch, const bv_ray* ray, const bv_ray_options* options )
{
	const bv_similarity* placed = batch->placed;
	q->options = options ? *options : bv_ray_options_default();
	q->sweep.lanes = batch->lanes;
	q->sweep.grid = &batch->view.hierarchy->grid;
	q->sweep.mover = ( bv_rounded ){
		.center = bv_similarity_undo( placed, ray->origin ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	};
	q->sweep.mover.slack = BV_OVERLAP_ROUNDING * bv_norm1( q->sweep.mover.center );
	q->sweep.motion = bv_times( &placed->back, ray->direction );
	q->sweep.from = ray->from;
	bv_sweep_begin( &q->sweep );
	bv_sweep_until( &q->sweep, ray->to );
	q->framed = false;
	q->found = false;
	q->triangle_tests = 0;
}

static void end( const query* q, const bv_batch* batch, bv_ray_result* result )
{
	*result = ( bv_ray_result ){ .time = INFINITY };
	result->volume_tests = q->sweep.volume_tests;
	result->triangle_tests = q->triangle_tests;
	if ( q->found )
	{
		result->found = true;
		result->time = q->hit.time;
		result->at = bv_surface_point_of( batch->placed, q->triangle, q->corner, q->hit.weight );
		result->back = q->hit.back;
	}
}

WALK_INLINE bv_visitor visitor_of( query* q )
{
	return ( bv_visitor ){ q, look_at_volume, look_at_boxes, look_at_triangles, &q->sweep.limit };
}

WALK_INLINE void cast( const bv_batch* batch, const bv_ray* ray, const bv_ray_options* options,
                       bv_ray_result* result )
{
	query q;
	begin( &q, batch, ray, options );
	bv_visitor visitor = visitor_of( &q );
	bv_walk_visit( &batch->view, &visitor );
	end( &q, batch, result );
}

bv_status bv_cast_ray_in( const bv_lanes* lanes, const bv_file* file, const bv_transform* placement,
                          const bv_ray* ray, const bv_ray_options* options, bv_ray_result* result )
{
	bv_batch batch;
	if ( !ray || !result || !bv_is_ray( ray ) || !bv_batch_begin( lanes, file, placement, &batch ) )
	{
		return bv_error_argument;
	}
	cast( &batch, ray, options, result );
	return bv_ok;
}

bv_status bv_cast_ray( const bv_file* file, const bv_transform* placement, const bv_ray* ray,
                       const bv_ray_options* options, bv_ray_result* result )
{
	return bv_cast_ray_in( bv_lanes_best(), file, placement, ray, options, result );
}

void bv_cast_each_ray( const bv_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                       bv_ray_result* results )
{
	for ( size_t i = 0; i < rays->count; ++i )
	{
		bv_ray ray = bv_ray_at( rays, i );
		cast( batch, &ray, options, results + i );
	}
}

// A ray on its way.
typedef struct flying_ray
{
	query query;
	bv_flight flight;
	size_t index;
} flying_ray;

enum
{
	most_flying = 8, // a node is read within the time that so many others take
};

static void finish( const bvh_view* view, void* context, const bv_flight* flight )
{
	bv_visitor visitor = visitor_of( context );
	bv_flight_finish( view, &visitor, flight );
}

static void take_off( flying_ray* f, const bv_batch* batch, const bv_rays* rays, size_t index,
                      const bv_ray_options* options )
{
	bv_ray ray = bv_ray_at( rays, index );
	begin( &f->query, batch, &ray, options );
	bv_flight_begin( &batch->view, &f->flight );
	f->index = index;
}

void bv_cast_rays_in_turns( const bv_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                            bv_ray_result* results )
{
	flying_ray flying[most_flying];
	uint32_t count = 0;
	size_t next = 0;
	for ( ; count < most_flying && next < rays->count; ++count, ++next )
	{
		take_off( flying + count, batch, rays, next, options );
	}
	for ( uint32_t i = 0; count > 0; i = i + 1 < count ? i + 1 : 0 )
	{
		flying_ray* f = flying + i;
		bv_visitor visitor = visitor_of( &f->query );
		if ( bv_flight_step( &batch->view, &visitor, &f->flight, finish ) )
		{
			continue;
		}
		end( &f->query, batch, results + f->index );
		if ( next < rays->count )
		{
			take_off( f, batch, rays, next++, options );
			continue;
		}
		*f = flying[--count];
	}
}
