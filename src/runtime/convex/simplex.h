// The nearest point of a simplex, in less time than bvconvex_gjk_solve takes, and less exactly where a simplex is
// nearly flat or next to the origin.

#pragma once

#include "runtime/convex/gjk.h"

/// A bvconvex_gjk_solver. The point found always is one of the simplex, but of nearly flat ones it can be another than
/// the nearest.
void bvconvex_simplex_solve( bvconvex_gjk_simplex* s );
