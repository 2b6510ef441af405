// Distance of two triangles, and their nearest points.
//
// The nearest points are on two sides, or on a corner and a face (Ericson 2005, section 5.1.10; Larsen,
// Gottschalk, Lin and Manocha 1999). The nine pairs of sides are examined first. The search ends at the first
// pair whose two planes have the triangles behind them. Triangles without area are allowed.

#pragma once

#include "bv/base.h"

/// Nearest points of two triangles.
typedef struct bvtri_gap
{
	double square;       ///< of the distance; 0 when the triangles meet
	bv_vec3 point[2];    ///< of the first and of the second; the same one when they meet
	double weight[2][3]; ///< of their corners in these: barycentric coordinates
} bvtri_gap;

/// Triangles that are no farther apart than 2^-49 of the sum of what their corners are apart count as
/// meeting. The distance is right to 2^-46 of that sum.
/// @param limit  only less is of interest; must not be a NaN
/// @param out    filled only where true is returned
/// @return whether they are nearer to each other than `limit`
bool bvtri_triangles_gap( const bv_vec3 a[3], const bv_vec3 b[3], double limit, bvtri_gap* out );
