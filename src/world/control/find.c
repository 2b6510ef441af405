// The begin of a step: groups, motions, and pairs that are near each other. See control.h.

#include "world/control/control.h"

#include "runtime/file/layout.h"
#include "runtime/math/range.h"
#include "runtime/math/vec.h"
#include "runtime/motion/approach.h"
#include "runtime/motion/sweep.h"
#include "runtime/simd/bits.h"

#include "bvworld/scene.h"

#include <math.h>
#include <string.h>

BVSIMD_NOINLINE bool is_input( const bvw_control_input* input )
{
	const bv_sweep_options* s = &input->sweep;
	bv_sweep_options complete;
	return ( input->files || input->file_count == 0 ) && (unsigned)input->rule < bvw_stop_rules &&
	       s->from == 0 && s->limit == 0 && !s->scratch && bvmath_is_length( input->clearance ) &&
	       bvmotion_sweep_options( s, &complete );
}

static void begin_object( bvwcontrol_object* o, uint32_t number )
{
	o->lead = number;
	o->next = BVWCONTROL_NONE;
	o->is_moving = o->has_moved = o->is_prepared = o->is_held = o->is_undecided = o->was_untried =
		o->has_axis = false;
	o->stop = o->safe = 1;
	o->contact = BVW_NO_CONTACT;
	o->joined = number;
	o->links = o->link_count = 0;
}

// Links the objects of each group, and sets their leads, and which groups move.
BVSIMD_NOINLINE void find_groups( bvw_control* control )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	uint32_t* leads = bvwcontrol_at( control, control->leads_at );
	uint32_t count = control->options.broadphase.objects;
	memset( leads, 0xff, ( count + (size_t)1 ) * sizeof *leads );
	for ( uint32_t i = count; i-- > 0; )
	{
		begin_object( objects + i, i );
		if ( objects[i].is_used && objects[i].group > 0 )
		{
			objects[i].next = leads[objects[i].group];
			leads[objects[i].group] = i;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvwcontrol_object* o = objects + i;
		if ( o->is_used )
		{
			o->lead = o->group > 0 ? leads[o->group] : i;
			bool is_moving = o->way != bvwcontrol_way_rest;
			objects[o->lead].is_moving |= is_moving;
			objects[o->lead].has_moved |= is_moving;
		}
	}
}

// Lets those groups move that were held back or stopped by budgets for the longest time, and holds the others back.
BVSIMD_NOINLINE void hold_back( bvw_control* control, double share )
{
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	uint32_t count = control->options.broadphase.objects;
	uint32_t groups[bvwcontrol_most_starved + 1] = { 0 }; // of each number of steps
	uint32_t all = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		groups[objects[i].starved] += objects[i].is_moving;
		all += objects[i].is_moving;
	}
	uint32_t left = (uint32_t)( share * all );
	left += left < all && left < share * all;
	uint32_t allowed[bvwcontrol_most_starved + 1];
	for ( uint32_t k = bvwcontrol_most_starved + 1; k-- > 0; )
	{
		allowed[k] = groups[k] < left ? groups[k] : left;
		left -= allowed[k];
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvwcontrol_object* o = objects + i;
		if ( o->is_moving && allowed[o->starved] > 0 )
		{
			--allowed[o->starved];
		}
		else if ( o->is_moving )
		{
			o->is_moving = false;
			o->is_held = true;
			o->stop = 0;
			++control->held;
		}
	}
}

// The index of a file can mean another one than in the step before.
static uint64_t hash_of( const bv_file* file )
{
	return ( (const bvfile_header*)file )->hash;
}

// Half a turn has two ways. Objects of a group take the same one.
static void turn_as_group( bvwcontrol_object* group, bv_motion* motion )
{
	static const double pi = 3.14159265358979323846;
	static const double near_half = 3.14; // turns that differ by less go the same way anyway
	if ( motion->kind != bv_motion_of_turn || motion->angle < near_half )
	{
		return;
	}
	if ( !group->has_axis )
	{
		group->has_axis = true;
		group->axis = motion->axis;
	}
	else if ( bv_dot( group->axis, motion->axis ) < 0 )
	{
		motion->axis = bv_negate( motion->axis );
		motion->angle = 2 * pi - motion->angle;
	}
}

