// Blender files, beyond what Assimp 5.2 does with them.

#pragma once

#include "formats/assimp/transport.h"

/// Rejects what Assimp cannot read: files of Blender 3.0 and later, and files compressed by zstd.
/// @param file  the input, of which a few bytes are read
/// @return bv_ok; bv_error_unsupported
bv_status bvassimp_check_blend( const char* path, int file, bvb_error* error );

/// Counts the objects of the file that are missing from the scene: Assimp keeps the children of an object in a
/// set that is not ordered consistently, and loses some. Runs in the child process.
/// @param path  of the input
/// @param to    receives a loss for each, with its name
void bvassimp_count_lost_objects( const char* path, const struct aiScene* scene, bvimport_notes* to );
