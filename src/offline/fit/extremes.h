// Few points that stand for many: those that are extremal along fixed directions. Points come one by one.

#pragma once

#include "runtime/math/vec.h"

enum
{
	bvfit_extreme_directions = 49, // integer vectors of components up to 2, up to sign and length
};

/// What is extremal so far.
typedef struct bvfit_extremes
{
	double lower[bvfit_extreme_directions];
	double upper[bvfit_extreme_directions];
	bv_vec3 lowest[bvfit_extreme_directions];
	bv_vec3 highest[bvfit_extreme_directions];
} bvfit_extremes;

/// Begins with one point.
void bvfit_extremes_begin( bvfit_extremes* e, bv_vec3 p );

/// Adds a point.
void bvfit_extremes_add( bvfit_extremes* e, bv_vec3 p );
