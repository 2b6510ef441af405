// What sweeps of pairs of objects have in common: options, and where a contact is in the world.

#pragma once

#include "runtime/motion/advance.h"

/// @param options  null for the defaults
/// @param out      receives the options, with the defaults filled in
/// @return false if one is out of range
bool bvmotion_sweep_options( const bv_sweep_options* options, bv_sweep_options* out );

/// @param most  tests and steps that a query may take; 0 for no limit
/// @return how many of them are left, at least 1; 0 if there is no limit
static inline uint64_t bvmotion_tests_left( uint64_t most, uint64_t used )
{
	return most == 0 ? 0 : used < most ? most + 1 - used : 1;
}

/// @return the same for bvmotion_shapes.most_steps
static inline uint32_t bvmotion_steps_left( uint64_t most, uint64_t used )
{
	uint64_t left = bvmotion_tests_left( most, used );
	return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

/// Looks for the first contact between two times, which can be equal.
typedef bv_status bvmotion_window( void* context, double from, double to, bvmotion_contact* out );

/// Looks for contacts at the times of a mode.
/// @param asked    with the defaults filled in
/// @param contact  receives what was found
bv_status bvmotion_look( const bv_sweep_options* asked, bvmotion_window* window, void* context,
                         bvmotion_contact* contact );

/// Sets what is known of a contact. Points are placed in the world.
/// @param motion  of the first object
/// @param from    start of the range
/// @return bv_ok; bv_error_argument if a callback returned a pose that is not valid
bv_status bvmotion_set_contact( const bv_motion* motion, double from, const bvmotion_contact* contact,
                                bv_sweep_result* out );

enum
{
	bvmotion_sweep_words = 160, // of 8 bytes
};

/// bv_sweep_meshes for callers that have little of the stack left.
/// @param memory  that the sweep works in; holds nothing afterwards
bv_status bvmotion_sweep_meshes_in( uint64_t memory[bvmotion_sweep_words], const bv_file* a,
                                    const bv_motion* motion_a, const bv_file* b, const bv_motion* motion_b,
                                    const bv_sweep_options* options, bv_sweep_result* result );
