// Triangles in two halves, for hierarchies of axis-aligned boxes that are made as they are needed.

#pragma once

#include "bv/shape.h"
#include "bvbuild/mesh.h"

/// A triangle that finds its place in a hierarchy.
typedef struct bvhaus_placed_triangle
{
	bv_vec3 corner[3]; ///< mesh units
	uint32_t number;   ///< which one it was; no two have the same
} bvhaus_placed_triangle;

/// @param number  of the triangle in what it is taken from
static inline bvhaus_placed_triangle bvhaus_place_triangle( const bvb_mesh* mesh, uint32_t triangle,
                                                            uint32_t number )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	return ( bvhaus_placed_triangle ){
		{ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] }, number
	};
}

/// @param count  at least 1
/// @return the least box that encloses the triangles
bv_aabb bvhaus_box_of_triangles( const bvhaus_placed_triangle* triangles, uint32_t count );

/// Reorders triangles so that the first ones lie towards one end and the others towards the other, along the
/// axis on which their midpoints spread most: parted at the middle of these, or at their median where fewer
/// than an eighth would lie on one side.
/// @param count  at least 2
/// @return how many the first ones are
uint32_t bvhaus_split_triangles( bvhaus_placed_triangle* triangles, uint32_t count );
