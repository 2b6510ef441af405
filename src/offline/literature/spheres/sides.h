// On which side of a surface points are, also of an open one, in few steps: whether the winding number is at
// least a half, nearly.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/base/arena.h"

/// A surface's triangles, in a tree of what they look like from afar.
typedef struct bvlit_sides bvlit_sides;

/// Prepares a surface.
/// @param mesh   not kept
/// @param arena  the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvlit_sides_create( const bvb_mesh* mesh, bvb_arena* arena, bvlit_sides** out );

/// @return whether the surface is closed, so that points with none of it between are on one side
bool bvlit_sides_are_closed( const bvlit_sides* sides );

/// @return whether the point is inside: for closed surfaces exactly, for open ones up to some hundredths of
///         the winding number. May be asked by several threads at once
bool bvlit_is_inside( const bvlit_sides* sides, bv_vec3 point );
