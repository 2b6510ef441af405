// Upper bounds of distances, with the rounding errors of binary64 included. They prove that a volume encloses
// a point.

#pragma once

#include "bv/shape.h"
#include "runtime/volume/rounded.h"

/// @return a number that is never below the exact distance of two points, and above it by a few units in the
///         last place
double bvvol_distance_bound( bv_vec3 a, bv_vec3 b );

/// An upper bound of how far `point` lies from the box's center along each axis: never below the exact value
/// for the decoded axes. The box encloses the point exactly if no component exceeds its half extent.
bv_vec3 bvvol_obb_reach( const bv_obb* box, bv_vec3 point );

/// An upper bound of how far `point` lies from the capsule's segment: never below the exact value, and above
/// it by a few units in the last place of the distances to the ends. The capsule encloses the point exactly
/// if it does not exceed the radius. Of a capsule that is a ball it is bvvol_distance_bound of the center.
double bvvol_capsule_reach( const bv_capsule* capsule, bv_vec3 point );

/// An upper bound of how far `point` lies from a box of up to two extents, a point, segment or rectangle:
/// never below the exact value for the decoded axes, and above it by a few units in the last place of the
/// distance to the center. A volume that is this box with a radius encloses the point exactly if it does not
/// exceed the radius.
/// @param extents  0 to 2: the half extents that count are the first ones
double bvvol_rounded_reach( const bvvol_rounded* v, uint32_t extents, bv_vec3 point );

/// The same of a rectangle swept sphere.
double bvvol_rss_reach( const bv_rss* rss, bv_vec3 point );

/// @return true only if the prism, with its decoded axes, certainly encloses the point; what it does not tell
///         is within a few units in the last place of a side
bool bvvol_prism_encloses( const bv_prism* prism, bv_vec3 point );

/// @return whether the k-DOP encloses the point, decided exactly
bool bvvol_kdop_encloses( const bv_kdop* kdop, bv_vec3 point );
