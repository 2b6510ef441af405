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
	const bv_lanes* lanes;
	const bv_node_grid* grid;
	bv_rounded box;           // round the solid, in the file's own coordinates
	bv_moved_box moved;       // the same for lanes: of a ball its center, else with the radius in its slack
	const bv_rounded* around; // the solid, in the coordinates of the query
	bv_lane_triangles triangles;
	bool fits_lanes; // its axes are orthonormal enough for them
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

static uint32_t look_at_each( query* q, const bv_group* group, const bv_node_frame* frame )
{
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		double order;
		bv_lane_unpack( group, i, frame, &volume );
		mask |= (uint32_t)look_at_volume( q, &volume, &order ) << i;
	}
	return mask;
}

// Balls by their distance, other solids by the axes of the box round them.
WALK_INLINE uint32_t look_at_boxes( void* context, const bv_packed_node* node, const bv_group* group,
                                    float order[BV_LANES], double* base )
{
	query* q = context;
	bv_node_frame frame = bv_node_frame_of( node, q->grid );
	bool is_ball = q->meets == meets_ball;
	float number[BV_LANES];
	uint32_t mask = 0;
	(void)base;
	memset( order, 0, BV_LANES * sizeof *order );
	if ( !q->fits_lanes || ( is_ball && !bv_lanes_reach( &frame, q->moved.center, 0 ) ) )
	{
		return look_at_each( q, group, &frame );
	}
	bv_lane_group stored;
	bool is_obb = group->type == bv_volume_obb;
	bv_spot_group( group, &frame, &stored );
	bv_place_box( &q->moved, &frame );
	q->result->volume_tests += group->count;
	if ( !is_ball )
	{
		return ( is_obb ? q->lanes->obb : q->lanes->aabb )( &stored, &q->moved.lane, number );
	}
	( is_obb ? q->lanes->obb_gap : q->lanes->aabb_gap )( &stored, &q->moved.lane, number );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		mask |= ( uint32_t ) !( number[i] > q->box.radius ) << i;
	}
	return mask;
}

// Which triangles of a leaf may meet the solid, and which ones certainly do. The tolerance is more than
// the exact tests have.
static uint32_t bound_triangles( query* q, const bv_leaf_corners* corners, uint32_t count, uint32_t* certain )
{
	const bv_rounded* around = q->around;
	bool is_ball = q->meets == meets_ball;
	bv_leaf_corners apart;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = corners->of[i][k];
			p = q->placed.is_identity ? p : bv_similarity_apply( &q->placed, p );
			bv_vec3 d = bv_sub( p, around->center );
			apart.of[i][k] = is_ball
			                     ? d
			                     : ( bv_vec3 ){ bv_dot( around->axis[0], d ), bv_dot( around->axis[1], d ),
				                                bv_dot( around->axis[2], d ) };
		}
	}
	double extents = bv_rounded_extent( around );
	double unit = bv_leaf_lanes( &apart, count, extents, &q->triangles );
	*certain = 0;
	if ( !( unit > 0 ) )
	{
		return ( 1u << count ) - 1;
	}
	// Coordinates of a placed corner are not larger than the center's and the unit together, and before it is
	// moved than these and the translation, times the square root of 3.
	double size = ( bv_norm1( q->placed.translation ) + bv_norm1( around->center ) ) + unit;
	float tolerance = (float)bv_min( 0x1p-40 * size / unit + 0x1p-23, 0x1p100 );
	double radius = around->radius / unit;
	if ( !is_ball )
	{
		const float half[3] = { (float)( around->half_extents[0] / unit + radius ),
			                    (float)( around->half_extents[1] / unit + radius ),
			                    (float)( around->half_extents[2] / unit + radius ) };
		uint32_t near = q->lanes->box_triangles( &q->triangles, count, half, tolerance, certain );
		*certain &= q->meets == meets_box ? UINT32_MAX : 0;
		return near;
	}
	float lower[BV_LANES];
	float upper[BV_LANES];
	uint32_t near = 0;
	q->lanes->point_triangles( &q->triangles, count, tolerance, lower, upper );
	for ( uint32_t i = 0; i < count; ++i )
	{
		near |= ( uint32_t ) !( lower[i] > radius ) << i;
		*certain |= (uint32_t)( upper[i] < radius ) << i;
	}
	return near;
}

