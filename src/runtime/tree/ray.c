// Ray casts. Volumes are visited in the order in which the ray enters them. Volumes entered after the nearest
// hit are pruned.

#include "bv/mesh.h"

#include "runtime/tree/batch.h"
#include "runtime/tree/best.h"
#include "runtime/tree/flight.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/sweep.h"
#include "runtime/triangle/ray.h"
#include "runtime/volume/boxes.h"

// In the file's own coordinates; times are the same in both. The sweep is the first member: see
// bvtree_sweep_visit.
typedef struct ray_query
{
	bvtree_sweep sweep;
	const bvfile_view* view;
	bool framed; // the next two are there, which the first leaf needs
	bvtree_leaf_source source;
	bvtri_ray_frame frame;
	bv_ray_options options;
	const bvvol_similarity* placed; // of the file
	size_t index;                   // of the ray
	bvtri_ray_triangle hit;
	bool found;
	bool ended; // nothing else is of interest
	uint32_t triangle;
	uint64_t triangle_tests;
} ray_query;

static void set_hit( const ray_query* q, uint32_t triangle, const bvtri_ray_triangle* hit,
                     bv_ray_result* out )
{
	bv_vec3 corner[3];
	bvtree_leaf_triangle( &q->source, triangle, corner );
	out->found = true;
	out->time = hit->time;
	bvtree_set_surface_point( q->placed, q->view->offset, triangle, corner, hit->weight, &out->at );
	out->back = hit->back;
}

// Apart from the search, which is fastest without it.
BVSIMD_NOINLINE void report( ray_query* q, uint32_t triangle, const bvtri_ray_triangle* hit )
{
	bv_ray_result result = { .found = true };
	set_hit( q, triangle, hit, &result );
	q->ended = !q->options.callback( q->options.context, q->index, &result ) || q->ended;
}

// @param corner  coordinates in the order of the frame's axes
static void look_at_triangle( ray_query* q, uint32_t triangle, const double corner[9] )
{
	bvtri_ray_triangle hit;
	if ( !bvtri_ray_meets_turned( &q->frame, corner, &hit ) ||
	     !( hit.time >= q->sweep.from && hit.time <= q->sweep.to ) ||
	     ( hit.back ? q->options.no_backs : q->options.no_fronts ) )
	{
		return;
	}
	q->ended = q->options.any;
	if ( q->options.callback )
	{
		report( q, triangle, &hit );
	}
	else
	{
		bvtree_sweep_until( &q->sweep, hit.time );
	}
	if ( !q->found || bvtree_takes_best( hit.time, triangle, q->hit.time, q->triangle ) )
	{
		q->found = true;
		q->hit = hit;
		q->triangle = triangle;
	}
}

static bool look_at_leaf( void* sweep, uint32_t first, uint32_t count )
{
	ray_query* q = sweep;
	if ( !q->framed )
	{
		q->source = bvtree_leaf_source_of( q->view );
		bvtri_ray_begin( q->sweep.center, q->sweep.motion, &q->frame );
		q->framed = true;
	}
	for ( uint32_t i = first; i < first + count; ++i )
	{
		double corner[9];
		bvtree_leaf_turned( &q->source, i, q->frame.axis, corner );
		q->triangle_tests += 1;
		look_at_triangle( q, i, corner );
		if ( q->ended )
		{
			return false;
		}
	}
	return true;
}

bv_ray_options bv_ray_options_default( void )
{
	return ( bv_ray_options ){ 0 };
}

// A ball around the mesh.
typedef struct ball
{
	bv_vec3 center;
	double square; // of its radius
} ball;

