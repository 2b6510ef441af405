// Control of moving objects: how far all objects of a scene can move before they touch, within a budget.
//
//     #include <bvworld/control.h>
//     #include <stdio.h>
//
//     // Moves objects to their goals, or until they touch, within 8,000 tests.
//     bv_status move_all( bvw_control* control, const bv_file* const* files, uint32_t file_count )
//     {
//         bvw_control_input input = { .files = files, .file_count = file_count };
//         bv_budget budget = { .tests = 8000 };
//         bvw_control_report report;
//         bv_status status = bvw_control_step( control, &input, &budget, &report );
//         for ( uint32_t i = 0; status == bv_ok && i < report.contact_count; ++i )
//             printf( "%u and %u touch at %g\n", (unsigned)report.contacts[i].a, (unsigned)report.contacts[i].b,
//                     report.contacts[i].sweep.lower );
//         return status == bv_ok ? bvw_control_apply( control ) : status;
//     }
//
// In a step, objects move from their placements to their goals, from time 0 to 1. A broad phase finds pairs; each pair is searched for its
// first contact, the one that may touch first before the others. When two objects touch, both stop, and so do the other objects of
// their groups. Pairs of a group that has stopped are searched again from that time on, until no object touches another one. So
// stops are consistent: no two objects overlap at any time of the step if each moves until its own stop and then rests. Each contact
// stops a group that moved, so that a step ends.
//
// A step can be interrupted. Its answer is sound then: objects stop where they are proven to be free, perhaps too early. If budgets do not
// last, objects take turns.
//
// A control is a block of memory of the caller. It allocates nothing. Between steps its bytes can be copied, unless objects have
// motions that refer to memory.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, chapter 7. There, each group moves until its
// first contact with the others, which are thought to go on; groups that are moved so far can overlap.

#pragma once

#include "bv/file.h"
#include "bv/motion.h"

#include "bvworld/broadphase.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact number of objects that have none.
#define BVW_NO_CONTACT UINT32_MAX

/// The most sweeps of a control that are kept at a time.
#define BVW_MAX_SWEEPS 65536u

/// Options of a control. Zero-initialized options are the defaults, except for `broadphase.objects`.
typedef struct bvw_control_options
{
	/// Numbers of objects are below `broadphase.objects`. `broadphase.pairs` limits the pairs whose boxes touch, objects that rest and
	/// margins of the method included. `broadphase.workers` must be 0 or 1.
	bvw_broadphase_options broadphase;

	/// Sweeps that are kept at a time, up to BVW_MAX_SWEEPS. If more pairs are being searched, those that may touch last are dropped,
	/// and begin again from the time until which they are free. Default 0: 16.
	uint32_t sweeps;

	/// Memory of each, at least BV_SWEEP_LEAST; rounded up to a multiple of 8. Default 0: BV_SWEEP_AMPLE.
	size_t sweep_bytes;
} bvw_control_options;

/// @return the defaults listed in bvw_control_options, with 0 objects
bvw_control_options bvw_control_options_default( void );

/// An object.
typedef struct bvw_control_object
{
	uint32_t file; ///< index of its file among those of a step

	/// From coordinates of the file to those of the world; translation up to BV_MAX_LENGTH.
	bv_transform placement;

	/// The point, in coordinates of the file, that moves along a line on the way to a goal, while the object turns about it. Take the center
	/// of mass for bodies that move freely. Objects of a group turn about the point of the one with the smallest number: if their
	/// goals differ from their placements by the same rigid motion, they move as one.
	bv_vec3 pivot;

	/// Objects of a group make no pairs with each other, and stop at the same time. 1 to `broadphase.objects`; default 0: alone.
	uint32_t group;

	uint64_t category; ///< bits, as of bvw_object: the layers that the object is in; default 0 stands for 1
	uint64_t mask;     ///< categories that the object makes pairs with; default 0 stands for all
} bvw_control_object;

/// A control: a block of memory of the caller. It must not be moved between bvw_control_find and bvw_control_apply.
typedef struct bvw_control bvw_control;

/// @param options  null is an error
/// @return the size of the memory that a control needs, bytes; 0 if an option is out of range
size_t bvw_control_bytes( const bvw_control_options* options );

/// Makes a control without objects.
/// @param memory  8-byte aligned; remains the caller's
/// @param bytes   its size, at least bvw_control_bytes( options )
/// @param out     receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null or not aligned or an option is out of range; bv_error_memory if the memory is
/// too small. `*out` is unchanged on errors
bv_status bvw_control_begin( void* memory, size_t bytes, const bvw_control_options* options,
                             bvw_control** out );

