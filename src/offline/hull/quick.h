// Exact hulls: the faces of the convex hull of points, by exact decisions only.

#pragma once

#include "bvbuild/mesh.h"

/// Faces as triples of points.
typedef struct bvhull_faces
{
	bvb_triangle* face; ///< counter-clockwise seen from outside, or all of them from inside
	uint32_t count;     ///< length of face
} bvhull_faces;

/// Finds the hull of points that are not all in one plane. Its corners are all extreme: none is within an
/// edge or a face of the hull, however exactly. Faces of more than three corners come as triangles.
/// @param point    as bvhull_scale_points makes them
/// @param simplex  four that are not in one plane
/// @param arena    memory for the work, and the result
/// @param out      receives faces counter-clockwise seen from outside, each with its least corner first, in
///                 ascending order; polygons as fans about their least corners: what it is depends on nothing
///                 but the points
/// @return bv_ok; bv_error_memory; bv_error_internal if what was found is no closed surface, which would be a
///         bug
bv_status bvhull_quick( const bv_vec3* point, uint32_t count, const uint32_t simplex[4], bvb_arena* arena,
                        bvhull_faces* out );
