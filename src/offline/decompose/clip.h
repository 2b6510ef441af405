// Between the search, which looks at a sketch, and the whole mesh: that is cut by the planes that were found.

#pragma once

#include "offline/decompose/search.h"
#include "offline/decompose/shape.h"

/// Puts what their cells have of a mesh into all leaves of a search, in the place of what they had of
/// another, and fits the parts anew.
/// @param mesh  in the unit frame; kept
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_fill_leaves( bvdecomp_search* search, const bvb_mesh* mesh );

/// What one part has to enclose.
typedef struct bvdecomp_part_points
{
	bv_vec3* points;         ///< mesh units; their hull is that of what the part's cells hold of the shape
	uint32_t count;          ///< length of points
	uint32_t* triangles;     ///< of the mesh, ascending: those that the cells hold something of
	uint32_t triangle_count; ///< length of triangles
} bvdecomp_part_points;

/// Collects the points of one of a search's parts, whose leaves hold the shape's own mesh.
/// @param out  receives them; there may be none
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_gather_points( const bvdecomp_search* search, uint32_t part, const bvdecomp_shape* shape,
                                  bvb_arena* arena, bvdecomp_part_points* out );
