// A control in memory, and its parts. See bvworld/control.h.
//
// The block begins with struct bvw_control. Arrays follow, at offsets from its begin. A group is known by the smallest number of its
// objects, its lead. An object without a group is one by itself.

#pragma once

#include "bvworld/control.h"

/// No slot, no place in the queue, no lead.
#define BVWCONTROL_NONE UINT32_MAX

/// How an object moves in the next step.
typedef enum bvwcontrol_way
{
	bvwcontrol_way_rest = 0,
	bvwcontrol_way_goal,
	bvwcontrol_way_motion,
} bvwcontrol_way;

/// How far the search is.
typedef enum bvwcontrol_phase
{
	bvwcontrol_phase_idle = 0, ///< no step goes on
	bvwcontrol_phase_search,
	bvwcontrol_phase_done,
} bvwcontrol_phase;

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
	uint32_t file;
	uint32_t group;
	bvwcontrol_way way;
	bool is_used;
	bool is_in_phase; ///< the broad phase has it
	bool is_placed;   ///< its box in the broad phase is that of its placement

	bool is_prepared; ///< `ball` and `rest` are those of the step
	uint32_t lead;    ///< of its group
	uint32_t next;    ///< object of its group

	// Of the group, if this is the lead.
	bool is_moving; ///< an object of the group moves, and it has not stopped
	bool has_moved; ///< likewise, or it has stopped
	double stop;    ///< time of the stop of a group that does not move
	double safe;    ///< the group can move until this time
	uint32_t contact;
	uint32_t joined;     ///< a group that it may meet, while both move; of disjoint sets
	uint32_t links;      ///< index of its first pair in the array of links
	uint32_t link_count; ///< pairs of the group
} bvwcontrol_object;

/// What is known of a pair.
typedef enum bvwcontrol_pair_state
{
	bvwcontrol_pair_free = 0, ///< decided: no contact until the end of the step or the stops of both groups
	bvwcontrol_pair_ignored,  ///< likewise, because they touch at time 0
	bvwcontrol_pair_waiting,  ///< in the queue: free until `lower`
	bvwcontrol_pair_found, ///< in the queue: its search has ended with a contact at `lower`, or without an answer
} bvwcontrol_pair_state;

/// Two objects near each other.
typedef struct bvwcontrol_pair
{
	uint32_t a;
	uint32_t b;
	uint32_t queued; ///< place in the queue
	uint32_t slot;   ///< of its sweep
	bvwcontrol_pair_state state;
	bool was_swept;
	double lower;           ///< free until then
	bv_sweep_result result; ///< if its state is bvwcontrol_pair_found
} bvwcontrol_pair;

/// The head of the block.
struct bvw_control
{
	uint64_t magic;
	uint64_t bytes;              ///< of the whole block
	bvw_control_options options; ///< with all defaults replaced
	bvw_control_input input;     ///< of the present step
	bvwcontrol_phase phase;
	uint32_t pair_count;
	uint32_t queue_count;
	uint32_t contact_count;
	uint32_t swept;
	uint32_t touching;
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

/// Computes how far groups can move by what is known.
void bvwcontrol_answer( bvw_control* control );

/// @param report  null if not wanted
void bvwcontrol_report( const bvw_control* control, bvw_control_report* report );
