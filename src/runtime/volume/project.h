// Projections of points on the directions of the k-DOPs.

#pragma once

#include "bv/shape.h"

/// Dot products of a point with the first `count` of the directions of bv_kdop_direction, 7 or all. Each is
/// the rounded sum (x + y) + z of the coordinates with their signs. `out` has room for `count`.
static inline void bvvol_project( bv_vec3 p, int count, double* out )
{
	double sum = p.x + p.y;
	double difference = p.x - p.y;
	out[0] = p.x;
	out[1] = p.y;
	out[2] = p.z;
	out[3] = sum + p.z;
	out[4] = sum - p.z;
	out[5] = difference + p.z;
	out[6] = difference - p.z;
	if ( count == BV_KDOP_DIRECTIONS )
	{
		out[7] = sum;
		out[8] = p.x + p.z;
		out[9] = p.y + p.z;
		out[10] = difference;
		out[11] = p.x - p.z;
		out[12] = p.y - p.z;
	}
}
