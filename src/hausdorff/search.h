// The search: regions of what is measured, refined best first until the interval is narrow enough.

#pragma once

#include "bvbuild/hausdorff.h"
#include "hausdorff/region.h"

/// Which bounds and devices are used; all, unless their worth is to be measured.
typedef enum bvb_bound
{
	bvb_bound_node = 1,     ///< distance to a finished node plus its error
	bvb_bound_combined = 2, ///< weighted means of several distances
	bvb_bound_bisector = 4, ///< cuts between the nearest triangles, not only halvings
	bvb_bound_inherit = 8,  ///< what is known of a region is passed to its parts
	bvb_bound_prisms = 16,  ///< of trees, boxes are cut into prisms where that will do
	bvb_bounds_all = 31,
} bvb_bound;

/// When a search may stop, and what counts.
typedef struct bvb_goal
{
	double relative;           ///< stop at upper <= lower * (1 + relative)
	double absolute;           ///< or at upper <= lower + absolute
	double sufficient;         ///< or at upper <= sufficient
	double reserve;            ///< so much less than any of them: what is to be added to the upper bound
	uint64_t max_regions;      ///< or after so many
	const bvb_winding* inside; ///< what is inside counts as the shape; null for the triangles alone
	unsigned bounds;           ///< of bvb_bound
} bvb_goal;

/// Memory for one search at a time. It grows with the regions that wait at a time; without memory for more of them the
/// interval stays wider.
typedef struct bvb_search bvb_search;

/// @param arena  kept
/// @return null when out of memory
bvb_search* bvb_search_create( bvb_arena* arena );

/// Takes all memory that any search may need, for searches side by side whose arena is one.
/// @return false when out of memory
bool bvb_search_reserve( bvb_search* search );

/// Begins to measure against the triangles below `root`.
/// @param axis  orthonormal; cells are halved along them
/// @param size  largest coordinate that matters, which bounds rounding
void bvb_search_begin( bvb_search* search, const bvb_index* index, bvb_index_ref root, const bv_vec3 axis[3],
                       double size, const bvb_goal* goal );

/// Begins once more, with the same goal but for what is kept back. Regions are counted on.
void bvb_search_begin_again( bvb_search* search, double reserve );

/// @return the cell of a new region, to be filled in before bvb_search_add
bvb_cell* bvb_search_new_cell( bvb_search* search );

/// Adds the new region.
/// @param shape  what its cell is a piece of; null for the cell itself; kept
/// @param bound  no point of it is farther; may be infinite
void bvb_search_add( bvb_search* search, const bvb_shape* shape, double bound );

/// Adds the six sides of a box, or all of it when it is flat.
/// @param bound  no point of it is farther; may be infinite
void bvb_search_add_sides( bvb_search* search, bv_vec3 center, const bv_vec3 axis[3],
                           const double half_extents[3], double bound );

/// Adds a triangle.
/// @param bound  no point of it is farther
/// @param near   triangles of the index that may be nearest somewhere
/// @param count  length of near
/// @param exact  a bit for each corner whose nearest triangle is among them
void bvb_search_add_triangle( bvb_search* search, const bv_vec3 corner[3], double bound,
                              const bvb_index_ref* near, int count, uint32_t exact );

/// Refines one region, unless none has a bound above this one and above what is enough.
/// @return whether one was refined
bool bvb_search_refine_above( bvb_search* search, double bound );

/// Refines until the goal is met.
bvb_hausdorff bvb_search_run( bvb_search* search );

// What measures something without regions of its own uses these.

/// @return what is measured against
const bvb_index* bvb_search_index( const bvb_search* search );

/// @return a triangle that was found
const bvb_framed_triangle* bvb_search_triangle( const bvb_search* search, bvb_index_ref ref );

/// @return what is no farther needs no more work
double bvb_search_enough( const bvb_search* search );

/// @return the relative tolerance of the goal
double bvb_search_relative( const bvb_search* search );

/// @return what rounding may hide, mesh units
double bvb_search_slack( const bvb_search* search );

/// @return whether points inside of the shape do not count
bool bvb_search_skips_inside( const bvb_search* search );

/// @return whether so many regions were looked at as may be
bool bvb_search_is_spent( const bvb_search* search );

/// @return the nearest triangle of a point
bvb_nearest bvb_search_nearest( const bvb_search* search, bv_vec3 point );

/// Looks at a point that counts, which may raise the lower bound.
/// @param known     a triangle and a distance that is not less than its own; the distance may be infinite
/// @param is_exact  or else any triangle will do that is no farther than the lower bound
/// @return the nearest triangle of the point
bvb_nearest bvb_search_try_point( bvb_search* search, bv_vec3 point, bvb_nearest known, bool is_exact );

/// Makes a point known that counts.
/// @param distance  of the nearest triangle
void bvb_search_raise( bvb_search* search, bv_vec3 point, double distance );

/// Counts a part of what is measured as done.
/// @param bound  no point of it is farther
void bvb_search_settle( bvb_search* search, double bound );

/// Counts something that is looked at as a region.
void bvb_search_count( bvb_search* search );
