// A point or a box that moves along a line, against the volumes of nodes.
//
// Boxes are compared in lanes: in binary32, with a mover whose motion is scaled by a power of two and which
// begins near the boxes, where binary32 is precise. The base is the place of the mover that is nearest to the
// middle of the grid of nodes. All nodes use it, except those that are so small that its slack would enlarge
// them: for these the mover begins near the node. Orders are scaled times from the base.

#pragma once

#include "base/core/bound.h"
#include "runtime/walk.h"

/// What moves. Everything is in the file's coordinates.
typedef struct bv_sweep
{
	const bv_lanes* lanes;
	const bv_node_grid* grid;
	bv_rounded mover; ///< at time 0; of a point all extents are 0
	bv_vec3 motion;   ///< in a unit of time
	double from;      ///< start of the time range
	double to;        ///< its end, as bv_sweep_until sets it
	double limit;     ///< the order of the end

	double unit;           ///< a scaled time is a time times this
	double scaled[3];      ///< the motion divided by it
	double inverse_square; ///< of the scaled motion's length
	double base;           ///< scaled time
	double far_slack;      ///< for the distance of the mover and of the mesh from 0
	bv_lane_ray ray;       ///< from the base, relative to the grid's origin
	bv_lane_box box;       ///< axes and half extents of the mover
	bool is_point;         ///< or a ball
	uint64_t volume_tests; ///< volumes tested so far
} bv_sweep;

/// @return a number that is not above x and differs by no more than rounding, of what is within 2^100 of 0
static inline float bv_time_down( double x )
{
	float rounded = (float)bv_max( -0x1p100, bv_min( x, 0x1p100 ) );
	return ( rounded - 0x1p-22f * fabsf( rounded ) ) - 0x1p-120f;
}

/// @return the same, not below x
static inline float bv_time_up( double x )
{
	float rounded = (float)bv_max( -0x1p100, bv_min( x, 0x1p100 ) );
	return ( rounded + 0x1p-22f * fabsf( rounded ) ) + 0x1p-120f;
}

/// Sets everything but what comes before the scale: from lanes to from.
void bv_sweep_begin( bv_sweep* s );

/// Sets the end of the time range.
void bv_sweep_until( bv_sweep* s, double to );

/// Compares a volume of any type.
/// @param order  receives the order of the first time at which the mover can meet it
/// @return false if they certainly don't meet in the time range
bool bv_sweep_volume( bv_sweep* s, const bv_volume* volume, double* order );

/// Visits the boxes of a node, as bv_visitor has it.
/// @param ray  the sweep's own, or one that begins near the node
/// @return null if binary32 is not precise enough
WALK_INLINE bv_waiting* bv_sweep_boxes( const bv_sweep* s, const bv_packed_node* node, const bv_group* group,
                                        bool is_obb, const bv_lane_ray* ray, bv_waiting* bottom,
                                        bv_waiting* top )
{
	return s->is_point ? ( is_obb ? s->lanes->obb_ray : s->lanes->aabb_ray )( node, group, ray, bottom, top )
	                   : ( is_obb ? s->lanes->obb_sweep : s->lanes->aabb_sweep )( node, group, &s->box, ray,
	                                                                              bottom, top );
}

/// Visits the boxes of a node for which binary32 is not precise enough from the base: lets the mover begin near
/// the node, or compares each box by itself.
bv_waiting* bv_sweep_small_node( const bv_sweep* s, const bv_packed_node* node, const bv_group* group,
                                 bool is_obb, bv_waiting* bottom, bv_waiting* top );

/// Visits the boxes of a node, as bv_visitor has it.
WALK_INLINE bv_waiting* bv_sweep_node( bv_sweep* s, const bv_packed_node* node, const bv_group* group,
                                       bool is_obb, bv_waiting* bottom, bv_waiting* top )
{
	s->volume_tests += group ? group->count : node->children;
	bv_waiting* next = bv_sweep_boxes( s, node, group, is_obb, &s->ray, bottom, top );
	return next ? next : bv_sweep_small_node( s, node, group, is_obb, bottom, top );
}
