// The least enclosing ball in binary64, and the last step of every ball: from a center to a stored one.

#pragma once

#include "bv/shape.h"

/// A ball and the points that determine it.
typedef struct bvfit_ball
{
	bv_vec3 origin;      ///< one of the points
	bv_vec3 center;      ///< relative to the origin, so that a set far away keeps its digits
	double radius;       ///< the largest distance of a point from the center, up to rounding
	uint32_t support[4]; ///< indices of points on its surface whose least ball it is
	uint32_t support_count;
} bvfit_ball;

/// The least ball that encloses all points, to a few units in the last place of its radius.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE
/// @param ball    its support is where to start from: the answer for most of the points costs little then; a
///                support_count of 0 for none. Receives the ball.
void bvfit_least_ball( const bv_vec3* points, uint32_t count, bvfit_ball* ball );

/// @param ball  that of bvfit_least_ball, of these points
/// @return a lower bound of the radius of any ball that encloses the points, in exact arithmetic: closer to
///         `radius` than a share of 2^-40
double bvfit_least_ball_bound( const bv_vec3* points, const bvfit_ball* ball );

/// @return the ball around a center, rounded to its stored form, that encloses the points exactly:
///         bvvol_distance_bound of each is at most its radius
bv_sphere bvfit_sphere_around( const bv_vec3* points, uint32_t count, bv_vec3 center );
