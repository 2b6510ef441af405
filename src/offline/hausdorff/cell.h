// Cells: convex pieces of a volume, given by their corners, that can be cut by planes.
//
// Which corners are joined by an edge is read off the sides they lie on, so that a cut needs no other
// structure: two corners of a cell of dimension n are neighbors if n - 1 sides hold both. Where more sides
// meet than need be this finds too many neighbors, which only adds points that lie in the cell anyway.

#pragma once

#include "offline/hausdorff/distance.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
	bvhaus_cell_corners = bvhaus_row - 1, ///< most corners, old and new; so that a bit each fits
};

/// A convex polytope of dimension 0 to 3. Each corner has a column; behind them, from a whole group on, there
/// is room for the new corners of a cut.
typedef struct bvhaus_cell
{
	bvhaus_points corner;       ///< mesh units; the cell is their convex hull
	uint32_t sides[bvhaus_row]; ///< of each column, a bit for each side that the corner lies on
	uint32_t inside; ///< a bit for each column whose corner is a point that counts, not merely beside one
	int dimension;   ///< 0 to 3
} bvhaus_cell;

/// A half-space: dot( normal, x ) <= offset.
typedef struct bvhaus_plane
{
	bv_vec3 normal; ///< unit
	double offset;  ///< mesh units
} bvhaus_plane;

/// A box, a rectangle, a segment or a point, by how many of the half extents are above 0.
void bvhaus_cell_make_box( bv_vec3 center, const bv_vec3 axis[3], const double half_extents[3],
                           bvhaus_cell* out );

/// A flat convex polygon.
/// @param corner  in order, 3 .. bvhaus_cell_corners of them
void bvhaus_cell_make_polygon( const bv_vec3* corner, int count, bvhaus_cell* out );

/// @return the mean of the corners
bv_vec3 bvhaus_cell_middle( const bvhaus_cell* cell );

/// @return the largest distance of a corner from `middle`
double bvhaus_cell_radius( const bvhaus_cell* cell, bv_vec3 middle );

/// @return the column where the new corners of a cut begin
static inline int bvhaus_cell_fresh( const bvhaus_cell* cell )
{
	return bvhaus_whole_groups( cell->corner.count );
}

/// @return a bit for each corner
static inline uint32_t bvhaus_cell_all( const bvhaus_cell* cell )
{
	return ( 1u << cell->corner.count ) - 1;
}

static inline bv_vec3 bvhaus_cell_corner( const bvhaus_cell* cell, int index )
{
	return ( bv_vec3 ){ cell->corner.x[index], cell->corner.y[index], cell->corner.z[index] };
}

/// A cut of a cell by a plane, before its parts are made: of those below and above the plane.
typedef struct bvhaus_cut
{
	int fresh;           ///< how many new corners there are: where the plane cuts edges; both parts have them
	uint32_t corners[2]; ///< a bit for each column of the cell that is a corner of the part
} bvhaus_cut;

/// Cuts a cell. New corners on edges between points that count are points that count.
/// @param cell    the new corners are put behind its own
/// @param radius  of the cell; corners within 2^-44 of it from the plane are on it
/// @param out     without a cut, the corners that are not above the plane and those that are not below it
/// @return false when the plane leaves the cell whole, or there would be too many corners, old and new
///         together
bool bvhaus_cell_cut( bvhaus_cell* cell, const bvhaus_plane* plane, double radius, bvhaus_cut* out );

/// @param part  0 for the part below the plane, 1 for that above it
/// @param from  receives the column of each corner of the part in `cell`, in whole groups
void bvhaus_cell_make_part( const bvhaus_cell* cell, const bvhaus_cut* cut, int part,
                            uint8_t from[bvhaus_row], bvhaus_cell* out );

/// The planes at right angles to a triangle through its sides, normals outward.
void bvhaus_triangle_walls( const bvhaus_framed_triangle* triangle, bvhaus_plane wall[3] );

/// Extents of a cell along three axes.
typedef struct bvhaus_extents
{
	double lower[3]; ///< least dot product with each axis
	double upper[3]; ///< greatest
} bvhaus_extents;

/// @param axis  orthonormal
bvhaus_extents bvhaus_cell_extents( const bvhaus_cell* cell, const bv_vec3 axis[3] );
