// The search: regions of what is measured, refined best first until the interval is narrow enough.

#pragma once

#include "bvbuild/hausdorff.h"
#include "hausdorff/cell.h"
#include "hausdorff/index.h"
#include "hausdorff/shape.h"

enum
{
	bvb_most_rows = 40,
	bvb_most_cover = 16,
};

/// Which bounds and devices are used; all, unless their worth is to be measured.
typedef enum bvb_bound
{
	bvb_bound_node = 1,     ///< distance to a finished node plus its error
	bvb_bound_combined = 2, ///< weighted means of several distances
	bvb_bound_bisector = 4, ///< cuts between the nearest triangles, not only halvings
	bvb_bound_inherit = 8,  ///< what is known of a region is passed to its parts
	bvb_bounds_all = 15,
} bvb_bound;

/// A node or triangle below which the nearest triangle of a point may be.
typedef struct bvb_candidate
{
	bvb_index_ref ref; ///< it
	double distance;   ///< from a point near the region's middle
	double moved;      ///< the middle is no farther from that point
} bvb_candidate;

/// A part of what is measured, with what is known of it. A row holds, for one triangle or node, upper bounds of the
/// distance from the corners to the triangles: convex over the region.
typedef struct bvb_region
{
	bvb_cell cell;          ///< holds the region
	const bvb_shape* shape; ///< what it is a piece of; null for the cell itself
	bvb_index_ref source;   ///< or all triangles of the source below this, if it is not BVB_NO_SOURCE
	double bound;           ///< no point of the region is farther
	bvb_plane cut;          ///< where to cut it next
	bv_vec3 middle;         ///< mean of the corners
	double radius;          ///< largest distance of a corner from it
	int bisections;         ///< how often it was cut by bisectors since it was last halved
	uint32_t exact;         ///< a bit for each corner whose nearest triangle is among the rows
	bool complete;          ///< every triangle that is nearest somewhere has a row; there is no cover then
	int rows;               ///< how many rows there are
	int best;               ///< the row whose largest value is least
	int cover_count;        ///< length of cover
	double single;          ///< largest value of the best row
	double upper[bvb_row];  ///< the least of each column
	bvb_index_ref row_ref[bvb_most_rows]; ///< whose row it is
	bvb_candidate cover[bvb_most_cover];  ///< below these are all triangles that are nearest somewhere
	double row[bvb_most_rows]
			  [bvb_row + bvb_lanes]; ///< the rows, a column for each corner; behind them the new corners of
									 ///< a cut
} bvb_region;

/// When a search may stop, and what counts.
typedef struct bvb_goal
{
	double relative;           ///< stop at upper <= lower * (1 + relative)
	double absolute;           ///< or at upper <= lower + absolute
	uint64_t max_regions;      ///< or after so many
	const bvb_winding* inside; ///< what is inside counts as the shape; null for the triangles alone
	unsigned bounds;           ///< of bvb_bound
} bvb_goal;

/// In place of a reference: the region is not one of triangles.
#define BVB_NO_SOURCE UINT32_MAX

/// Memory for one search at a time.
typedef struct bvb_search bvb_search;

/// @return null when out of memory
bvb_search* bvb_search_create( bvb_arena* arena );

/// Begins to measure against the triangles below `root`.
/// @param axis  orthonormal; cells are halved along them
/// @param size  largest coordinate that matters, which bounds rounding
void bvb_search_begin( bvb_search* search, const bvb_index* index, bvb_index_ref root, const bv_vec3 axis[3],
                       double size, const bvb_goal* goal );

/// @return the cell of a new region, to be filled in before bvb_search_add; null when out of memory
bvb_cell* bvb_search_new_cell( bvb_search* search );

/// Adds the new region.
/// @param shape  what its cell is a piece of; null for the cell itself; kept
/// @param bound  no point of it is farther; may be infinite
void bvb_search_add( bvb_search* search, const bvb_shape* shape, double bound );

/// Adds the triangles of another index, by their boxes first.
/// @param source  kept
/// @return false when out of memory
bool bvb_search_add_triangles( bvb_search* search, const bvb_index* source );

/// Refines until the goal is met.
/// @return false when out of memory
bool bvb_search_run( bvb_search* search, bvb_hausdorff* out );
