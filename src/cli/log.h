// What became of the inputs: a line for people at the end, and one line of JSON for each input where programs
// want to know.

#pragma once

#include "cli/build.h"

/// What is told of all inputs.
typedef struct run_log run_log;

/// Begins the log, where --log wants one.
/// @param arena  it lives here
/// @return bv_ok; bv_error_output when the file cannot be written; bv_error_memory
bv_status begin_log( const settings* s, bvb_arena* arena, run_log** out, bvb_error* error );

/// Takes note of an input. The lines stand in the order of these calls.
void log_input( run_log* log, const planned* asset, const asset_result* result );

/// Adds the line about all of them, and tells people, of several, how many there were.
/// @return bv_ok; bv_error_output when a line could not be written; bv_error_memory
bv_status end_log( run_log* log, bvb_error* error );

/// @return the highest exit code of all inputs
int log_code( const run_log* log );

/// Ends it without a word, where nothing more is to be done. Null is allowed.
void abandon_log( run_log* log );
