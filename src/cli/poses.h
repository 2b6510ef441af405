// Pose files: CSV with a head line; the columns r00 ... r22 (a rotation, row by row), tx, ty and tz are used,
// in any order, and others are passed over.

#pragma once

#include "bvbuild/base.h"

/// @param poses  receives `count` poses in `arena`
/// @return bv_ok; bv_error_input when the file is missing, malformed or without poses; bv_error_memory
bv_status read_poses( const char* path, bvb_arena* arena, bv_pose** poses, uint32_t* count,
                      bvb_error* error );
