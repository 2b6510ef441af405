// Collision proxies as the shapes that their names say, made of triangles.

#pragma once

#include "bvbuild/scene.h"

/// What becomes of the positions of a proxy.
typedef struct bvasset_proxy_context
{
	double scale; ///< they are multiplied by it; above 0
	double side;  ///< longest side of the box around the objects that are in the mesh, before scaling
} bvasset_proxy_context;

/// Makes the triangles of a proxy: its points' hull, least box, or a ball or capsule around them. Those of
/// balls and capsules enclose them even when positions have been multiplied by the scale and rounded to
/// binary32, relative to the offset of the mesh.
/// @param kind    any but bvb_proxy_none and bvb_proxy_mesh
/// @param points  at least one
/// @param arena   the result lives here
/// @param out     receives a mesh facing outwards; without triangles when the points are one, or lie on a
///                line and the shape is no ball
/// @return bv_ok; bv_error_argument when a point is not finite; bv_error_limit; bv_error_memory
bv_status bvasset_proxy_shape( bvb_proxy kind, const bv_vec3* points, uint32_t count,
                               const bvasset_proxy_context* in, bvb_arena* arena, bvb_mesh* out,
                               bvb_error* error );
