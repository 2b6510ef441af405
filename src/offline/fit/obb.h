// The last step of every oriented box: from a frame to a stored box that encloses its points exactly.
//
// The frame is rounded to its stored form first. Extents are then measured along the decoded axes, and
// rounded outwards, so that what is stored encloses whatever the rounding did to the frame.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/volume/packed_obb.h"

/// The frame of the least box of a triangle: one side of the least rectangle round a triangle lies on its
/// longest edge.
/// @param axis  receives the edge's direction, the height's and the normal's
void bvfit_triangle_axes( const bv_vec3 corner[3], bv_vec3 axis[3] );

/// The principal axes of points: eigenvectors of their covariance.
/// @param index  of those that count; null for the first `count`
/// @param count  at least 1
/// @param axis   receives them, orthonormal and right-handed: first that along which the points differ most
void bvfit_point_axes( const bv_vec3* points, const uint32_t* index, uint32_t count, bv_vec3 axis[3] );

/// Intervals of points along the axes of a frame.
typedef struct bvfit_span
{
	bvvol_packed_obb box; ///< its rotation is set
	bv_vec3 axis[3];      ///< decoded
	bv_vec3 origin;       ///< one of the points, from which all are measured
	double lower[3];      ///< least projection of a point along each axis
	double upper[3];      ///< greatest
} bvfit_span;

/// Begins with one point.
/// @param axis  orthonormal, right-handed
bvfit_span bvfit_span_begin( const bv_vec3 axis[3], bv_vec3 origin );

/// Adds a point.
static inline void bvfit_span_add( bvfit_span* span, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, span->origin );
	for ( int i = 0; i < 3; ++i )
	{
		double p = bv_dot( span->axis[i], d );
		span->lower[i] = bvmath_min( span->lower[i], p );
		span->upper[i] = bvmath_max( span->upper[i], p );
	}
}

/// @return the box that encloses all points added: bvvol_obb_reach of each is within its half extents
bvvol_packed_obb bvfit_span_end( const bvfit_span* span );
