// Several inputs at once, each in one of a few processes: what one of them does to itself is no other one's
// matter.

#pragma once

#include "cli/build.h"

/// Told of inputs in their order, as soon as all before them are done.
typedef void input_done( void* context, int index, const asset_result* result );

/// How inputs are worked on.
typedef struct work
{
	run_state* run;   ///< told is told how many are done
	int jobs;         ///< processes
	int threads;      ///< of each process, where an input's settings do not say how many
	bool keep_going;  ///< also after a failure
	input_done* done; ///< called with each input that was begun, and with what was not
	void* context;    ///< passed on to it
} work;

/// Does all inputs of the plan. What processes print is printed in the order of the inputs, whole. A signal
/// that ends this process ends them first; where one of them dies, its input has failed.
/// @return bv_ok; bv_error_limit when there can be no such process; bv_error_memory
bv_status work_in_processes( const work* w, bvb_error* error );

/// Where a process has to find its work by itself: if this is one that is to work for another one, does that.
/// @return whether it was
bool serve_in_process( const work* w );
