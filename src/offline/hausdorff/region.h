// Regions: parts of what is measured, with what is known of the distances of their corners.

#pragma once

#include "offline/hausdorff/cell.h"
#include "offline/hausdorff/index.h"
#include "offline/hausdorff/row.h"
#include "offline/hausdorff/shape.h"

enum
{
	bvhaus_most_rows = 64,
	bvhaus_most_cover = 16,
};

/// A node or triangle below which the nearest triangle of a point may be.
typedef struct bvhaus_candidate
{
	bvhaus_index_ref ref; ///< it
	double distance;      ///< from a point near the region's middle
	double moved;         ///< the middle is no farther from that point
} bvhaus_candidate;

/// A part of what is measured, with what is known of it. A row holds, for one triangle or node, upper bounds
/// of the distance from the corners to the triangles: convex over the region.
typedef struct bvhaus_region
{
	bvhaus_cell cell;          ///< holds the region
	const bvhaus_shape* shape; ///< what it is a piece of; null for the cell itself
	double bound;              ///< no point of the region is farther
	bvhaus_plane cut;          ///< where to cut it next
	bv_vec3 middle;            ///< mean of the corners
	double radius;             ///< largest distance of a corner from it
	bv_vec3 ball;              ///< center of a ball that is inside of the shape
	double ball_radius;        ///< 0 when none is known
	bv_interval winding;       ///< bounds of the winding number of the middle; NaN when it is not known
	bvhaus_index_ref near;     ///< a triangle near the middle; BVHAUS_NO_REF when none is known
	int bisections;            ///< how often it was cut by bisectors since it was last halved

	/// a bit for each corner whose nearest triangle is among the rows, or one that is no farther than a point
	/// that counts
	uint32_t exact;

	bool complete;            ///< every triangle that is nearest somewhere has a row; there is no cover then
	bool thinned;             ///< of such a region: rows were dropped that are least at no corner
	int rows;                 ///< how many rows there are
	int best;                 ///< the row whose largest value is least
	int cover_count;          ///< length of cover
	double single;            ///< largest value of the best row
	double upper[bvhaus_row]; ///< the least of each column
	bvhaus_index_ref row_ref[bvhaus_most_rows]; ///< whose row it is
	bvhaus_candidate cover[bvhaus_most_cover];  ///< below these are all triangles that are nearest somewhere
	double row[bvhaus_most_rows]
			  [bvhaus_row]; ///< the rows, a column for each corner; behind them the new corners of a cut
} bvhaus_region;

/// Forgets all rows.
void bvhaus_region_forget_rows( bvhaus_region* region );

/// Adds a row; there must be room.
void bvhaus_region_add_row( bvhaus_region* region, const bvhaus_index* index, bvhaus_index_ref ref );

/// Adds a row for what has none yet. Without room the one that says least makes way.
void bvhaus_region_add_helper( bvhaus_region* region, const bvhaus_index* index, bvhaus_index_ref ref );

/// @return the row that says most where the best one says least; the best one itself when none says more
int bvhaus_region_second_row( const bvhaus_region* region );

/// Hands on what is known to a part of a region that was cut: only the new corners had to be looked at.
/// @param whole  its rows hold the new corners' values behind those of its own
/// @param from   of each corner of the part, its column in the rows of the whole
/// @param may_thin  whether rows may be dropped that are least at no corner, where all triangles that matter
///                  have some
/// @param part      its cell and shape are set
void bvhaus_region_inherit( const bvhaus_region* whole, const uint8_t* from, bool may_thin,
                            bvhaus_region* part );

/// Hands on what is known to a part whose corners are all new.
void bvhaus_region_inherit_candidates( const bvhaus_region* whole, const bvhaus_index* index,
                                       bvhaus_region* part );
