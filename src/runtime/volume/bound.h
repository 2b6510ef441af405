// Certified bounds for bounding volumes: the minimum distance between two of them, and the earliest time at
// which they can touch while one of them moves. Bounds are rounded down, so volumes that they separate are
// disjoint.
//
// Balls, boxes and rectangle swept spheres are represented as boxes with a radius, k-DOPs as their box and
// further slabs. Two boxes are compared along the fifteen axes of Gottschalk, Lin and Manocha 1996. The three
// gaps along the axes of either box together give the distance to the box that encloses the other one in its
// frame.

#pragma once

#include "runtime/volume/rounded.h"

/// A volume of any type, ready to be compared.
typedef struct bvvol_bound
{
	bvvol_rounded box;   ///< the volume, or what encloses it
	const bv_kdop* kdop; ///< its slabs; null for other types
} bvvol_bound;

/// @param volume  is kept where it is a k-DOP
void bvvol_bound_of( const bv_volume* volume, bvvol_bound* out );

/// @param skew    of what moved `other`: see bvvol_pose_skew
/// @param enough  the search for a better bound ends at this one
/// @return a number that is never above the distance of the two; 0 where they may touch
double bvvol_bound_gap( const bvvol_bound* bound, const bvvol_rounded* other, double skew, double enough );

/// @return a number that is never above the distance of the point; 0 where it may be inside
double bvvol_bound_gap_of_point( const bvvol_bound* bound, bv_vec3 point );

/// Narrows the times in which something that moves can meet the volume.
/// @param mover   at time 0; a point has no extents
/// @param motion  by which it moves in a unit of time; finite
/// @param time    from and to, narrowed
/// @return false if they certainly don't meet in that time
bool bvvol_bound_sweep( const bvvol_bound* bound, const bvvol_rounded* mover, bv_vec3 motion,
                        double time[2] );
