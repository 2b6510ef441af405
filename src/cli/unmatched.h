// Entries of a configuration that match nothing, most often because of a misspelled pattern. Their options and
// gates would have no effect.

#pragma once

#include "cli/config.h"
#include "cli/settings.h"

/// Rejects entries that match neither an input of this run nor a file, unless that is allowed. So each of many
/// runs may build a part of the inputs that the configuration is for. A pattern of an entry of which others
/// match is a warning.
/// @param c      match_entries has been called with all inputs
/// @param root   of --root, absolute; null for none
/// @param arena  scratch memory
/// @return bv_ok; bv_error_argument for the last such pattern, the others being printed; bv_error_input;
///         bv_error_memory
bv_status check_unmatched( const settings* s, const config* c, const char* root, bvb_arena* arena,
                           bvb_error* error );
