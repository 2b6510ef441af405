// Delaunay tetrahedra of points and their circumscribed spheres. The centers of these spheres are the
// vertices of the Voronoi diagram, and the radii are their distances from the points.

#pragma once

#include "bv/base.h"
#include "bvbuild/base.h"

/// In place of a cell: there is none.
#define BVHULL_NO_CELL UINT32_MAX

/// A tetrahedron.
typedef struct bvhull_delaunay_cell
{
	uint32_t corner[4];   ///< indices of points
	uint32_t neighbor[4]; ///< the cell across from corner k, or BVHULL_NO_CELL
	bv_vec3 center;       ///< the Voronoi vertex: as far from all corners
	double radius;        ///< how far that is

	/// has no volume to speak of: its sphere is that of a cell next to it, through whose corners it goes as
	/// well
	bool flat;
} bvhull_delaunay_cell;

/// Cells that fill the convex hull of points, so that no point is within any of their spheres, up to
/// rounding.
typedef struct bvhull_delaunay
{
	bvhull_delaunay_cell* cells; ///< cell_count of them
	uint32_t cell_count;         ///< 0 for sets that are flat, or too nearly so
} bvhull_delaunay;

/// Makes them. Where more than four points are on one sphere, which cells are made of them is up to rounding,
/// and they may overlap: qhull cuts what such points span into cells without regard to what is beside. And so
/// it is from machine to machine. The same process makes the same.
/// @param points  finite
/// @param arena   the result lives here
/// @return bv_ok, also without cells; bv_error_memory
bv_status bvhull_delaunay_create( const bv_vec3* points, uint32_t count, bvb_arena* arena,
                                  bvhull_delaunay* out );

/// The sphere through the corners of a tetrahedron.
/// @param center  receives its center, unless there is none
/// @param radius  receives its radius
/// @return false for a tetrahedron that is so flat that its center would be rounding more than anything
bool bvhull_sphere_through( const bv_vec3 corner[4], bv_vec3* center, double* radius );
