// 3MF: a ZIP archive with models in XML, as 3D printers and their programs exchange them.

#pragma once

#include "bvbuild/import.h"

/// Reads the objects that the build of the model places, with their components, also those in other parts of
/// the archive (production extension). Each mesh that is placed is an object of the scene, and has the name of
/// the object in the file, or Object_ID. Units are not converted. Base materials are materials. What a required
/// extension may change is not read; other extensions are ignored.
/// @param path          of the file, for messages
/// @param memory_bytes  what the parts of the archive and the scene may take
/// @param arena         the scene lives here
/// @param out           receives scene, warnings and losses
/// @return bv_ok; bv_error_input, naming the part and the line; bv_error_unsupported; bv_error_limit;
///         bv_error_memory
bv_status bv3mf_read_3mf( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                          bvb_arena* arena, bvb_import* out, bvb_error* error );
