// The closest point of a mesh, by branch and bound with the nearest volumes first (Roussopoulos, Kelley,
// Vincent 1995).
//
// The search itself is in binary32: bounds of distances prune volumes and triangles. Only triangles that may
// be the nearest one when it ends are measured in binary64.

#include "bv/mesh.h"

#include "runtime/math/rounding.h"
#include "runtime/tree/batch.h"
#include "runtime/tree/best.h"
#include "runtime/tree/block.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/nearest.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/boxes.h"

// The children of a node that wait for their turn. A key is the bits of an order, which is not above the
// child's distance. The last three bits are the child instead. No child has a key of no_key or more.
typedef struct closest_waiting
{
	bvtree_child_sums sums;
	double base; // all orders are relative to this
	uint32_t key[BVFILE_LANES];
} closest_waiting;

// A triangle that may be the nearest one.
typedef struct closest_candidate
{
	double lower; // not above its distance
	uint32_t triangle;
} closest_candidate;

enum
{
	most_candidates = 32,
	enough_at_first = 3,  // triangles in a block, as long as nothing bounds the distance
	enough_triangles = 6, // once something does
};

static const uint32_t no_key = 0x7F800000; // that of infinity

// The search goes on in the file's own coordinates, where lengths differ by the scale. Of a rotation that is
// only nearly one they differ by more: then triangles are measured where they are placed.
typedef struct closest_query
{
	bv_vec3 point;
	bv_vec3 outside;                // where it is for the caller
	const bvvol_similarity* placed; // null where lengths differ by the scale alone
	double least;                   // share of a length that a placed one has at least, for the scale
	double moved; // by how much a point may be off where triangles are measured, beside that
	const bvtree_lanes* lanes;
	const bvfile_view* view;
	bv_vec3 offset;    // of the point from the origin of the grid of nodes
	double slack;      // by how much that may be off
	bool is_bounded;   // triangles bound the reach
	double limit;      // what was found, or what was asked for
	double reach;      // the same, or less: the mesh is certainly not farther away
	double node_reach; // the same for volumes, whose distances are those in the file
	float lane_reach;  // not less than that
	bvtri_nearest nearest;
	uint32_t triangle;
	bv_vec3 corner[3];
	uint32_t candidates;
	closest_candidate candidate[most_candidates];
	bvtree_block block;
	bv_closest_result* result;
} closest_query;

static void set_reach( closest_query* q, double reach )
{
	q->reach = bvmath_min( q->reach, reach );
	q->node_reach = q->reach / q->least * ( 1 + 0x1p-50 ) + q->moved;
	q->lane_reach = bvtree_lane_radius( q->node_reach );
}

static void measure( const closest_query* q, const bv_vec3 corner[3], bvtri_nearest* out )
{
	if ( !q->placed )
	{
		bvtri_nearest_on_triangle( q->point, corner, out );
		return;
	}
	bv_vec3 placed[3];
	for ( int k = 0; k < 3; ++k )
	{
		placed[k] = bvvol_similarity_apply( q->placed, corner[k] );
	}
	bvtri_nearest_on_triangle( q->outside, placed, out );
	out->square /= q->placed->scale * q->placed->scale;
}

static void look_at_triangle( closest_query* q, uint32_t triangle, const bv_vec3 corner[3] )
{
	bvtri_nearest near;
	measure( q, corner, &near );
	bool takes = q->result->found ? bvtree_takes_best( near.square, triangle, q->nearest.square, q->triangle )
	                              : sqrt( near.square ) < q->limit;
	if ( takes )
	{
		q->result->found = true;
		q->nearest = near;
		q->triangle = triangle;
		q->limit = sqrt( near.square );
		set_reach( q, q->limit );
		memcpy( q->corner, corner, 3 * sizeof *corner );
	}
}

