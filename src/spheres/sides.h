// On which side of a surface points are, also of an open one, in few steps: whether the winding number is at least a half, nearly.

#pragma once

#include "base/offline/arena.h"
#include "bvbuild/mesh.h"

/// A surface's triangles, in a tree of what they look like from afar.
typedef struct bvb_sides bvb_sides;

/// Prepares a surface.
/// @param mesh   not kept
/// @param arena  the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_sides_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_sides** out );

/// @return whether the surface is closed, so that points with none of it between are on one side
bool bvb_sides_are_closed( const bvb_sides* sides );

/// @return whether the point is inside: for closed surfaces exactly, for open ones up to some hundredths of the winding number. May
///         be asked by several threads at once
bool bvb_is_inside( const bvb_sides* sides, bv_vec3 point );