// Sets how an object moves to its goal. Not part of its caller, whose stack broad phases need; so are others.
BVSIMD_NOINLINE bv_status set_motion( bvw_control* control, uint32_t number )
{
	bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	bvwcontrol_object* lead = bvwcontrol_lead_of( control, number );
	bv_vec3 pivot = o->pivot;
	if ( lead != o )
	{
		// The pivot of the lead, as seen from this object.
		bv_transform back = bv_transform_between( &o->placement, &lead->placement );
		pivot = bv_transform_point( &back, lead->pivot );
	}
	bv_status status = bv_motion_slerp( &o->placement, &o->goal, pivot, &o->motion );
	if ( status == bv_ok )
	{
		turn_as_group( lead, &o->motion );
	}
	return status;
}

// What objects keep to others: enough for the next sweep to see that they are apart, wherever they are. Sweeps round by less than 2^-45
// of coordinates.
static double clearance_of( const bvw_control* control, const bvwcontrol_object* o )
{
	if ( control->input.sweep.mode != bv_sweep_mode_dynamic || control->input.clearance > 0 )
	{
		return control->input.sweep.mode == bv_sweep_mode_dynamic ? control->input.clearance : 0;
	}
	const bv_transform* t = &o->placement;
	double size =
		t->scale * ( bvmath_norm1( o->ball.center ) + o->ball.radius ) + bvmath_norm1( t->pose.translation );
	return 0x1p-20 * t->scale * o->ball.radius + 0x1p-36 * size;
}

// Sets what the search of pairs needs of an object.
BVSIMD_NOINLINE bv_status prepare( bvw_control* control, uint32_t number )
{
	bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	if ( o->is_prepared )
	{
		return bv_ok;
	}
	o->is_prepared = true;
	if ( !bvmotion_mesh_ball( bvwcontrol_file_of( control, number ), &o->ball ) )
	{
		return bv_error_argument;
	}
	o->clearance = clearance_of( control, o );
	return bv_motion_still( &o->placement, &o->rest );
}

static void enlarge( bv_aabb* box, double by )
{
	by *= 1 + 0x1p-40;
	box->lower = bv_sub( box->lower, bv_vec3_make( by, by, by ) );
	box->upper = bv_add( box->upper, bv_vec3_make( by, by, by ) );
}

// Gives the broad phase the box that an object moves in.
BVSIMD_NOINLINE bv_status set_box( bvw_control* control, uint32_t number )
{
	bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	const bv_file* file = bvwcontrol_file_of( control, number );
	bvw_object in_phase = { .category = o->category, .mask = o->mask, .group = o->group };
	bool is_moving = o->way != bvwcontrol_way_rest;
	bv_status status = is_moving ? bvw_file_swept_box( file, &o->motion, 0, 1, &in_phase.box )
	                             : bvw_file_box( file, &o->placement, &in_phase.box );
	if ( status != bv_ok )
	{
		return status;
	}
	// Of two objects that are near each other, one moves.
	enlarge( &in_phase.box, is_moving ? control->input.sweep.separation + o->clearance : 0 );
	status = o->is_in_phase ? bvw_broadphase_move( bvwcontrol_broadphase( control ), number, &in_phase.box )
	                        : bvw_broadphase_add( bvwcontrol_broadphase( control ), number, &in_phase );
	o->is_in_phase |= status == bv_ok;
	o->is_placed = status == bv_ok && !is_moving;
	o->file_hash = hash_of( file );
	return status;
}

// Objects that rest where they rested before cost nothing.
BVSIMD_NOINLINE bv_status set_objects( bvw_control* control )
{
	const bvwcontrol_object* objects = bvwcontrol_objects( control );
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < control->options.broadphase.objects && status == bv_ok; ++i )
	{
		const bvwcontrol_object* o = objects + i;
		if ( !o->is_used )
		{
			continue;
		}
		const bv_file* file = bvwcontrol_file_of( control, i );
		status = file ? bv_ok : bv_error_argument;
		if ( status == bv_ok && o->way == bvwcontrol_way_goal )
		{
			status = set_motion( control, i );
		}
		if ( status == bv_ok &&
		     ( o->way != bvwcontrol_way_rest || !o->is_placed || o->file_hash != hash_of( file ) ) )
		{
			status = prepare( control, i );
			status = status == bv_ok ? set_box( control, i ) : status;
		}
	}
	return status;
}

