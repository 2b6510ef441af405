// When features of two objects that turn and shift first touch: bisection of time in arithmetic of 113 bits.
//
// An interval is free if the features are farther apart in its middle than any two of their points can approach each other
// until its ends. Otherwise it is halved, and the earlier half comes first, down to a width of 1e-13.
//
// Shares nothing with src.

#pragma once

#include "bv/base.h"

/// The motion of an object: x is at D( t ) * R * ( x - pivot ) + place + t * shift, where D turns by an angle about an axis.
typedef struct rigid_motion
{
	double rotation[3][3]; ///< R, rows
	bv_vec3 pivot;
	bv_vec3 place; ///< of the pivot at time 0
	bv_vec3 shift;
	bv_vec3 axis; ///< of length 1
	double angle; ///< from time 0 to time 1, up to 100
	bool nlerp; ///< the turn is not at constant speed, but that of quaternions that are interpolated linearly
} rigid_motion;

/// @param motion    of both objects
/// @param is_edges  points 0 and 1 are an edge of the first object, 2 and 3 one of the second; otherwise point 0 is a vertex of
///                  the first and the others are a triangle of the second
/// @param time      receives the first contact, at most 1e-13 too early
/// @return whether there is one from time 0 to time 1, or a gap below what they approach each other in 1e-13
bool rigid_contact( const rigid_motion motion[2], bool is_edges, const bv_vec3 point[4], double* time );
