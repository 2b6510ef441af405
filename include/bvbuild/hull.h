// Convex hulls of point sets of any dimension: a point, a segment, a flat polygon or a polyhedron, each
// handled as what it is; the dimension is decided exactly. Polyhedra come from qhull (Barber, Dobkin,
// Huhdanpaa 1996), which errs by the rounding of binary64: points may lie outside of its faces by some 1e-11
// of the set's size.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A convex hull. The arrays live in the arena they were made in.
typedef struct bvb_hull
{
	bv_hull_kind kind;     ///< decides what the fields below hold
	uint32_t* vertices;    ///< input points that are corners; of a polygon in order around it, else ascending
	uint32_t vertex_count; ///< length of vertices
	bvb_triangle* faces; ///< of a polyhedron: triangles over `vertices`, counter-clockwise seen from outside
	uint32_t face_count; ///< length of faces; 0 unless a polyhedron
	double volume;       ///< cubic mesh units; 0 unless a polyhedron
	double area;         ///< of the polyhedron's surface, of both sides of a polygon; square mesh units
} bvb_hull;

/// Computes the hull of `points`. May be called from several threads at once.
/// @param points  at least one; not kept
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument when count is 0 or a point is not finite; bv_error_limit for more
///         than 2^31 - 1 points; bv_error_memory
bv_status bvb_hull_compute( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                            bvb_error* error );

#ifdef __cplusplus
}
#endif