// Only roots with the volumes that presets write have one here. A root that is a leaf has none either: its
// triangles are all tested, and from very far away they are met by rays that pass them, because corners fall
// together when the origin is subtracted.
static ball ball_of_root( const bvfile_hierarchy* hierarchy )
{
	const float* root = hierarchy->root;
	if ( hierarchy->root_triangles > 0 || hierarchy->root_type > bv_volume_aabb )
	{
		return ( ball ){ bvtree_sweep_middle( &hierarchy->grid ), INFINITY };
	}
	if ( hierarchy->root_type == bv_volume_obb )
	{
		bv_vec3 half = { root[3], root[4], root[5] };
		return ( ball ){ { root[0], root[1], root[2] }, bv_dot( half, half ) };
	}
	bv_vec3 lower = { root[0], root[1], root[2] };
	bv_vec3 upper = { root[3], root[4], root[5] };
	bv_vec3 half = bv_scale( 0.5, bv_sub( upper, lower ) );
	return ( ball ){ bv_add( lower, half ), bv_dot( half, half ) };
}

// Whether the ray certainly passes the ball. For a distance of r + e with an error e: (r + e)^2 is at most
// r^2 (1 + t) + e^2 (1 + 1 / t), with t = 2^-20.
static bool misses( const ball* b, double square_of_distance, double error )
{
	double scaled = 0x1p11 * error;
	return square_of_distance > ( 1 + 0x1p-18 ) * b->square + scaled * scaled;
}

// The slack of the origin covers what corners are rounded by when the origin is subtracted from them.
// @param placed  null for the identity
// @return whether the ray may meet the mesh
BVSIMD_INLINE bool begin( ray_query* q, const bvtree_lanes* lanes, const bvfile_view* view,
                          const bvvol_similarity* placed, const bv_ray* ray, const bv_ray_options* options )
{
	q->options = options ? *options : bv_ray_options_default();
	q->sweep.lanes = lanes;
	q->sweep.grid = &view->hierarchy->grid;
	q->sweep.mover = NULL;
	q->sweep.is_round = true;
	q->sweep.center =
		placed ? bvvol_similarity_undo( placed, ray->origin ) : bvvol_identity_undo( ray->origin );
	q->sweep.motion =
		placed ? bvmath_times( &placed->back, ray->direction ) : bvvol_identity_undo( ray->direction );
	q->sweep.slack = BVMATH_OVERLAP_ROUNDING * bvmath_norm1( q->sweep.center );
	q->sweep.from = ray->from;
	ball root = ball_of_root( view->hierarchy );
	double square = bvtree_sweep_begin( &q->sweep, root.center, q->sweep.slack );
	bvtree_sweep_until( &q->sweep, bvmath_limit_of( ray->to ) );
	q->framed = false;
	q->found = false;
	q->ended = false;
	q->triangle_tests = 0;
	q->sweep.volume_tests = 1;
	return !misses( &root, square, q->sweep.far_slack );
}

BVSIMD_INLINE void end( const ray_query* q, bv_ray_result* result )
{
	result->volume_tests = q->sweep.volume_tests;
	result->triangle_tests = q->triangle_tests;
	if ( q->found )
	{
		set_hit( q, q->triangle, &q->hit, result );
		return;
	}
	// Member by member: gcc sets the whole to 0 with an instruction that takes longer.
	result->found = false;
	result->time = INFINITY;
	result->at = ( bv_surface_point ){ 0 };
	result->back = false;
}

