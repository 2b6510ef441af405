// How the triangles of a node have turned since its file was made. See refit_turn.c.

#pragma once

#include "runtime/tree/refit_points.h"

/// Where a node's vertices were and are: of as many of them as are looked at.
typedef struct bvtree_refit_spread
{
	bv_vec3 before; ///< mean
	bv_vec3 after;  ///< mean
	double growth;  ///< ratio of the root mean squares of distances from the means; 1 if it cannot be told
} bvtree_refit_spread;

/// @param reference  positions before
bvtree_refit_spread bvtree_refit_spread_of( const bvtree_refit_points* points, float ( *reference )[3] );

/// Turns the axes of a node's volume as its vertices have turned, from their positions in `reference` to those of the refit.
/// @param axis  orthonormal, to rounding before and after
void bvtree_refit_turn( const bvtree_refit_points* points, bv_vec3 axis[3] );
