// Controls: their memory and their objects. See control.h.

#include "world/control/control.h"

#include "runtime/math/range.h"

#include <string.h>

static const uint64_t magic = UINT64_C( 0x316c6f72746e6f63 ); // "control1"

enum
{
	usual_sweeps = 16,
	most_sweep_bytes = 1 << 30,
};

bvw_control_options bvw_control_options_default( void )
{
	return ( bvw_control_options ){ .sweeps = 0 };
}

// @return false if an option is out of range
static bool complete( const bvw_control_options* options, bvw_control_options* out )
{
	if ( !options || bvw_broadphase_bytes( &options->broadphase ) == 0 || options->sweeps > BVW_MAX_SWEEPS ||
	     ( options->sweep_bytes > 0 && options->sweep_bytes < BV_SWEEP_LEAST ) ||
	     options->sweep_bytes > most_sweep_bytes || options->broadphase.workers > 1 )
	{
		return false;
	}
	const bvw_broadphase_options* b = &options->broadphase;
	// Member by member: the bytes between members remain zero.
	out->broadphase.objects = b->objects;
	out->broadphase.pairs = b->pairs > 0 ? b->pairs : 4 * b->objects + 64;
	out->broadphase.method = b->method;
	out->broadphase.moving = b->moving;
	out->broadphase.store = b->store;
	out->broadphase.margin = b->margin;
	out->broadphase.workers = b->workers;
	out->sweeps = options->sweeps > 0 ? options->sweeps : usual_sweeps;
	out->sweep_bytes = options->sweep_bytes > 0 ? ( options->sweep_bytes + 7 ) & ~(size_t)7 : BV_SWEEP_AMPLE;
	return true;
}

// @return where the next array begins
static uint64_t add_array( uint64_t* where, uint64_t at, uint64_t count, uint64_t size )
{
	*where = at;
	return ( at + count * size + 7 ) & ~(uint64_t)7;
}

static uint64_t lay_out( bvw_control* head )
{
	const bvw_control_options* o = &head->options;
	uint64_t objects = o->broadphase.objects;
	uint64_t pairs = o->broadphase.pairs;
	uint64_t at = ( sizeof *head + 7 ) & ~(uint64_t)7;
	at = add_array( &head->phase_at, at, 1, bvw_broadphase_bytes( &o->broadphase ) );
	at = add_array( &head->objects_at, at, objects, sizeof( bvwcontrol_object ) );
	at = add_array( &head->leads_at, at, objects + 1, sizeof( uint32_t ) );
	at = add_array( &head->near_at, at, pairs, sizeof( bvw_pair ) );
	at = add_array( &head->pairs_at, at, pairs, sizeof( bvwcontrol_pair ) );
	at = add_array( &head->queue_at, at, pairs, sizeof( uint32_t ) );
	at = add_array( &head->links_at, at, 2 * pairs, sizeof( uint32_t ) );
	at = add_array( &head->contacts_at, at, objects, sizeof( bvw_control_contact ) );
	at = add_array( &head->slots_at, at, o->sweeps, sizeof( uint32_t ) );
	return add_array( &head->sweeps_at, at, o->sweeps, o->sweep_bytes );
}

