// What bvinspect prints for people.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"

/// Prints a screenful about a file to stdout, in lines of at most 80 columns.
/// @param arena  scratch memory
/// @return bv_ok; bv_error_memory, with nothing printed
bv_status print_summary( const char* path, const bv_file* file, bvb_arena* arena, bvb_error* error );
