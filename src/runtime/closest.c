// The closest point of a mesh, by branch and bound with the nearest volumes first (Roussopoulos, Kelley,
// Vincent 1995).

#include "bv/query.h"

#include "base/core/bound.h"
#include "base/core/nearest.h"
#include "base/core/overlap.h"
#include "runtime/levels.h"
#include "runtime/surface.h"
#include "runtime/walk.h"

// The search goes on in the file's own coordinates, where lengths differ by the scale. Of a rotation that is only nearly one they
// differ by more: then triangles are measured where they are placed.
typedef struct query
{
	bv_vec3 point;
	bv_vec3 outside;             // where it is for the caller
	const bv_similarity* placed; // null where lengths differ by the scale alone
	double least;                // share of a length that a placed one has at least, for the scale
	const bv_lanes* lanes;
	double limit; // what was found, or what was asked for
	bv_nearest nearest;
	uint32_t triangle;
	bv_vec3 corner[3];
	bv_closest_result* result;
} query;

static bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	query* q = context;
	bv_bound bound;
	bv_bound_of( volume, &bound );
	q->result->volume_tests += 1;
	*order = q->least * bv_bound_gap_of_point( &bound, q->point );
	return true;
}

// The point is a box without extents.
static void look_at_boxes( void* context, const bv_group* group, const bv_node_frame* frame,
                           double order[BV_LANES] )
{
	query* q = context;
	if ( !bv_lanes_reach( frame, q->point, 0 ) )
	{
		for ( uint32_t i = 0; i < group->count; ++i )
		{
			bv_volume volume;
			bv_lane_unpack( group, i, frame, &volume );
			look_at_volume( q, &volume, order + i );
		}
		return;
	}
	bv_moved_box point = {
		.center = q->point,
		.lane.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.slack = BV_OVERLAP_ROUNDING * bv_norm1( q->point ),
	};
	bv_lane_group stored;
	float gap[BV_LANES];
	bv_spot_group( group, frame, &stored );
	bv_place_box( &point, frame );
	( group->type == bv_volume_obb ? q->lanes->obb_gap : q->lanes->aabb_gap )( &stored, &point.lane, gap );
	q->result->volume_tests += group->count;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		order[i] = q->least * gap[i];
	}
}

static void measure( const query* q, const bv_vec3 corner[3], bv_nearest* out )
{
	if ( !q->placed )
	{
		bv_nearest_on_triangle( q->point, corner, out );
		return;
	}
	bv_vec3 placed[3];
	for ( int k = 0; k < 3; ++k )
	{
		placed[k] = bv_similarity_apply( q->placed, corner[k] );
	}
	bv_nearest_on_triangle( q->outside, placed, out );
	out->square /= q->placed->scale * q->placed->scale;
}

// Whether a triangle's bounds are farther away than what was found, and by more than what measuring it errs: see nearest.h. Most are.
static bool is_out_of_reach( const query* q, const bv_vec3 corner[3] )
{
	bv_vec3 lower = bv_sub( bv_least( bv_least( corner[0], corner[1] ), corner[2] ), q->point );
	bv_vec3 upper = bv_sub( bv_greatest( bv_greatest( corner[0], corner[1] ), corner[2] ), q->point );
	bv_vec3 zero = { 0, 0, 0 };
	bv_vec3 gap = bv_greatest( bv_greatest( lower, bv_negate( upper ) ), zero );
	double reach = q->limit + 0x1p-44 * ( bv_norm1( lower ) + bv_norm1( upper ) );
	return bv_dot( gap, gap ) > reach * reach;
}

static bool look_at_triangle( void* context, uint32_t triangle, const bv_vec3 corner[3] )
{
	query* q = context;
	bv_nearest near;
	q->result->triangle_tests += 1;
	if ( !q->placed && is_out_of_reach( q, corner ) )
	{
		return true;
	}
	measure( q, corner, &near );
	bool is_first = !q->result->found && sqrt( near.square ) < q->limit;
	bool is_nearer = q->result->found && ( near.square < q->nearest.square ||
	                                       ( near.square == q->nearest.square && triangle < q->triangle ) );
	if ( is_first || is_nearer )
	{
		q->result->found = true;
		q->nearest = near;
		q->triangle = triangle;
		q->limit = sqrt( near.square );
		for ( int k = 0; k < 3; ++k )
		{
			q->corner[k] = corner[k];
		}
	}
	return true;
}

bv_status bv_closest_point_in( const bv_lanes* lanes, const bv_file* file, const bv_transform* placement,
                               bv_vec3 point, double limit, bv_closest_result* result )
{
	bvh_view view;
	if ( !file || !result || !bv_is_placement( placement ) || !bv_is_in_range( point ) || !( limit >= 0 ) ||
	     !bv_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_closest_result ){ .distance = INFINITY };
	bv_similarity placed;
	bv_similarity_begin( placement, &placed );
	bool is_rigid = placed.skew < 0x1p-44;
	query q = { .point = bv_similarity_undo( &placed, point ),
		        .outside = point,
		        .placed = is_rigid ? NULL : &placed,
		        .least = is_rigid ? 1 : 1 - 2 * placed.skew,
		        .lanes = lanes,
		        .limit = limit / placed.scale,
		        .result = result };
	bv_visitor visitor = { &q, look_at_volume, look_at_boxes, look_at_triangle, &q.limit };
	bv_walk_visit( &view, &visitor );
	if ( result->found )
	{
		result->at = bv_surface_point_of( &placed, q.triangle, q.corner, q.nearest.weight );
		result->distance = placed.scale * sqrt( q.nearest.square );
		result->feature = q.nearest.feature;
		result->back = bv_dot( bv_normal_of( q.corner ), bv_sub( q.point, q.corner[0] ) ) < 0;
	}
	return bv_ok;
}

bv_status bv_closest_point( const bv_file* file, const bv_transform* placement, bv_vec3 point, double limit,
                            bv_closest_result* result )
{
	return bv_closest_point_in( bv_lanes_best(), file, placement, point, limit, result );
}