size_t bvw_control_bytes( const bvw_control_options* options )
{
	bvw_control head;
	memset( &head, 0, sizeof head );
	uint64_t bytes = complete( options, &head.options ) ? lay_out( &head ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

bv_status bvw_control_begin( void* memory, size_t bytes, const bvw_control_options* options,
                             bvw_control** out )
{
	size_t needed = bvw_control_bytes( options );
	if ( !memory || !out || (uintptr_t)memory % 8 != 0 || needed == 0 )
	{
		return bv_error_argument;
	}
	if ( bytes < needed )
	{
		return bv_error_memory;
	}
	bvw_control* control = memory;
	memset( memory, 0, needed );
	complete( options, &control->options );
	lay_out( control );
	control->magic = magic;
	control->bytes = needed;
	control->share = 1;
	bvw_broadphase* phase;
	bv_status status =
		bvw_broadphase_begin( bvwcontrol_broadphase( control ), control->objects_at - control->phase_at,
	                          &control->options.broadphase, &phase );
	*out = status == bv_ok ? control : *out;
	return status;
}

static bool is_placement( const bv_transform* t )
{
	return t && bv_transform_is_valid( t ) && bvmath_is_in_range( t->pose.translation );
}

static bvwcontrol_object* find_object( const bvw_control* control, uint32_t number )
{
	bvwcontrol_object* o = control && number < control->options.broadphase.objects
	                           ? bvwcontrol_objects( control ) + number
	                           : NULL;
	return o && o->is_used ? o : NULL;
}

static void end_step( bvw_control* control )
{
	control->is_active = false;
	memset( &control->input, 0, sizeof control->input );
}

// The bytes between members remain zero.
static void copy( const bv_transform* from, bv_transform* out )
{
	out->pose = from->pose;
	out->scale = from->scale;
	out->mirror = from->mirror;
}

static void set_placement( bvwcontrol_object* o, const bv_transform* placement )
{
	copy( placement, &o->placement );
	o->way = bvwcontrol_way_rest;
	o->is_placed = false;
}

bv_status bvw_control_add( bvw_control* control, uint32_t number, const bvw_control_object* object )
{
	uint32_t objects = control ? control->options.broadphase.objects : 0;
	if ( !object || number >= objects || find_object( control, number ) ||
	     !is_placement( &object->placement ) || !bvmath_is_in_range( object->pivot ) ||
	     object->group > objects )
	{
		return bv_error_argument;
	}
	bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	end_step( control );
	memset( o, 0, sizeof *o );
	o->file = object->file;
	o->group = object->group;
	o->category = object->category;
	o->mask = object->mask;
	o->pivot = object->pivot;
	o->is_used = true;
	set_placement( o, &object->placement );
	return bv_ok;
}

bv_status bvw_control_remove( bvw_control* control, uint32_t number )
{
	bvwcontrol_object* o = find_object( control, number );
	if ( !o )
	{
		return bv_error_argument;
	}
	end_step( control );
	if ( o->is_in_phase )
	{
		bvw_broadphase_remove( bvwcontrol_broadphase( control ), number );
	}
	memset( o, 0, sizeof *o );
	return bv_ok;
}

bool bvw_control_get( const bvw_control* control, uint32_t number, bvw_control_object* out )
{
	const bvwcontrol_object* o = find_object( control, number );
	if ( !o || !out )
	{
		return false;
	}
	*out = ( bvw_control_object ){ o->file, o->placement, o->pivot, o->group, o->category, o->mask };
	return true;
}

bv_status bvw_control_set_placement( bvw_control* control, uint32_t number, const bv_transform* placement )
{
	bvwcontrol_object* o = find_object( control, number );
	if ( !o || !is_placement( placement ) )
	{
		return bv_error_argument;
	}
	end_step( control );
	set_placement( o, placement );
	return bv_ok;
}

bv_status bvw_control_set_goal( bvw_control* control, uint32_t number, const bv_transform* goal )
{
	bvwcontrol_object* o = find_object( control, number );
	bv_motion motion;
	if ( !o || ( goal && bv_motion_slerp( &o->placement, goal, o->pivot, &motion ) != bv_ok ) )
	{
		return bv_error_argument;
	}
	end_step( control );
	o->way = goal ? bvwcontrol_way_goal : bvwcontrol_way_rest;
	if ( goal )
	{
		copy( goal, &o->goal );
	}
	return bv_ok;
}

bv_status bvw_control_set_motion( bvw_control* control, uint32_t number, const bv_motion* motion )
{
	bvwcontrol_object* o = find_object( control, number );
	bv_transform start;
	if ( !o || !bv_motion_is_valid( motion ) )
	{
		return bv_error_argument;
	}
	bv_status status = bv_motion_at( motion, 0, &start );
	if ( status == bv_ok )
	{
		end_step( control );
		set_placement( o, &start );
		o->motion = *motion;
		o->way = bvwcontrol_way_motion;
	}
	return status;
}

bv_status bvw_control_get_stop( const bvw_control* control, uint32_t number, bvw_stop* out )
{
	if ( !find_object( control, number ) || !out || !control->is_active )
	{
		return bv_error_argument;
	}
	const bvwcontrol_object* lead = bvwcontrol_lead_of( control, number );
	*out = ( bvw_stop ){
		.time = lead->safe,
		.is_final = !lead->is_moving || !lead->is_open,
		.contact = lead->contact,
		.lead = bvwcontrol_objects( control )[number].lead,
	};
	return bv_ok;
}

// Where an object is when its group stops.
static bv_status place_at_stop( const bvw_control* control, uint32_t number, bv_transform* out )
{
	const bvwcontrol_object* o = bvwcontrol_objects( control ) + number;
	const bvwcontrol_object* lead = bvwcontrol_lead_of( control, number );
	*out = o->placement;
	if ( o->way == bvwcontrol_way_rest || lead->safe == 0 )
	{
		return bv_ok;
	}
	if ( o->way == bvwcontrol_way_goal && lead->safe == 1 )
	{
		// What moved had the scale of the placement.
		out->pose = o->goal.pose;
		return bv_ok;
	}
	return bv_motion_at( &o->motion, lead->safe, out );
}

bool bvw_control_get_pair( const bvw_control* control, uint32_t index, bvw_control_pair* out )
{
	if ( !control || !out || !control->is_active || index >= control->pair_count )
	{
		return false;
	}
	const bvwcontrol_pair* pair = bvwcontrol_pairs( control ) + index;
	bvw_pair_state state = pair->has_stopped && pair->result.found  ? bvw_pair_contact
	                       : pair->has_stopped                      ? bvw_pair_undecided
	                       : pair->state == bvwcontrol_pair_ignored ? bvw_pair_ignored
	                       : pair->state == bvwcontrol_pair_decided ? bvw_pair_free
	                                                                : bvw_pair_open;
	*out = ( bvw_control_pair ){ pair->a, pair->b, state, pair->lower };
	return true;
}

bv_status bvw_control_apply( bvw_control* control )
{
	bv_transform at;
	if ( !control || !control->is_active )
	{
		return bv_error_argument;
	}
	if ( bvwcontrol_finish( control ) != bv_ok )
	{
		end_step( control );
		return bv_error_argument;
	}
	bvwcontrol_answer( control );
	uint32_t count = control->options.broadphase.objects;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( find_object( control, i ) && place_at_stop( control, i, &at ) != bv_ok )
		{
			return bv_error_argument;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvwcontrol_object* o = find_object( control, i );
		if ( o && o->way != bvwcontrol_way_rest )
		{
			place_at_stop( control, i, &at );
			set_placement( o, &at );
		}
		if ( o && o->lead == i )
		{
			bool is_starved = o->has_moved && ( o->is_held || o->was_untried );
			o->starved = !is_starved ? 0 : o->starved < bvwcontrol_most_starved ? o->starved + 1 : o->starved;
		}
	}
	end_step( control );
	return bv_ok;
}
