// What every other header of the offline library needs: error messages for people, and memory.
//
// The offline library, libbvbuild, turns meshes into .bvh files. Its functions keep no state: everything they
// make lives in an arena that the caller owns.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One line for people, without the program's name and without a newline.
typedef struct bvb_error
{
	char message[4352]; ///< terminated; empty when nothing failed; has room for the longest path
} bvb_error;

/// Memory that is freed all at once. Not to be used by two threads at the same time.
typedef struct bvb_arena bvb_arena;

/// @return an empty arena, or null when out of memory
bvb_arena* bvb_arena_create( void );

/// An arena with a limit: allocations fail if it would hold more than `bytes`. Used to bound memory, and to test
/// out-of-memory errors.
/// @return an empty arena, or null when out of memory
bvb_arena* bvb_arena_create_limited( size_t bytes );

/// Frees the arena and all that lives in it. Null is allowed.
void bvb_arena_destroy( bvb_arena* arena );

/// @param count  how many elements; may be 0
/// @param size   bytes of one element
/// @return zeroed memory for them, 64-byte aligned, or null when out of memory
void* bvb_arena_allocate( bvb_arena* arena, size_t count, size_t size );

/// @return bytes that the arena holds
size_t bvb_arena_bytes( const bvb_arena* arena );

/// Writes a whole file or nothing: into PATH.bvtmp beside the target, to the disk, then renamed over the
/// target. A failure or a signal leaves an old file as it was and no temporary; after SIGKILL the temporary
/// stays until the next write of the same path. Signals that end a process are delivered after the write.
/// Waits while another process writes the same path.
/// @return bv_ok; bv_error_output; bv_error_memory
bv_status bvb_write_file( const char* path, const void* data, size_t size, bvb_error* error );

/// A file to be written.
typedef struct bvb_file_bytes
{
	const char* path; ///< terminated
	const void* data; ///< its bytes
	size_t size;      ///< length of data
} bvb_file_bytes;

/// Writes several files that belong together: all of them or none. Every file is written to its PATH.bvtmp and flushed to disk, then all
/// are renamed in order. The guarantees of bvb_write_file hold for each, except that files that were renamed before a failing rename
/// stay replaced. All temporaries are open at the same time.
/// @param files  with different paths, names of 249 bytes at most
/// @return as bvb_write_file
bv_status bvb_write_files( const bvb_file_bytes* files, uint32_t count, bvb_error* error );

/// Removes the temporary that a killed writer of the path has left, if there is one and nobody writes it: for who finds that there is
/// nothing to write.
void bvb_discard_temporary( const char* path );

#ifdef __cplusplus
}
#endif
