// VRML 2.0 (VRML97), the 3D scenes of the web of 1997, in which robots and simulations still come.

#pragma once

#include "bvbuild/import.h"

/// Reads the shapes of a scene in text, also compressed by gzip. Each shape that is placed is an object, and has
/// the innermost name that DEF gives on the way to it. Face sets and elevation grids are read as they are; boxes
/// are boxes, and round shapes have their vertices on them, 32 around. Of a level of detail the first is read,
/// and of a switch its choice. What other geometry there is, such as extrusions, text, files that are included
/// and nodes of prototypes, is counted as a loss.
/// @param path          of the file, for messages
/// @param memory_bytes  what the scene may take
/// @param arena         the scene lives here
/// @param out           receives scene, points, lines, warnings and losses
/// @return bv_ok; bv_error_input, naming the line; bv_error_unsupported for VRML 1.0; bv_error_limit;
///         bv_error_memory
bv_status bvvrml_read_vrml( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            bvb_arena* arena, bvb_import* out, bvb_error* error );
