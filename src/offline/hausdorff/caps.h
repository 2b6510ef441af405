// Balls and their surfaces, covered by balls round points of triangles.
//
// For a point x of a sphere round c the squared distance from a point q of a triangle is linear in x: with x
// and q taken from c, it is r^2 + q^2 - 2 q x. So the points that are no farther from q than is tolerated are
// what a plane cuts off, and what no such cap covers is the sphere's part in a polytope. Where that has no
// corner outside of the ball, nothing is left. For points inside of the ball the same expression is too
// large, never too small.

#pragma once

#include "offline/hausdorff/search.h"

/// Adds a ball, or its surface.
/// @param ball  kept; its radius is above 0
void bvhaus_search_add_ball( bvhaus_search* search, const bvhaus_shape* ball );

/// Adds a part of a ball, or of its surface.
/// @param ball  kept; its radius is above 0
/// @param cell  holds the part; it holds with each of its points outside of the ball the one of the surface
///              below it
void bvhaus_search_add_part_of_ball( bvhaus_search* search, const bvhaus_shape* ball,
                                     const bvhaus_cell* cell );
