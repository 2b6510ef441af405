// Files that are read whole: opening, reading, hashing.

#pragma once

#include "bvbuild/base.h"

/// Opens a regular file for reading. Nothing that blocks is opened.
/// @param shown  what messages call the file
/// @param file   receives the descriptor, which the caller closes
/// @param size   receives its size in bytes
/// @return bv_ok; bv_error_input if it is missing, unreadable, no regular file, or empty unless `may_be_empty`
bv_status bvimport_file_open( const char* path, const char* shown, bool may_be_empty, int* file,
                              uint64_t* size, bvb_error* error );

/// Reads a file whole and hashes what was read. Read, not mapped: a mapping dies of SIGBUS when somebody
/// truncates the file meanwhile, and what is hashed has to be what is parsed.
/// @param data  room for `size` bytes
/// @param size  as bvimport_file_open says; receives how much was read, less if the file has become shorter
/// @param hash  receives XXH3-128 of that, canonical (big-endian) order
/// @return bv_ok; bv_error_input
bv_status bvimport_file_read( const char* shown, int file, char* data, size_t* size, uint8_t hash[16],
                              bvb_error* error );

/// @param hash  receives XXH3-128 of the data, canonical (big-endian) order
void bvimport_hash( const void* data, size_t size, uint8_t hash[16] );

/// Hashes a file piece by piece.
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status bvimport_file_hash( const char* shown, int file, uint8_t hash[16], bvb_error* error );

/// @param size  of `bytes`, as many as were asked for unless the file is shorter
/// @return whether the file begins with these bytes
bool bvimport_file_begins( int file, const char* bytes, size_t size );

/// @return whether the file is a Git LFS pointer: a clone without Git LFS has it instead of a large file
bool bvimport_file_is_lfs_pointer( int file );
