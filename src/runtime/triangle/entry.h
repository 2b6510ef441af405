// When a triangle that moves along a line can first touch another one.

#pragma once

#include "bv/base.h"

/// A motion of a triangle `b`: at the parameter f, its points are at most `rest` away from b + f * way.
typedef struct bvtri_flight
{
	bv_vec3 way;     ///< from f = 0 to f = 1
	double rest;     ///< not negative
	double from;     ///< start of the range of f, at least -1
	double to;       ///< its end, at most 1
	double rounding; ///< error bound of each coordinate of `b`
} bvtri_flight;

/// Clips the range of f to the part in which the projections onto all separating axes overlap.
/// @return a lower bound of the f at which the triangles first touch; infinity if they do not touch in the range
double bvtri_triangles_entry( const bv_vec3 a[3], const bv_vec3 b[3], const bvtri_flight* flight );