static bool moves( const bvw_control* control, uint32_t number )
{
	return bvwcontrol_objects( control )[number].way != bvwcontrol_way_rest &&
	       bvwcontrol_lead_of( control, number )->is_moving;
}

// Takes the pairs of which one moves.
static bv_status take_pairs( bvw_control* control )
{
	bvw_pair* near = bvwcontrol_at( control, control->near_at );
	bvwcontrol_pair* pairs = bvwcontrol_pairs( control );
	const bvw_control_input* input = &control->input;
	uint32_t count = 0;
	bvw_changes changes;
	bv_status status = bvw_broadphase_update( bvwcontrol_broadphase( control ), &changes );
	status = status == bv_ok ? bvw_broadphase_pairs( bvwcontrol_broadphase( control ), near,
	                                                 control->options.broadphase.pairs, &count )
	                         : status;
	control->pair_count = 0;
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		uint32_t a = near[i].a;
		uint32_t b = near[i].b;
		if ( ( moves( control, a ) || moves( control, b ) ) &&
		     ( !input->callback || input->callback( input->context, a, b ) ) )
		{
			bvwcontrol_pair* pair = pairs + control->pair_count++;
			memset( pair, 0, sizeof *pair );
			pair->a = a;
			pair->b = b;
			pair->slot = pair->queued = BVWCONTROL_NONE;
			status = prepare( control, a );
			status = status == bv_ok ? prepare( control, b ) : status;
			const bvwcontrol_object* objects = bvwcontrol_objects( control );
			pair->clearance = bvmath_min( objects[a].clearance, objects[b].clearance );
		}
	}
	return status;
}

// Lists the pairs of each group.
BVSIMD_NOINLINE void link_pairs( bvw_control* control )
{
	const bvwcontrol_pair* pairs = bvwcontrol_pairs( control );
	uint32_t* links = bvwcontrol_at( control, control->links_at );
	bvwcontrol_object* objects = bvwcontrol_objects( control );
	uint32_t at = 0;
	for ( uint32_t i = 0; i < control->pair_count; ++i )
	{
		++bvwcontrol_lead_of( control, pairs[i].a )->link_count;
		++bvwcontrol_lead_of( control, pairs[i].b )->link_count;
	}
	for ( uint32_t i = 0; i < control->options.broadphase.objects; ++i )
	{
		if ( objects[i].is_used )
		{
			objects[i].links = at;
			at += objects[i].link_count;
			objects[i].link_count = 0;
		}
	}
	for ( uint32_t i = 0; i < control->pair_count; ++i )
	{
		bvwcontrol_object* lead[2] = { bvwcontrol_lead_of( control, pairs[i].a ),
			                           bvwcontrol_lead_of( control, pairs[i].b ) };
		for ( int k = 0; k < 2; ++k )
		{
			links[lead[k]->links + lead[k]->link_count++] = i;
		}
	}
}

bv_status bvwcontrol_find( bvw_control* control, const bvw_control_input* input, double share )
{
	if ( control )
	{
		control->is_active = false;
	}
	if ( !control || !input || !is_input( input ) )
	{
		return bv_error_argument;
	}
	control->input = *input;
	control->queue_count = control->contact_count = control->swept = control->touching = 0;
	control->undecided = control->held = 0;
	control->run_tests = 0;
	memset( bvwcontrol_at( control, control->slots_at ), 0xff, control->options.sweeps * sizeof( uint32_t ) );
	find_groups( control );
	hold_back( control, share );
	bv_status status = set_objects( control );
	status = status == bv_ok ? take_pairs( control ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	link_pairs( control );
	return bv_ok;
}

void bvwcontrol_begin_search( bvw_control* control )
{
	for ( uint32_t i = 0; i < control->pair_count; ++i )
	{
		bvwcontrol_restart( control, i, 0 );
	}
	control->is_active = true;
	bvwcontrol_answer( control );
}

bv_status bvw_control_find( bvw_control* control, const bvw_control_input* input, bvw_control_report* report )
{
	bv_status status = bvwcontrol_find( control, input, 1 );
	if ( status == bv_ok )
	{
		bvwcontrol_begin_search( control );
		bvwcontrol_report( control, report );
	}
	return status;
}
