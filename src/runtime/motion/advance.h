// When two moving convex shapes first touch: conservative advancement with planes.
//
// At a time the nearest points of the shapes give the normal of a plane between them. The plane turns from then on, so that
// the features nearest to it stay parallel to it: with a face that is nearest, or with two edges. Seen from a frame that turns
// with it, each point's motion is a line and a remainder that grows with the square of time. The gap along the normal, less both
// remainders, is a concave function of time, for which one support point of each shape is needed at a time: where it is
// positive at two times, the shapes are apart at all times between. Each step goes to the last time for which that is known.
// Near the contact a step leaves of the gap what the remainder is, so that convergence is quadratic.
//
// Based on: B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3, for conservative
// advancement. The bound of the motion along a direction by support points is this project's.

#pragma once

#include "bv/convex.h"
#include "bv/motion.h"

/// Two moving shapes and a range of time.
typedef struct bvmotion_shapes
{
	const bv_convex* shape[2];
	const bv_motion* motion[2];
	bv_sphere ball[2]; ///< contains a shape without its radius, in its coordinates
	double separation; ///< shapes no farther apart than this touch; world units
	double from;
	double to;
	double proof; ///< not before `to`: until this time a contact may be proven
	double width; ///< of the interval that ends the search
} bvmotion_shapes;

/// What is known of the first contact.
typedef struct bvmotion_contact
{
	bool found;          ///< in doubt true
	bool certain;        ///< there is a contact, proven, or none
	double lower;        ///< no contact from the begin of the range to this time
	double upper;        ///< a contact at this time or before; infinite if not known
	double at;           ///< the time of the following
	bv_vec3 point[2];    ///< nearest points, in coordinates of the first shape's object
	bv_vec3 normal;      ///< from the first to the second, likewise
	uint32_t corners[2]; ///< bits, for polytopes of few corners: those that the nearest points are between
	uint32_t steps;
} bvmotion_contact;

/// @return false for a shape that is invalid or a half-space
bool bvmotion_ball_of( const bv_convex* shape, bv_sphere* out );

/// @return bv_ok; bv_error_argument, with `out` undefined, if a callback returned a pose that is not valid, or a shape or a
/// placement is not
bv_status bvmotion_advance( const bvmotion_shapes* shapes, bvmotion_contact* out );
