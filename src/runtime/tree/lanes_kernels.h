// The kernels of one SIMD level, and their table. The file of each level defines the following names and then
// includes this file.
//
// lanes             a vector of lanes_width numbers with the operators +, -, * and /
// lanes_words       a vector of lanes_width 32-bit integers
// lanes_all         one number in all lanes
// lanes_load        loads floats, aligned to 4 bytes; lanes_store writes them
// lanes_bytes       loads u8
// lanes_load_words  loads little-endian u32, any alignment; lanes_field shifts right and masks
// lanes_max         a > b ? a : b; b if either is NaN
// lanes_min         a < b ? a : b
// lanes_abs         absolute value; lanes_sqrt is the correctly rounded square root
// lanes_flip        a, with its sign flipped where the sign bit of b is set
// lanes_above       bit mask of the lanes where a > b; 0 for lanes with a NaN
// lanes_whole       whole numbers, toward zero; lanes_store_whole and lanes_store_bytes write them as u32 and u8
// lanes_less        mask of the lanes where a < b, for lanes_both and for lanes_select, which selects a
//                   there and b elsewhere

#pragma once

// Of a number that is the same in all lanes.
typedef float lanes_number;

// Lanes from `first` to `count`, as a mask that begins at `first`.
LANES_INLINE uint32_t lanes_asked( uint32_t first, uint32_t count )
{
	uint32_t left = count - first;
	return lanes_width < BVFILE_LANES && left > lanes_width ? ( 1u << lanes_width ) - 1 : ( 1u << left ) - 1;
}

// Whether there is a chunk from `first` on, of at least one lane in all: a level of eight lanes has one,
// which is no loop then.
LANES_INLINE bool lanes_in( uint32_t first, uint32_t count )
{
	return lanes_width < BVFILE_LANES ? first < count : first == 0;
}

#include "runtime/tree/lanes_axes.h"
#include "runtime/tree/lanes_rays.h"
#include "runtime/tree/lanes_refit.h"
#include "runtime/tree/lanes_solids.h"
#include "runtime/tree/lanes_triangles.h"

static const bvtree_lanes lanes_table = {
	.name = LANES_LEVEL,
	.obb = lanes_obb,
	.aabb = lanes_aabb,
	.obb_moving = lanes_obb_moving,
	.aabb_moving = lanes_aabb_moving,
	.obb_gap = lanes_obb_gap,
	.aabb_gap = lanes_aabb_gap,
	.obb_ball = lanes_obb_ball,
	.aabb_ball = lanes_aabb_ball,
	.obb_faces = lanes_obb_inside,
	.aabb_faces = lanes_aabb_inside,
	.descend = lanes_descend,
	.visit = lanes_descend_once,
	.sweep = lanes_sweep,
	.bounds = lanes_bounds,
	.point_triangles = lanes_point_triangles,
	.box_triangles = lanes_box_triangles,
	.moved_triangles = lanes_moved_triangles,
	.triangles = lanes_triangles,
	.moving_triangles = lanes_moving_triangles,
	.refit_axes = lanes_refit_axes,
	.refit_centers = lanes_refit_centers,
	.refit_settle = lanes_refit_settle,
	.refit_extents = lanes_refit_extents,
};
