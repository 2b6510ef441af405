// The search: regions of what is measured, refined best first until the interval is narrow enough.

#pragma once

#include "bvbuild/hausdorff.h"
#include "offline/hausdorff/region.h"

/// Which bounds and devices are used; all, unless their worth is to be measured.
typedef enum bvhaus_bound
{
	bvhaus_bound_node = 1,     ///< distance to a finished node plus its error
	bvhaus_bound_combined = 2, ///< weighted means of several distances
	bvhaus_bound_bisector = 4, ///< cuts between the nearest triangles, not only halvings
	bvhaus_bound_inherit = 8,  ///< what is known of a region is passed to its parts
	bvhaus_bound_prisms = 16,  ///< of trees, boxes are cut into prisms where that will do
	bvhaus_bounds_all = 31,
} bvhaus_bound;

/// When a search may stop, and what counts.
typedef struct bvhaus_goal
{
	double relative;           ///< stop at upper <= lower * (1 + relative)
	double absolute;           ///< or at upper <= lower + absolute
	double sufficient;         ///< or at upper <= sufficient
	double reserve;            ///< so much less than any of them: what is to be added to the upper bound
	uint64_t max_regions;      ///< or after so many
	bool ( *stop )( void* );   ///< or when this says so; may be null
	void* stop_context;        ///< passed to `stop`
	const bvb_winding* inside; ///< what is inside counts as the shape; null for the triangles alone
	unsigned bounds;           ///< of bvhaus_bound
} bvhaus_goal;

/// Memory for one search at a time. It grows with the regions that wait at a time; without memory for more of
/// them the interval stays wider.
typedef struct bvhaus_search bvhaus_search;

/// @param arena  kept
/// @return null when out of memory
bvhaus_search* bvhaus_search_create( bvb_arena* arena );

/// Takes all memory that any search may need, for searches side by side whose arena is one.
/// @return false when out of memory
bool bvhaus_search_reserve( bvhaus_search* search );

/// Begins to measure against the triangles below `root`.
/// @param axis  orthonormal; cells are halved along them
/// @param size  largest coordinate that matters, which bounds rounding
void bvhaus_search_begin( bvhaus_search* search, const bvhaus_index* index, bvhaus_index_ref root,
                          const bv_vec3 axis[3], double size, const bvhaus_goal* goal );

/// Begins once more, with the same goal but for what is kept back. Regions are counted on.
void bvhaus_search_begin_again( bvhaus_search* search, double reserve );

/// @return the cell of a new region, to be filled in before bvhaus_search_add
bvhaus_cell* bvhaus_search_new_cell( bvhaus_search* search );

/// Adds the new region.
/// @param shape  what its cell is a piece of; null for the cell itself; kept
/// @param bound  no point of it is farther; may be infinite
void bvhaus_search_add( bvhaus_search* search, const bvhaus_shape* shape, double bound );

/// Adds the six sides of a box, or all of it when it is flat.
/// @param bound  no point of it is farther; may be infinite
void bvhaus_search_add_sides( bvhaus_search* search, bv_vec3 center, const bv_vec3 axis[3],
                              const double half_extents[3], double bound );

/// Adds a triangle.
/// @param bound  no point of it is farther
/// @param near   triangles of the index that may be nearest somewhere
/// @param count  length of near
/// @param exact  a bit for each corner whose nearest triangle is among them
void bvhaus_search_add_triangle( bvhaus_search* search, const bv_vec3 corner[3], double bound,
                                 const bvhaus_index_ref* near, int count, uint32_t exact );

/// Refines one region, unless none has a bound above this one and above what is enough.
/// @return whether one was refined
bool bvhaus_search_refine_above( bvhaus_search* search, double bound );

/// Refines until the goal is met.
bvb_hausdorff bvhaus_search_run( bvhaus_search* search );

// What measures something without regions of its own uses these.

/// @return what is measured against
const bvhaus_index* bvhaus_search_index( const bvhaus_search* search );

/// @return a triangle that was found
const bvhaus_framed_triangle* bvhaus_search_triangle( const bvhaus_search* search, bvhaus_index_ref ref );

/// @return what is no farther needs no more work
double bvhaus_search_enough( const bvhaus_search* search );

/// @return the relative tolerance of the goal
double bvhaus_search_relative( const bvhaus_search* search );

/// @return what rounding may hide, mesh units
double bvhaus_search_slack( const bvhaus_search* search );

/// @return whether points inside of the shape do not count
bool bvhaus_search_skips_inside( const bvhaus_search* search );

/// @return whether so many regions were looked at as may be
bool bvhaus_search_is_spent( const bvhaus_search* search );

/// @return the nearest triangle of a point
bvhaus_nearest bvhaus_search_nearest( const bvhaus_search* search, bv_vec3 point );

/// Looks at a point that counts, which may raise the lower bound.
/// @param known     a triangle and a distance that is not less than its own; the distance may be infinite
/// @param is_exact  or else any triangle will do that is no farther than the lower bound
/// @return the nearest triangle of the point
bvhaus_nearest bvhaus_search_try_point( bvhaus_search* search, bv_vec3 point, bvhaus_nearest known,
                                        bool is_exact );

/// Makes a point known that counts.
/// @param distance  of the nearest triangle
void bvhaus_search_raise( bvhaus_search* search, bv_vec3 point, double distance );

/// Counts a part of what is measured as done.
/// @param bound  no point of it is farther
void bvhaus_search_settle( bvhaus_search* search, double bound );

/// Counts something that is looked at as a region.
void bvhaus_search_count( bvhaus_search* search );
