// Prisms over isosceles triangles. See prism.c.

#pragma once

#include "bv/shape.h"

/// Which principal axis of the points a prism runs along.
typedef enum bvfit_prism_rule
{
	bvfit_prism_min, ///< that of the least eigenvalue
	bvfit_prism_max, ///< that of the greatest
} bvfit_prism_rule;

/// Fits a prism whose triangle is the least round the points as seen along it. As the stored form decodes, it encloses each point:
/// bvvol_prism_encloses.
/// @param points  at least one, finite binary32 numbers or results of computing with such
void bvfit_prism_of_points( const bv_vec3* points, uint32_t count, bvfit_prism_rule rule, bv_prism* out );

/// The same along a given direction.
/// @param along, across  of unit length, at right angles
void bvfit_prism_along( bv_vec3 along, bv_vec3 across, const bv_vec3* points, uint32_t count, bv_prism* out );

/// The same with given axes: the third is the prism's, the second points to the tip.
/// @param axis  orthonormal, right-handed
void bvfit_prism_in_frame( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count, bv_prism* out );

/// An isosceles triangle round points in the plane, its base along x and its tip above.
typedef struct bvfit_triangle_round
{
	double base;   ///< y of the base: the least of the points
	double left;   ///< x of the base's ends
	double right;  ///< not below left
	double height; ///< of the tip above the base, not negative
} bvfit_triangle_round;

/// The least in area of all such triangles: with c half the base over the height, its base is a convex function W of c and its area W^2
/// / 4c, which has one minimum, found by golden sections.
/// @param x, y   the points' coordinates
/// @param count  at least 1
bvfit_triangle_round bvfit_triangle_round_points( const double* x, const double* y, uint32_t count );
