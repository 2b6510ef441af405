// Checks of the conditions of --gate, for both tools.

#pragma once

#include "bvbuild/bvbuild.h"
#include "cli/options.h"

/// Checks all conditions, and complains of each that does not hold or cannot be evaluated.
/// @param path   of the file, for messages
/// @param json   its report
/// @param arena  scratch memory
/// @param first  receives the first complaint, if there is one
/// @return exit_done; exit_gate when one does not hold; exit_usage when one asks for what reports do not
///         have; exit_memory; the highest of them
int check_gates( const tool* t, const bvb_gates* gates, const char* path, const char* json, bvb_arena* arena,
                 bvb_error* first );
