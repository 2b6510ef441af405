// Writers: what is in a .bvh file out again as meshes that other programs read.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh with a name.
typedef struct bvb_export_object
{
	char name[32]; ///< terminated; letters, digits and underscores
	bvb_mesh mesh; ///< triangles
} bvb_export_object;

/// Meshes on their way out. Lives in the arena it was made in.
typedef struct bvb_export
{
	bvb_export_object* objects; ///< each becomes an object of its own
	uint32_t object_count;      ///< length of objects
} bvb_export;

/// @return the name of what can be exported, by index, with what it is in `summary` unless that is null; null past the last
const char* bvb_export_name( uint32_t index, const char** summary );

/// Gathers what is to be exported.
/// @param what  a name of bvb_export_name
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for another name; bv_error_input when the file does not have it, or nothing of it has a face;
///         bv_error_memory
bv_status bvb_export_gather( const bv_file* file, const char* what, bvb_arena* arena, bvb_export* out,
                             bvb_error* error );

/// @return the extension of a format that can be written, by index, with what it is in `summary` unless that is null; null past the
///         last
const char* bvb_export_format( uint32_t index, const char** summary );

/// @return whether the extension of a path, in any case, is that of a format
bool bvb_export_knows( const char* path );

/// Writes meshes as a file in memory, in the format of the path's extension. Equal meshes give equal bytes.
/// @param arena  the result lives here
/// @param data   receives the file's bytes; they live in the arena
/// @param size   receives how many
/// @return bv_ok; bv_error_unsupported when no format has that extension; bv_error_limit where they are too large for it;
///         bv_error_memory
bv_status bvb_export_encode( const bvb_export* from, const char* path, bvb_arena* arena, const void** data,
                             size_t* size, bvb_error* error );

#ifdef __cplusplus
}
#endif
