// Every mesh format that Assimp reads, in a child process with limits.

#pragma once

#include "bvbuild/import.h"

/// Reads a file that nobody trusts with a library that nobody trusts. Node transforms are applied, every
/// instance of a mesh becomes triangles of its own, mirrored instances keep their outside, polygons are cut
/// into triangles.
/// @param extension  of the path, without the dot, in lower case
/// @param arena      the mesh lives here
/// @param out        receives mesh, points and lines; the other fields are left alone
/// @return bv_ok; bv_error_unsupported when Assimp does not know the extension; bv_error_input when it
///         refuses the file, finds no triangles, crashes or exceeds a limit; bv_error_limit; bv_error_memory
bv_status bvb_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                           bvb_arena* arena, bvb_import* out, bvb_error* error );

/// @return whether bvb_import_options.memory_bytes has an effect: not under AddressSanitizer, which reserves terabytes of
///         address space for its shadow and dies without them
bool bvb_assimp_limits_memory( void );
