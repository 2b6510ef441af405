// Triangles of a polyhedron and their adjacency, for use in src/offline/hull.

#pragma once

#include "bvbuild/hull.h"
#include "runtime/math/vec.h"

/// In place of a vertex, a side, a face or a polygon: there is none.
#define BVHULL_NONE UINT32_MAX

/// Side 3 f + k of face f runs from its corner k to the next one.
typedef struct bvhull_surface
{
	bv_vec3* at;           ///< of each hull vertex, its position times 2^-exponent
	int exponent;          ///< makes the largest coordinate about 1, as exact predicates want it
	double reach;          ///< largest absolute value of a coordinate, not scaled
	uint32_t vertex_count; ///< length of at
	bvb_triangle* face;    ///< over hull vertices
	uint32_t face_count;   ///< length of face
	uint32_t* first; ///< of vertex v: leaving[first[v]] ... [first[v + 1] - 1] are the sides that start there
	uint32_t* leaving; ///< all sides, by the vertex where they start
	uint32_t* twin;    ///< of each side, the one that runs the other way
} bvhull_surface;

/// Copies a polyhedron's triangles and finds the twins of their sides.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for a hull of another kind or when the faces are no closed surface;
///         bv_error_limit; bv_error_memory
bv_status bvhull_surface_create( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena,
                                 bvhull_surface* out, bvb_error* error );

/// Fills in first and leaving: each vertex's sides in ascending order.
void bvhull_sort_sides( bvhull_surface* surface );

/// Fills in twin.
/// @param surface  with its sides sorted
/// @return whether the surface is closed: each side has one that runs the other way, and one only
bool bvhull_find_twins( bvhull_surface* surface );

static inline uint32_t bvhull_next_side( uint32_t side )
{
	return side % 3 == 2 ? side - 2 : side + 1;
}

static inline uint32_t bvhull_previous_side( uint32_t side )
{
	return side % 3 == 0 ? side + 2 : side - 1;
}

/// @return the vertex where a side starts
static inline uint32_t bvhull_side_origin( const bvhull_surface* surface, uint32_t side )
{
	return surface->face[side / 3].corner[side % 3];
}

/// @return the vertex where a side ends
static inline uint32_t bvhull_side_end( const bvhull_surface* surface, uint32_t side )
{
	return surface->face[side / 3].corner[bvhull_next_side( side ) % 3];
}
