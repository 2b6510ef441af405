// A control in memory, and its parts. See bvworld/control.h.
//
// The block begins with struct bvw_control. Arrays follow, at offsets from its begin. A group is known by the smallest number of its
// objects, its lead. An object without a group is one by itself.

#pragma once

#include "bvworld/control.h"

/// No slot, no place in the queue, no lead.
#define BVWCONTROL_NONE UINT32_MAX

enum
{
	bvwcontrol_most_starved = 15, // greatest value of bvwcontrol_object.starved
};

/// How an object moves in the next step.
typedef enum bvwcontrol_way
{
	bvwcontrol_way_rest = 0,
	bvwcontrol_way_goal,
	bvwcontrol_way_motion,
} bvwcontrol_way;

/// An object, its group if it is the lead, and what the present step knows of both.
typedef struct bvwcontrol_object
{
	uint64_t category;
	uint64_t mask;
	bv_transform placement;
	bv_transform goal;
	bv_vec3 pivot;
	bv_motion motion; ///< of the step, unless it rests
	bv_motion rest;   ///< where it rests, or has stopped
	bv_sphere ball;   ///< around its mesh, in coordinates of the file
	double clearance; ///< from other objects, at most
	uint32_t file;
	uint32_t group;
	bvwcontrol_way way;
	bool is_used;
	bool is_in_phase;   ///< the broad phase has it
	bool is_placed;     ///< its box in the broad phase is that of its placement
	uint64_t file_hash; ///< of the file that the box is of

	bool is_prepared; ///< `ball` and `rest` are those of the step
	uint32_t lead;    ///< of its group
	uint32_t next;    ///< object of its group

	// Of the group, if this is the lead.
	bool is_moving;    ///< an object of the group moves, and it has not stopped
	bool has_moved;    ///< likewise, or it has stopped
	double stop;       ///< time of the stop of a group that does not move
	double safe;       ///< the group can move until this time
	bool is_open;      ///< of disjoint sets: pairs of the set wait
	bool is_undecided; ///< a pair without an answer stopped the group
	bool was_untried;  ///< likewise, and the pair was never searched
	bool has_axis;     ///< `axis` is set
	bv_vec3 axis;      ///< of objects that turn by half a turn
	bool is_held;      ///< the group is held back in this step
	uint32_t
		starved; ///< steps in a row in which a budget stopped the group or held it back, up to bvwcontrol_most_starved
	uint32_t contact;
	uint32_t joined;     ///< a group that it may meet, while both move; of disjoint sets
	uint32_t links;      ///< index of its first pair in the array of links
	uint32_t link_count; ///< pairs of the group
} bvwcontrol_object;

/// What is known of a pair.
typedef enum bvwcontrol_pair_state
{
	bvwcontrol_pair_decided = 0, ///< no contact until the end of the step or the stops of both groups
	bvwcontrol_pair_ignored,     ///< likewise, because they touch at time 0
	bvwcontrol_pair_waiting,     ///< in the queue: free until `lower`
	bvwcontrol_pair_found, ///< in the queue: its search has ended with a contact at `lower`, or without an answer
} bvwcontrol_pair_state;

/// Which sweep of a pair goes on. Objects that are nearer to each other than the clearance when they begin to move have more than
/// one: see search.c.
typedef enum bvwcontrol_stage
{
	bvwcontrol_stage_far = 0, ///< with the whole clearance
	bvwcontrol_stage_near,    ///< with a part of it
	bvwcontrol_stage_apart,   ///< with the whole clearance, from a time at which they may have it
} bvwcontrol_stage;

/// Two objects near each other.
typedef struct bvwcontrol_pair
{
	uint32_t a;
	uint32_t b;
	uint32_t queued; ///< place in the queue
	uint32_t slot;   ///< of its sweep
	bvwcontrol_pair_state state;
	bvwcontrol_stage stage;
	uint32_t nearness; ///< of bvwcontrol_stage_near: how often the clearance was divided
	bool was_swept;
	bool has_stopped;       ///< it has stopped its groups
	bool is_given_up;       ///< its search does not go on
	double clearance;       ///< distance that the objects are to keep, in addition to the separation
	double begin;           ///< when the objects began to move as they do: 0, or the time of a stop
	double from;            ///< start of the sweep of a stage other than the first
	double lower;           ///< free until then
	uint64_t spent;         ///< tests of the sweeps of this stage whose memory another pair took
	bv_sweep_result result; ///< if its state is bvwcontrol_pair_found, or its stage bvwcontrol_stage_apart
} bvwcontrol_pair;

