// The methods of fitting oriented boxes: one file each, one row each in the table of obb.c. A method finds a frame; the
// stored box round the points is made from it in one place, bvb_span_begin and bvb_span_end of obb.h.

#pragma once

#include "base/core/vec.h"
#include "bvbuild/fit.h"

/// What a method is given.
typedef struct bvb_box_problem
{
	const bv_vec3* points;       ///< of which the box is to enclose all
	uint32_t count;              ///< at least 1
	const bvb_hull* hull;        ///< of the points; null for methods that do not ask for it
	bvb_box_objective objective; ///< what to make small
	bvb_arena* scratch;          ///< for the work
} bvb_box_problem;

/// Finds a frame.
/// @param axis  receives it: orthonormal, right-handed
/// @return bv_ok; bv_error_memory
typedef bv_status bvb_obb_method_function( const bvb_box_problem* problem, bv_vec3 axis[3] );

// Principal axes: obb_principal.c.
bvb_obb_method_function bvb_obb_pca_points;
bvb_obb_method_function bvb_obb_pca_vertices;
bvb_obb_method_function bvb_obb_pca_hull;
bvb_obb_method_function bvb_obb_pca_min;
bvb_obb_method_function bvb_obb_pca_max;
bvb_obb_method_function bvb_obb_pca_all;

// DiTO-14: obb_dito.c.
bvb_obb_method_function bvb_obb_dito;

// Local search: obb_refine.c.
bvb_obb_method_function bvb_obb_refined;

// The least box of a hull: obb_optimal.c.
bvb_obb_method_function bvb_obb_optimal;

/// What the objective makes of a box's side lengths. Boxes of equal cost are ordered by the next measure, so that flat
/// and straight sets, whose volume is 0, get small boxes too.
typedef struct bvb_box_cost
{
	double first;  ///< the objective
	double second; ///< area for a volume of 0, else 0
	double third;  ///< length of the diagonal for an area of 0 too, else 0
} bvb_box_cost;

/// @param length  of the three sides
bvb_box_cost bvb_box_cost_of( const double length[3], bvb_box_objective objective );

/// @return whether a box of cost `a` is to be preferred to one of cost `b`
bool bvb_box_cost_less( bvb_box_cost a, bvb_box_cost b );

/// Side lengths of the box of some points in a frame, up to rounding.
void bvb_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] );

/// Turns a frame until no small turn makes the box of the points less.
/// @param axis  the frame to start from and the result, never worse
void bvb_obb_refine( const bv_vec3* points, uint32_t count, bvb_box_objective objective, bv_vec3 axis[3] );

/// The least rectangle (in area; of those without area the least length) round points seen along a direction, by
/// rotating calipers (Toussaint 1983) over their convex hull in the plane: rectangle.c.
/// @param axis  axis[2] is the direction; axis[0] and axis[1] receive the rectangle's sides, right-handed
/// @param size  receives the side lengths along axis[0] and axis[1]
/// @return bv_ok; bv_error_memory
bv_status bvb_fit_rectangle( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_vec3 axis[3],
                             double size[2] );

/// @return whether a method's box depends on points inside of the hull, not only on those that it encloses
bool bvb_obb_needs_inner( const char* name );
