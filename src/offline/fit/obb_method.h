// The methods of fitting oriented boxes: one file each, one row each in the table of obb.c. A method finds a frame; the
// stored box round the points is made from it in one place, bvfit_span_begin and bvfit_span_end of obb.h.

#pragma once

#include "bvbuild/fit.h"
#include "runtime/math/vec.h"

/// What a method is given.
typedef struct bvfit_box_problem
{
	const bv_vec3* points;       ///< of which the box is to enclose all
	uint32_t count;              ///< at least 1
	const bvb_hull* hull;        ///< of the points; null for methods that do not ask for it
	bvb_box_objective objective; ///< what to make small
	bvb_arena* scratch;          ///< for the work
} bvfit_box_problem;

/// Finds a frame.
/// @param axis  receives it: orthonormal, right-handed
/// @return bv_ok; bv_error_memory
typedef bv_status bvfit_obb_method_function( const bvfit_box_problem* problem, bv_vec3 axis[3] );

// Principal axes: obb_principal.c.
bvfit_obb_method_function bvfit_obb_pca_points;
bvfit_obb_method_function bvfit_obb_pca_vertices;
bvfit_obb_method_function bvfit_obb_pca_hull;
bvfit_obb_method_function bvfit_obb_pca_min;
bvfit_obb_method_function bvfit_obb_pca_max;
bvfit_obb_method_function bvfit_obb_pca_all;

// DiTO-14: obb_dito.c.
bvfit_obb_method_function bvfit_obb_dito;

// Local search: obb_refine.c.
bvfit_obb_method_function bvfit_obb_refined;

// The least box of a hull: obb_optimal.c.
bvfit_obb_method_function bvfit_obb_optimal;

/// What the objective makes of a box's side lengths. Boxes of equal cost are ordered by the next measure, so that flat
/// and straight sets, whose volume is 0, get small boxes too.
typedef struct bvfit_box_cost
{
	double first;  ///< the objective
	double second; ///< area for a volume of 0, else 0
	double third;  ///< length of the diagonal for an area of 0 too, else 0
} bvfit_box_cost;

/// @param length  of the three sides
bvfit_box_cost bvfit_box_cost_of( const double length[3], bvb_box_objective objective );

/// @return whether a box of cost `a` is to be preferred to one of cost `b`
bool bvfit_box_cost_less( bvfit_box_cost a, bvfit_box_cost b );

/// Side lengths of the box of some points in a frame, up to rounding.
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] );

/// Turns a frame until no small turn makes the box of the points less.
/// @param axis  the frame to start from and the result, never worse
void bvfit_obb_refine( const bv_vec3* points, uint32_t count, bvb_box_objective objective, bv_vec3 axis[3] );

/// The least rectangle (in area; of those without area the least length) round points seen along a direction, by
/// rotating calipers (Toussaint 1983) over their convex hull in the plane: rectangle.c.
/// @param axis  axis[2] is the direction; axis[0] and axis[1] receive the rectangle's sides, right-handed
/// @param size  receives the side lengths along axis[0] and axis[1]
/// @return bv_ok; bv_error_memory
bv_status bvfit_fit_rectangle( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_vec3 axis[3],
                               double size[2] );

/// @return whether a method's box depends on points inside of the hull, not only on those that it encloses
bool bvfit_obb_needs_inner( const char* name );
