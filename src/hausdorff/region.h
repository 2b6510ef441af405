// Regions: parts of what is measured, with what is known of the distances of their corners.

#pragma once

#include "hausdorff/cell.h"
#include "hausdorff/index.h"
#include "hausdorff/row.h"
#include "hausdorff/shape.h"

enum
{
	bvb_most_rows = 64,
	bvb_most_cover = 16,
};

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
	double bound;           ///< no point of the region is farther
	bvb_plane cut;          ///< where to cut it next
	bv_vec3 middle;         ///< mean of the corners
	double radius;          ///< largest distance of a corner from it
	bv_vec3 ball;           ///< center of a ball that is inside of the shape
	double ball_radius;     ///< 0 when none is known
	double winding;         ///< the winding number of the middle; no number when it is not known
	bvb_index_ref near;     ///< a triangle near the middle; BVB_NO_REF when none is known
	int bisections;         ///< how often it was cut by bisectors since it was last halved
	uint32_t
		exact; ///< a bit for each corner whose nearest triangle is among the rows, or one that is no farther
			   ///< than a point that counts
	bool complete;         ///< every triangle that is nearest somewhere has a row; there is no cover then
	bool thinned;          ///< of such a region: rows were dropped that are least at no corner
	int rows;              ///< how many rows there are
	int best;              ///< the row whose largest value is least
	int cover_count;       ///< length of cover
	double single;         ///< largest value of the best row
	double upper[bvb_row]; ///< the least of each column
	bvb_index_ref row_ref[bvb_most_rows]; ///< whose row it is
	bvb_candidate cover[bvb_most_cover];  ///< below these are all triangles that are nearest somewhere
	double row[bvb_most_rows]
			  [bvb_row]; ///< the rows, a column for each corner; behind them the new corners of a cut
} bvb_region;

/// Forgets all rows.
void bvb_region_forget_rows( bvb_region* region );

/// Adds a row; there must be room.
void bvb_region_add_row( bvb_region* region, const bvb_index* index, bvb_index_ref ref );

/// Adds a row for what has none yet. Without room the one that says least makes way.
void bvb_region_add_helper( bvb_region* region, const bvb_index* index, bvb_index_ref ref );

/// @return the row that says most where the best one says least; the best one itself when none says more
int bvb_region_second_row( const bvb_region* region );

/// Hands on what is known to a part of a region that was cut: only the new corners had to be looked at.
/// @param whole  its rows hold the new corners' values behind those of its own
/// @param from   of each corner of the part, its column in the rows of the whole
/// @param may_thin  whether rows may be dropped that are least at no corner, where all triangles that matter have some
/// @param part      its cell and shape are set
void bvb_region_inherit( const bvb_region* whole, const uint8_t* from, bool may_thin, bvb_region* part );

/// Hands on what is known to a part whose corners are all new.
void bvb_region_inherit_candidates( const bvb_region* whole, const bvb_index* index, bvb_region* part );
