// The search of a pair. See control.h.
//
// Objects stop before they touch, at a small distance, the clearance: with none, the next step could not tell that they are apart, and they
// could never leave each other. A sweep with the clearance as part of the separation finds the time.
//
// If the objects are nearer than the clearance when they begin to move, a sweep with a quarter of it follows, then with a sixteenth. Without
// a contact they are free. With a contact at time t, they approach each other in the end. A last sweep, with the whole clearance, begins half way to
// t: if they have come apart by then, they stop where it finds a contact, and else where they are. So objects that are pushed towards each
// other stay where they are instead of coming nearer step by step.

#include "world/control/control.h"

#include "runtime/math/vec.h"
#include "runtime/motion/sweep.h"
#include "runtime/simd/bits.h"

enum
{
	most_nearness = 2,
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

static uint64_t tests_of( const bv_sweep_result* r )
{
	return r->volume_tests + r->triangle_tests + r->steps;
}

// A sweep begins again later, where it was.
static void drop_sweep( bvw_control* control, bvwcontrol_pair* pair )
{
	bv_sweep_result result;
	if ( bv_sweep_look( memory_of( control, pair->slot ), NULL, &result ) == bv_ok )
	{
		pair->spent += tests_of( &result );
	}
	free_slot( control, pair );
}

// A slot that is free, or that of the pair that is last in the queue.
BVSIMD_NOINLINE uint32_t choose_slot( bvw_control* control )
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
	drop_sweep( control, pairs + slots[last] );
	return last;
}

void bvwcontrol_set_state( bvw_control* control, uint32_t index, bvwcontrol_pair_state state )
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

void bvwcontrol_restart( bvw_control* control, uint32_t index, double begin )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	free_slot( control, pair );
	pair->stage = bvwcontrol_stage_far;
	pair->nearness = 0;
	pair->is_given_up = false;
	pair->spent = 0;
	pair->begin = begin;
	pair->lower = bvwcontrol_bound( control, pair, begin );
	bvwcontrol_set_state( control, index,
	                      pair->lower < 1 ? bvwcontrol_pair_waiting : bvwcontrol_pair_decided );
}

void bvwcontrol_give_up( bvw_control* control, uint32_t index )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	pair->is_given_up = true;
	pair->result = ( bv_sweep_result ){ .lower = pair->lower, .upper = INFINITY };
	bvwcontrol_set_state( control, index, bvwcontrol_pair_found );
}

// The options of a pair's sweep. In the first stage it begins at the time until which the pair is free.
static bv_sweep_options options_of( const bvw_control* control, const bvwcontrol_pair* pair )
{
	bv_sweep_options options = control->input.sweep;
	double part = pair->stage == bvwcontrol_stage_near ? 1.0 / ( 1 << 2 * pair->nearness ) : 1;
	options.from = pair->stage == bvwcontrol_stage_far ? pair->lower : pair->from;
	options.separation += part * pair->clearance;
	if ( options.most_tests > 0 )
	{
		options.most_tests = options.most_tests > pair->spent ? options.most_tests - pair->spent : 1;
	}
	return options;
}

static bv_status begin_sweep( bvw_control* control, bvwcontrol_pair* pair, bv_sweep** sweep )
{
	bv_sweep_options options = options_of( control, pair );
	uint32_t slot = choose_slot( control );
	bv_status status =
		bv_sweep_begin( bvwcontrol_file_of( control, pair->a ), bvwcontrol_motion_of( control, pair->a ),
	                    bvwcontrol_file_of( control, pair->b ), bvwcontrol_motion_of( control, pair->b ),
	                    &options, memory_of( control, slot ), control->options.sweep_bytes, sweep );
	if ( status == bv_ok )
	{
		slots_of( control )[slot] = (uint32_t)( pair - bvwcontrol_pairs( control ) );
		pair->slot = slot;
	}
	return status;
}

// Searches a pair in a mode that cannot be interrupted. No sweep is kept then: the memory of the first one is free.
static bv_status sweep_at_once( bvw_control* control, const bvwcontrol_pair* pair, bv_sweep_result* result )
{
	uint64_t* memory = memory_of( control, 0 );
	bv_sweep_options options = options_of( control, pair );
	options.scratch = memory + bvmotion_sweep_words;
	options.scratch_bytes = control->options.sweep_bytes - bvmotion_sweep_words * sizeof *memory;
	bv_status status = bvmotion_sweep_meshes_in(
		memory, bvwcontrol_file_of( control, pair->a ), bvwcontrol_motion_of( control, pair->a ),
		bvwcontrol_file_of( control, pair->b ), bvwcontrol_motion_of( control, pair->b ), &options, result );
	control->run_tests += status == bv_ok ? tests_of( result ) : 0;
	return status;
}

