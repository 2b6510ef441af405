// What bvinspect prints for people.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"

/// Prints a screenful about a file to stdout, in lines of at most 80 columns.
/// @param arena  scratch memory
void print_summary( const char* path, const bv_file* file, bvb_arena* arena );
