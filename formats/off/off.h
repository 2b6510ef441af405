// Geomview's Object File Format: a strict reader of its polygons.

#pragma once

#include "bvbuild/import.h"

/// Reads the text form, with or without a keyword. Each vertex and each face begins on a line of its own, and
/// one that goes on in the next line must end with a line, so that no number is ever taken for another's.
/// Texture coordinates, normals and colors are skipped; all vertices have equally many numbers. Polygons are
/// cut into triangles; faces of one or two corners are counted as points and lines. Coordinates are rounded
/// correctly to binary64; `nan`, `inf` and numbers beyond its range are passed on as such.
/// @param name   the file's name, for messages
/// @param data   `size` bytes; nothing beyond is read
/// @param arena  the mesh lives here
/// @param out    receives scene, points and lines; the other fields are left alone
/// @return bv_ok; bv_error_input, with the line, when the text is malformed, ends early, goes on after the
///         last face or has no face; bv_error_unsupported for other dimensions than 3 and for the binary
///         form; bv_error_limit; bv_error_memory
bv_status bvoff_read_off( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error );
