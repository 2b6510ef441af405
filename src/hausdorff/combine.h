// The bound of a region by several triangles or nodes together.

#pragma once

#include "hausdorff/distance.h"

/// For each row an upper bound of the distance from a region's points to the faces that is convex over the region, given
/// at its corners. The least of them at every point is at most any weighted mean of them, which is convex too, so that
///
///     upper( region ) = max over corners of sum over rows weight * value,   weights >= 0, sum 1,
///
/// holds for all weights. The best ones are a player's mixed strategy in a matrix game (J. von Neumann 1928): a plate
/// between two parallel faces gets half its thickness at once, where each face alone says the whole of it. This searches
/// for them row by row and stops at the first that reaches `enough`.
/// @param row      values at `columns` corners
/// @param best     the row whose maximum is least
/// @return the bound found
double bvb_combined_bound( const double ( *row )[bvb_row], int rows, int columns, int best, double enough );
