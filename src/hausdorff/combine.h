// The bound of a region by several triangles or nodes together.

#pragma once

#include "hausdorff/distance.h"

/// For each row an upper bound of the distance from a region's points to the faces that is convex over the region, given
/// at its corners. The least of them at every point is at most any weighted mean of them, which is convex too, so that
///
///     upper( region ) = max over corners of sum over rows weight * value,   weights >= 0, sum 1,
///
/// holds for all weights. The best ones are a player's mixed strategy in a matrix game (J. von Neumann 1928): a plate
/// between two parallel faces gets half its thickness at once, where each face alone says the whole of it. More than two
/// rows together were never worth their time: where two do not suffice, a cut does.
/// @param v        values of one row at the corners
/// @param w        of the other
/// @param columns  how many corners
/// @return the least bound of all weighted means of the two
double bvb_combined_bound( const double* v, const double* w, int columns );
