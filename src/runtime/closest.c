// The closest point of a mesh, by branch and bound with the nearest volumes first (Roussopoulos, Kelley,
// Vincent 1995).

#include "bv/query.h"

#include "base/core/bound.h"
#include "base/core/nearest.h"
#include "base/core/overlap.h"
#include "runtime/batch.h"
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
	const bv_node_grid* grid;
	double limit;     // what was found, or what was asked for
	double reach;     // the same, or less: the mesh is certainly not farther away
	float lane_reach; // not less than that
	float base[3];    // the point, relative to the grid's origin
	float base_size;  // no coordinates of that and of a node's origin add up to more
	float base_slack; // how far they may be off
	bv_nearest nearest;
	uint32_t triangle;
	bv_vec3 corner[3];
	bv_lane_triangles triangles;
	bv_closest_result* result;
} query;

static void set_reach( query* q, double reach )
{
	q->reach = bv_min( q->reach, reach );
	q->lane_reach = q->reach < 0x1p100 ? (float)q->reach * ( 1 + 0x1p-22f ) + 0x1p-120f : INFINITY;
}

static void begin_lanes( query* q )
{
	const double point[3] = { q->point.x, q->point.y, q->point.z };
	double size = 3 * 0x1p16 * q->grid->step;
	double away = bv_norm1( q->point );
	for ( int i = 0; i < 3; ++i )
	{
		double o = point[i] - q->grid->origin[i];
		q->base[i] = (float)o;
		size += fabs( o );
		away += fabs( q->grid->origin[i] );
	}
	q->base_size = (float)bv_min( size, 0x1p100 );
	q->base_slack = (float)( 0x1p-22 * size + BV_OVERLAP_ROUNDING * away );
}

static bool look_at_volume( void* context, const bv_volume* volume, double* order )
{
	query* q = context;
	bv_bound bound;
	bv_bound_of( volume, &bound );
	q->result->volume_tests += 1;
	*order = q->least * bv_bound_gap_of_point( &bound, q->point );
	return true;
}

static void look_at_each( query* q, const bv_group* group, const bv_node_frame* frame, float order[BV_LANES],
                          double* base )
{
	double gap[BV_LANES];
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_lane_unpack( group, i, frame, &volume );
		look_at_volume( q, &volume, gap + i );
	}
	bv_round_orders( gap, ( 1u << group->count ) - 1, order, base );
}

// The point relative to the node's origin. Near the mesh binary32 is precise enough for that, except in nodes
// so small that its slack would count.
// @return false where lanes can't tell how far the node's children are
static inline bool place_point( const query* q, const bv_packed_node* node, const bv_lane_group* stored,
                                bv_lane_box* out )
{
	float own = bv_code_end * ( ( stored->step[0] + stored->step[1] ) + stored->step[2] );
	if ( q->base_size <= 4096 * own )
	{
		float step = (float)q->grid->step;
		for ( int i = 0; i < 3; ++i )
		{
			out->center[i] = q->base[i] - step * (float)node->origin[i];
		}
		out->slack = q->base_slack;
		return true;
	}
	bv_node_frame frame = bv_node_frame_of( node, q->grid );
	bv_moved_box point = { .center = q->point, .slack = BV_OVERLAP_ROUNDING * bv_norm1( q->point ) };
	bv_place_box( &point, &frame );
	memcpy( out->center, point.lane.center, sizeof out->center );
	out->slack = point.lane.slack;
	return bv_lanes_reach( &frame, q->point, 0 );
}

// The point is a box without extents.
WALK_INLINE uint32_t look_at_boxes( void* context, const bv_packed_node* node, const bv_group* group,
                                    float order[BV_LANES], double* base )
{
	query* q = context;
	uint32_t all = ( 1u << group->count ) - 1;
	bv_lane_box point = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	bv_lane_group stored = bv_spot_lanes( node, group );
	if ( !place_point( q, node, &stored, &point ) )
	{
		bv_node_frame frame = bv_node_frame_of( node, q->grid );
		look_at_each( q, group, &frame, order, base );
		return all;
	}
	( group->type == bv_volume_obb ? q->lanes->obb_gap : q->lanes->aabb_gap )( &stored, &point, order );
	q->result->volume_tests += group->count;
	uint32_t near = 0;
	for ( uint32_t i = 0; i < BV_LANES; ++i )
	{
		order[i] = q->least < 1 ? order[i] * (float)q->least * ( 1 - 0x1p-22f ) : order[i];
		near |= ( uint32_t ) !( order[i] > q->lane_reach ) << i;
	}
	return near & all;
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

static void look_at_triangle( query* q, uint32_t triangle, const bv_vec3 corner[3] )
{
	bv_nearest near;
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
		set_reach( q, q->limit );
		memcpy( q->corner, corner, 3 * sizeof *corner );
	}
}

