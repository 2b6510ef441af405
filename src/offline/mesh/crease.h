// Classifies an edge with two triangles as convex, concave or flat.

#pragma once

#include "bv/file.h"

/// Classifies the edge of two triangles.
/// @param vertex  a, b, c, d: the triangles are a, b, c and b, a, d, neither of them degenerate
/// @return bv_edge_convex, bv_edge_concave or bv_edge_flat
bv_edge_kind bvmesh_crease_kind( const bv_vec3* positions, const uint32_t vertex[4] );
