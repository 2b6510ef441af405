// One input of bvbuild: import, objects picked, assets built and written.

#pragma once

#include "cli/outputs.h"
#include "cli/plan.h"

/// What has become of an input.
typedef enum outcome
{
	outcome_not_begun = 0, ///< another one had failed before
	outcome_failed,
	outcome_built,
	outcome_fresh,  ///< the output was up to date
	outcome_cached, ///< the output was taken from the cache
	outcome_count,
} outcome;

/// The same with what there is to tell of it.
typedef struct asset_result
{
	outcome what;
	int code;           ///< exit code
	double seconds;     ///< that it took
	uint64_t files;     ///< written, or there already
	uint64_t bytes;     ///< of these
	uint64_t triangles; ///< of these, where one was built
	bvb_error error;    ///< the first message about what failed; empty when nothing did
} asset_result;

/// What passes from input to input.
typedef struct run_state
{
	const plan* plan;         ///< all of them
	bvb_arena* arena;         ///< for what outlives an input
	const split_files* files; ///< what the inputs so far are split into; null at first
	bool cache_failed;        ///< nothing can be kept there, which has been said
	struct progress* told;    ///< where long work is told of; null for nowhere
} run_state;

/// Does all for one input, and complains of what goes wrong.
/// @param index  of the plan
void build_input( run_state* run, int index, asset_result* result );
