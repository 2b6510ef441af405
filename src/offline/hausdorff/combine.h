// The bound of a region by two triangles or nodes together.

#pragma once

#include "offline/hausdorff/distance.h"

/// Two rows of upper bounds of the distance from a region's points, each convex over the region, are given at
/// its corners. The lesser of them at every point is at most any weighted mean of them, which is convex too,
/// so that
///
///     upper( region ) = max over corners of ( 1 - t ) * v + t * w
///
/// holds for every t in [0, 1]. The best t is a player's mixed strategy in a matrix game (J. von Neumann
/// 1928): a plate between two parallel faces gets half its thickness at once, where each face alone says the
/// whole of it. Mostly a decision is asked: each corner leaves an interval of t, and where these have a point
/// in common the bound is reached. Otherwise t is between them, which is still a bound. More than two rows
/// together were never worth their time: where two do not suffice, a cut does.
/// @param columns  how many corners there are, at least 1; whole groups of values are looked at
/// @param wanted   the bound to be reached if some t reaches it
/// @return a bound
double bvhaus_combined_bound( const double* v, const double* w, int columns, double wanted );