// What was found since they were noted leaves out most of them.
static void measure_candidates( closest_query* q )
{
	for ( uint32_t i = 0; i < q->candidates; ++i )
	{
		if ( !( q->candidate[i].lower > q->reach ) )
		{
			bv_vec3 corner[3];
			bvtree_leaf_triangle( &q->block.source, q->candidate[i].triangle, corner );
			look_at_triangle( q, q->candidate[i].triangle, corner );
		}
	}
	q->candidates = 0;
}

// Most triangles are certainly farther away than what was found, by more than what measuring them errs.
static void look_at_block( closest_query* q )
{
	bvtree_block* b = &q->block;
	q->is_bounded = true;
	float lower[BVFILE_LANES] = { 0 };
	float upper[BVFILE_LANES];
	double unit = 0;
	if ( !q->placed && b->scale > 0 )
	{
		unit = 1 / b->scale;
		q->lanes->point_triangles( &b->lanes, b->count, &b->place, lower, upper );
		float most = upper[0];
		for ( uint32_t i = 1; i < BVFILE_LANES; ++i )
		{
			most = upper[i] < most ? upper[i] : most;
		}
		if ( unit * most < q->reach )
		{
			set_reach( q, unit * most );
		}
	}
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		if ( !( unit * lower[i] > q->reach ) )
		{
			if ( q->candidates == most_candidates )
			{
				measure_candidates( q );
			}
			q->candidate[q->candidates++] = ( closest_candidate ){ unit * lower[i], b->triangle[i] };
		}
	}
	b->count = 0;
	if ( !( unit > 0 ) )
	{
		measure_candidates( q );
	}
}

static inline void look_at_leaf( closest_query* q, uint32_t first, uint32_t count )
{
	q->result->triangle_tests += count;
	while ( count > 0 )
	{
		uint32_t room = BVFILE_LANES - q->block.count;
		uint32_t next = count < room ? count : room;
		bvtree_block_add( &q->block, first, next );
		first += next;
		count -= next;
		if ( next == room )
		{
			look_at_block( q );
		}
	}
}

static void look_at_each( const closest_query* q, const bvfile_group* group, const bvfile_node_frame* frame,
                          double gap[BVFILE_LANES] )
{
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bvvol_bound bound;
		bvfile_lane_unpack( group, i, frame, &volume );
		bvvol_bound_of( &volume, &bound );
		gap[i] = bvvol_bound_gap_of_point( &bound, q->point );
	}
}

// Every volume has a triangle, so that no more than the least of the largest distances is to be searched.
static inline void set_reach_of_boxes( closest_query* q, const float most[BVFILE_LANES] )
{
	float least = most[0];
	for ( uint32_t i = 1; i < BVFILE_LANES; ++i )
	{
		least = most[i] < least ? most[i] : least;
	}
	if ( !q->placed && least < q->reach )
	{
		set_reach( q, least );
	}
}

// @return whether binary32 tells the volumes' distances; else nothing is set
static inline bool look_at_boxes( closest_query* q, const bvfile_packed_node* node, const bvfile_group* group,
                                  float order[BVFILE_LANES] )
{
	bvtree_lane_group stored = bvtree_spot_lanes( node, group );
	bvtree_lane_ball ball;
	float most[BVFILE_LANES];
	bool is_first = !q->is_bounded;
	if ( group->type > bv_volume_aabb ||
	     !bvtree_lane_ball_at( q->offset, q->slack, node, q->view->hierarchy->grid.step, &stored, &ball ) )
	{
		return false;
	}
	ball.radius = q->lane_reach;
	( group->type == bv_volume_obb ? q->lanes->obb_ball : q->lanes->aabb_ball )( &stored, &ball, order,
	                                                                             is_first ? most : NULL );
	if ( is_first )
	{
		set_reach_of_boxes( q, most );
	}
	return true;
}

static inline void set_keys( const float order[BVFILE_LANES], uint32_t key[BVFILE_LANES] )
{
	uint32_t bits[BVFILE_LANES];
	memcpy( bits, order, sizeof bits );
	for ( uint32_t i = 0; i < BVFILE_LANES; ++i )
	{
		key[i] = ( bits[i] & ~7u ) | i;
	}
}

