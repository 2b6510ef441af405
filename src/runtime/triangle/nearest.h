// The nearest point of a triangle to a point, and the nearest points of two segments.
//
// Triangle: if the foot of the perpendicular is inside the triangle, it is the nearest point. It is computed
// in a frame whose first axis is the longest side. Otherwise the nearest point is on a side (Ericson 2005,
// section 5.1.5, in a different order). Segments: Ericson 2005, section 5.1.9, but the parameters of the
// lines are computed from the cross product of the directions (Eberly 2015). A formula with products of dot
// products would lose all digits of a small angle.
//
// The result is always a point of the triangle or of the segments, up to rounding. The distance can be too
// large, but by at most 2^-48 of the distances between the given points, however thin the triangle or small
// the angle.

#pragma once

#include "bv/base.h"

/// The nearest point of a triangle.
typedef struct bvtri_nearest
{
	bv_vec3 point; ///< of the triangle
	double weight
		[3]; ///< of the corners in it: barycentric coordinates, none negative, with the sum 1 to rounding
	double square;      ///< of the distance
	bv_feature feature; ///< where it is
} bvtri_nearest;

/// A triangle, ready for many points. Its third corner is at start + along * base + height.
typedef struct bvtri_framed_triangle
{
	bv_vec3 corner[3];     ///< as given
	bv_vec3 base;          ///< the longest side, from corner `start` to the next
	bv_vec3 height;        ///< at right angles to it, in the triangle's plane
	double along;          ///< where the height's foot is, 0 at the start, 1 at the end
	double inverse_base;   ///< 1 over the base's squared length, 0 where there is none
	double inverse_height; ///< the same of the height
	int start;             ///< 0, 1 or 2
} bvtri_framed_triangle;

/// @param corner  may be on a line or on one point
void bvtri_frame_triangle( const bv_vec3 corner[3], bvtri_framed_triangle* out );

void bvtri_nearest_in_frame( bv_vec3 point, const bvtri_framed_triangle* triangle, bvtri_nearest* out );

/// @param corner  may be on a line or on one point
void bvtri_nearest_on_triangle( bv_vec3 point, const bv_vec3 corner[3], bvtri_nearest* out );

/// The nearest points of two segments.
typedef struct bvtri_nearest_pair
{
	bv_vec3 a;     ///< of the first
	bv_vec3 b;     ///< of the second
	double s;      ///< 0 at the first one's start, 1 at its end
	double t;      ///< the same of the second
	double square; ///< of the distance
} bvtri_nearest_pair;

/// @param p, u  start of the first segment, and from there to its end; may be null
/// @param q, v  the same of the second
void bvtri_nearest_on_segments( bv_vec3 p, bv_vec3 u, bv_vec3 q, bv_vec3 v, bvtri_nearest_pair* out );
