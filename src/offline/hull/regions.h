// Groups the triangles of a polyhedron into polygons.

#pragma once

#include "offline/hull/surface.h"

/// Triangles of about one plane, a disc with a convex border.
typedef struct bvhull_region
{
	bv_vec3 area;    ///< the sum of the triangles' areas, doubled, times their outward normals
	uint32_t side;   ///< one of its border, of lowest number
	uint32_t length; ///< how many sides the border has, at least 3
} bvhull_region;

/// All triangles, each in one region.
typedef struct bvhull_regions
{
	bvhull_region* region; ///< region_count of them, by their first triangle
	uint32_t region_count; ///< length of region
	uint32_t* of_face;     ///< of each triangle, its region
	uint32_t* next;        ///< of each side of a border, the next one counter-clockwise
} bvhull_regions;

/// Merges triangles.
/// @param tolerance  in units of surface->at, above its rounding
/// @param arena      the result lives here, and the work
/// @return whether there was memory
bool bvhull_find_regions( const bvhull_surface* surface, double tolerance, bvb_arena* arena,
                          bvhull_regions* out );
