// The methods of fitting oriented boxes: one file each, one row each in the table of obb_methods.c. A method
// finds a frame; the stored box round the points is made from it in one place, bvfit_span_begin and
// bvfit_span_end of obb.h.

#pragma once

#include "offline/fit/box_cost.h"
#include "runtime/math/vec.h"

/// What a method is given.
typedef struct bvfit_box_problem
{
	const bv_vec3* points;       ///< of which the box is to enclose all
	uint32_t count;              ///< at least 1
	const bvb_hull* hull;        ///< of the points; null for methods that do not ask for it
	bvb_box_objective objective; ///< what to make small
	uint64_t max_work;           ///< as in bvb_obb_options
	bvb_arena* scratch;          ///< for the work
} bvfit_box_problem;

/// Finds a frame.
/// @param axis  receives it: orthonormal, right-handed
/// @return bv_ok; bv_error_memory
typedef bv_status bvfit_obb_method_function( const bvfit_box_problem* problem, bv_vec3 axis[3] );

/// One row of the table of methods.
typedef struct bvfit_obb_method
{
	const char* name;                ///< value of --box
	const char* summary;             ///< one line for --help, with the source
	bvfit_obb_method_function* find; ///< the algorithm
	bool needs_hull;                 ///< whether it asks for the hull
	bool as_named;                   ///< its frame is the result whatever else is better
} bvfit_obb_method;

/// @return the table's row of that name, or null
const bvfit_obb_method* bvfit_obb_method_find( const char* name );

// Those that others call. Each of the rest is declared by its own file and by obb_methods.c.
bvfit_obb_method_function bvfit_obb_pca_hull; ///< principal axes of the hull's surface: obb_principal.c
bvfit_obb_method_function bvfit_obb_pca_all;  ///< the best rectangle along one of them: obb_principal.c
bvfit_obb_method_function bvfit_obb_dito;     ///< DiTO-14: obb_dito.c
bvfit_obb_method_function bvfit_obb_refined;  ///< local search: obb_refine.c
bvfit_obb_method_function bvfit_obb_optimal;  ///< the least box of a hull: obb_optimal.c

/// Turns a frame until no small turn makes the box of the points less.
/// @param axis  the frame to start from and the result, never worse
void bvfit_obb_refine( const bv_vec3* points, uint32_t count, bvb_box_objective objective, bv_vec3 axis[3] );

/// The least rectangle (in area; of those without area the least length) round points seen along a direction,
/// by rotating calipers (Toussaint 1983) over their convex hull in the plane: rectangle.c.
/// @param axis  axis[2] is the direction; axis[0] and axis[1] receive the rectangle's sides, right-handed
/// @param size  receives the side lengths along axis[0] and axis[1]
/// @return bv_ok; bv_error_memory
bv_status bvfit_fit_rectangle( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_vec3 axis[3],
                               double size[2] );

/// @return whether a method's box depends on points inside of the hull, not only on those that it encloses
bool bvfit_obb_needs_inner( const char* name );
