// The mesh and the hierarchy of an open file, as arrays.

#pragma once

#include "bv/file.h"
#include "bvbuild/hierarchy.h"

/// Copies positions, as they are stored, and triangles.
/// @param file   with triangles
/// @param arena  the result lives here
/// @return bv_ok; bv_error_damaged for a triangle that has a vertex twice and for a vertex that no triangle uses; bv_error_memory
bv_status bvhaus_file_mesh( const bv_file* file, bvb_arena* arena, bvb_mesh* out, bvb_error* error );

/// @param file   with a hierarchy
/// @param arena  the result lives here
/// @return its tree; null if out of memory
bvb_tree* bvhaus_file_tree( const bv_file* file, bvb_arena* arena );
