// Prisms over isosceles triangles. See prism.c.

#pragma once

#include "bv/shape.h"

/// Which principal axis of the points a prism runs along.
typedef enum bvfit_prism_rule
{
	bvfit_prism_min, ///< that of the least eigenvalue
	bvfit_prism_max, ///< that of the greatest
} bvfit_prism_rule;

/// Fits a prism whose triangle is the least round the points as seen along it. As the stored form decodes, it
/// encloses each point: bvvol_prism_encloses.
/// @param points  at least one, finite binary32 numbers or results of computing with such
void bvfit_prism_of_points( const bv_vec3* points, uint32_t count, bvfit_prism_rule rule, bv_prism* out );

/// The same along a given direction.
/// @param along, across  of unit length, at right angles
void bvfit_prism_along( bv_vec3 along, bv_vec3 across, const bv_vec3* points, uint32_t count, bv_prism* out );
