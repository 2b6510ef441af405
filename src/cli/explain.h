// --explain-config: the options of an input, and where each comes from.

#pragma once

#include "cli/plan.h"

/// Prints, for each input: which entries of the configuration match it and why, and the final value of each
/// option with where it comes from.
/// @param arguments  the command line
/// @param arena      scratch memory
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status explain_plan( const plan* p, const argument_list* arguments, bvb_arena* arena, bvb_error* error );
