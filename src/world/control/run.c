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
#include "runtime/simd/bits.h"

#include <math.h>

// Of the groups that are to move, in a step with a budget.
static const double least_share = 0x1p-10;

// Mean times of their stops at which fewer groups move in the next step, and more.
static const double few_move = 0.5;
static const double most_move = 0.75;

enum
{
	tests_of_slice = 64, // of a pair, before another one may be the first; at least
};

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
		const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + links[i];
		bool moves = bvwcontrol_lead_of( control, pair->a )->is_moving ||
		             bvwcontrol_lead_of( control, pair->b )->is_moving;
		if ( pair->state == bvwcontrol_pair_ignored )
		{
			continue;
		}
		if ( moves )
		{
			bvwcontrol_restart( control, links[i], time );
		}
		else
		{
			bvwcontrol_set_state( control, links[i], bvwcontrol_pair_decided );
		}
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
		bvwcontrol_set_state( control, bvwcontrol_queue_first( control ), bvwcontrol_pair_decided );
	}
}

// Stops the groups of a pair.
static bv_status stop_both( bvw_control* control, const bvwcontrol_pair* pair )
{
	const uint32_t lead[2] = { bvwcontrol_objects( control )[pair->a].lead,
		                       bvwcontrol_objects( control )[pair->b].lead };
	double time = pair->lower;
	bool stops[2];
	bv_status status = bv_ok;
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		stops[i] = bvwcontrol_objects( control )[lead[i]].is_moving;
		status = stops[i] ? stop_group( control, lead[i], time ) : bv_ok;
	}
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		if ( stops[i] )
		{
			search_again( control, lead[i], time );
		}
	}
	return status;
}

// Makes what was found of a pair a contact of the step, if there is one, and stops its groups.
static bv_status take_result( bvw_control* control, uint32_t index )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	bool is_contact = pair->result.found;
	uint32_t number = control->contact_count;
	pair->has_stopped = true;
	control->undecided += !is_contact;
	for ( int i = 0; i < 2; ++i )
	{
		bvwcontrol_object* group = bvwcontrol_lead_of( control, i == 0 ? pair->a : pair->b );
		group->contact = is_contact && group->contact == BVW_NO_CONTACT ? number : group->contact;
		group->is_undecided |= group->is_moving && !is_contact;
		group->was_untried |= group->is_moving && !is_contact && !pair->was_swept;
	}
	if ( is_contact )
	{
		bvwcontrol_contacts( control )[number] = ( bvw_control_contact ){ pair->a, pair->b, pair->result };
		++control->contact_count;
	}
	if ( control->input.rule == bvw_stop_all )
	{
		stop_all( control, pair->lower );
		return bv_ok;
	}
	return stop_both( control, pair );
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
		objects[i].is_open = false;
		objects[i].safe = objects[i].is_moving ? 1 : objects[i].stop;
	}
	// Nothing waits at the end.
	uint32_t count = control->queue_count > 0 ? control->pair_count : 0;
	for ( uint32_t i = 0; i < count; ++i )
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
	const uint32_t* queue = bvwcontrol_at( control, control->queue_at );
	for ( uint32_t i = 0; i < control->queue_count; ++i )
	{
		const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + queue[i];
		uint32_t lead = objects[pair->a].lead;
		lead = objects[lead].is_moving ? lead : objects[pair->b].lead;
		bvwcontrol_object* set = objects + set_of( objects, lead );
		set->safe = bvmath_min( set->safe, pair->lower );
		set->is_open = true;
	}
	// The first contact of the scene stops all groups.
	bool stops_all = control->input.rule == bvw_stop_all && control->queue_count > 0;
	double first = stops_all ? bvwcontrol_pairs( control )[bvwcontrol_queue_first( control )].lower : 1;
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used && objects[i].is_moving )
		{
			const bvwcontrol_object* set = objects + set_of( objects, i );
			objects[i].safe = stops_all ? first : set->safe;
			objects[i].is_open = stops_all || set->is_open;
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
		.done = control->queue_count == 0 && control->undecided == 0 && control->held == 0,
		.until = 1,
		.pairs = control->pair_count,
		.swept = control->swept,
		.open = control->queue_count,
		.undecided = control->undecided,
		.touching = control->touching,
		.held = control->held,
		.tests = control->run_tests,
		.contacts = bvwcontrol_contacts( control ),
		.contact_count = control->contact_count,
	};
	double sum = 0;
	uint32_t groups = 0;
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used && objects[i].lead == i && objects[i].has_moved )
		{
			report->until = bvmath_min( report->until, objects[i].safe );
			sum += objects[i].safe;
			++groups;
		}
	}
	report->mean = groups > 0 ? sum / groups : 1;
}

