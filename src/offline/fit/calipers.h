// Rectangles round a silhouette, and round what nearby directions show.

#pragma once

#include "runtime/math/vec.h"

/// The least rectangle round a silhouette.
typedef struct bvfit_seen_rectangle
{
	double x;    ///< direction of one of its sides, of any length
	double y;    ///< as x
	double area; ///< up to rounding
} bvfit_seen_rectangle;

/// A lower bound of the areas of all rectangles round a polyhedron as seen along directions within an angle
/// of the z axis.
/// @param ring    the silhouette seen along the z axis: a convex polygon in x and y, counter-clockwise, with
///                each corner's z
/// @param count   its corners, at least 3
/// @param cosine  of the angle, above 0
/// @param sine    of the angle
/// @param least   receives the least rectangle seen along the z axis itself
/// @return the bound; it bounds nothing when it is not above 0
double bvfit_bound_rectangles( const bv_vec3* ring, uint32_t count, double cosine, double sine,
                               bvfit_seen_rectangle* least );
