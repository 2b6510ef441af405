// Binary glTF 2.0: a writer of meshes.

#pragma once

#include "bvbuild/export.h"

/// Writes each mesh as a node of its own with a colour of its own. Coordinates are rounded to binary32 and not turned, whatever way up
/// they are meant; there are no normals, so that faces are shown flat.
/// @return bv_ok; bv_error_limit above 4 GB; bv_error_memory
bv_status bvb_write_glb( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                         bvb_error* error );