static inline float order_of( uint32_t key )
{
	float order;
	key &= ~7u;
	memcpy( &order, &key, sizeof order );
	return order;
}

// Nodes whose volumes are of several types, or not for lanes. Orders are relative to the least of them, so
// that differences survive where they are large.
static void look_at_mixed( closest_query* q, const bvfile_packed_node* node, closest_waiting* out )
{
	double gap[BVFILE_LANES];
	bvfile_node_frame frame = bvfile_node_frame_of( node, &q->view->hierarchy->grid );
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		float order[BVFILE_LANES];
		if ( !look_at_boxes( q, node, &group, order ) )
		{
			look_at_each( q, &group, &frame, gap + group.first );
			continue;
		}
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			gap[group.first + i] = order[i];
		}
	}
	out->base = INFINITY;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		out->base = bvmath_min( out->base, gap[i] );
	}
	float order[BVFILE_LANES];
	for ( uint32_t i = 0; i < BVFILE_LANES; ++i )
	{
		bool is_near = i < node->children && gap[i] < INFINITY && !( gap[i] > q->node_reach );
		order[i] = is_near ? (float)bvmath_min( gap[i] - out->base, 0x1p120 ) * ( 1 - 0x1p-22f ) : INFINITY;
	}
	set_keys( order, out->key );
}

static inline void look_at_children( closest_query* q, uint32_t place, closest_waiting* out )
{
	const bvfile_packed_node* node = bvfile_node_at( q->view, place );
	bvfile_group group = bvfile_group_first( node );
	float order[BVFILE_LANES];
	bvtree_block_prefetch( &q->block, node->first_triangle );
	out->sums = bvtree_child_sums_of( node );
	out->base = 0;
	q->result->volume_tests += node->children;
	if ( group.count < node->children || !look_at_boxes( q, node, &group, order ) )
	{
		look_at_mixed( q, node, out );
		return;
	}
	set_keys( order, out->key );
}

// Takes the nearest child away, of equal ones the first, without branches that no processor predicts.
// @return its key; no_key or more if there is none
static inline uint32_t take_nearest( closest_waiting* w )
{
	uint32_t least = w->key[0];
	for ( uint32_t i = 1; i < BVFILE_LANES; ++i )
	{
		least = w->key[i] < least ? w->key[i] : least;
	}
	w->key[least % BVFILE_LANES] = no_key;
	return least;
}

// Triangles are compared when there are enough in a block, or before the next node is opened.
static void search( closest_query* q )
{
	closest_waiting stack[BV_MAX_DEPTH + 1];
	uint32_t depth = 0;
	uint32_t triangles = q->view->hierarchy->root_triangles;
	if ( triangles > 0 )
	{
		look_at_leaf( q, 0, triangles );
	}
	else
	{
		look_at_children( q, 0, stack + depth++ );
	}
	while ( depth > 0 )
	{
		closest_waiting* last = stack + ( depth - 1 );
		uint32_t key = take_nearest( last );
		double order = last->base + order_of( key );
		if ( key >= no_key || order > q->node_reach )
		{
			depth -= 1;
			continue;
		}
		bvtree_child child = bvtree_child_at( &last->sums, key % BVFILE_LANES );
		triangles = (uint32_t)( child >> 32 );
		if ( triangles > 0 )
		{
			look_at_leaf( q, (uint32_t)child, triangles );
			if ( q->block.count >= ( q->is_bounded ? enough_triangles : enough_at_first ) )
			{
				look_at_block( q );
			}
			continue;
		}
		if ( q->block.count > 0 )
		{
			bvtree_node_prefetch( bvfile_node_at( q->view, (uint32_t)child ) );
			look_at_block( q );
		}
		if ( !( order > q->node_reach ) )
		{
			look_at_children( q, (uint32_t)child, stack + depth++ );
		}
	}
	if ( q->block.count > 0 )
	{
		look_at_block( q );
	}
	measure_candidates( q );
}