// Continues the sweep of a pair.
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

// A time before another one, at which an object has not jumped yet if it jumps then. Not before the objects of the pair began to move.
static double before( const bvwcontrol_pair* pair, double time )
{
	return bvmath_max( pair->begin, time * ( 1 - 0x1p-52 ) );
}

static void go_to_stage( bvw_control* control, uint32_t index, bvwcontrol_stage stage, double from )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	free_slot( control, pair );
	pair->stage = stage;
	pair->nearness += stage == bvwcontrol_stage_near;
	pair->spent = 0;
	pair->from = from;
	bvwcontrol_set_state( control, index, bvwcontrol_pair_waiting );
}

// Makes a contact of the pair, at a time.
static void find_contact( bvw_control* control, uint32_t index, const bv_sweep_result* result, double time )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	pair->result = *result;
	pair->result.at_start = result->found && time == 0;
	pair->result.lower = time;
	pair->lower = bvmath_max( pair->lower, before( pair, time ) );
	bvwcontrol_set_state( control, index, bvwcontrol_pair_found );
}

// Whether objects that are near when they begin to move touch then: their points are a bound of their distance. The time alone does not
// tell if they do so then or soon after.
static bool touch_at_begin( const bvw_control* control, const bvwcontrol_pair* pair,
                            const bv_sweep_result* r )
{
	double least = pair->clearance / ( 1 << 2 * most_nearness );
	return least == 0 ||
	       bv_length( bv_sub( r->point[1], r->point[0] ) ) <= control->input.sweep.separation + least;
}

// Uses what a sweep has found.
static void use_result( bvw_control* control, uint32_t index, const bv_sweep_result* r )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	// They are no farther apart than the sweep asks for when they begin to move.
	bool is_near = r->found && r->at_start && r->lower <= pair->begin;
	bool touches = is_near && touch_at_begin( control, pair, r );
	if ( pair->stage == bvwcontrol_stage_apart )
	{
		bool was_apart = r->found && r->complete && !r->at_start;
		find_contact( control, index, was_apart ? r : &pair->result, was_apart ? r->lower : pair->begin );
	}
	else if ( !r->found && r->complete )
	{
		pair->lower = 1;
		bvwcontrol_set_state( control, index, bvwcontrol_pair_decided );
	}
	else if ( is_near && pair->nearness < most_nearness && pair->clearance > 0 && !touches )
	{
		go_to_stage( control, index, bvwcontrol_stage_near, pair->begin );
	}
	else if ( touches && pair->begin == 0 && control->input.ignore_touching )
	{
		++control->touching;
		bvwcontrol_set_state( control, index, bvwcontrol_pair_ignored );
	}
	else if ( pair->stage == bvwcontrol_stage_near && !is_near && r->found && r->complete )
	{
		pair->result = *r;
		go_to_stage( control, index, bvwcontrol_stage_apart, 0.5 * ( pair->begin + r->lower ) );
	}
	else
	{
		bool is_first = pair->stage == bvwcontrol_stage_far;
		find_contact( control, index, r, is_first ? bvmath_max( pair->lower, r->lower ) : pair->begin );
	}
}

bv_status bvwcontrol_search( bvw_control* control, uint32_t index, const bv_budget* budget )
{
	bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	bv_sweep_result result;
	bool done = true;
	bv_status status = control->input.sweep.mode == bv_sweep_mode_dynamic
	                       ? sweep_further( control, pair, budget, &done, &result )
	                       : sweep_at_once( control, pair, &result );
	if ( status != bv_ok )
	{
		return status;
	}
	control->swept += !pair->was_swept;
	pair->was_swept = true;
	if ( done )
	{
		use_result( control, index, &result );
	}
	else if ( pair->stage == bvwcontrol_stage_far )
	{
		pair->lower = bvmath_max( pair->lower, before( pair, result.lower ) );
		bvwcontrol_set_state( control, index, bvwcontrol_pair_waiting );
	}
	return bv_ok;
}