// The part of the budget that a pair gets before another one may be the first. If its sweep has begun again, this is as much as was lost:
// tests that are lost are no more than a constant part of all.
// @return false if the budget is spent
static bool next_slice( const bvw_control* control, const bvwcontrol_pair* pair, const bv_budget* budget,
                        bv_budget* out )
{
	uint64_t most = pair->spent > tests_of_slice ? pair->spent : tests_of_slice;
	*out = ( bv_budget ){ .tests = most };
	if ( !budget )
	{
		return true;
	}
	*out = *budget;
	uint64_t left = budget->tests == 0                   ? UINT64_MAX
	                : budget->tests > control->run_tests ? budget->tests - control->run_tests
	                                                     : 0;
	out->tests = left < most ? left : most;
	return left > 0 && ( !budget->now || budget->now( budget->context ) < budget->until );
}

// Reports what is known, or ends a step in which a callback returned a pose that is not valid.
BVSIMD_NOINLINE bv_status report_step( bvw_control* control, bv_status status, bvw_control_report* report )
{
	if ( status != bv_ok )
	{
		control->is_active = false;
		return bv_error_argument;
	}
	bvwcontrol_answer( control );
	bvwcontrol_report( control, report );
	return bv_ok;
}

static bool is_budget( const bv_budget* budget )
{
	return !( budget && budget->now && isnan( budget->until ) );
}

// Searches pairs until all are decided or the budget is spent. Not part of its callers, whose stack broad phases need.
BVSIMD_NOINLINE bv_status run( bvw_control* control, const bv_budget* budget )
{
	bv_status status = bv_ok;
	bv_budget slice;
	control->run_tests = 0;
	while ( status == bv_ok && control->queue_count > 0 )
	{
		uint32_t first = bvwcontrol_queue_first( control );
		if ( bvwcontrol_pairs( control )[first].state == bvwcontrol_pair_found )
		{
			status = take_result( control, first );
		}
		else if ( next_slice( control, bvwcontrol_pairs( control ) + first, budget, &slice ) )
		{
			status = bvwcontrol_search( control, first, &slice );
		}
		else
		{
			break;
		}
	}
	return status;
}

bv_status bvw_control_run( bvw_control* control, const bv_budget* budget, bvw_control_report* report )
{
	return control && control->is_active && is_budget( budget )
	           ? report_step( control, run( control, budget ), report )
	           : bv_error_argument;
}

bv_status bvwcontrol_finish( bvw_control* control )
{
	bv_status status = bv_ok;
	while ( status == bv_ok && control->queue_count > 0 )
	{
		uint32_t first = bvwcontrol_queue_first( control );
		if ( bvwcontrol_pairs( control )[first].state == bvwcontrol_pair_found )
		{
			status = take_result( control, first );
		}
		else
		{
			bvwcontrol_give_up( control, first );
		}
	}
	return status;
}

bv_status bvw_control_finish( bvw_control* control, bvw_control_report* report )
{
	if ( !control || !control->is_active )
	{
		return bv_error_argument;
	}
	control->run_tests = 0;
	return report_step( control, bvwcontrol_finish( control ), report );
}

// Fewer groups move after a step in which those that were to move have hardly done so, and more after one in which they have.
BVSIMD_NOINLINE double next_share( const bvw_control* control )
{
	const bvwcontrol_object* objects = bvwcontrol_objects( control );
	double sum = 0;
	uint32_t groups = 0;
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		const bvwcontrol_object* o = objects + i;
		if ( o->is_used && o->lead == i && o->has_moved && !o->is_held )
		{
			// Contacts are no reason to hold back anything.
			sum += o->is_undecided ? o->stop : 1;
			++groups;
		}
	}
	double factor = sum < few_move * groups ? 0.7 : sum > most_move * groups ? 1.25 : 1;
	return bvmath_max( least_share, bvmath_min( factor * control->share, 1 ) );
}

// Begins the search, and leaves time for the end of the step: to restart pairs then takes about as long as to begin with all of them.
BVSIMD_NOINLINE bv_budget begin_search( bvw_control* control, const bv_budget* budget )
{
	bv_budget out = *budget;
	double before = budget->now ? budget->now( budget->context ) : 0;
	bvwcontrol_begin_search( control );
	out.until -= budget->now ? budget->now( budget->context ) - before : 0;
	return out;
}

bv_status bvw_control_step( bvw_control* control, const bvw_control_input* input, const bv_budget* budget,
                            bvw_control_report* report )
{
	static const bv_budget no_limit = { .tests = 0 };
	if ( !is_budget( budget ) )
	{
		return bv_error_argument;
	}
	bv_status status = bvwcontrol_find( control, input, control && budget ? control->share : 1 );
	if ( status != bv_ok )
	{
		return status;
	}
	bv_budget part = begin_search( control, budget ? budget : &no_limit );
	status = run( control, &part );
	status = status == bv_ok ? bvwcontrol_finish( control ) : status;
	control->share = status == bv_ok && budget ? next_share( control ) : control->share;
	return report_step( control, status, report );
}
