// Until when a plane separates two moving shapes.
//
// The plane turns, so that the features nearest to it stay parallel to it: a face, or an edge of each shape. Seen from a frame
// that turns with it, each point moves along a line, except for a remainder that grows with the square of time. The gap along
// the normal, less the remainders of both shapes, is a concave function of time. Each of its values takes one support point of
// each shape. If it is positive at two times, the shapes are apart at all times between them.
//
// B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3, bounds the motion along a
// direction by speeds. Support points and turning planes are this project's.

#pragma once

#include "runtime/motion/moment.h"

/// How far a plane proves that shapes are apart.
typedef struct bvmotion_free
{
	double
		time;   ///< from the moment on, they are apart for this time; below 0 if they may touch at the moment
	bool whole; ///< they are apart until `until`
	double until; ///< no later time was examined: the range ends, or a part of a sequence does
} bvmotion_free;

/// @param found  the nearest points at the moment, and the direction between them, which is not 0
bvmotion_free bvmotion_plane_free( const bvmotion_moment* m, const bvconvex_gjk_result* found );
