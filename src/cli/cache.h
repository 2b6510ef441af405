// Results of builds, by what they are made of: DIR/ab/REST.bvh, named by a hash of all that shapes a file.
//
// Which other files an import reads is known only afterwards. So there are two steps: under the hash of what
// is known before is a list of those files, DIR/ab/REST.files, where there are any; under the hash of that
// and of their content is the result. Any number of processes may use one folder; a file in it may be removed
// at any time. Using an entry makes it newer, so that
//     find DIR -type f -mtime +30 -delete
// removes what nobody has used for a month.

#pragma once

#include "cli/fresh.h"

/// Finds what a build would give.
/// @param arena  the bytes live here
/// @return whether it is there, sound, and made as the recipe says
bool find_cached( const char* folder, const recipe* r, bvb_arena* arena, bvb_bytes* out );

/// Stores the result of a build, and replaces an older one. Creates the folder if it is missing. Files
/// that have changed since the build are noticed when it is found.
/// @param files  what the import read besides its input
/// @return bv_ok; bv_error_output; bv_error_memory
bv_status store_cached( const char* folder, const recipe* r, const bvb_side_files* files,
                        const bvb_bytes* bytes, bvb_arena* arena, bvb_error* error );
