// Readers: a mesh file in, any triangle soup out.
//
// OBJ, STL, PLY and OFF are read by strict readers of our own; everything else by Assimp in a child process
// with limits, because a broken file must not take the build down. Nothing is welded or cleaned here.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/scene.h"
#include "bvbuild/side_files.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Limits of an import in a child process, and threads of one in this.
typedef struct bvb_import_options
{
	double timeout;        ///< seconds, of processor and of wall-clock time; default 60
	uint64_t memory_bytes; ///< address space; default 8 GiB
	uint32_t threads; ///< that a reader may use; 0, the default, for all there are. The result is the same
} bvb_import_options;

/// @return the defaults above
bvb_import_options bvb_import_options_default( void );

/// An imported mesh and what it was made from.
typedef struct bvb_import
{
	bvb_scene scene;   ///< triangles and where they come from; as found, nothing welded or dropped
	uint64_t points;   ///< point primitives left out
	uint64_t lines;    ///< line primitives left out
	uint64_t warnings; ///< warnings of Assimp; 0 for built-in readers, which reject the file instead
	uint64_t losses;   ///< how many of the warnings concern geometry that was dropped
	const char*
		warning; ///< the first of the losses, without any of the warnings, else null; lives in the arena
	const char* format;        ///< the reader's name: "obj", or the file's extension; lives in the arena
	uint8_t hash[16];          ///< XXH3-128 of the file's bytes, canonical (big-endian) order
	bvb_side_files side_files; ///< what was read, looked for or named besides the file; lives in the arena
} bvb_import;

/// Reads a mesh file. The reader is chosen by the name's extension, in any case.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input when the file is missing, unreadable, malformed or without triangles, or
///         when the child process crashes or exceeds its limits, or a file changes while Assimp reads it;
///         bv_error_unsupported when nothing reads
///         such files; bv_error_argument when a limit is not positive; bv_error_limit; bv_error_memory
bv_status bvb_import_file( const char* path, const bvb_import_options* options, bvb_arena* arena,
                           bvb_import* out, bvb_error* error );

/// @return whether a reader of this library reads what has that extension, in lower case and without the dot, and not Assimp
bool bvb_import_is_own( const char* extension );

/// Hashes a file without reading its mesh. Input files that bvb_import_file cannot open, or without an extension, are rejected.
/// @param hash    receives what bvb_import has
/// @param format  receives the file's extension in lower case, which is bvb_import's format; null for a file that is no input, and may
///                be empty and have any name
/// @param arena   the format lives here; null without one
/// @return bv_ok; bv_error_input; bv_error_unsupported for a name without an extension; bv_error_memory
bv_status bvb_hash_file( const char* path, uint8_t hash[16], const char** format, bvb_arena* arena,
                         bvb_error* error );

#ifdef __cplusplus
}
#endif
