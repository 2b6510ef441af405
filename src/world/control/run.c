// The search of a step. See control.h.
//
// Pairs wait in a queue, the one with the least lower bound first. Let this bound be t: until t, no pair touches. If the search of the first
// pair goes on, its bound grows. If it has ended with a contact at t, both groups stop at t. Then the other pairs of these groups are
// searched again from t on, with objects that rest: their bounds are t or more. So bounds never decrease below t, and what was proven
// until t remains true. Each contact stops a group that moved, and a group stops once: there are no more contacts than groups.
//
// When a search of a scene is interrupted, groups that may meet, directly or through others, are taken together. They can move until the least
// bound of their pairs that wait. Groups that have stopped or rest do not connect others: they stay where they are whatever these do.

#include "world/control/control.h"

#include "runtime/math/vec.h"
#include "runtime/motion/sweep.h"
#include "runtime/simd/bits.h"

#include <math.h>
#include <string.h>

enum
{
	tests_of_slice = 64, // of a pair, before another one may be the first
};

static uint32_t* slots_of( const bvw_control* control )
{
	return bvwcontrol_at( control, control->slots_at );
}

static void* memory_of( const bvw_control* control, uint32_t slot )
{
	return bvwcontrol_at( control, control->sweeps_at + slot * (uint64_t)control->options.sweep_bytes );
}

static void free_slot( bvw_control* control, bvwcontrol_pair* pair )
{
	if ( pair->slot != BVWCONTROL_NONE )
	{
		slots_of( control )[pair->slot] = BVWCONTROL_NONE;
		pair->slot = BVWCONTROL_NONE;
	}
}

// A slot that is free, or that of the pair that is last in the queue.
static uint32_t choose_slot( bvw_control* control )
{
	const uint32_t* slots = slots_of( control );
	bvwcontrol_pair* pairs = bvwcontrol_pairs( control );
	uint32_t last = 0;
	for ( uint32_t i = 0; i < control->options.sweeps; ++i )
	{
		if ( slots[i] == BVWCONTROL_NONE )
		{
			return i;
		}
		const bvwcontrol_pair* x = pairs + slots[i];
		const bvwcontrol_pair* y = pairs + slots[last];
		last = x->lower > y->lower || ( x->lower == y->lower && slots[i] > slots[last] ) ? i : last;
	}
	free_slot( control, pairs + slots[last] );
	return last;
}

static void set_state( bvw_control* control, uint32_t index, bvwcontrol_pair_state state )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	pair->state = state;
	if ( state != bvwcontrol_pair_waiting )
	{
		free_slot( control, pair );
	}
	if ( state == bvwcontrol_pair_waiting || state == bvwcontrol_pair_found )
	{
		bvwcontrol_queue_put( control, index );
	}
	else
	{
		bvwcontrol_queue_remove( control, index );
	}
}

static const bv_file* file_of( const bvw_control* control, uint32_t number )
{
	return control->input.files[bvwcontrol_objects( control )[number].file];
}

// The options of a pair's search, from the time until which the pair is free.
static bv_sweep_options options_of( const bvw_control* control, const bvwcontrol_pair* pair )
{
	bv_sweep_options options = control->input.sweep;
	options.from = pair->lower;
	return options;
}

static bv_status begin_sweep( bvw_control* control, bvwcontrol_pair* pair, bv_sweep** sweep )
{
	bv_sweep_options options = options_of( control, pair );
	uint32_t slot = choose_slot( control );
	bv_status status =
		bv_sweep_begin( file_of( control, pair->a ), bvwcontrol_motion_of( control, pair->a ),
	                    file_of( control, pair->b ), bvwcontrol_motion_of( control, pair->b ), &options,
	                    memory_of( control, slot ), control->options.sweep_bytes, sweep );
	if ( status == bv_ok )
	{
		slots_of( control )[slot] = (uint32_t)( pair - bvwcontrol_pairs( control ) );
		pair->slot = slot;
	}
	return status;
}

static uint64_t tests_of( const bv_sweep_result* r )
{
	return r->volume_tests + r->triangle_tests + r->steps;
}

// Searches a pair in a mode that cannot be interrupted. No sweep is kept then: the memory of the first one is free.
static bv_status sweep_at_once( const bvw_control* control, const bvwcontrol_pair* pair,
                                bv_sweep_result* result )
{
	uint64_t* memory = memory_of( control, 0 );
	bv_sweep_options options = options_of( control, pair );
	options.scratch = memory + bvmotion_sweep_words;
	options.scratch_bytes = control->options.sweep_bytes - bvmotion_sweep_words * sizeof *memory;
	return bvmotion_sweep_meshes_in( memory, file_of( control, pair->a ),
	                                 bvwcontrol_motion_of( control, pair->a ), file_of( control, pair->b ),
	                                 bvwcontrol_motion_of( control, pair->b ), &options, result );
}