// Most triangles are certainly farther away than what was found, by more than what measuring them errs.
static void bound_triangles( query* q, const bv_leaf_corners* corners, uint32_t count, double lower[8] )
{
	bv_leaf_corners apart;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		apart.of[i / 3][i % 3] = bv_sub( corners->of[i / 3][i % 3], q->point );
	}
	double unit = bv_leaf_lanes( &apart, count, 0, &q->triangles );
	if ( !( unit > 0 ) )
	{
		return;
	}
	// A corner's own coordinates are not larger than the point's and the unit.
	double tolerance = 0x1p-42 * ( bv_norm1( q->point ) / unit + 1 ) + 0x1p-23;
	float least[BV_LANES];
	float most[BV_LANES];
	q->lanes->point_triangles( &q->triangles, count, (float)bv_min( tolerance, 0x1p100 ), least, most );
	for ( uint32_t i = 0; i < count; ++i )
	{
		lower[i] = unit * least[i];
		if ( unit * most[i] < q->reach )
		{
			set_reach( q, unit * most[i] );
		}
	}
}

WALK_INLINE bool look_at_triangles( void* context, uint32_t first, uint32_t count,
                                    const bv_leaf_corners* corners )
{
	query* q = context;
	double lower[BV_LANES] = { 0 };
	q->result->triangle_tests += count;
	if ( !q->placed )
	{
		bound_triangles( q, corners, count, lower );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !( lower[i] > q->reach ) )
		{
			look_at_triangle( q, first + i, corners->of[i] );
		}
	}
	return true;
}

// The distance of any triangle bounds the search as if the triangle had been visited: it is at least the
// distance that is found, to the last bit.
static void bound_by_triangle( query* q, const bvh_view* view, uint32_t triangle )
{
	bv_vec3 corner[3];
	bv_nearest near;
	bv_walk_corners( view, triangle, corner );
	measure( q, corner, &near );
	set_reach( q, sqrt( near.square ) );
}

void bv_find_closest_point( const bv_batch* batch, bv_vec3 point, double limit, const uint32_t* near,
                            bv_closest_result* result )
{
	const bv_similarity* placed = batch->placed;
	const bvh_view* view = &batch->view;
	*result = ( bv_closest_result ){ .distance = INFINITY };
	bool is_rigid = placed->skew < 0x1p-44;
	query q = { .point = bv_similarity_undo( placed, point ),
		        .outside = point,
		        .placed = is_rigid ? NULL : placed,
		        .least = is_rigid ? 1 : 1 - 2 * placed->skew,
		        .lanes = batch->lanes,
		        .grid = &view->hierarchy->grid,
		        .limit = limit / placed->scale,
		        .reach = INFINITY,
		        .result = result };
	set_reach( &q, q.limit );
	begin_lanes( &q );
	if ( near )
	{
		bound_by_triangle( &q, view, *near );
	}
	bv_visitor visitor = {
		.context = &q,
		.volume = look_at_volume,
		.boxes = look_at_boxes,
		.triangles = look_at_triangles,
		.limit = &q.reach,
	};
	bv_walk_visit( view, &visitor );
	if ( result->found )
	{
		result->at = bv_surface_point_of( placed, q.triangle, q.corner, q.nearest.weight );
		result->distance = placed->scale * sqrt( q.nearest.square );
		result->feature = q.nearest.feature;
		result->back = bv_dot( bv_normal_of( q.corner ), bv_sub( q.point, q.corner[0] ) ) < 0;
	}
}

bool bv_is_query_point( bv_vec3 point, double limit )
{
	return bv_is_in_range( point ) && limit >= 0;
}

bv_status bv_closest_point_in( const bv_lanes* lanes, const bv_file* file, const bv_transform* placement,
                               bv_vec3 point, double limit, bv_closest_result* result )
{
	bv_batch batch;
	if ( !result || !bv_is_query_point( point, limit ) || !bv_batch_begin( lanes, file, placement, &batch ) )
	{
		return bv_error_argument;
	}
	bv_find_closest_point( &batch, point, limit, NULL, result );
	return bv_ok;
}

bv_status bv_closest_point( const bv_file* file, const bv_transform* placement, bv_vec3 point, double limit,
                            bv_closest_result* result )
{
	return bv_closest_point_in( bv_lanes_best(), file, placement, point, limit, result );
}
