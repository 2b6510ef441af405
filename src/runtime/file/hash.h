// XXH3-64: the checksum of .bvh files.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// @param bytes  at any address; may be null if there are none
/// @return XXH3-64 of the bytes, with seed 0 and the default secret
uint64_t bvfile_hash( const void* bytes, size_t count );