// Continues the search of a pair.
BVSIMD_NOINLINE bv_status sweep_further( bvw_control* control, bvwcontrol_pair* pair, const bv_budget* budget,
                                         bool* done, bv_sweep_result* result )
{
	bv_sweep* sweep = NULL;
	bv_status status = bv_ok;
	uint64_t before = 0;
	if ( pair->slot == BVWCONTROL_NONE )
	{
		status = begin_sweep( control, pair, &sweep );
	}
	else
	{
		sweep = memory_of( control, pair->slot );
		status = bv_sweep_look( sweep, NULL, result );
		before = status == bv_ok ? tests_of( result ) : 0;
	}
	status = status == bv_ok ? bv_sweep_run( sweep, budget, done, result ) : status;
	control->run_tests += status == bv_ok ? tests_of( result ) - before : 0;
	return status;
}

// Continues the search of the first pair of the queue.
static bv_status search( bvw_control* control, uint32_t index, const bv_budget* budget )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	bv_sweep_result result;
	bool done = true;
	bv_status status = bv_ok;
	if ( control->input.sweep.mode == bv_sweep_mode_dynamic )
	{
		status = sweep_further( control, pair, budget, &done, &result );
	}
	else
	{
		status = sweep_at_once( control, pair, &result );
		control->run_tests += status == bv_ok ? tests_of( &result ) : 0;
	}
	if ( status != bv_ok )
	{
		return status;
	}
	control->swept += !pair->was_swept;
	pair->was_swept = true;
	pair->lower = bvmath_max( pair->lower, result.lower );
	result.at_start = result.at_start && result.lower == 0;
	if ( !done )
	{
		set_state( control, index, bvwcontrol_pair_waiting );
	}
	else if ( control->input.ignore_touching && result.at_start )
	{
		++control->touching;
		set_state( control, index, bvwcontrol_pair_ignored );
	}
	else if ( result.found || !result.complete )
	{
		pair->result = result;
		set_state( control, index, bvwcontrol_pair_found );
	}
	else
	{
		pair->lower = 1;
		set_state( control, index, bvwcontrol_pair_free );
	}
	return bv_ok;
}

// Stops a group where it is at a time.
BVSIMD_NOINLINE bv_status stop_group( bvw_control* control, uint32_t lead, double time )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	objects[lead].is_moving = false;
	objects[lead].stop = time;
	for ( uint32_t i = lead; i != BVWCONTROL_NONE; i = objects[i].next )
	{
		bvwcontrol_object* o = objects + i;
		if ( o->way != bvwcontrol_way_rest )
		{
			bv_transform at;
			bv_status status = bv_motion_at( &o->motion, time, &at );
			status = status == bv_ok ? bv_motion_still( &at, &o->rest ) : status;
			if ( status != bv_ok )
			{
				return status;
			}
		}
	}
	return bv_ok;
}

// Decides the pairs of a group that has stopped, or begins to search them again.
static void search_again( bvw_control* control, uint32_t lead, double time )
{
	const bvwcontrol_object* group = bvwcontrol_objects( control ) + lead;
	const uint32_t* links = (uint32_t*)bvwcontrol_at( control, control->links_at ) + group->links;
	for ( uint32_t i = 0; i < group->link_count; ++i )
	{
		bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + links[i];
		bool moves = bvwcontrol_lead_of( control, pair->a )->is_moving ||
		             bvwcontrol_lead_of( control, pair->b )->is_moving;
		if ( pair->state == bvwcontrol_pair_ignored )
		{
			continue;
		}
		free_slot( control, pair );
		pair->lower = moves ? bvwcontrol_bound( control, pair, time ) : 1;
		set_state( control, links[i], pair->lower < 1 ? bvwcontrol_pair_waiting : bvwcontrol_pair_free );
	}
}

static void stop_all( bvw_control* control, double time )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used && objects[i].is_moving )
		{
			objects[i].is_moving = false;
			objects[i].stop = time;
		}
	}
	while ( control->queue_count > 0 )
	{
		set_state( control, bvwcontrol_queue_first( control ), bvwcontrol_pair_free );
	}
}

// Makes the contact of a pair one of the step.
static bv_status take_contact( bvw_control* control, uint32_t index )
{
	const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	uint32_t number = control->contact_count++;
	double time = pair->lower;
	const uint32_t lead[2] = { bvwcontrol_objects( control )[pair->a].lead,
		                       bvwcontrol_objects( control )[pair->b].lead };
	bvwcontrol_contacts( control )[number] = ( bvw_control_contact ){ pair->a, pair->b, pair->result };
	bool moved[2];
	for ( int i = 0; i < 2; ++i )
	{
		bvwcontrol_object* group = bvwcontrol_objects( control ) + lead[i];
		group->contact = group->contact == BVW_NO_CONTACT ? number : group->contact;
		moved[i] = group->is_moving;
	}
	if ( control->input.rule == bvw_stop_all )
	{
		stop_all( control, time );
		return bv_ok;
	}
	bv_status status = bv_ok;
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		status = moved[i] ? stop_group( control, lead[i], time ) : bv_ok;
	}
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		if ( moved[i] )
		{
			search_again( control, lead[i], time );
		}
	}
	return status;
}

