// Moving objects: how objects move, when two of them first touch, and the same for vertices, edges and faces.
//
//     #include <bv/motion.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         // A box falls onto another one. Both are 1 high, and their centers are 4 apart at first.
//         bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
//         bv_transform floor = bv_transform_identity(), above = bv_transform_translation( 0, 0, 4 );
//         bv_motion rest, fall;
//         bv_motion_still( &floor, &rest );
//         bv_motion_slerp( &above, &floor, bv_vec3_make( 0, 0, 0 ), &fall );
//         bv_sweep_result r;
//         bv_sweep_convexes( &box, &rest, &box, &fall, NULL, &r );
//         printf( "%.3f\n", r.lower ); // prints 0.750
//         return r.found && r.certain ? 0 : 1;
//     }
//
// Time runs from 0 to 1. A time of contact is an interval that contains the true one: `lower` is never later than the
// contact.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998: section 4.2 for volumes swept by
// a motion, chapter 5 for moving features. B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, for
// conservative advancement.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Computes the pose of an object, without its scale, at a time. Called once or more per query, from the thread of the query.
/// @param context  that of the motion
/// @param time     0 to 1
/// @param out      receives a pose that is rigid, see bv_pose_is_rigid; zero when called. It is made orthonormal
typedef void bv_pose_callback( const void* context, double time, bv_pose* out );

/// How an object moves.
typedef enum bv_motion_kind
{
	bv_motion_of_pose = 0, ///< it does not: `start` at all times
	bv_motion_of_turn,     ///< slerp and screws: turns about an axis through a pivot that moves along a line
	bv_motion_of_nlerp,    ///< the same, but not at constant speed: quaternions are interpolated linearly
	bv_motion_of_callback, ///< what `callback` returns
	bv_motion_of_sequence, ///< one motion after another
	bv_motion_kinds,       ///< the number of kinds
} bv_motion_kind;

/// The motion of an object from time 0 to time 1. Only the members of its kind are used. The functions below make one.
///
/// At time t, a point x of the object is at R( t ) * ( s( x ) - s( pivot ) ) + P( t ). Here s scales and reflects as
/// bv_transform does, R is the rotation and P( t ) the position of the pivot.
///
/// A motion refers to memory of the caller, which must remain valid and unchanged while it is in use. Experimental: may
/// change until the next minor version.
typedef struct bv_motion
{
	bv_motion_kind kind; ///< default bv_motion_of_pose
	double scale;        ///< uniform scale, from 2^-100 to 2^100; default 0, which stands for 1; of any kind
	bool mirror;         ///< reflect in the plane x = 0 first; of any kind

	/// Of kinds bv_motion_of_pose, bv_motion_of_turn and bv_motion_of_nlerp: the pose at time 0, orthonormal to 2^-48.
	bv_pose start;

	/// Of kinds bv_motion_of_turn, bv_motion_of_nlerp and bv_motion_of_callback: in object coordinates.
	bv_vec3 pivot;

	/// Of kinds bv_motion_of_turn and bv_motion_of_nlerp: the position of the pivot at time 1 minus that at time 0.
	bv_vec3 shift;

	/// Of kinds bv_motion_of_turn and bv_motion_of_nlerp: a unit vector in the world, its square 1 to 2^-49.
	bv_vec3 axis;

	/// Radians about the axis from time 0 to time 1. Of kind bv_motion_of_turn up to BV_MAX_ANGLE, in either direction; of kind
	/// bv_motion_of_nlerp from 0 to pi.
	double angle;

	bv_pose_callback* callback; ///< of kind bv_motion_of_callback
	const void* context;        ///< passed to the callback
	double speed;               ///< of kind bv_motion_of_callback: greatest speed of the pivot in the world
	double spin; ///< of kind bv_motion_of_callback: greatest angular speed, radians per unit of time

	/// Of kind bv_motion_of_sequence: `count` motions that are no sequences, with the same scale and reflection as this one.
	/// Each has times from 0 to 1 of its own.
	const struct bv_motion* parts;

	const double* ends; ///< of kind bv_motion_of_sequence: when parts end; above 0, ascending, the last one 1
	uint32_t count;     ///< of kind bv_motion_of_sequence: the number of parts, at least 1
} bv_motion;

/// Makes the motion of an object that stays where it is. As for all functions below, rotations are made orthonormal.
/// @param pose  valid, translation up to BV_MAX_LENGTH
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_motion_still( const bv_transform* pose, bv_motion* out );

