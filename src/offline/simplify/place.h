// The best place for a vertex that must be in front of planes: convex quadratic programs in three unknowns.

#pragma once

#include "bv/base.h"

/// A program has no more half-spaces.
#define BVSIMPLIFY_MOST_HALF_SPACES 256

/// The points x with dot( normal, x ) >= offset.
typedef struct bvsimplify_half_space
{
	bv_vec3 normal; ///< unit
	double offset;  ///< lengths of about 1
} bvsimplify_half_space;

/// What is to be least: half of x' square x, plus dot( linear, x ).
typedef struct bvsimplify_quadratic
{
	double square[3][3]; ///< symmetric, positive definite
	bv_vec3 linear;      ///< lengths of about 1
} bvsimplify_quadratic;

/// Adds `weight` times the squared distance from a plane.
void bvsimplify_quadratic_add( bvsimplify_quadratic* f, const bvsimplify_half_space* plane, double weight );

/// Minimizes where all half-spaces are, to rounding.
/// @return false when there is no such point
bool bvsimplify_place( const bvsimplify_quadratic* f, const bvsimplify_half_space* spaces, uint32_t count,
                       bv_vec3* out );
