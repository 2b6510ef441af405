// A Ninja file that builds each input by itself: --emit-ninja.

#pragma once

#include "cli/plan.h"

/// Writes the file that settings.ninja names: for each input of the plan a command with the options of this
/// call, that runs again when the input, what it reads, its settings or bvbuild itself have changed; and one
/// that makes the file anew when the lists of inputs that were read as @FILE or the settings have. Ninja is
/// to be run where this was. A file that is the same already is left alone.
/// @return bv_ok; bv_error_argument for names with a line break, which Ninja cannot say; bv_error_output;
///         bv_error_memory
bv_status write_ninja( const settings* s, const plan* p, const invocation* call, bvb_arena* arena,
                       bvb_error* error );