/// Adds an object, which rests. As all functions that change objects, this ends a step that was not applied.
/// @param number  below the limit, and not in use
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null, the number is out of range or in use, or a member of the
/// object is out of range
bv_status bvw_control_add( bvw_control* control, uint32_t number, const bvw_control_object* object );

/// @return bv_ok; bv_error_argument, and nothing changes, if the pointer is null or there is no such object
bv_status bvw_control_remove( bvw_control* control, uint32_t number );

/// Reports an object where it is now.
/// @return whether the number is in use; if not, `*out` is unchanged
bool bvw_control_get( const bvw_control* control, uint32_t number, bvw_control_object* out );

/// Places an object elsewhere without a search for contacts. It has no goal then.
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null, there is no such object or the transform is out of
/// range
bv_status bvw_control_set_placement( bvw_control* control, uint32_t number, const bv_transform* placement );

/// Sets where an object is to be at the end of the next step. On the way it turns at constant speed, as bv_motion_slerp has it.
/// @param goal  with the same reflection as the placement, and the same scale to 1e-4: that of the placement remains; null to let it rest
/// @return as bvw_control_set_placement
bv_status bvw_control_set_goal( bvw_control* control, uint32_t number, const bv_transform* goal );

/// Sets how an object is to move in the next step. Its placement is that of time 0.
/// @param motion  copied; what it refers to must remain valid and unchanged until the step was applied
/// @return also bv_error_argument if a callback returns a pose that is not rigid
bv_status bvw_control_set_motion( bvw_control* control, uint32_t number, const bv_motion* motion );

/// Which groups a contact stops.
typedef enum bvw_stop_rule
{
	bvw_stop_groups = 0, ///< those of the two objects; the others move on
	bvw_stop_all,        ///< all: the first contact of the scene ends the step
	bvw_stop_rules,      ///< the number of rules
} bvw_stop_rule;

/// Called for each pair of boxes that touch, of which one object moves, in order of their numbers.
/// @return false to ignore the pair in this step
typedef bool bvw_control_callback( void* context, uint32_t a, uint32_t b );

/// What a step gets. Zero-initialized members are the defaults, except for the files.
typedef struct bvw_control_input
{
	const bv_file* const* files; ///< with hierarchies; must remain valid until the step was applied
	uint32_t file_count;         ///< length of `files`
	bvw_stop_rule rule;          ///< default bvw_stop_groups

	/// How pairs are searched: mode, tolerance, separation, samples and most_tests count. `from`, `limit` and `scratch` must be 0. Modes other
	/// than the default are not sound, and a budget ends only between their pairs.
	bv_sweep_options sweep;

	/// Objects that touch at time 0, which is proven by their distance, do not stop each other: their pair is ignored, and counted in the
	/// report. Default false: they do not move.
	bool ignore_touching;

	/// How far from each other objects stop, in addition to the separation; world units, not negative. It lets them leave each other in the next
	/// step. Objects that are nearer than that when they begin to move, and approach each other, stay where they are. Default 0: a
	/// millionth of the radius of the smaller one, more if it is far from the origin. Only with bv_sweep_mode_dynamic.
	double clearance;

	bvw_control_callback* callback; ///< default null: no pair is ignored
	void* context;                  ///< passed to the callback; default null
} bvw_control_input;

/// Two objects that touch.
typedef struct bvw_control_contact
{
	uint32_t a; ///< smaller number
	uint32_t b; ///< greater number

	/// When they are first as near as the separation and the clearance, points in the world and features included: `a` and `b` are in this
	/// order. The groups stop at `sweep.lower`, or a unit in the last place before.
	bv_sweep_result sweep;
} bvw_control_contact;

/// What is known of a step.
typedef struct bvw_control_report
{
	bool done;      ///< all pairs are decided, each by a search to its end
	double until;   ///< no object stops before this time; 1 if none stops
	double mean;    ///< mean time of the stops of groups that move
	uint32_t pairs; ///< pairs near each other of which one moves, without those that the callback ignored

	/// Of these, pairs that had to be searched: the others were free by their bounding balls, or were not reached.
	uint32_t swept;

	uint32_t open; ///< of these, pairs that are not decided yet

	/// Of these, pairs that stopped their groups because a budget or `most_tests` ended their search without a contact.
	uint32_t undecided;

	uint32_t touching; ///< of these, pairs ignored because they touch at time 0
	uint32_t held;     ///< groups held back, which do not move: see bvw_control_step
	uint64_t tests;    ///< tests of this run

	/// Contacts that stopped a group, in the order in which they did. In the memory of the control; until the next call that changes it.
	const bvw_control_contact* contacts;

	uint32_t contact_count; ///< number of them
} bvw_control_report;

