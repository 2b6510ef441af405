// Poses from a file: translations, quaternions or matrices.

#pragma once

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"

/// Reads the poses of a table. What a row has is known from the header, or from the number of its values; see
/// docs/cli.md.
/// @param quiet  whether to say nothing on stderr about what was assumed and what is not used
/// @param poses  receives them, in the arena
/// @return bv_ok; bv_error_input, naming the line; bv_error_limit; bv_error_memory
bv_status read_poses( const char* path, bool quiet, bvb_arena* arena, bv_pose** poses, uint32_t* count,
                      bvb_error* error );
