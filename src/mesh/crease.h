// Which way a surface bends at an edge of two triangles.

#pragma once

#include "bv/file.h"

/// Classifies the edge of the triangles a, b, c and b, a, d, neither of them degenerate.
/// @return bv_edge_convex, bv_edge_concave or bv_edge_flat
bv_edge_kind bvb_crease_kind( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d );
