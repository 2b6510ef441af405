// Makes the surface of a hull exactly convex.

#pragma once

#include "offline/hull/surface.h"

/// @return whether the surface is convex, decided exactly: no point of it is in front of any face
bool bvhull_is_convex( const bvhull_surface* surface );

/// Makes a surface convex that rounding has left with dents. Vertices in a dent go; they keep no side.
/// @param arena   memory for the work
/// @param convex  receives whether it is convex now; if not, its sides are not sorted
/// @return whether there was memory
bool bvhull_make_convex( bvhull_surface* surface, bvb_arena* arena, bool* convex );
