// The option --compare of bvinspect: what changed from one file to another.

#pragma once

#include "bvbuild/bvbuild.h"

/// Prints what bvb_report_compare found, for people.
/// @param before  name of the earlier file
/// @param after   name of the later one
/// @param json    the comparison
/// @return bv_ok; bv_error_memory
bv_status print_comparison( const char* before, const char* after, const char* json, bvb_error* error );
