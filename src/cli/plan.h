// Which inputs become which outputs, and by which settings: decided before anything is built.

#pragma once

#include "cli/config.h"
#include "cli/settings.h"

/// An input and what becomes of it.
typedef struct planned
{
	const char* input;  ///< as given
	const char* output; ///< a file; a folder with settings.split; null with settings.list_objects, explain
	const settings* s;  ///< what counts for this input; those of several inputs may be one
} planned;

/// All that is to be done. Lives in the arena it was made in.
typedef struct plan
{
	planned* assets; ///< in the order they were given, of this shard
	int count;       ///< length of assets
	bool folders;    ///< those of the outputs are made where they are missing

	/// an input's files may be another one's, which only shows when they are named one input after the other
	bool one_by_one;

	config* config; ///< where settings come from besides the command line; null for none

	const char** inputs; ///< all that were given, of other shards too, by their names without folders
	int input_count;     ///< length of inputs
} plan;

/// Makes the plan. Outputs that two inputs would have are refused, and so are options that do not go
/// together.
/// @param s          of the command line; completed; kept
/// @param arguments  the same command line; kept
/// @param arena      the plan lives here
/// @return bv_ok; bv_error_argument; bv_error_input, bv_error_limit of files that the command line names;
///         bv_error_output; bv_error_memory
bv_status make_plan( settings* s, const argument_list* arguments, bvb_arena* arena, plan* out,
                     bvb_error* error );

/// @return the input that a file is, or null
const char* find_input( const plan* p, const char* path );
