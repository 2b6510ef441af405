// Swept volumes as J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 4.2.1,
// prints them, with their errors, to show what the errors do.
//
// By ends (figures 4.6 to 4.11), volumes enclose both poses, but not the arcs between them. By length (figures 4.12, 4.13)
// they are larger by how far a point gets if the relative motion turns it about the world's origin and then translates
// it.
//
// Shares nothing with src.

#pragma once

#include "bv/shape.h"

/// Figure 4.6.
bv_sphere printed_ball_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end );

/// Figure 4.7.
bv_aabb printed_aabb_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end );

/// Figure 4.8. The axis of the rotation to the direction of the motion is e1 x d over its length, which is not a number if
/// the ball does not move, or moves along the first axis.
bv_obb printed_box_of_ball( const bv_sphere* ball, const bv_pose* start, const bv_pose* end );

/// Figure 4.9.
bv_sphere printed_ball_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end );

/// Figure 4.10.
bv_aabb printed_aabb_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end );

/// Figure 4.11. In print, the center is returned in the coordinates of the box.
/// @param fixed  return it in the world
bv_obb printed_box_of_box( const bv_obb* box, const bv_pose* start, const bv_pose* end, bool fixed );

/// The length by which figures 4.12 and 4.13 enlarge a volume.
/// @param center    of the ball, or of the ball around the box, at the start, in the world
/// @param radius    of that ball
/// @param axis      unit vector: the axis of the relative motion
/// @param relative  the relative motion in world coordinates
double printed_motion_length( bv_vec3 center, double radius, bv_vec3 axis, const bv_pose* relative );
