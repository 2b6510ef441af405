// How the triangles of a node have turned since its file was made. See refit_turn.c.

#pragma once

#include "runtime/tree/refit_points.h"

/// Turns the axes of a node's volume as its vertices have turned, from their positions in `reference` to those of the refit.
/// @param axis  orthonormal, to rounding before and after
void bvtree_refit_turn( const bvtree_refit_points* points, bv_vec3 axis[3] );
