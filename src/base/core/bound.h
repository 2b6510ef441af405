// What is certain about a bounding volume and something else: how far apart they are at least, and when they can meet while the
// other moves. Lower bounds, rounded down: what is left out by them is out.
//
// Balls, boxes and rectangle swept spheres are boxes with a radius here, k-DOPs their box and its further slabs. Of two boxes: along the
// fifteen axes of Gottschalk, Lin and Manocha 1996, where the three gaps along either's own axes together make the distance
// of the boxes that enclose one of them in the other's frame.

#pragma once

#include "base/core/overlap_rounded.h"

/// A volume of any type, ready to be compared.
typedef struct bv_bound
{
	bv_rounded box;      ///< the volume, or what encloses it
	const bv_kdop* kdop; ///< its slabs; null for other types
} bv_bound;

/// @param volume  is kept where it is a k-DOP
void bv_bound_of( const bv_volume* volume, bv_bound* out );

/// @param skew    of what moved `other`: see bv_pose_skew
/// @param enough  the search for a better bound ends at this one
/// @return a number that is never above the distance of the two; 0 where they may touch
double bv_bound_gap( const bv_bound* bound, const bv_rounded* other, double skew, double enough );

/// @return a number that is never above the distance of the point; 0 where it may be inside
double bv_bound_gap_of_point( const bv_bound* bound, bv_vec3 point );

/// Narrows the times in which something that moves can meet the volume.
/// @param mover   at time 0; a point has no extents
/// @param motion  by which it moves in a unit of time; finite
/// @param time    from and to, narrowed
/// @return false if they certainly don't meet in that time
bool bv_bound_sweep( const bv_bound* bound, const bv_rounded* mover, bv_vec3 motion, double time[2] );