static bool meets_exactly( const query* q, const bv_vec3 corner[3] )
{
	bv_vec3 placed[3];
	double uncertainty = bv_place_triangle( &q->placed, corner, placed );
	return q->meets( q->with, placed, uncertainty );
}

WALK_INLINE bool look_at_triangles( void* context, uint32_t first, uint32_t count,
                                    const bv_leaf_corners* corners )
{
	query* q = context;
	uint32_t certain;
	uint32_t near = bound_triangles( q, corners, count, &certain );
	for ( uint32_t i = 0; i < count; ++i )
	{
		q->result->triangle_tests += 1;
		if ( !( near >> i & 1 ) || !( certain >> i & 1 || meets_exactly( q, corners->of[i] ) ) )
		{
			continue;
		}
		q->result->triangles += 1;
		bool goes_on = !q->options.callback || q->options.callback( q->options.context, first + i );
		if ( !goes_on || q->options.first )
		{
			return false;
		}
	}
	return true;
}

// Axes and half extents in binary32 are off by less than 2^-21 of the extents: see bv_move_box.
static void prepare_lanes( query* q, double skew )
{
	const bv_rounded* box = &q->box;
	bool is_ball = q->meets == meets_ball;
	q->fits_lanes = q->placed.skew + skew < 0x1p-22;
	q->moved.center = box->center;
	q->moved.slack = box->slack + 0x1p-21 * bv_rounded_extent( box ) + ( is_ball ? 0 : box->radius );
	for ( int i = 0; i < 3; ++i )
	{
		q->moved.lane.half[i] = (float)box->half_extents[i];
		q->moved.lane.axis[i][0] = (float)box->axis[i].x;
		q->moved.lane.axis[i][1] = (float)box->axis[i].y;
		q->moved.lane.axis[i][2] = (float)box->axis[i].z;
	}
}

// @param box   round the solid, in the coordinates of the query
// @param skew  how far its axes are from orthonormal
static bv_status find( const bv_lanes* lanes, const bv_file* file, const bv_transform* placement,
                       const bv_overlap_options* options, const bv_rounded* box, double skew,
                       const solid* with, triangle_test* meets, bv_overlap_result* result )
{
	static const double no_limit = INFINITY;
	bvh_view view;
	if ( !bv_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_overlap_result ){ 0 };
	query q = {
		.lanes = lanes,
		.grid = &view.hierarchy->grid,
		.around = box,
		.with = with,
		.meets = meets,
		.options = options ? *options : bv_overlap_options_default(),
		.result = result,
	};
	bv_similarity_begin( placement, &q.placed );
	bv_similarity back = bv_similarity_reverse( &q.placed );
	bv_similarity_move( &back, box, &q.box );
	prepare_lanes( &q, skew );
	bv_visitor visitor = {
		.context = &q,
		.volume = look_at_volume,
		.boxes = look_at_boxes,
		.triangles = look_at_triangles,
		.limit = &no_limit,
	};
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
	bv_rounded box = bv_shape_oriented_box( shape );
	solid s = { .shape = *shape };
	return find( bv_lanes_best(), file, placement, options, &box, 0, &s, meets_shape, result );
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
	return find( bv_lanes_best(), file, placement, options, &box, 0, &s, meets_ball, result );
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
	double skew = bv_pose_skew( &frame );
	round.slack += 4 * skew * bv_rounded_extent( &round );
	solid s = { .box = *box };
	return find( bv_lanes_best(), file, placement, options, &round, skew, &s, meets_box, result );
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