bv_status bvtree_cast_ray_in( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                              const bv_ray* ray, const bv_ray_options* options, bv_ray_result* result )
{
	bvfile_view view;
	if ( !file || !ray || !result || !bvtree_is_placement( placement ) || !bvtree_is_ray( ray ) ||
	     !bvtree_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	bvvol_similarity storage;
	const bvvol_similarity* placed = bvvol_similarity_of( placement, &storage );
	ray_query q;
	q.view = &view;
	q.placed = placed;
	q.index = 0;
	if ( begin( &q, lanes, &view, placement ? placed : NULL, ray, options ) )
	{
		bvtree_sweep_visit( &q.sweep, &view, look_at_leaf );
	}
	end( &q, result );
	return bv_ok;
}

bv_status bv_mesh_cast_ray( const bv_file* file, const bv_transform* placement, const bv_ray* ray,
                            const bv_ray_options* options, bv_ray_result* result )
{
	bv_transform storage;
	return bvtree_cast_ray_in( bvtree_lanes_best(), file, bvtree_place( NULL, file, placement, &storage ),
	                           ray, options, result );
}

static bool begin_of( ray_query* q, const bvtree_batch* batch, const bv_rays* rays, size_t index,
                      const bv_ray_options* options )
{
	bv_ray ray = bvtree_ray_at( rays, index );
	q->view = &batch->view;
	q->placed = batch->placed;
	q->index = index;
	return begin( q, batch->lanes, &batch->view, batch->placed->is_identity ? NULL : batch->placed, &ray,
	              options );
}

static void cast_by_itself( const bvtree_batch* batch, const bv_rays* rays, size_t index,
                            const bv_ray_options* options, bv_ray_result* results )
{
	ray_query q;
	if ( begin_of( &q, batch, rays, index, options ) )
	{
		bvtree_sweep_visit( &q.sweep, &batch->view, look_at_leaf );
	}
	end( &q, results + index );
}

void bvtree_cast_each_ray( const bvtree_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                           bv_ray_result* results )
{
	for ( size_t i = 0; i < rays->count; ++i )
	{
		cast_by_itself( batch, rays, i, options, results );
	}
}

// A ray on its way.
typedef struct flying_ray
{
	ray_query query;
	bvtree_flight flight;
} flying_ray;

enum
{
	most_flying = 5, // a node is read within the time that so many others take
};

// Begins with the next ray that may meet the mesh.
// @param next  of the rays; receives the one behind that
// @return false if no ray is left
static bool take_off( flying_ray* f, const bvtree_batch* batch, const bv_rays* rays, size_t* next,
                      const bv_ray_options* options, bv_ray_result* results )
{
	while ( *next < rays->count )
	{
		if ( begin_of( &f->query, batch, rays, ( *next )++, options ) )
		{
			bvtree_flight_begin( &f->flight, &f->query.sweep, &batch->view, look_at_leaf );
			return true;
		}
		end( &f->query, results + f->query.index );
	}
	return false;
}

// Casts rays until none is left, or until there is no place that has none stuck.
// @param next   of the rays; receives the one behind those that were begun
// @param stuck  receives the rays that are stuck
// @return the number of these
static uint32_t fly( const bvtree_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                     size_t* next, size_t stuck[most_flying], bv_ray_result* results )
{
	flying_ray places[most_flying];
	flying_ray* flying[most_flying];
	uint32_t count = 0;
	uint32_t stuck_count = 0;
	while ( count < most_flying && take_off( places + count, batch, rays, next, options, results ) )
	{
		flying[count] = places + count;
		count += 1;
	}
	for ( uint32_t i = 0; count > 0; i = i + 1 < count ? i + 1 : 0 )
	{
		flying_ray* f = flying[i];
		if ( bvtree_flight_step( batch->lanes, &batch->view, &f->flight ) )
		{
			continue;
		}
		if ( f->flight.stage == bvtree_flight_stuck )
		{
			stuck[stuck_count++] = f->query.index;
			flying[i] = flying[--count];
			continue;
		}
		f->query.sweep.volume_tests += f->flight.descent.volume_tests;
		end( &f->query, results + f->query.index );
		if ( !take_off( f, batch, rays, next, options, results ) )
		{
			flying[i] = flying[--count];
		}
	}
	return stuck_count;
}

void bvtree_cast_rays_in_turns( const bvtree_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                                bv_ray_result* results )
{
	size_t next = 0;
	while ( next < rays->count )
	{
		size_t stuck[most_flying];
		uint32_t count = fly( batch, rays, options, &next, stuck, results );
		for ( uint32_t i = 0; i < count; ++i )
		{
			cast_by_itself( batch, rays, stuck[i], options, results );
		}
	}
}
