// Delaunay tetrahedra of points: of a whole set, or of points that are inserted one after another, for diagrams
// that are refined locally. The centers of their spheres are the vertices of the Voronoi diagram.

#pragma once

#include "bv/shape.h"
#include "bvbuild/base.h"

/// In place of a tetrahedron: there is none.
#define BVHULL_NO_TETRAHEDRON UINT32_MAX

enum
{
	bvhull_far_points =
		4, ///< the first points are not of the set: corners of a tetrahedron round all, far from them
};

/// A tetrahedron.
typedef struct bvhull_tetrahedron
{
	uint32_t corner[4]; ///< indices of points, so that the last one is where the others run counter-clockwise
	uint32_t neighbor[4]; ///< the tetrahedron across from corner k, or BVHULL_NO_TETRAHEDRON
	bool alive;           ///< whether it is one of the diagram's
} bvhull_tetrahedron;

typedef struct bvhull_tetrahedra_scratch bvhull_tetrahedra_scratch;

/// Tetrahedra that fill the one round all. No point is within the sphere of any, exactly. They are about
/// points of a grid of 2^22 steps along the longest side of the box, to which what is inserted is moved.
typedef struct bvhull_tetrahedra
{
	bv_vec3* points;               ///< of the grid: whole numbers
	uint32_t point_count;          ///< far points and those that were inserted
	bvhull_tetrahedron* cells;     ///< places of tetrahedra, of which not all are alive
	uint32_t cell_count;           ///< so many places were used so far
	uint32_t room;                 ///< so many there are
	bv_vec3 origin;                ///< where the grid's point 0, 0, 0 is
	double step;                   ///< of the grid, mesh units
	const uint32_t* made;          ///< places of the tetrahedra that the last insertion made
	uint32_t made_count;           ///< length of it
	const uint32_t* gone;          ///< places of those that it did away with
	uint32_t gone_count;           ///< length of it
	bvhull_tetrahedra_scratch* in; ///< memory of insertions
} bvhull_tetrahedra;

/// Begins with the tetrahedron round all.
/// @param box          round all points that will be inserted, not empty
/// @param most_points  that will be inserted
/// @param arena        the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvhull_tetrahedra_create( const bv_aabb* box, uint32_t most_points, bvb_arena* arena,
                                    bvhull_tetrahedra* out );

/// Inserts a point.
/// @param hint  a tetrahedron that is alive, best one whose sphere the point is in
/// @return false where the grid's point is one already, or where the diagram would be larger than there is
///         room for; nothing was made or done away with then
bool bvhull_tetrahedra_insert( bvhull_tetrahedra* t, bv_vec3 point, uint32_t hint );

/// Makes the tetrahedra of a set of points: of all of them, unlike insertions there is always room for. Those
/// that are in use are those of cells[0] to cells[cell_count - 1] that are alive.
/// @param points  finite, at least one; duplicates, flat sets and points on a common sphere are allowed
/// @param arena   the result lives here
/// @param index   receives the place in out->points of each point; points on one grid point share it
/// @return bv_ok; bv_error_memory
bv_status bvhull_tetrahedra_of( const bv_vec3* points, uint32_t count, bvb_arena* arena,
                                bvhull_tetrahedra* out, uint32_t* index );

/// The Voronoi vertex of a tetrahedron.
/// @param center  receives what is as far from all corners, mesh units
/// @param radius  receives how far that is, mesh units
/// @return false for tetrahedra with far points, and for those that are so flat that it is rounding more than
///         anything
bool bvhull_tetrahedra_sphere( const bvhull_tetrahedra* t, uint32_t cell, bv_vec3* center, double* radius );
