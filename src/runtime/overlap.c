// Triangles that intersect a ball, a box or a convex shape: the hierarchy is descended, and the triangles of
// leaves are tested one by one.

#include "bv/query.h"

#include "base/core/hull_gap.h"
#include "base/core/nearest.h"
#include "base/core/overlap.h"
#include "base/core/overlap_triangle.h"
#include "base/core/packed_volume.h"
#include "runtime/shape.h"
#include "runtime/walk.h"

// What triangles are compared with. Only one of the three is used.
typedef struct solid
{
	bv_sphere ball;
	bv_obb box;
	bv_shape shape;
} solid;

// @return false only if they are certainly apart
typedef bool triangle_test( const solid* with, const bv_vec3 corner[3], double uncertainty );

typedef struct query
{
	bv_similarity placed;
	bv_rounded box; // round the solid, in the file's own coordinates
	const solid* with;
	triangle_test* meets;
	bv_overlap_options options;
	bv_overlap_result* result;
} query;

// Distances err by less than 2^-48 of what enters them: see nearest.h.
static bool meets_ball( const solid* with, const bv_vec3 corner[3], double uncertainty )
{
	bv_nearest near;
	bv_nearest_on_triangle( with->ball.center, corner, &near );
	double extent = 0;
	for ( int k = 0; k < 3; ++k )
	{
		extent = bv_max( extent, bv_norm1( bv_sub( corner[k], with->ball.center ) ) );
	}
	double slack = 0x1p-46 * ( extent + with->ball.radius ) + 2 * uncertainty;
	return !( sqrt( near.square ) > with->ball.radius + slack );
}

static bool meets_box( const solid* with, const bv_vec3 corner[3], double uncertainty )
{
	return bv_triangle_overlaps_box( corner, &with->box, uncertainty );
}

static bool meets_shape( const solid* with, const bv_vec3 corner[3], double uncertainty )
{
	bv_hull hull = { with->shape.points, with->shape.count, { 0, 0, 0 } };
	bv_hull_gap gap;
	double reach = with->shape.radius * ( 1 + 0x1p-50 ) + 2 * uncertainty;
	bv_hull_triangle_gap( &hull, corner, reach, 1, &gap );
	return !( gap.lower > reach );
}

static bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	static const double any = 0x1p-1000;
	query* q = context;
	bv_bound bound;
	bv_bound_of( volume, &bound );
	q->result->volume_tests += 1;
	*order = 0;
	return !( bv_bound_gap( &bound, &q->box, 2 * q->placed.skew, any ) > 0 );
}

static bool look_at_triangle( void* context, uint32_t triangle, const bv_vec3 corner[3] )
{
	query* q = context;
	bv_vec3 placed[3];
	q->result->triangle_tests += 1;
	double uncertainty = bv_place_triangle( &q->placed, corner, placed );
	if ( !q->meets( q->with, placed, uncertainty ) )
	{
		return true;
	}
	q->result->triangles += 1;
	bool goes_on = !q->options.callback || q->options.callback( q->options.context, triangle );
	return goes_on && !q->options.first;
}

// @param box  round the solid, in the coordinates of the query
static bv_status find( const bv_file* file, const bv_transform* placement, const bv_overlap_options* options,
                       const bv_rounded* box, const solid* with, triangle_test* meets,
                       bv_overlap_result* result )
{
	static const double no_limit = INFINITY;
	bvh_view view;
	if ( !bv_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_overlap_result ){ 0 };
	query q = {
		.with = with,
		.meets = meets,
		.options = options ? *options : bv_overlap_options_default(),
		.result = result,
	};
	bv_similarity_begin( placement, &q.placed );
	bv_similarity back = bv_similarity_reverse( &q.placed );
	bv_similarity_move( &back, box, &q.box );
	bv_visitor visitor = { &q, look_at_volume, NULL, look_at_triangle, &no_limit };
	bv_walk_visit( &view, &visitor );
	return bv_ok;
}

bv_overlap_options bv_overlap_options_default( void )
{
	return ( bv_overlap_options ){ .first = false };
}

bv_status bv_overlap_shape( const bv_file* file, const bv_transform* placement, const bv_shape* shape,
                            const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !file || !result || !bv_is_placement( placement ) || !bv_is_shape( shape ) )
	{
		return bv_error_argument;
	}
	bv_rounded box = bv_shape_box( shape );
	solid s = { .shape = *shape };
	return find( file, placement, options, &box, &s, meets_shape, result );
}

bv_status bv_overlap_sphere( const bv_file* file, const bv_transform* placement, const bv_sphere* ball,
                             const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !file || !result || !ball || !bv_is_placement( placement ) )
	{
		return bv_error_argument;
	}
	bv_shape shape = { &ball->center, 1, ball->radius };
	if ( !bv_is_shape( &shape ) )
	{
		return bv_error_argument;
	}
	bv_rounded box = bv_shape_box( &shape );
	solid s = { .ball = *ball };
	return find( file, placement, options, &box, &s, meets_ball, result );
}

// The frame is right to 1e-4, as that of a pose; a little more of the box round it makes up for that.
bv_status bv_overlap_obb( const bv_file* file, const bv_transform* placement, const bv_obb* box,
                          const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !file || !result || !box || !bv_is_placement( placement ) )
	{
		return bv_error_argument;
	}
	bv_pose frame = { .translation = box->center };
	bool good = true;
	for ( int i = 0; i < 3; ++i )
	{
		frame.rotation[i][0] = box->axis[i].x;
		frame.rotation[i][1] = box->axis[i].y;
		frame.rotation[i][2] = box->axis[i].z;
		good = good && bv_is_length( box->half_extents[i] );
	}
	if ( !good || !bv_is_in_range( box->center ) || !bv_pose_is_rigid( &frame ) )
	{
		return bv_error_argument;
	}
	bv_volume volume = { .type = bv_volume_obb, .obb = *box };
	bv_rounded round = bv_volume_rounded( &volume );
	round.slack += 4 * bv_pose_skew( &frame ) * bv_rounded_extent( &round );
	solid s = { .box = *box };
	return find( file, placement, options, &round, &s, meets_box, result );
}

bv_status bv_overlap_aabb( const bv_file* file, const bv_transform* placement, const bv_aabb* box,
                           const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !box ||
	     !( box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z ) )
	{
		return bv_error_argument;
	}
	bv_obb turned = bv_aabb_turned( box );
	return bv_overlap_obb( file, placement, &turned, options, result );
}
