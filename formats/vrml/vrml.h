// VRML 2.0 (VRML97), a 3D scene format of 1997 that robot and simulation data still use.

#pragma once

#include "bvbuild/import.h"

/// Reads the shapes of a scene in text, also compressed by gzip. Each shape that is placed is an object, and has
/// the innermost name that DEF gives on the way to it. Face sets and elevation grids are read as they are; boxes
/// are exact, and round shapes have 32 vertices per circle, which lie on the shape. LOD nodes are read at their
/// first level, Switch nodes at their choice. Other geometry is counted as a loss: extrusions, text, included
/// files and instances of prototypes.
/// @param path          of the file, for messages
/// @param memory_bytes  what the scene may take
/// @param arena         the scene lives here
/// @param out           receives scene, points, lines, warnings and losses
/// @return bv_ok; bv_error_input, naming the line; bv_error_unsupported for VRML 1.0; bv_error_limit;
///         bv_error_memory
bv_status bvvrml_read_vrml( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            bvb_arena* arena, bvb_import* out, bvb_error* error );
