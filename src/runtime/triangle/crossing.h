// Which edges of two triangles meet the other triangle, decided exactly.

#pragma once

#include "bv/base.h"

/// Edges and faces of two closed triangles that have a point in common: touching counts. The triangles themselves have one if
/// and only if any bit is set.
typedef struct bvtri_crossing
{
	uint8_t edges
		[2]; ///< of each triangle, a bit for each edge that meets the other one: edge k begins at corner k

	/// True unless the exact numbers are too long, which takes coordinates of very different sizes, as 1 and 1e-200. Then all
	/// bits are set.
	bool certain;
} bvtri_crossing;

/// @param a, b  corners up to BV_MAX_LENGTH. They may be on a line or on one point
void bvtri_triangles_cross( const bv_vec3 a[3], const bv_vec3 b[3], bvtri_crossing* out );