/// Makes a motion between two poses that turns at constant speed, the shorter way around (slerp), about a pivot that moves
/// along a line at constant speed. The path depends on the pivot: take the center of mass for bodies that move freely.
/// @param start, end  valid; scales that differ by at most 1e-4 of themselves (that of `start` counts), and
///                    the same reflection. The end is reached to rounding
/// @param pivot       in object coordinates
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_motion_slerp( const bv_transform* start, const bv_transform* end, bv_vec3 pivot,
                           bv_motion* out );

/// The same with quaternions that are interpolated linearly and normalized (nlerp): the same axis and poses at times 0, 1/2
/// and 1, but faster in the middle.
bv_status bv_motion_nlerp( const bv_transform* start, const bv_transform* end, bv_vec3 pivot,
                           bv_motion* out );

/// Makes a motion that turns about an axis in the world and shifts along it, both at constant speed.
/// @param start  as above
/// @param point  any point of the axis, in the world
/// @param axis   direction of the axis in the world, of any length except 0
/// @param angle  radians, any number of turns up to BV_MAX_ANGLE; counterclockwise as seen from where the axis points
/// @param shift  along the axis, mesh units of the world
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_motion_screw( const bv_transform* start, bv_vec3 point, bv_vec3 axis, double angle, double shift,
                           bv_motion* out );

/// Makes the screw between two poses, which is the same for all points of an object (Chasles 1830). Below an angle of 2^-20,
/// the origin of the object moves along a line instead of an arc.
/// @param start, end  as for bv_motion_slerp
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_motion_screw_between( const bv_transform* start, const bv_transform* end, bv_motion* out );

/// @param context  passed to the callback; not copied
/// @param pivot    in object coordinates
/// @param speed    upper bound of the speed of the pivot in the world, at all times
/// @param spin     upper bound of the angular speed, radians per unit of time. If the callback exceeds one of the two bounds,
///                 results of queries are not certain
/// @return the motion that a callback describes; set `scale` and `mirror` afterwards
bv_motion bv_motion_callback( bv_pose_callback* callback, const void* context, bv_vec3 pivot, double speed,
                              double spin );

/// @param parts  `count` motions that are no sequences; not copied
/// @param ends   the times at which they end: above 0, ascending, the last one 1; not copied
/// @return the motion that consists of the parts, one after another. At the time at which a part ends, the next one has begun.
/// Parts need not begin where the one before ends
bv_motion bv_motion_sequence( const bv_motion* parts, const double* ends, uint32_t count );

/// @return whether all members that the kind uses are in range. Poses of callbacks are checked by queries
bool bv_motion_is_valid( const bv_motion* motion );

/// Computes the pose at a time. It differs from the exact one by rounding: bv_motion_reach of an interval of one time tells by
/// how much.
/// @param time  0 to 1
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range, or a callback returned a pose that
/// is not rigid or out of range
bv_status bv_motion_at( const bv_motion* motion, double time, bv_transform* out );

/// Bounds how far points of an object are, at any time of an interval, from where bv_motion_at puts them at a time of
/// reference. Rounding errors are included. The bound is tight for balls around a point if the axis is known: for slerp, nlerp
/// and screws, and for sequences of these if the interval is within one part.
///
/// For interval bisection, take the middle as reference. For conservative advancement, take `from`: if the gap at `from` is
/// larger than the sum of both objects' reach, there is no contact in the interval.
/// @param from, to   the interval, 0 <= from <= reference <= to <= 1. If a sequence jumps at `to`, the pose before counts
/// @param reference  the time of reference
/// @param ball       in object coordinates; the bound holds for all of its points
/// @param reach      receives the bound, in the world
/// @return as bv_motion_at
bv_status bv_motion_reach( const bv_motion* motion, double from, double to, double reference,
                           const bv_sphere* ball, double* reach );

/// Bounds the speed of points of an object.
/// @param from, to  the interval, 0 <= from <= to <= 1
/// @param ball      in object coordinates
/// @param speed     receives the bound, mesh units of the world per unit of time; infinite if a sequence jumps in the interval by
///                  more than 2^-40 of its coordinates
/// @return as bv_motion_at
bv_status bv_motion_speed( const bv_motion* motion, double from, double to, const bv_sphere* ball,
                           double* speed );

