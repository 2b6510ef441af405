// Determinants of points with the sign of exact arithmetic.
//
// Exact as long as no product of the coordinates' lowest bits underflows: coordinates up to 1 in magnitude whose
// lowest bit is 2^-340 at least are safe.

#pragma once

#include "bv/base.h"

/// @return twice the signed area of a triangle in the plane, positive when a, b, c run counter-clockwise; the sign is
///         exact
double bvb_exact_turn( const double a[2], const double b[2], const double c[2] );

/// Always in full precision, hundreds of times slower than rounded arithmetic.
/// @return six times the signed volume of a tetrahedron, positive when d is on the side from which a, b, c run
///         counter-clockwise; the sign is exact, the value good to a few units in the last place
double bvb_exact_volume( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d );
