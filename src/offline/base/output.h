// Writes files that can be made again if they are lost.

#pragma once

#include "bvbuild/base.h"

/// As bvb_write_file, without waiting for the disk: after a power failure the file may be old, new, empty or
/// damaged. For what is checked when it is read and can be made again.
bv_status bvbase_write_file_soon( const char* path, const void* data, size_t size, bvb_error* error );
