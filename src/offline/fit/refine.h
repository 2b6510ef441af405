// Local search for boxes, in memory of the caller's: see obb_refine.c.

#pragma once

#include "offline/fit/extremes.h"
#include "offline/fit/rectangle.h"

enum
{
	bvfit_few_points = 256, // for which there is room on the stack
};

/// Distinct points, as long as they are few.
typedef struct bvfit_few
{
	bv_vec3 point[bvfit_few_points];
	uint32_t count;
	uint16_t slot[2 * bvfit_few_points]; ///< 1 + index, or 0
} bvfit_few;

/// Begins with no point.
void bvfit_few_begin( bvfit_few* few );

/// Adds a point unless it is there already.
/// @return false when there is no room
bool bvfit_few_add( bvfit_few* few, bv_vec3 p );

/// Adds what is extremal: at most 98 points.
void bvfit_few_add_extremes( bvfit_few* few, const bvfit_extremes* extremes );

/// How far to search.
typedef struct bvfit_refine_effort
{
	int rounds;      ///< of both searches in turn, at most
	int turns;       ///< about an axis, at most so many a round
	int evaluations; ///< of the simplex search, about so many a round

	/// of the first round's simplex, as the tangent of half an angle; it halves from round to round
	double size;
} bvfit_refine_effort;

/// The same over few points.
void bvfit_refine_few( const bvfit_few* few, bvfit_refine_effort effort, bvb_box_objective objective,
                       bv_vec3 axis[3] );
