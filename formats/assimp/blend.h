// Blender files, beyond what Assimp 5.2 does with them.

#pragma once

#include "formats/assimp/transport.h"

/// Refuses what Assimp cannot read: files of Blender 3.0 and later, and those that are compressed as these do.
/// @param file  the input, of which a few bytes are read
/// @return bv_ok; bv_error_unsupported
bv_status bvassimp_check_blend( const char* path, int file, bvb_error* error );

/// Counts the objects of the file that the scene does not have: Assimp keeps the children of an object in a
/// set whose order is none, and loses some. Runs in the child process.
/// @param path  of the input
/// @param to    receives a loss for each, with its name
void bvassimp_count_lost_objects( const char* path, const struct aiScene* scene, bvimport_notes* to );
