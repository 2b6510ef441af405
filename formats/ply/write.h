// Binary PLY: a writer of meshes.

#pragma once

#include "bvbuild/export.h"

/// Writes all meshes as one, little endian. Vertices have colors; faces have colors and the number of their
/// object, whose name is in a comment of the header. Numbers read back equal: as binary32 where all
/// coordinates are such, else as binary64.
/// @return bv_ok; bv_error_limit above 2^31 - 1 vertices or faces; bv_error_memory
bv_status bvply_write_ply( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                           bvb_error* error );