/// How a volume is made that encloses what a moving volume sweeps (Eckstein 1998, section 4.2).
typedef enum bv_swept_rule
{
	bv_swept_by_reach =
		0, ///< its place in the middle of the interval, larger by how far points get away from there
	bv_swept_by_ends, ///< both ends of the interval, larger by how far arcs depart from the lines between them
	bv_swept_rules,   ///< the number of rules
} bv_swept_rule;

/// Encloses all points of a volume at all times of an interval, rounding errors included.
///
/// By ends, volumes are smaller for translations, and for turns by small angles: points depart from lines by the distance from
/// the axis times angle^2 / 8. By reach, they are smaller for large angles. Motions that do not turn at constant speed
/// (bv_motion_of_nlerp, bv_motion_of_callback, bv_motion_of_sequence) are swept by reach, whichever rule is given.
/// @param from, to  the interval, 0 <= from <= to <= 1
/// @param volume    in object coordinates; frames orthonormal to 1e-4, lengths up to BV_MAX_LENGTH
/// @param type      what to make: any type, whatever that of `volume` is
/// @param out       receives the volume in the world
/// @return as bv_motion_at
bv_status bv_motion_swept_volume( const bv_motion* motion, double from, double to, const bv_volume* volume,
                                  bv_volume_type type, bv_swept_rule rule, bv_volume* out );

/// How the time of contact of two moving features is found. Finders other than the default exist to be compared with it.
typedef enum bv_finder
{
	bv_finder_certified = 0, ///< exact for points that move along lines; otherwise an interval that is proven
	bv_finder_linear,        ///< one linear interpolation between both ends (Eckstein 1998, 5.3)
	bv_finder_regula_falsi,  ///< regula falsi, with the Illinois rule
	bv_finder_quadratic,     ///< the parabola through three values
	bv_finder_sampling,      ///< linear interpolation between samples
	bv_finder_sampled_regula_falsi, ///< regula falsi between samples
	bv_finders,                     ///< the number of finders
} bv_finder;

/// How it is decided whether features touch when they are in one plane. Only for finders other than the certified one.
typedef enum bv_inside_test
{
	bv_inside_exact = 0,    ///< at the positions of that time
	bv_inside_interpolated, ///< by linear interpolation of what is true at both ends
	bv_inside_tests,        ///< the number of tests
} bv_inside_test;

/// Options of queries of moving features. Zero-initialized options are the defaults.
typedef struct bv_feature_options
{
	bv_finder finder;      ///< default bv_finder_certified
	bv_inside_test inside; ///< default bv_inside_exact; ignored by bv_finder_certified
	double limit;          ///< end of the time range, up to 1; default 0, which stands for 1
	double separation; ///< features at this distance or closer touch; default 0; only of bv_finder_certified

	/// Width of the interval of time that ends the search; default 0: 1e-6. The interval is narrower where features move
	/// along lines without a separation.
	double tolerance;

	uint32_t samples; ///< of the finders that sample, 2 to 65,536; default 0: 5, both ends included
} bv_feature_options;

/// @return the defaults listed in bv_feature_options
bv_feature_options bv_feature_options_default( void );

/// When two moving features first touch.
typedef struct bv_feature_time
{
	bool found;     ///< they touch at a time in the range. In doubt true
	bool certain;   ///< `found` is proven, and so is the interval
	double lower;   ///< they do not touch before this time; the end of the range if not found
	double upper;   ///< they touch at this time or before; infinite if that is not proven, and if not found
	uint32_t tests; ///< evaluations of positions
} bv_feature_time;

/// Finds when a moving vertex first touches a moving triangle. Each point moves along a line at constant speed. Touching
/// the border counts. Triangles may be degenerate.
///
/// With bv_finder_certified and without a separation the decision is exact for the given binary64 numbers: `found` is
/// true if and only if there is a contact. `certain` is then true if there is a k so that all coordinates are multiples of
/// 2^k and less than 2^(k + 256): for example any of absolute values between 1e-30 and 1e30, and 0. Outside of this range
/// it can be false. If it is true and they touch, `lower` and `upper` are at most 2e-11 apart, and `lower` is 0 only if
/// they touch at time 0. Without `certain`, they may touch from `lower` on.
///
/// With bv_finder_certified and a separation, `certain` is false if they touch at exactly the separation, to about 1e-14 of
/// the coordinates' differences, and move apart again.
/// @param start, end  the vertex and the three corners, at times 0 and 1; coordinates up to BV_MAX_LENGTH
/// @param options     null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, or a coordinate or an option is
/// out of range
bv_status bv_moving_vertex_face( const bv_vec3 start[4], const bv_vec3 end[4],
                                 const bv_feature_options* options, bv_feature_time* result );

