// Groups the triangles of a polyhedron into polygons.

#pragma once

#include "hull/surface.h"

/// Triangles of about one plane, a disc with a convex border.
typedef struct bvb_hull_region
{
	bv_vec3 area;    ///< the sum of the triangles' areas, doubled, times their outward normals
	uint32_t side;   ///< one of its border, of lowest number
	uint32_t length; ///< how many sides the border has, at least 3
} bvb_hull_region;

/// All triangles, each in one region.
typedef struct bvb_hull_regions
{
	bvb_hull_region* region; ///< region_count of them, by their first triangle
	uint32_t region_count;   ///< length of region
	uint32_t* of_face;       ///< of each triangle, its region
	uint32_t* next;          ///< of each side of a border, the next one counter-clockwise
} bvb_hull_regions;

/// Merges triangles.
/// @param tolerance  in units of surface->at, above its rounding
/// @param arena      the result lives here, and the work
/// @return whether there was memory
bool bvb_hull_find_regions( const bvb_hull_surface* surface, double tolerance, bvb_arena* arena,
                            bvb_hull_regions* out );
