// The table of kinds of motions, and bounds of how far points move.
//
// A motion takes a point x of an object at time t to
//
//     R( t ) ( S x - p ) + P( t ),    p = S pivot,
//
// where S is the scale after the reflection, R( t ) a rotation and P( t ) the place of the pivot. Motions by turns have
// R( t ) = Rot( axis, angle( t ) ) R( 0 ) and P( t ) = P( 0 ) + t shift. These are spherical linear interpolation, its
// normalized linear form, and screws, whose pivot is a point of the axis.
//
// Displacements. From one time to another, a point at the distance d from the axis moves by a chord of
// 2 d sin( a / 2 ) across the axis, where a is the angle between both rotations, and by the shift of the pivot:
// Eckstein 1998, section 4.2.1, but about the pivot, not about the world's origin.

#pragma once

#include "bv/motion.h"

#include "runtime/math/vec.h"

/// Bounds displacements or speeds of all points of an object: for a point at the distance d from the axis,
/// sqrt( ( turn * d + across )^2 + along^2 ), and rounding errors.
typedef struct bvmotion_bound
{
	bv_vec3 pivot; ///< in object coordinates
	bv_vec3
		axis; ///< unit vector in coordinates of S x; zero if not known: then d is the distance from the pivot
	double scale;    ///< above 0
	bool mirror;     ///< reflect first
	double turn;     ///< per distance from the axis
	double across;   ///< of the pivot, at right angles to the axis; all of it if the axis is not known
	double along;    ///< of the pivot, along the axis
	double rounding; ///< per sum of the coordinates of S x
	double slack;    ///< of all points
} bvmotion_bound;

/// @return an upper bound for all points of a ball in object coordinates
double bvmotion_bound_of_ball( const bvmotion_bound* b, bv_vec3 center, double radius );

/// Rounding errors of a pose that is computed, per unit of the lengths that enter it. Derived in turn.c.
#define BVMOTION_ROUNDING 0x1p-45

/// How fast an object moves at a time, in world coordinates per unit of time, and bounds of what that leaves out later.
///
/// After a time t, the pivot is at place + t * velocity, except for t * speed + t^2 / 2 * bend at most. A vector r fixed to the
/// object is r + t * cross( spin, r ), except for ( t * turn + t^2 / 2 * curl ) * |r| at most.
typedef struct bvmotion_rates
{
	bv_vec3 pivot;    ///< in object coordinates
	bv_vec3 velocity; ///< of the pivot
	bv_vec3 spin;     ///< angular velocity, radians
	double speed;     ///< of what is not known of the velocity
	double turn;      ///< of what is not known of the spin
	double bend;      ///< acceleration of the pivot
	double curl;      ///< acceleration of a point at the distance 1 from the pivot, relative to it
} bvmotion_rates;

/// What libbv does with a motion that is not a sequence.
typedef struct bvmotion_kind
{
	/// Checks what other fields than `scale` have.
	bool ( *is_valid )( const bv_motion* motion );

	/// Computes the pose at a time.
	bv_status ( *at )( const bv_motion* motion, double time, bv_transform* out );

	/// Bounds displacements from the computed pose at the time `reference` to any time from `from` to `to`, which
	/// contain it.
	/// @param at  the computed pose at the time `reference`
	void ( *reach )( const bv_motion* motion, double from, double to, double reference,
	                 const bv_transform* at, bvmotion_bound* out );

	/// Bounds speeds.
	void ( *speed )( const bv_motion* motion, double from, double to, bvmotion_bound* out );

	/// Finds rates. The bounds hold until time 1.
	/// @param out  is zero, and receives the rest
	void ( *rates )( const bv_motion* motion, double time, bvmotion_rates* out );
} bvmotion_kind;

/// @return the row of a kind; null for bv_motion_of_sequence and for an invalid kind
const bvmotion_kind* bvmotion_kind_of( bv_motion_kind kind );

extern const bvmotion_kind bvmotion_kind_pose;
extern const bvmotion_kind bvmotion_kind_turn;
extern const bvmotion_kind bvmotion_kind_nlerp;
extern const bvmotion_kind bvmotion_kind_callback;

/// @return the scale, where 0 stands for 1
static inline double bvmotion_scale( const bv_motion* motion )
{
	return motion->scale == 0 ? 1 : motion->scale;
}

/// @return S x
static inline bv_vec3 bvmotion_scaled( double scale, bool mirror, bv_vec3 x )
{
	return ( bv_vec3 ){ mirror ? -scale * x.x : scale * x.x, scale * x.y, scale * x.z };
}

/// @param half  half the angle of a rotation, not negative
/// @return an upper bound of 2 sin( half ), the chord per distance from the axis; 2 next to half a turn and beyond
double bvmotion_chord( double half );

/// @return whether the rotation is orthonormal to rounding, and the translation is in range
bool bvmotion_pose_is_valid( const bv_pose* pose );

/// @param pose  rigid
/// @return the pose with an orthonormal rotation; one that is orthonormal to rounding does not change
bv_pose bvmotion_orthonormal( const bv_pose* pose );

/// @return a bound of what does not move
bvmotion_bound bvmotion_bound_begin( const bv_motion* motion );

/// @param motion  of kind bv_motion_of_turn or bv_motion_of_nlerp, complete except for the shift
/// @return the shift that moves the object's origin by `moved` from time 0 to 1
bv_vec3 bvmotion_turn_shift( const bv_motion* motion, bv_vec3 moved );
