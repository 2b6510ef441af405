// Approximate convex hulls, fast enough to be computed for every candidate cut. The hulls of the final result
// are computed by bvbuild/hull.h.

#pragma once

#include "bvbuild/base.h"

/// A triangle of a rough hull.
typedef struct bvhull_rough_face
{
	uint32_t corner[3];   ///< indices of points, counter-clockwise seen from outside
	uint32_t neighbor[3]; ///< the face beyond the side from corner k to the next
	bv_vec3 normal;       ///< unit, outward
	double offset;        ///< of its plane
	uint32_t outside;     ///< first of the points outside of it that no other face has; UINT32_MAX for none
	uint32_t farthest;    ///< of those, the farthest
	double height;        ///< of that
	uint32_t mark;        ///< the point that sees it, plus 1
	bool dead;            ///< it is no face of the hull any more
} bvhull_rough_face;

/// Points, the faces of their hull, and memory for both, used again and again by one thread.
typedef struct bvhull_rough
{
	bvb_arena* arena;         ///< owns what follows
	bv_vec3* points;          ///< to be filled by bvhull_rough_add
	uint32_t point_count;     ///< length of points
	uint32_t point_room;      ///< how many there is room for
	uint32_t given;           ///< how many of them were added: others are moved ones of a thin set
	uint32_t* next;           ///< of each point, the next one outside of the same face
	uint32_t* loose;          ///< points that no face has yet
	uint32_t* face_from;      ///< of each point, the new face whose first side starts there
	bvhull_rough_face* faces; ///< some of them dead
	uint32_t face_count;      ///< length of faces
	uint32_t face_room;       ///< how many there is room for
	uint32_t* stack;          ///< of faces to look at
	uint32_t* seen;           ///< faces that the point sees
	uint32_t ( *horizon )[3]; ///< sides between those and the others: from, to, the other face
	bool one_by_one;          ///< points are compared with one face at a time although four are possible
	bool to_highest;          ///< whether points go to the face that they are highest over, or to any
	bool failed;              ///< out of memory
} bvhull_rough;

/// Starts a new set of points.
static inline void bvhull_rough_clear( bvhull_rough* rough )
{
	rough->point_count = 0;
	rough->face_count = 0;
}

/// Adds a point. Sets `failed` when there is no memory for it.
void bvhull_rough_add( bvhull_rough* rough, bv_vec3 point );

/// Adds several points. Sets `failed` as bvhull_rough_add does.
void bvhull_rough_add_all( bvhull_rough* rough, const bv_vec3* points, uint32_t count );

/// Makes the hull of the points: none is farther outside of it than about the tolerance. Sets that are
/// thinner than it are made that thick, so that there are always faces.
/// @param tolerance  above 0; coordinates are about 1
void bvhull_rough_hull( bvhull_rough* rough, double tolerance );

/// Makes the hull of few of the points: always adds the one that is farthest outside of the hull so far. Sets
/// that are thinner than the tolerance are thickened as by bvhull_rough_hull.
/// @param most  corners of the result, at least 4
void bvhull_rough_hull_of_few( bvhull_rough* rough, double tolerance, uint32_t most );

/// @return the volume that the faces enclose
double bvhull_rough_volume( const bvhull_rough* rough );

/// The hull's corners, of what was added.
/// @param arena  they live here
/// @return null when out of memory
bv_vec3* bvhull_rough_corners( bvhull_rough* rough, bvb_arena* arena, uint32_t* count );
