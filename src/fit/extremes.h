// Few points that stand for many: those that are extremal along fixed directions. Points come one by one.

#pragma once

#include "base/core/vec.h"

enum
{
	bvb_extreme_directions = 49, // integer vectors of components up to 2, up to sign and length
};

/// What is extremal so far.
typedef struct bvb_extremes
{
	double lower[bvb_extreme_directions];
	double upper[bvb_extreme_directions];
	bv_vec3 lowest[bvb_extreme_directions];
	bv_vec3 highest[bvb_extreme_directions];
} bvb_extremes;

/// Begins with one point.
void bvb_extremes_begin( bvb_extremes* e, bv_vec3 p );

/// Adds a point.
void bvb_extremes_add( bvb_extremes* e, bv_vec3 p );