/// Begins a step: finds the pairs that are near each other.
/// @param input   copied, except for what it refers to
/// @param report  receives what is known; null if not wanted
/// @return bv_ok; bv_error_argument, and no step goes on, if another pointer is null, a member of the input is out of range, a file has
/// no hierarchy, or a callback returned a pose that is not rigid; bv_error_memory, likewise, if there are more pairs than
/// options.broadphase.pairs
bv_status bvw_control_find( bvw_control* control, const bvw_control_input* input,
                            bvw_control_report* report );

/// Continues a step until it is done or the budget is spent. What a run reports is never less than what a run before reported: no
/// object stops earlier.
///
/// Results depend only on the objects, the input and the numbers of tests of the budgets. When a step is done, they do not depend on
/// budgets either, unless sweeps were dropped: then brackets differ by their width, and with `most_tests` stops can differ by any time.
/// @param budget  null for no limit. The search of pairs counts, not that for pairs
/// @param report  receives what is known; null if not wanted
/// @return bv_ok; bv_error_argument if `control` is null, no step goes on, `until` is NaN with `now`, or a callback returned a pose
/// that is not rigid, which ends the step
bv_status bvw_control_run( bvw_control* control, const bv_budget* budget, bvw_control_report* report );

/// Ends the search of a step. Pairs that are not decided stop their groups at the time until which they are free, and groups that these may
/// touch then. The others move on: bvw_control_run alone reports times that hold whatever the groups that they may meet do.
/// @return as bvw_control_run
bv_status bvw_control_finish( bvw_control* control, bvw_control_report* report );

/// bvw_control_find, bvw_control_run and bvw_control_finish. With a clock, the run ends early enough for the rest.
///
/// When budgets do not last, fewer groups move in the next steps, and the others are held back. They take turns: those that were held back
/// or stopped by a budget for the longest time come first. As soon as budgets last, more groups move again.
bv_status bvw_control_step( bvw_control* control, const bvw_control_input* input, const bv_budget* budget,
                            bvw_control_report* report );

/// What is known of a pair.
typedef enum bvw_pair_state
{
	bvw_pair_free = 0,  ///< no contact until the stops of both groups
	bvw_pair_open,      ///< not decided: free until `until`
	bvw_pair_contact,   ///< it has a contact, and has stopped its groups
	bvw_pair_undecided, ///< it has stopped its groups, because a budget or `most_tests` ended its search
	bvw_pair_ignored,   ///< the objects touch at time 0: see bvw_control_input
	bvw_pair_states,    ///< the number of states
} bvw_pair_state;

/// A pair of a step.
typedef struct bvw_control_pair
{
	uint32_t a; ///< smaller number
	uint32_t b; ///< greater number
	bvw_pair_state state;
	double until; ///< no contact until this time
} bvw_control_pair;

/// @param index  below report.pairs; pairs are in order of their numbers
/// @return whether a step goes on and has such a pair; if not, `*out` is unchanged
bool bvw_control_get_pair( const bvw_control* control, uint32_t index, bvw_control_pair* out );

/// How far an object can move in a step.
typedef struct bvw_stop
{
	double time;   ///< the object can move until this time; 1 for the whole way
	bool is_final; ///< no run of the step can change the time
	uint32_t lead; ///< smallest number of an object of its group

	/// Number of the first contact of its group, in report.contacts. BVW_NO_CONTACT without one: if the time is below 1, a budget or
	/// `most_tests` has stopped the group or held it back, or a contact of other groups has stopped all.
	uint32_t contact;
} bvw_stop;

/// @param out  receives what the last run found of an object
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if a pointer is null, there is no such object, or no step goes on
bv_status bvw_control_get_stop( const bvw_control* control, uint32_t number, bvw_stop* out );

/// Ends a step: moves each object to where it is at the time of its stop. Goals are gone. If pairs are not decided, it calls
/// bvw_control_finish first.
///
/// An application that moves objects otherwise, for example along a surface, calls bvw_control_set_placement instead.
/// @return bv_ok; bv_error_argument if `control` is null, no step goes on, or a callback returned a pose that is not rigid: then no
/// object changes
bv_status bvw_control_apply( bvw_control* control );

#ifdef __cplusplus
}
#endif