// The set of groups that may meet.
static uint32_t set_of( bvwcontrol_object* objects, uint32_t lead )
{
	while ( objects[lead].joined != lead )
	{
		objects[lead].joined = objects[objects[lead].joined].joined;
		lead = objects[lead].joined;
	}
	return lead;
}

static void join_groups( bvw_control* control )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		objects[i].joined = i;
		objects[i].safe = objects[i].is_moving ? 1 : objects[i].stop;
	}
	for ( uint32_t i = 0; i < control->pair_count; ++i )
	{
		const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + i;
		uint32_t a = objects[pair->a].lead;
		uint32_t b = objects[pair->b].lead;
		if ( pair->state != bvwcontrol_pair_ignored && objects[a].is_moving && objects[b].is_moving )
		{
			objects[set_of( objects, a )].joined = set_of( objects, b );
		}
	}
}

void bvwcontrol_answer( bvw_control* control )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	join_groups( control );
	for ( uint32_t i = 0; i < control->pair_count; ++i )
	{
		const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + i;
		uint32_t lead = objects[pair->a].lead;
		lead = objects[lead].is_moving ? lead : objects[pair->b].lead;
		if ( pair->queued != BVWCONTROL_NONE )
		{
			bvwcontrol_object* set = objects + set_of( objects, lead );
			set->safe = bvmath_min( set->safe, pair->lower );
		}
	}
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used && objects[i].is_moving )
		{
			// With the first contact of the scene, all groups stop.
			uint32_t from = control->input.rule == bvw_stop_all && control->queue_count > 0
			                    ? BVWCONTROL_NONE
			                    : set_of( objects, i );
			objects[i].safe = from == BVWCONTROL_NONE
			                      ? bvwcontrol_pairs( control )[bvwcontrol_queue_first( control )].lower
			                      : objects[from].safe;
		}
	}
}

void bvwcontrol_report( const bvw_control* control, bvw_control_report* report )
{
	if ( !report )
	{
		return;
	}
	const bvwcontrol_object* objects = bvwcontrol_objects( control );
	*report = ( bvw_control_report ){
		.done = control->phase == bvwcontrol_phase_done,
		.until = 1,
		.pairs = control->pair_count,
		.swept = control->swept,
		.open = control->queue_count,
		.touching = control->touching,
		.tests = control->run_tests,
		.contacts = bvwcontrol_contacts( control ),
		.contact_count = control->contact_count,
	};
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used && objects[i].lead == i && objects[i].has_moved )
		{
			report->until = bvmath_min( report->until, objects[i].safe );
		}
	}
}

// @return false if the budget is spent
static bool next_slice( const bvw_control* control, const bv_budget* budget, bv_budget* out )
{
	*out = ( bv_budget ){ .tests = tests_of_slice };
	if ( !budget )
	{
		return true;
	}
	*out = *budget;
	uint64_t left = budget->tests == 0                   ? UINT64_MAX
	                : budget->tests > control->run_tests ? budget->tests - control->run_tests
	                                                     : 0;
	out->tests = left < tests_of_slice ? left : tests_of_slice;
	return left > 0 && ( !budget->now || budget->now( budget->context ) < budget->until );
}

bv_status bvw_control_run( bvw_control* control, const bv_budget* budget, bvw_control_report* report )
{
	if ( !control || control->phase == bvwcontrol_phase_idle ||
	     ( budget && budget->now && isnan( budget->until ) ) )
	{
		return bv_error_argument;
	}
	bv_status status = bv_ok;
	bv_budget slice;
	control->run_tests = 0;
	while ( status == bv_ok && control->queue_count > 0 )
	{
		uint32_t first = bvwcontrol_queue_first( control );
		if ( bvwcontrol_pairs( control )[first].state == bvwcontrol_pair_found )
		{
			status = take_contact( control, first );
			continue;
		}
		if ( !next_slice( control, budget, &slice ) )
		{
			break;
		}
		status = search( control, first, &slice );
	}
	if ( status != bv_ok )
	{
		control->phase = bvwcontrol_phase_idle;
		return bv_error_argument;
	}
	control->phase = control->queue_count > 0 ? bvwcontrol_phase_search : bvwcontrol_phase_done;
	bvwcontrol_answer( control );
	bvwcontrol_report( control, report );
	return bv_ok;
}