/// The same for two edges: both ends of the first one, then both of the second.
bv_status bv_moving_edge_edge( const bv_vec3 start[4], const bv_vec3 end[4],
                               const bv_feature_options* options, bv_feature_time* result );

/// How the first contact of two moving objects is looked for. Modes other than the default exist to be compared with it.
typedef enum bv_sweep_mode
{
	bv_sweep_mode_dynamic = 0, ///< at all times
	bv_sweep_mode_end,         ///< only at the end of the range: a contact there counts as one at the start
	bv_sweep_mode_sampled,     ///< at `samples` times from the start to the end of the range

	/// At the start and at the end of the range. If edges cross faces at the end: when ends of these edges first touched the
	/// face, or the edges those of the face (Eckstein 1998, figure 5.24). The first of these times counts. If none of these
	/// features touched, the contact at the end counts as one at the start. Only for meshes, without a separation.
	bv_sweep_mode_mixed,
	bv_sweep_modes, ///< the number of modes
} bv_sweep_mode;

/// The least size of bv_sweep_options.scratch, and a size that is enough for nearly all queries, bytes.
#define BV_SWEEP_SCRATCH_LEAST 512
#define BV_SWEEP_SCRATCH_AMPLE 65536

/// Options of bv_sweep_convexes, bv_sweep_meshes and bv_sweep_convex_mesh. Zero-initialized options are the defaults.
typedef struct bv_sweep_options
{
	bv_sweep_mode mode; ///< default bv_sweep_mode_dynamic
	double from;        ///< start of the time range, from 0 to `limit`; default 0
	double limit;       ///< end of the time range, up to 1; default 0, which stands for 1
	double tolerance;   ///< width of the interval of time that ends the search; default 0: 1e-6
	double separation;  ///< objects no farther apart than this touch; world units, not negative; default 0
	uint32_t samples;   ///< of bv_sweep_mode_sampled, from 2 to 2^20; default 0: 33, both ends included

	/// Give up soon after this many tests of volumes and triangles, and steps; default 0, no limit. Then the objects are free until
	/// `lower`, and `complete` is false; in bv_sweep_mode_mixed, `lower` is that of what was found. Not for pairs of convex
	/// shapes.
	uint64_t most_tests;

	/// Memory of the caller for pairs of triangles that are near each other, 8-byte aligned. Without it, a query of meshes
	/// that are near in many places, or overlap in bv_sweep_mode_mixed, takes many times as long, and can end incomplete.
	/// Default null: 240 bytes of the stack. Not for pairs of convex shapes.
	void* scratch;

	size_t scratch_bytes; ///< size of `scratch`, at least BV_SWEEP_SCRATCH_LEAST; ignored without it
} bv_sweep_options;

/// @return the defaults listed in bv_sweep_options
bv_sweep_options bv_sweep_options_default( void );

/// When two moving objects first touch.
typedef struct bv_sweep_result
{
	bool found; ///< they touch at a time in the range. In doubt true

	/// `found` is proven, and so is `lower`: there is a contact until `upper`, or none in the range. In modes other than the
	/// default, only contacts at the start are certain: `upper` is proven, but there may be a contact before `lower`.
	bool certain;

	/// The whole range was searched until a contact. False if `most_tests` ended the search, or too many triangles that are
	/// near each other at the same time.
	bool complete;

	bool at_start; ///< they touch at the start of the range, or may do so: then `lower` is the start
	double
		lower; ///< they do not touch in the range before this time; the end of the range if there is no contact
	double upper; ///< they touch at this time or before; infinite if that is not proven, and if not found

	uint32_t triangle[2];  ///< of the meshes that touch first; 0 for convex shapes, and if not found
	bv_feature feature[2]; ///< of these triangles: where the points are, to rounding

	/// Nearest points on a and on b, in world coordinates; 0 if not found. Of time `lower`, or of the sample that found
	/// the contact.
	bv_vec3 point[2];

	bv_vec3
		normal; ///< unit vector from a to b, likewise; 0 if the objects overlap there, at the start or after a jump

	uint64_t volume_tests;   ///< pairs of bounding volumes tested
	uint64_t triangle_tests; ///< pairs of triangles tested; in bv_sweep_mode_mixed also pairs of features
	uint64_t steps;          ///< times at which pairs of convex shapes or of triangles were compared
} bv_sweep_result;