/// The head of the block.
struct bvw_control
{
	uint64_t magic;
	uint64_t bytes;              ///< of the whole block
	bvw_control_options options; ///< with all defaults replaced
	bvw_control_input input;     ///< of the present step
	bool is_active;              ///< a step goes on
	uint32_t pair_count;
	uint32_t queue_count;
	uint32_t contact_count;
	uint32_t swept;
	uint32_t touching;
	uint32_t undecided;
	uint32_t held;        ///< groups that the step holds back
	double share;         ///< of the groups that are to move: those that a step with a budget lets move
	uint64_t run_tests;   ///< of the present run
	uint64_t phase_at;    ///< bvw_broadphase
	uint64_t objects_at;  ///< bvwcontrol_object[objects]
	uint64_t leads_at;    ///< uint32_t[objects + 1], of groups by their numbers
	uint64_t near_at;     ///< bvw_pair[pairs], from the broad phase
	uint64_t pairs_at;    ///< bvwcontrol_pair[pairs]
	uint64_t queue_at;    ///< uint32_t[pairs]
	uint64_t links_at;    ///< uint32_t[2 * pairs], pairs by group
	uint64_t contacts_at; ///< bvw_control_contact[objects]
	uint64_t slots_at;    ///< uint32_t[sweeps], the pair of each sweep
	uint64_t sweeps_at;   ///< memory of sweeps, options.sweep_bytes each
};

static inline void* bvwcontrol_at( const bvw_control* control, uint64_t offset )
{
	return (char*)control + offset;
}

static inline bvw_broadphase* bvwcontrol_broadphase( const bvw_control* control )
{
	return bvwcontrol_at( control, control->phase_at );
}

static inline bvwcontrol_object* bvwcontrol_objects( const bvw_control* control )
{
	return bvwcontrol_at( control, control->objects_at );
}

static inline bvwcontrol_pair* bvwcontrol_pairs( const bvw_control* control )
{
	return bvwcontrol_at( control, control->pairs_at );
}

static inline bvw_control_contact* bvwcontrol_contacts( const bvw_control* control )
{
	return bvwcontrol_at( control, control->contacts_at );
}

static inline bvwcontrol_object* bvwcontrol_lead_of( const bvw_control* control, uint32_t number )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	return objects + objects[number].lead;
}

static inline const bv_motion* bvwcontrol_motion_of( const bvw_control* control, uint32_t number )
{
	const bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	bool moves = o->way != bvwcontrol_way_rest && bvwcontrol_lead_of( control, number )->is_moving;
	return moves ? &o->motion : &o->rest;
}

/// @return null if the index is out of range
static inline const bv_file* bvwcontrol_file_of( const bvw_control* control, uint32_t number )
{
	uint32_t file = bvwcontrol_objects( control )[number].file;
	return file < control->input.file_count ? control->input.files[file] : NULL;
}

/// @return a time until which the balls around two objects do not touch, from one on until which they do not; 1 if they never do
double bvwcontrol_bound( const bvw_control* control, const bvwcontrol_pair* pair, double from );

/// The queue of pairs that wait, the one with the least lower bound first, then the first one in order.
static inline uint32_t bvwcontrol_queue_first( const bvw_control* control )
{
	return *(uint32_t*)bvwcontrol_at( control, control->queue_at );
}

/// Puts a pair into the queue, or where it belongs after its lower bound has changed.
void bvwcontrol_queue_put( bvw_control* control, uint32_t pair );

/// Takes a pair out of the queue if it is in it.
void bvwcontrol_queue_remove( bvw_control* control, uint32_t pair );

/// Finds the pairs that are near each other.
/// @param share  of the groups that are to move: those that may; the others are held back
bv_status bvwcontrol_find( bvw_control* control, const bvw_control_input* input, double share );

/// Begins to search the pairs that were found.
void bvwcontrol_begin_search( bvw_control* control );

/// Continues the search of a pair that waits, by a few tests.
bv_status bvwcontrol_search( bvw_control* control, uint32_t pair, const bv_budget* budget );

/// Sets the state of a pair, and its place in the queue.
void bvwcontrol_set_state( bvw_control* control, uint32_t pair, bvwcontrol_pair_state state );

/// Begins to search a pair from a time on, at which its objects begin to move as they do.
void bvwcontrol_restart( bvw_control* control, uint32_t pair, double begin );

/// Ends the search of a pair without an answer.
void bvwcontrol_give_up( bvw_control* control, uint32_t pair );

/// Ends a step: pairs that wait stop their groups.
bv_status bvwcontrol_finish( bvw_control* control );

/// Computes how far groups can move by what is known.
void bvwcontrol_answer( bvw_control* control );

/// @param report  null if not wanted
void bvwcontrol_report( const bvw_control* control, bvw_control_report* report );
