// What builders and splitters ask of a triangle, computed once.

#pragma once

#include "bvbuild/mesh.h"

/// A triangle as a splitter sees it.
typedef struct bvb_face
{
	bv_vec3 corner[3]; ///< mesh units
	bv_vec3 midpoint;  ///< mean of the corners
	double area;       ///< square mesh units, above 0
} bvb_face;

/// @return one face a triangle, in `arena`, or null when out of memory
bvb_face* bvb_faces_create( const bvb_mesh* mesh, bvb_arena* arena );