/// Finds the first contact of two moving convex shapes.
///
/// `lower` is never later than the contact, whatever the motions, as long as callbacks keep to the speeds they state.
/// The interval is at most as wide as the tolerance unless the shapes pass each other within rounding errors, touch
/// without overlapping, or approach each other so slowly beside the speed of their points that 65,536 steps do not get there.
/// @param a, b              shapes, in the coordinates of their objects; not half-spaces
/// @param motion_a, motion_b  from coordinates of each object to those of the world
/// @param options           null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, a shape or a motion is invalid, the
/// ratio of the scales or an option is out of range, or a callback returned a pose that is not rigid; bv_error_unsupported,
/// likewise, for half-spaces and bv_sweep_mode_mixed
bv_status bv_sweep_convexes( const bv_convex* a, const bv_motion* motion_a, const bv_convex* b,
                             const bv_motion* motion_b, const bv_sweep_options* options,
                             bv_sweep_result* result );

/// Finds the first contact of the surfaces of two moving meshes.
///
/// `lower` is never later than the contact, as for bv_sweep_convexes. Contacts are those of triangles: a mesh inside of a
/// closed one does not touch it. If the meshes pass each other within rounding errors, or touch without crossing each other,
/// `upper` can be infinite.
/// @param a, b  files with a hierarchy
/// @param motion_a, motion_b  from coordinates of each file to those of the world
/// @param options  null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, a motion is invalid, an option is
/// out of range, bv_sweep_mode_mixed has a separation, or a file has no hierarchy
bv_status bv_sweep_meshes( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                           const bv_motion* motion_b, const bv_sweep_options* options,
                           bv_sweep_result* result );

/// The least size of the memory of a bv_sweep, and a size that is enough for nearly all of them, bytes.
#define BV_SWEEP_LEAST 16384
#define BV_SWEEP_AMPLE 65536

/// A sweep of two meshes that can be stopped after any step: a block of memory of the caller. It must not be moved.
typedef struct bv_sweep bv_sweep;

/// Begins a sweep. The final result is that of bv_sweep_meshes with the same memory for pairs of triangles.
/// @param motion_a, motion_b  must remain valid and unchanged during the sweep, as must the files
/// @param options  null for the defaults; `scratch` must be null
/// @param memory   8-byte aligned; remains the caller's, and must remain unchanged during the sweep
/// @param bytes    its size, at least BV_SWEEP_LEAST
/// @param out      receives `memory` as what it now is; unchanged on errors, but the memory is not
/// @return bv_ok; bv_error_argument if another pointer is null, the memory is misaligned, a motion is invalid, an option is out of
/// range, or a file has no hierarchy; bv_error_unsupported for modes other than bv_sweep_mode_dynamic; bv_error_memory if the memory
/// is too small
bv_status bv_sweep_begin( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                          const bv_motion* motion_b, const bv_sweep_options* options, void* memory,
                          size_t bytes, bv_sweep** out );

/// Continues a sweep until it is done or the budget is spent.
/// @param budget  null for no limit. Steps of pairs of triangles count as tests. Sweeps also stop within the pursuit of a pair, after any step, and
/// continue there
/// @param done    receives whether the sweep is finished: running it again changes nothing; null if not wanted
/// @param result  receives what is known; null if not wanted. Until the sweep is done, `complete` is false: the meshes are free until
/// `lower`, and `found` with a finite `upper` means that they touch until then. Later results are never wider
/// @return bv_ok; bv_error_argument, with the results unchanged, if `sweep` is null, `until` is NaN with `now`, or a callback returned
/// a pose that is not rigid: then the sweep cannot continue
bv_status bv_sweep_run( bv_sweep* sweep, const bv_budget* budget, bool* done, bv_sweep_result* result );

/// Reports what is known without sweeping.
/// @return as bv_sweep_run; bv_error_argument also if `result` is null
bv_status bv_sweep_look( const bv_sweep* sweep, bool* done, bv_sweep_result* result );

/// The same for a convex shape and a mesh, in this order.
/// @param a  a shape, in the coordinates of its object; not a half-space
/// @param b  a file with a hierarchy
/// @return as bv_sweep_meshes; also as bv_sweep_convexes for the shape and the mode
bv_status bv_sweep_convex_mesh( const bv_convex* a, const bv_motion* motion_a, const bv_file* b,
                                const bv_motion* motion_b, const bv_sweep_options* options,
                                bv_sweep_result* result );

#ifdef __cplusplus
}
#endif
