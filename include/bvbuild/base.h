// Error messages, arena memory and atomic file writes, used by all other headers of the offline library.
//
//     #include <bvbuild/base.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bvb_arena* arena = bvb_arena_create();
//         char* text = bvb_arena_allocate( arena, 6, 1 );   // freed with the arena
//         bvb_error error;
//         if ( !text || bvb_write_file( "zeros.bin", text, 6, &error ) != bv_ok )
//         {
//             fprintf( stderr, "%s\n", text ? error.message : "out of memory" );
//         }
//         bvb_arena_destroy( arena );
//         return 0;
//     }
//
// The offline library, libbvbuild, turns meshes into .bvh files. Its functions keep no global state. Their
// results live in an arena that the caller owns. If a function with a parameter `error` fails, it writes a
// message there. `error` may be null.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An error message for people.
typedef struct bvb_error
{
	/// One line without the program's name and without a newline, zero-terminated. Empty if there was no
	/// error. Has room for the longest path.
	char message[4352];
} bvb_error;

/// Memory that is freed all at once. An arena must not be used by two threads at the same time.
typedef struct bvb_arena bvb_arena;

/// @return an empty arena; null if out of memory
bvb_arena* bvb_arena_create( void );

/// Creates an arena with a size limit. Allocations that would exceed it fail, so that memory use can be
/// bounded and out-of-memory handling can be tested.
/// @param bytes  maximum number of bytes that the arena holds
/// @return an empty arena; null if out of memory
bvb_arena* bvb_arena_create_limited( size_t bytes );

/// Frees the arena and everything that lives in it. Null is allowed.
void bvb_arena_destroy( bvb_arena* arena );

/// Allocates zeroed memory.
/// @param count  number of elements; may be 0
/// @param size   bytes per element
/// @return 64-byte aligned memory; null if out of memory
void* bvb_arena_allocate( bvb_arena* arena, size_t count, size_t size );

/// @return number of bytes that the arena holds
size_t bvb_arena_bytes( const bvb_arena* arena );

/// Writes a file atomically. The data is written to PATH.bvtmp in the same folder, flushed to disk, and
/// renamed to PATH.
///
/// If writing fails or a signal arrives, an existing file is unchanged and the temporary file is removed.
/// After SIGKILL the temporary file remains until the next write to the same path. Signals that end the
/// process are delivered after the write. If another process is writing the same path, the function waits for
/// it.
/// @return bv_ok; bv_error_output; bv_error_memory
bv_status bvb_write_file( const char* path, const void* data, size_t size, bvb_error* error );

/// A file to be written.
typedef struct bvb_file_bytes
{
	const char* path; ///< zero-terminated
	const void* data; ///< content
	size_t size;      ///< bytes of data
} bvb_file_bytes;

/// Writes a set of files, all or none. All files are first written to their PATH.bvtmp and flushed to disk.
/// Then they are renamed in their order. The guarantees of bvb_write_file hold for each file. All temporary
/// files are open at the same time. If a rename fails, the files before it have already been replaced.
/// @param files  with different paths; file names have at most 249 bytes
/// @param count  number of files
/// @return as bvb_write_file
bv_status bvb_write_files( const bvb_file_bytes* files, uint32_t count, bvb_error* error );

/// Removes the temporary file of a path that a killed process left behind, unless a process is writing it.
/// Call it if an output is up to date and is therefore not written.
void bvb_discard_temporary( const char* path );

#ifdef __cplusplus
}
#endif
