// When two moving convex shapes first touch: conservative advancement.
//
// Each step finds the nearest points of the shapes at a time, and goes to the last time until which a plane between them proves
// that they are apart (plane.h). Close to the contact, a step leaves a gap that is as small as the square of the step, so that
// convergence is quadratic. When steps are short beside the width that is asked for, a proof is sought that the shapes touch
// before that width ends (touch.h).
//
// Conservative advancement: B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3.

#pragma once

#include "runtime/motion/moment.h"
#include "runtime/motion/plane.h"

/// What is known of the first contact.
typedef struct bvmotion_contact
{
	bool found;          ///< in doubt true
	bool certain;        ///< there is a contact, proven, or none
	bool ended;          ///< tests were used up before all was seen; never of bvmotion_advance
	double lower;        ///< no contact from the start of the range to this time
	double upper;        ///< a contact at this time or before; infinite if not known
	double at;           ///< the time of the points, the normal and the corners
	bv_vec3 point[2];    ///< nearest points, in coordinates of the first object
	bv_vec3 normal;      ///< from the first to the second, likewise; 0 if they overlap at the first time
	uint32_t corners[2]; ///< a bit for each of the first 32 corners that the nearest points are between
	uint32_t steps;      ///< times at which the shapes were compared
} bvmotion_contact;

/// An advancement that can be stopped after any step. Must not be moved, as the moment.
typedef struct bvmotion_advancement
{
	const bvmotion_shapes* shapes;
	bvmotion_contact contact; ///< what is known; final when the advancement is done
	bool is_done;

	// Where the advancement is.
	uint32_t name[4][2]; ///< of the last simplex
	uint32_t names;
	bool is_sharp;      ///< both shapes are polytopes without a radius, and no separation is asked for
	bool proves;        ///< the next step looks for a proof that the shapes touch
	int small;          ///< steps in a row that were short beside the width
	double now;         ///< the present time: the shapes are apart before it
	bvmotion_free free; ///< of the plane at that time
	bvmotion_moment moment;
} bvmotion_advancement;

/// @param shape  null is allowed
/// @return false for a shape that is invalid or a half-space
bool bvmotion_ball_of( const bv_convex* shape, bv_sphere* out );

/// @param shapes  must remain valid and unchanged during the advancement
/// @return as bvmotion_moment_begin
bv_status bvmotion_advance_begin( const bvmotion_shapes* shapes, bvmotion_advancement* out );

/// Takes one step of an advancement that is not done. It adds up to 4 to the steps of the contact.
/// @return bv_ok; bv_error_argument if a callback returned a pose that is not valid, or the ratio of the scales is not: then the
/// advancement cannot continue
bv_status bvmotion_advance_step( bvmotion_advancement* s );

/// The whole advancement.
/// @return as for the two above
bv_status bvmotion_advance( const bvmotion_shapes* shapes, bvmotion_contact* out );
