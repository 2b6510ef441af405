// The option --triangles of bvinspect: which triangles a place has.

#pragma once

#include "bvbuild/bvbuild.h"

/// Prints a row of CSV per triangle, with its origin if the file has it.
/// @param path   of the file, for messages
/// @param place  as bvb_find_triangles takes it
/// @param arena  scratch memory
/// @return as bvb_find_triangles
bv_status print_triangles( const char* path, const bv_file* file, const char* place, bvb_arena* arena,
                           bvb_error* error );
