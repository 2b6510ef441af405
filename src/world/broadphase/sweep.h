// What incremental sweep and prune keeps: end points, and room for a sweep. See sweep.c.

#pragma once

#include "world/broadphase/ends.h"

/// A box during a sweep, whose axes are sorted by how selective they are.
typedef struct bvwphase_sweep_entry
{
	double lower[3];
	double upper[3];
	uint32_t number;     ///< of the object
	uint32_t is_changed; ///< so is the object
	uint32_t rank;       ///< among the lower bounds along the first axis
	uint32_t unused;
} bvwphase_sweep_entry;

/// The head of the method's part of the block. Arrays follow, which the functions below return.
typedef struct bvwphase_sweep_state
{
	uint32_t count;         ///< end points of an axis
	uint32_t fresh;         ///< objects
	uint32_t gone;          ///< objects
	uint32_t must_take_out; ///< the number of an object that is gone is in use again
	uint32_t is_full;       ///< bvwphase_report returned false
	uint32_t wait;          ///< updates until exchanges are tried again
	uint32_t last_wait;     ///< the number of them the last time
	uint32_t too_many;      ///< changed objects, then
	uint64_t swaps;         ///< of this update
	double longest[3];      ///< at least the longest of the finite intervals
} bvwphase_sweep_state;

static inline bvwphase_sweep_state* bvwphase_sweep_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

/// Sorted by value, lower ones before upper ones, then by number.
static inline bvwphase_end_point* bvwphase_sweep_ends( const bvw_broadphase* world, int axis )
{
	return (bvwphase_end_point*)( bvwphase_sweep_of( world ) + 1 ) +
	       (size_t)axis * 2 * world->options.objects;
}

/// The boxes whose bounds are in the arrays, by number.
static inline bv_aabb* bvwphase_sweep_sorted( const bvw_broadphase* world )
{
	return (bv_aabb*)bvwphase_sweep_ends( world, 3 );
}

/// Room for a sweep, or for sorting.
static inline bvwphase_sweep_entry* bvwphase_sweep_entries( const bvw_broadphase* world )
{
	return (bvwphase_sweep_entry*)( bvwphase_sweep_sorted( world ) + world->options.objects );
}

/// The entry of each rank.
static inline uint32_t* bvwphase_sweep_order( const bvw_broadphase* world )
{
	return (uint32_t*)( bvwphase_sweep_entries( world ) + world->options.objects );
}

/// The strip of each object, by number.
static inline uint32_t* bvwphase_sweep_strips( const bvw_broadphase* world )
{
	return bvwphase_sweep_order( world ) + world->options.objects;
}

/// The first entry of each strip.
static inline uint32_t* bvwphase_sweep_starts( const bvw_broadphase* world )
{
	return bvwphase_sweep_strips( world ) + world->options.objects;
}

/// Bits of sweep.c for each object.
static inline uint8_t* bvwphase_sweep_states( const bvw_broadphase* world )
{
	return (uint8_t*)( bvwphase_sweep_starts( world ) + world->options.objects + 3 );
}

/// Reports all pairs that touch and have a changed object, by one sweep over all boxes.
/// @return false if bvwphase_report did
bool bvwphase_sweep_once( bvw_broadphase* world, const bvwphase_sweep_state* s );

/// The end points of an axis among which are those of all objects that touch an interval: lower ones of [from, to), and, if
/// these do not begin with the first one, objects that extend to minus infinity, whose end points are the first ones, and to
/// infinity, whose end points are the last ones.
typedef struct bvwphase_sweep_window
{
	const bvwphase_end_point* ends;
	int axis;
	double begin; ///< value at `from`; lower bounds of finite intervals that touch are not below
	uint32_t from;
	uint32_t to;
	uint32_t below; ///< end points at minus infinity
	uint32_t above; ///< first end point at infinity
	uint32_t count; ///< of all
	uint64_t size;  ///< end points to look at
} bvwphase_sweep_window;

/// @return that of the axis with the fewest end points for a box
bvwphase_sweep_window bvwphase_sweep_window_around( const bvw_broadphase* world, const bv_aabb* box );
