// One input of bvbuild: import, objects picked, assets built and written.

#pragma once

#include "cli/outputs.h"
#include "cli/settings.h"

/// What passes from input to input.
typedef struct run_state
{
	bvb_arena* arena;         ///< for what outlives an input
	const split_files* files; ///< what the inputs so far are split into; null at first
	struct progress* told;    ///< where long work is told of; null for nowhere
} run_state;

/// Does all for one input, and complains of what goes wrong.
/// @param index   of the input
/// @param output  the file, or with settings.split the folder
/// @return the exit code
int build_input( const settings* s, int index, const char* output, run_state* run );
