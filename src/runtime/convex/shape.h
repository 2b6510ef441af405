// Convex shapes as used by queries. Triangles are transformed to the coordinates of the shape. The bounding
// box of the shape is transformed to the coordinates of the file, where the volumes are.

#pragma once

#include "runtime/tree/surface.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/boxes.h"

/// @return whether the shape is one: with points, all numbers finite and the radius not below 0
bool bvconvex_is_shape( const bv_shape* shape );

/// @return the shape's box, along the axes of the query, with its radius
bvvol_rounded bvconvex_shape_box( const bv_shape* shape );

/// @return the same, or a box along the edges at the shape's first point if that is smaller: of a box, in
/// any order of its corners, the box itself
bvvol_rounded bvconvex_shape_oriented_box( const bv_shape* shape );

/// Moves a triangle of a file to where it is placed.
/// @return by how much each coordinate can be off
double bvconvex_place_triangle( const bvvol_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] );
