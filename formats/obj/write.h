// Wavefront OBJ: a writer of meshes.

#pragma once

#include "bvbuild/export.h"

/// Writes each mesh as an object with vertices and faces. Numbers read back equal: as binary32 where all
/// coordinates of a mesh are such, else as binary64.
/// @return bv_ok; bv_error_memory
bv_status bvobj_write_obj( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                           bvb_error* error );