// The distance of any triangle bounds the search as if the triangle had been visited: it is at least the
// distance that is found, to the last bit.
static void bound_by_triangle( closest_query* q, uint32_t triangle )
{
	bv_vec3 corner[3];
	bvtri_nearest near;
	bvtree_leaf_triangle( &q->block.source, triangle, corner );
	measure( q, corner, &near );
	set_reach( q, sqrt( near.square ) );
	q->is_bounded = true;
}

BVSIMD_INLINE void find( const bvtree_lanes* lanes, const bvfile_view* view, const bvvol_similarity* placed,
                         bv_vec3 point, double limit, const uint32_t* near, bv_closest_result* result )
{
	const bvfile_node_grid* grid = &view->hierarchy->grid;
	bool is_rigid = bvmath_skew_is_rigid( placed->skew );
	closest_query q;
	// A copy takes less time than setting as many bytes to 0.
	static const bv_closest_result nothing = { .distance = INFINITY };
	*result = nothing;
	q.point = placed->is_identity ? bvvol_identity_undo( point ) : bvvol_similarity_undo( placed, point );
	q.outside = point;
	q.placed = is_rigid ? NULL : placed;
	q.least = is_rigid ? 1 : bvmath_skew_of_length( placed->skew );
	double away = bvmath_norm1( point ) + bvmath_norm1( placed->translation );
	q.moved = is_rigid ? 0 : 2 * BVMATH_OVERLAP_ROUNDING * away / placed->scale;
	q.lanes = lanes;
	q.view = view;
	q.offset = bv_sub( q.point, ( bv_vec3 ){ grid->origin[0], grid->origin[1], grid->origin[2] } );
	q.slack = BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( q.point ) + bvmath_norm1( q.offset ) );
	q.is_bounded = false;
	q.limit = limit / placed->scale;
	q.reach = INFINITY;
	q.candidates = 0;
	q.result = result;
	set_reach( &q, q.limit );
	bvtree_block_begin( view, q.point, NULL, 0, 0, &q.block );
	if ( near )
	{
		bound_by_triangle( &q, *near );
	}
	search( &q );
	if ( result->found )
	{
		result->at = bvtree_surface_point_of( placed, view->offset, q.triangle, q.corner, q.nearest.weight );
		result->distance = placed->scale * sqrt( q.nearest.square );
		result->back = bv_dot( bvtree_normal_of( q.corner ), bv_sub( q.point, q.corner[0] ) ) < 0;
	}
}

void bvtree_find_closest_point( const bvtree_batch* batch, bv_vec3 point, double limit, const uint32_t* near,
                                bv_closest_result* result )
{
	find( batch->lanes, &batch->view, batch->placed, point, limit, near, result );
}

bv_closest_options bv_closest_options_default( void )
{
	return ( bv_closest_options ){ 0 };
}

bv_status bvtree_closest_point_in( const bvtree_lanes* lanes, const bv_file* file,
                                   const bv_transform* placement, bv_vec3 point,
                                   const bv_closest_options* options, bv_closest_result* result )
{
	bvtree_batch batch;
	double limit = options ? options->limit : 0;
	if ( !result || !bvmath_is_in_range( point ) || !( limit >= 0 ) ||
	     !bvtree_batch_begin( lanes, file, placement, &batch ) )
	{
		return bv_error_argument;
	}
	find( lanes, &batch.view, batch.placed, point, bvmath_limit_of( limit ), NULL, result );
	return bv_ok;
}

bv_status bv_mesh_closest_point( const bv_file* file, const bv_transform* placement, bv_vec3 point,
                                 const bv_closest_options* options, bv_closest_result* result )
{
	bv_transform storage;
	return bvtree_closest_point_in( bvtree_lanes_best(), file,
	                                bvtree_place( NULL, file, placement, &storage ), point, options, result );
}
