// Makes the surface of a hull exactly convex.

#pragma once

#include "hull/surface.h"

/// @return whether the surface is convex, decided exactly: no point of it is in front of any face
bool bvb_hull_is_convex( const bvb_hull_surface* surface );

/// Makes a surface convex that rounding has left with dents. Vertices in a dent go; they keep no side.
/// @param arena   memory for the work
/// @param convex  receives whether it is convex now; if not, its sides are not sorted
/// @return whether there was memory
bool bvb_hull_make_convex( bvb_hull_surface* surface, bvb_arena* arena, bool* convex );
