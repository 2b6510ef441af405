// Collision proxies as the shapes that their names say, made of triangles.

#pragma once

#include "bvbuild/scene.h"

/// Makes the triangles of a proxy: its points' hull, least box, or a ball or capsule around them. Those of
/// balls and capsules enclose them even when positions have been multiplied by `scale` and rounded to
/// binary32.
/// @param kind    any but bvb_proxy_none and bvb_proxy_mesh
/// @param points  at least one
/// @param scale   above 0
/// @param arena   the result lives here
/// @param out     receives a mesh facing outwards; without triangles when the points are one, or lie on a
///                line and the shape is no ball
/// @return bv_ok; bv_error_argument when a point is not finite; bv_error_limit; bv_error_memory
bv_status bvasset_proxy_shape( bvb_proxy kind, const bv_vec3* points, uint32_t count, double scale,
                               bvb_arena* arena, bvb_mesh* out, bvb_error* error );
