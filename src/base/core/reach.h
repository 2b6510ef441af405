// Upper bounds of distances: what proves that a volume encloses a point, with the rounding of binary64 accounted for.

#pragma once

#include "bv/volume.h"

/// @return a number that is never below the exact distance of two points, and above it by a few units in the last
///         place
double bv_distance_bound( bv_vec3 a, bv_vec3 b );

/// An upper bound of how far `point` lies from the box's centre along each axis: never below the exact value for
/// the decoded axes. The box encloses the point exactly if no component exceeds its half extent.
bv_vec3 bv_obb_reach( const bv_obb* box, bv_vec3 point );
