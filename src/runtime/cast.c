// Casts of convex shapes against a mesh. Volumes are visited in the order of their first contact. Volumes
// with a later contact than the best hit so far are pruned.

#include "bv/query.h"

#include "base/core/hull_gap.h"
#include "runtime/shape.h"
#include "runtime/walk.h"

typedef struct query
{
	bv_similarity placed;
	bv_rounded box;       // of the shape, in the file's own coordinates, with the tolerance
	bv_vec3 local_motion; // in these
	const bv_shape* shape;
	bv_vec3 motion;
	double tolerance;
	double limit; // of time: the first contact that was found
	bv_hull_cast hit;
	uint32_t triangle;
	bv_vec3 corner[3]; // in the file's own coordinates
	bv_cast_result* result;
} query;

static bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	query* q = context;
	bv_bound bound;
	double time[2] = { 0, q->limit };
	bv_bound_of( volume, &bound );
	q->result->volume_tests += 1;
	bool meets = bv_bound_sweep( &bound, &q->box, q->local_motion, time );
	*order = time[0];
	return meets;
}

// A little more time than there is, so that of two that are met at once both are found.
static bool look_at_triangle( void* context, uint32_t triangle, const bv_vec3 corner[3] )
{
	query* q = context;
	bv_hull hull = { q->shape->points, q->shape->count, { 0, 0, 0 } };
	bv_vec3 placed[3];
	bv_hull_cast hit;
	double limit = q->limit * ( 1 + 0x1p-40 );
	q->result->triangle_tests += 1;
	double tolerance = q->tolerance + 2 * bv_place_triangle( &q->placed, corner, placed );
	if ( !bv_hull_meets_triangle( &hull, q->shape->radius, q->motion, limit, tolerance, placed, &hit ) ||
	     hit.time > q->limit )
	{
		return true;
	}
	if ( !q->result->found || hit.time < q->limit || triangle < q->triangle )
	{
		q->result->found = true;
		q->hit = hit;
		q->limit = hit.time;
		q->triangle = triangle;
		for ( int k = 0; k < 3; ++k )
		{
			q->corner[k] = corner[k];
		}
	}
	return true;
}

// No triangle is compared with a greater tolerance than what was asked for and this, whichever volume is round it: see
// bv_hull_meets_triangle.
static double reach_of( const query* q, const bvh_view* view )
{
	bv_bound bound;
	bv_volume root = bvh_root_volume( view );
	bv_bound_of( &root, &bound );
	bv_vec3 apart = bv_sub( bv_similarity_apply( &q->placed, bound.box.center ), q->box.center );
	double extent = q->placed.scale * bv_rounded_extent( &bound.box ) + bv_rounded_extent( &q->box );
	return 0x1p-40 * ( extent + bv_norm1( apart ) );
}

static void describe( const query* q )
{
	bv_cast_result* result = q->result;
	const bv_hull_gap* gap = &q->hit.gap;
	result->time = q->hit.time;
	result->at_start = !( q->hit.time > 0 );
	result->at = bv_surface_point_of( &q->placed, q->triangle, q->corner, gap->weight );
	result->normal = bv_negate( gap->along );
	result->back = bv_dot( bv_normal_of( q->corner ), q->local_motion ) > 0;
}

bv_cast_options bv_cast_options_default( void )
{
	return ( bv_cast_options ){ .limit = 1 };
}

bv_status bv_cast_shape( const bv_file* file, const bv_transform* placement, const bv_shape* shape,
                         bv_vec3 motion, const bv_cast_options* options, bv_cast_result* result )
{
	bv_cast_options asked = options ? *options : bv_cast_options_default();
	bvh_view view;
	if ( !file || !result || !bv_is_placement( placement ) || !bv_is_shape( shape ) ||
	     !bv_is_in_range( motion ) || !( asked.limit >= 0 ) || !bv_is_length( asked.tolerance ) ||
	     !bv_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_cast_result ){ .time = INFINITY };
	query q = {
		.shape = shape, .motion = motion, .tolerance = asked.tolerance, .limit = asked.limit, .result = result
	};
	bv_similarity_begin( placement, &q.placed );
	bv_similarity back = bv_similarity_reverse( &q.placed );
	q.box = bv_shape_box( shape );
	q.box.radius += asked.tolerance + reach_of( &q, &view );
	bv_rounded box = q.box;
	bv_similarity_move( &back, &box, &q.box );
	q.local_motion = bv_times( &q.placed.back, motion );
	bv_visitor visitor = { &q, look_at_volume, NULL, look_at_triangle, &q.limit };
	bv_walk_visit( &view, &visitor );
	if ( result->found )
	{
		describe( &q );
	}
	return bv_ok;
}
