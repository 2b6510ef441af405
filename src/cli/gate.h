// The option --gate of both tools: conditions on the report.

#pragma once

#include "bvbuild/bvbuild.h"
#include "cli/options.h"

enum
{
	max_gates = 256,
};

/// What has to hold.
typedef struct gate_settings
{
	const char* conditions[max_gates]; ///< as given
	int count;                         ///< length of conditions
} gate_settings;

/// Takes a condition, whose syntax is checked.
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status add_gate( gate_settings* s, const char* value, bvb_error* error );

/// Checks all conditions, and complains of each that does not hold or cannot be evaluated.
/// @param path   of the file, for messages
/// @param json   its report
/// @param arena  scratch memory
/// @param first  receives the first complaint, if there is one
/// @return exit_done; exit_gate when one does not hold; exit_usage when one asks for what reports do not
///         have; exit_memory; the highest of them
int check_gates( const tool* t, const gate_settings* s, const char* path, const char* json, bvb_arena* arena,
                 bvb_error* first );
