// Sides of a hull, as directions: what lies across a polyhedron's faces, or across a polygon's edges in its
// plane.

#pragma once

#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"
#include "offline/recognize/place.h"

/// A side.
typedef struct bvrecog_side
{
	bv_vec3 normal; ///< unit, outward
	bv_vec3 point;  ///< on it
	double size;    ///< twice the area of a face, or the length of an edge

	/// the least height of a face, or the length of an edge: what the normal's digits depend on
	double width;
} bvrecog_side;

/// @return how many sides there are
uint32_t bvrecog_side_count( const bvb_hull* hull );

/// @param points  what the hull was computed from
/// @return false for one that is too small to have a direction
bool bvrecog_side_at( const bvrecog_place* place, const bv_vec3* points, const bvb_hull* hull, uint32_t index,
                      bvrecog_side* out );
