// What bvinspect prints for people.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"

/// Prints a screenful about a file to stdout, in lines of at most 80 columns.
/// @param arena  scratch memory
/// @return bv_ok; bv_error_memory, with nothing printed
bv_status print_summary( const char* path, const bv_file* file, bvb_arena* arena, bvb_error* error );

/// Prints all findings of a report with their keys, the worst first, in lines of at most 80 columns.
/// @param path   of the file that the report is on
/// @param arena  scratch memory
/// @return bv_ok; bv_error_memory, with nothing printed
bv_status print_findings( const char* path, const char* json, bvb_arena* arena, bvb_error* error );
