// A moving point or box against volumes. See sweep.h.

#include "runtime/tree/sweep.h"

#include "runtime/volume/boxes.h"

static bvtree_lane_ray near_ray( const bvtree_sweep* s, const bvfile_node_frame* frame )
{
	static const double half = bvfile_code_range / 2;
	const bv_vec3 origin = { frame->origin[0], frame->origin[1], frame->origin[2] };
	const bv_vec3 middle = { half * frame->step[0], half * frame->step[1], half * frame->step[2] };
	bv_vec3 offset = bv_sub( s->center, origin );
	double at = bvtree_sweep_nearest( s, bv_sub( offset, middle ) );
	bvtree_lane_ray ray = s->ray;
	double size = bvtree_sweep_set_origin( s, at, offset, &ray );
	ray.step = 0;
	ray.least_size = 0;
	ray.slack = bvtree_sweep_slack( s, size );
	ray.from = bvtree_time_down( s->from * s->unit - at );
	ray.to = bvtree_time_up( ( s->limit - ( at - s->base ) ) + 0x1p-48 * fabs( at ) );
	ray.base = at - s->base;
	return ray;
}

static bvtree_waiting* visit_each( const bvtree_sweep* s, const bvfile_packed_node* node,
                                   const bvfile_group* group, const bvfile_node_frame* frame,
                                   bvtree_waiting* bottom, bvtree_waiting* top )
{
	const bvvol_rounded point = {
		.center = s->center,
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.slack = s->slack,
	};
	const bvvol_rounded* mover = s->mover ? s->mover : &point;
	bvtree_child_sums sums = bvtree_child_sums_of( node );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bvvol_bound bound;
		double time[2] = { s->from, s->to };
		bvfile_lane_unpack( group, i, frame, &volume );
		bvvol_bound_of( &volume, &bound );
		if ( bvvol_bound_sweep( &bound, mover, s->motion, time ) )
		{
			double order = time[0] * s->unit - s->base;
			top = bvtree_push_child( bvtree_child_at( &sums, group->first + i ), order, bottom, top );
		}
	}
	return top;
}

// Boxes of a node from the base, or if binary32 is not precise enough then from near the node, or else one by
// one.
static bvtree_waiting* visit_group( const bvtree_sweep* s, const bvfile_packed_node* node,
                                    const bvfile_group* group, bvtree_waiting* bottom, bvtree_waiting* top )
{
	const bvtree_lane_box* box = s->is_round ? NULL : &s->box;
	bvfile_node_frame frame = bvfile_node_frame_of( node, s->grid );
	bvtree_waiting* next = NULL;
	if ( group->type <= bv_volume_aabb && group->count < node->children )
	{
		next = s->lanes->sweep( node, group, box, &s->ray, bottom, top );
	}
	if ( group->type <= bv_volume_aabb && !next )
	{
		bvtree_lane_ray ray = near_ray( s, &frame );
		next = s->lanes->sweep( node, group, box, &ray, bottom, top );
	}
	return next ? next : visit_each( s, node, group, &frame, bottom, top );
}

static bvtree_waiting* visit_node( void* sweep, const bvfile_packed_node* node, bvtree_waiting* top )
{
	const bvtree_sweep* s = sweep;
	bvtree_waiting* bottom = top;
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		top = visit_group( s, node, &group, bottom, top );
	}
	return top;
}

bvtree_lane_descent bvtree_sweep_descent( bvtree_sweep* s, const bvfile_view* view, bvtree_sweep_leaf* leaf )
{
	if ( bvfile_count_of_type( view->hierarchy, bv_volume_aabb ) > 0 )
	{
		bvtree_lane_ray_invert( &s->ray );
	}
	return ( bvtree_lane_descent ){
		.nodes = view->nodes,
		.root_triangles = view->hierarchy->root_triangles,
		.ray = &s->ray,
		.mover = s->is_round ? NULL : &s->box,
		.limit = &s->limit,
		.context = s,
		.leaf = leaf,
		.node = visit_node,
	};
}

void bvtree_sweep_visit( bvtree_sweep* s, const bvfile_view* view, bvtree_sweep_leaf* leaf )
{
	bvtree_lane_descent descent = bvtree_sweep_descent( s, view, leaf );
	s->lanes->descend( &descent );
	s->volume_tests += descent.volume_tests;
}

// While the mover meets a box it is as far from its center as its own extents allow, so 64 u of these come
// on top of what a point has. Axes in binary32 turn the box by less than 2^-22, and its half extents are
// off by 2^-24 of themselves: less than 2^-21 of the extents (bvtree_move_box), less than that again. A mover
// that is enlarged by its radius in all directions is enlarged along each axis.
double bvtree_sweep_set_box( bvtree_sweep* s )
{
	const bvvol_rounded* mover = s->mover;
	double extent = bvvol_rounded_extent( mover );
	s->is_round = !( extent > mover->radius );
	if ( s->is_round )
	{
		return mover->radius * ( 1 + 0x1p-18 ) + mover->slack;
	}
	for ( int i = 0; i < 3; ++i )
	{
		s->box.half[i] = (float)mover->half_extents[i];
		bvtree_lane_axis( mover->axis[i], s->box.axis[i] );
	}
	return mover->radius + mover->slack + 0x1p-17 * extent;
}
